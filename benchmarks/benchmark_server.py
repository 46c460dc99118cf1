"""A server for a benchmark: web workers on a fresh database, as an operator would start them."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PORT = int(os.environ.get("BENCH_PORT") or 8973)


@contextmanager
def serving(
    *,
    database: str,
    settings: str,
    commands: Sequence[Sequence[str]] = (),
    environment: Mapping[str, str] | None = None,
    port: int = PORT,
) -> Iterator[dict[str, str]]:
    """Set a sandbox up and serve it; yields its keys by name, and its VAR_DIR.

    `database` is the URL of an empty one, SQLite where it is empty; BENCH_SANDBOX may name the
    VAR_DIR of one on SQLite that was set up, of which a copy is taken. `commands` are given to
    manage.py before the workers start.
    """
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        env = os.environ | {
            "VAR_DIR": folder,
            "PORT": str(port),
            "DJANGO_SETTINGS_MODULE": settings,
            **(environment or {}),
        }
        env.pop("DATABASE_URL", None)
        if database:
            env["DATABASE_URL"] = database

        def manage(*words: str) -> None:
            command = [sys.executable, "manage.py", *words]
            subprocess.run(command, cwd=ROOT, env=env, check=True, capture_output=True)

        bench_sandbox = os.environ.get("BENCH_SANDBOX", "")
        # its records are proved by its own
        if bench_sandbox and not database and "SECRET_KEY" not in env:
            shutil.copytree(bench_sandbox, folder, dirs_exist_ok=True)
        else:
            manage("migrate", "--verbosity", "0")
            manage("setup_sandbox", "--quiet")
        for words in commands:
            manage(*words)
        manage("build_index")
        keys = json.loads((Path(folder) / "keys.json").read_text())
        gunicorn = ["-m", "gunicorn", "--config", "config/gunicorn.py", "config.wsgi"]
        process = subprocess.Popen([sys.executable, *gunicorn], cwd=ROOT, env=env)
        try:
            _wait(port)
            yield keys | {"VAR_DIR": folder}
        finally:
            process.terminate()
            process.wait(20)


def _wait(port: int) -> None:
    for _ in range(300):  # a minute: other work may share the cores
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=1):
                return
        except OSError:
            time.sleep(0.2)
    raise SystemExit("the server did not start")
