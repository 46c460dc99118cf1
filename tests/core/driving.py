"""Runs a script that drives a real cluster of workers on a database of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from config import settings as configured


def driven(module: str, folder: Path, *given: str) -> dict[str, Any]:
    """Run a module (of tests.core, or named whole) as a process; return what its last line says.

    `given` are its arguments.
    """
    whole = module if "." in module else f"tests.core.{module}"
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "tests.core.cluster_settings",
        "VAR_DIR": str(folder),
        "DATABASE_URL": f"sqlite:///{folder}/cluster.sqlite3",
        "PYTHONPATH": str(configured.BASE_DIR),
    }
    environment.pop("REDIS_URL", None)
    done = subprocess.run(
        [sys.executable, "-m", whole, *given],
        cwd=configured.BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        timeout=180,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found
