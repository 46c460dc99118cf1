"""Databases that tests begin with: migrated once for a state of the code, then cloned.

A template is named by what its migrations are made of. It is a folder below `TEST_TEMPLATES`, and
on PostgreSQL a database of its own on the server. Every process of a run, and every process that
a test starts, begins with a clone, which takes milliseconds where migrating takes seconds.
"""

import ast
import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import django

ROOT = Path(__file__).resolve().parents[1]
SQLITE_NAME = "own.sqlite3"
MIGRATES_WITHIN = 570  # seconds, on a busy machine
KEPT_SECONDS = 2 * 86_400  # for which a template of other code is kept
SECRETS = {
    name: hashlib.sha256(f"test {name}".encode()).hexdigest()
    for name in ("SECRET_KEY", "WEBHOOK_SIGNING_KEY", "BANK_WEBHOOK_SECRET", "BANK_API_TOKEN")
}
# what migrating writes depends on: tables, triggers, and the rows of `post_migrate`
SOURCES = (
    "apps/**/migrations/*.py",
    "apps/**/models.py",
    "apps/**/models/*.py",
    "apps/**/apps.py",
    "apps/**/jobs.py",
    "apps/platform/db/append_only.py",
    "apps/platform/db/create_models.py",
    "apps/platform/jobs/job_queue.py",
    "apps/platform/jobs/registry.py",
    "apps/platform/tasks.py",
    "apps/platform/ledger/records.py",
    "apps/platform/crypto/macs.py",
    "apps/platform/ledger/envelope_encoding.py",
    "apps/reference/countries/**/*.*",
    "apps/platform/desk/role_sync.py",
    "config/framework.py",
    "config/desk_roles.py",
    "config/settings.py",
)


def write_secrets(folder: Path) -> None:
    """Give a VAR_DIR the secrets of all tests: the records of a template are proved by them."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "secrets.json"
    path.write_text(json.dumps(SECRETS), encoding="utf-8")
    path.chmod(0o600)


def copy_template(folder: Path) -> Path:
    """Make a folder a VAR_DIR with a migrated SQLite database, and return where that is."""
    shutil.copytree(_sqlite_template(), folder, dirs_exist_ok=True)
    return folder / SQLITE_NAME


@contextlib.contextmanager
def cloned_test_database() -> Iterator[None]:
    """Connect Django to a clone of the template, and drop the clone at the end."""
    from django.conf import settings
    from django.db import connection

    connection.close()
    original = connection.settings_dict["NAME"]
    postgresql = connection.vendor == "postgresql"
    clone = (
        f"test_{original}_{os.getpid()}" if postgresql else str(settings.VAR_DIR / "test.sqlite3")
    )
    settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = clone
    try:
        reset_test_database()
        yield
    finally:
        connection.close()
        if postgresql:
            with connection._nodb_cursor() as cursor:
                cursor.execute(f'DROP DATABASE IF EXISTS "{clone}" WITH (FORCE)')
        settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = original


def reset_test_database() -> None:
    """Give the database of this process the content of the template again."""
    from django.db import connection

    name = connection.settings_dict["NAME"]
    if connection.vendor == "postgresql":
        connection.close()
        with connection._nodb_cursor() as cursor:
            template = _postgresql_template()
            cursor.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
            cursor.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    else:
        # page by page and under SQLite's locks: threads of a server may have the file open
        source, target = sqlite3.connect(_sqlite_template() / SQLITE_NAME), sqlite3.connect(name)
        with closing(source), closing(target):
            source.backup(target)
    _plan_schedules_anew()


def _plan_schedules_anew() -> None:
    """Plan what comes again as if the database had been migrated now, not with the template."""
    from django.db.migrations.recorder import MigrationRecorder
    from django.db.models import F
    from django.utils import timezone

    from apps.platform.jobs.models import Periodic

    applied: datetime = MigrationRecorder.Migration.objects.latest("applied").applied
    Periodic.objects.update(next_at=F("next_at") + (timezone.now() - applied))


@cache
def _sqlite_template() -> Path:
    """Return the folder of the SQLite template, made by the first process that needs it."""
    template = _folder() / _digest()
    with _locked():
        if not template.exists():
            _drop_old_templates()
            unfinished = template.with_suffix(".unfinished")
            shutil.rmtree(unfinished, ignore_errors=True)
            database = unfinished / SQLITE_NAME
            _migrate(unfinished, f"sqlite:///{quote(str(database))}")
            with closing(sqlite3.connect(database)) as made:
                made.execute("PRAGMA journal_mode=DELETE")  # the file holds everything then
            unfinished.rename(template)
    return template


@cache
def _postgresql_template() -> str:
    """Return the name of the template on the server, made by the first process that needs it."""
    from django.db import connection

    checkout = hashlib.blake2b(str(ROOT).encode(), digest_size=4).hexdigest()
    family = f"oracle_template_{checkout}_"
    template = family + _digest()
    with _locked(), connection._nodb_cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [family])
        existing = {name for (name,) in cursor.fetchall()}
        if template not in existing:
            for name in existing:
                cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
            unfinished = f"{family}unfinished"
            cursor.execute(f'CREATE DATABASE "{unfinished}"')
            _migrate(_folder() / "postgresql", _postgresql_url(connection, unfinished))
            cursor.execute(f'ALTER DATABASE "{unfinished}" RENAME TO "{template}"')
    return template


def _postgresql_url(connection: Any, database: str) -> str:
    settings_dict = connection.settings_dict
    user, password = (
        quote(settings_dict["USER"], safe=""),
        quote(settings_dict["PASSWORD"], safe=""),
    )
    server = (
        f"{user}:{password}@{settings_dict['HOST'] or '127.0.0.1'}:{settings_dict['PORT'] or 5432}"
    )
    return f"postgres://{server}/{database}"


def _migrate(var_dir: Path, database_url: str) -> None:
    write_secrets(var_dir)
    environment = {name: value for name, value in os.environ.items() if name not in SECRETS}
    environment |= {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "VAR_DIR": str(var_dir),
        "DATABASE_URL": database_url,
    }
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, timeout=MIGRATES_WITHIN)


@cache
def _digest() -> str:
    """Tell apart what migrations make: by every file that says something of it."""
    digest = hashlib.blake2b(django.__version__.encode(), digest_size=8)
    files = {file for pattern in SOURCES for file in ROOT.glob(pattern) if file.suffix != ".pyc"}
    for file in sorted(files | imported_by_migrations()):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def imported_by_migrations() -> set[Path]:
    """Return the files of ours that migrations import, for their fields and triggers."""
    names: set[str] = set()
    for file in ROOT.glob("apps/**/migrations/*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    places = [ROOT / name.replace(".", "/") for name in names if name.startswith("apps.")]
    files = {place.with_suffix(".py") for place in places} | {p / "__init__.py" for p in places}
    return {file for file in files if file.exists()}


def _folder() -> Path:
    folder = Path(os.environ.get("TEST_TEMPLATES") or ROOT / "var" / "test-templates")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextlib.contextmanager
def _locked() -> Iterator[None]:
    with (_folder() / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _drop_old_templates() -> None:
    for folder in _folder().iterdir():
        if folder.is_dir() and time.time() - folder.stat().st_mtime > KEPT_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)
