"""A database that has all migrations, made once: what needs a file of its own begins with a copy.

Migrating takes a quarter of a minute, and a command `migrate` of what begins so has nothing left
to do but what follows every migrate.
"""

import fcntl
import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import django

from config import settings as configured

NAME = "own.sqlite3"
WITHIN = 570  # seconds, on a busy machine


def copied(folder: Path) -> Path:
    """Make a folder a VAR_DIR with such a database, and return where that is.

    The first caller of a checkout makes it. The secrets under which it was written come with it.
    """
    shutil.copytree(_made(), folder, dirs_exist_ok=True)
    return folder / NAME


def _made() -> Path:
    kept = configured.VAR_DIR / "migrated"
    kept.mkdir(parents=True, exist_ok=True)
    made = kept / _digest()
    with (kept / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            begun = made.with_suffix(".begun")
            shutil.rmtree(begun, ignore_errors=True)
            begun.mkdir()
            _migrate(begun)
            begun.rename(made)
    return made


def _digest() -> str:
    """Tell apart what migrations make: by every file that says something of it."""
    read = hashlib.blake2b(django.__version__.encode(), digest_size=12)
    for file in sorted(configured.BASE_DIR.glob("apps/**/*.py")):
        if "migrations" in file.parts or "models" in str(file) or file.name == "appendonly.py":
            read.update(file.read_bytes())
    return read.hexdigest()


def _migrate(folder: Path) -> None:
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "VAR_DIR": str(folder),
        "DATABASE_URL": f"sqlite:///{folder / NAME}",
    }
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(command, cwd=configured.BASE_DIR, env=environment, check=True, timeout=WITHIN)
    with closing(sqlite3.connect(folder / NAME)) as made:
        made.execute("PRAGMA journal_mode=DELETE")  # all of it stands in the file then
