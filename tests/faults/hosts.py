"""Hosts of the platform: a supervisor with all of its parts, a VAR_DIR and ports of its own."""

import http.client
import json
import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from config import start_guard
from tests.faults.servers import Postgres, Redis, until
from tests.test_run import ROOT, free_port

STARTS_WITHIN = 240.0  # on a busy machine
STOPS_WITHIN = 60.0
PARTS = {  # words of the command lines of what a host consists of
    "web": "gunicorn",
    "index": "keep_index",
    "jobs": "qcluster",
    "mcp": "apps.entry.discovery.tools",
}
LANES = ("jobs", "outbound", "callbacks", "payments")
# one set of secrets for all hosts, as an installation has it
SECRETS = ("SECRET_KEY", "WEBHOOK_SIGNING_KEY", "BANK_WEBHOOK_SECRET", "BANK_API_TOKEN")
FORGOTTEN = ("DJANGO_SETTINGS_MODULE", "DJANGO_ENV", "MCP_PORT", "MCP_URL", "MCP_API_URL")


@dataclass
class Site:
    """What hosts share: the database, Redis, secrets, settings."""

    folder: Path
    postgres: Postgres
    redis: Redis | None
    database: str
    settings: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.secrets = {name: secrets.token_hex(32) for name in SECRETS}

    def env(self, var_dir: Path) -> dict[str, str]:
        """Return the environment of a host's processes."""
        found = {name: value for name, value in os.environ.items() if name not in FORGOTTEN}
        found |= {"VAR_DIR": str(var_dir), "DATABASE_URL": self.postgres.url(self.database)}
        found["REDIS_URL"] = self.redis.url if self.redis else ""
        for name in ("JOB", "OUTBOUND", "CALLBACK", "PAYMENT"):
            found[f"{name}_WORKERS"] = "1"
        rates = {"SCREEN_RATE_PER_MINUTE": "1000000", "FREE_RATE_PER_MINUTE": "1000000"}
        rates["KEY_RATES_PER_MINUTE"] = "institution=1000000"
        return found | self.secrets | rates | self.settings

    def manage(self, *words: str, var_dir: Path | None = None) -> str:
        """Run a management command; return what it prints."""
        return self.run("manage.py", *words, var_dir=var_dir)

    def run(self, *words: str, var_dir: Path | None = None) -> str:
        """Run Python with the environment of a host; return what it prints."""
        env = self.env(var_dir or self.folder) | {"DJANGO_SETTINGS_MODULE": "config.settings"}
        process = subprocess.run(
            [sys.executable, *words], cwd=ROOT, env=env, capture_output=True, text=True, timeout=300
        )
        assert process.returncode == 0, told(process.stdout) + process.stderr
        return process.stdout

    def prepare(self) -> None:
        """Migrate, and load the sandbox's people, keys and samples."""
        self.manage("migrate", "--verbosity", "0")
        self.manage("setup_sandbox", "--quiet")

    def keys(self) -> dict[str, str]:
        """Return the sandbox's keys."""
        found: dict[str, str] = json.loads((self.folder / "keys.json").read_text())
        return found


class Host:
    """A host that serves: started, drained, killed whole or in parts."""

    def __init__(self, site: Site, name: str, wanted: Iterable[str] = (), **more: str) -> None:
        self.site, self.wanted, self.more = site, list(wanted), more
        self.var_dir = site.folder / name
        self.var_dir.mkdir(exist_ok=True)
        self.port, self.tools = free_port(), free_port()
        self.process: subprocess.Popen[bytes] | None = None

    def env(self) -> dict[str, str]:
        """Return the environment of its processes."""
        places = {"PORT": str(self.port), "MCP_PORT": str(self.tools)}
        return self.site.env(self.var_dir) | places | self.more

    def start(self, *, wait: bool = True) -> None:
        """Start it as `./run` does, its index first; wait until it answers."""
        with (self.var_dir / "host.log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "config.supervise", *self.wanted],
                cwd=ROOT,
                env=self.env(),
                stdout=log,
                stderr=log,
                start_new_session=True,
                # a run that is killed leaves none
                preexec_fn=start_guard.die_with_parent(os.getpid()),
            )
        if wait:
            self.await_up()

    def await_up(self) -> None:
        """Wait until it screens."""
        until(self.serves, STARTS_WITHIN, f"{self.var_dir.name} serves, see {self.log()[-2000:]}")

    def serves(self) -> bool:
        """Tell whether its health is served, and its lists are."""
        if self.process is not None and self.process.poll() is not None:
            raise RuntimeError(f"the host ended: {self.log()[-3000:]}")
        status, found = self.health()
        return status == 200 and found["checks"]["lists"]["status"] != "down"

    def health(self, path: str = "/compliance/health") -> tuple[int, dict[str, Any]]:
        """Return the status and body of a page of health."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        except http.client.HTTPException as error:
            raise OSError(str(error)) from error
        finally:
            connection.close()

    def log(self) -> str:
        """Return what its processes have said."""
        path = self.var_dir / "host.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def part(self, name: str, lane: str = "") -> list[int]:
        """Return the processes of a part, oldest first; `lane` is one of the job workers'."""
        mark = f"VAR_DIR={self.var_dir}\0".encode()
        found = []
        for pid in _processes():
            try:
                line = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
                content = Path(f"/proc/{pid}/environ").read_bytes()
            except OSError:
                continue
            of_lane = (
                content.partition(b"Q_CLUSTER_NAME=")[2].partition(b"\0")[0].decode() or "jobs"
            )
            if PARTS[name] in line and mark in content and (not lane or lane == of_lane):
                found.append(pid)
        return found

    def terminate(self) -> int:
        """Ask it to end, as a rolling restart does; return its status once it has."""
        assert self.process is not None
        self.process.terminate()
        return self.process.wait(STOPS_WITHIN)

    def kill(self) -> None:
        """End every process of it at once, as a power cut does."""
        marked = f"VAR_DIR={self.var_dir}\0".encode()
        for _ in range(50):
            left = [pid for pid in _processes() if marked in _environ(pid)]
            if not left:
                break
            for pid in left:
                _signal(pid, signal.SIGKILL)
            if self.process is not None:
                self.process.poll()
        self.process = None

    def end(self) -> None:
        """Leave nothing of it running."""
        if self.process is not None and self.process.poll() is None:
            with suppress(subprocess.TimeoutExpired):
                self.terminate()
        self.kill()


def told(printed: str) -> str:
    """Return what a command printed without its lines of progress."""
    lines = printed.replace("\r", "\n").splitlines()
    return "\n".join(line for line in lines if not line.endswith((" verified", " not yet sealed")))


def _processes() -> list[int]:
    own = os.getpid()
    return sorted(
        int(one.name)
        for one in Path("/proc").iterdir()
        if one.name.isdigit() and int(one.name) != own
    )


def _environ(pid: int) -> bytes:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        return b"" if state == "Z" else Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return b""


def _signal(pid: int, number: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)
