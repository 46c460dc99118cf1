"""An installation of its own for an attack: an empty SQLite database and VAR_DIR, no server."""

import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WITHIN = 300  # seconds for a command, on a busy machine
SECRETS = ("SECRET_KEY", "WEBHOOK_SIGNING_KEY", "BANK_WEBHOOK_SECRET", "BANK_API_TOKEN")
KEYRINGS = ("ATTESTATION_KEYS", "LEDGER_KEYS", "TRAVEL_RULE_KEYS")


@dataclass(frozen=True)
class Installation:
    """A folder, and the environment of what runs on it."""

    folder: Path
    env: dict[str, str]

    def run(self, *words: str) -> "subprocess.CompletedProcess[str]":
        """Run Python on it."""
        return subprocess.run(
            [sys.executable, *words],
            cwd=ROOT,
            env=self.env,
            capture_output=True,
            text=True,
            timeout=WITHIN,
        )

    def manage(self, *words: str) -> str:
        """Run a management command that must succeed; return what it prints."""
        done = self.run("manage.py", *words)
        if done.returncode:
            raise RuntimeError(f"{' '.join(words[:2])}: {done.stderr[-2000:]}")
        return done.stdout

    def shell(self, code: str) -> str:
        """Run code in Django's shell; return what it prints."""
        return self.manage("shell", "-v", "0", "-c", code).strip()


def production() -> dict[str, str]:
    """Return the settings that production asks for, with secrets of its own."""
    found = {name: secrets.token_hex(32) for name in SECRETS}
    found |= {name: f"attack:{secrets.token_hex(32)}" for name in KEYRINGS}
    return found | {
        "DJANGO_ENV": "production",
        "OPERATOR_NAME": "Alder Payments Limited",
        "ALLOWED_HOSTS": "testserver",
    }


@contextmanager
def installed(**settings: str) -> Iterator[Installation]:
    """Migrate an installation of its own, which is gone after the block."""
    with tempfile.TemporaryDirectory(prefix="oracle-attack-") as folder:
        env = {
            name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")
        }
        env |= {"DJANGO_SETTINGS_MODULE": "config.settings", "VAR_DIR": folder}
        env |= {"DATABASE_URL": f"sqlite:///{folder}/db.sqlite3"} | settings
        installation = Installation(Path(folder), env)
        installation.manage("migrate", "--verbosity", "0")
        yield installation
