"""The command line ends with a status and with what was wrong, never with a traceback."""

import os
import secrets
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.processes

ROOT = Path(__file__).resolve().parents[2]
PRODUCTION = {
    "DJANGO_ENV": "production",
    "SECRET_KEY": secrets.token_hex(32),
    "WEBHOOK_SIGNING_KEY": secrets.token_hex(32),
    "ALLOWED_HOSTS": "oracle.example",
}
CLOSED = "postgres://nobody@127.0.0.1:1/x"


def run(folder: Path, *arguments: str, **given: str) -> subprocess.CompletedProcess[str]:
    kept = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=kept | {"VAR_DIR": str(folder)} | given,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize(
    ("arguments", "given", "status", "said"),
    [
        (("list_versions",), {}, 1, "was `./run manage migrate` run?"),
        (("purge_expired",), {"DATABASE_URL": CLOSED}, 1, "The database cannot be used"),
        (("list_versions",), {"DJANGO_ENV": "production"}, 2, "SECRET_KEY is missing"),
        (("check",), PRODUCTION | {"REQUIRED_SOURCES": ","}, 2, "name at least 1"),
        (("check",), PRODUCTION | {"LISTS_MAX_AGE_HOURS": "0"}, 2, "from 1 to 744"),
        (("check",), PRODUCTION | {"LISTS_MAX_AGE_HOURS": "745"}, 2, "from 1 to 744"),
        (("verify_ledger",), {"DATABASE_URL": "x"}, 2, "DATABASE_URL is not a database address"),
        (("verify_ledger", "--heads", "MISSING"), {}, 1, "MISSING cannot be read"),
    ],
)
def test_a_command_says_what_was_wrong(
    tmp_path: Path, arguments: tuple[str, ...], given: dict[str, str], status: int, said: str
) -> None:
    found = run(tmp_path, "manage.py", *arguments, **given)
    assert found.returncode == status
    assert said in found.stderr and "Traceback" not in found.stderr


@pytest.mark.parametrize(
    ("given", "said"),
    [({"DJANGO_ENV": "production"}, "SECRET_KEY is missing"), ({"PORT": "x"}, "PORT is 'x'")],
)
def test_nothing_starts_without_settings(tmp_path: Path, given: dict[str, str], said: str) -> None:
    found = run(tmp_path, "-m", "config.supervise", "web", **given)
    assert found.returncode == 2
    assert said in found.stderr and "Traceback" not in found.stderr


def test_a_reader_that_leaves_ends_a_command_quietly(tmp_path: Path) -> None:
    writer = subprocess.Popen(
        [sys.executable, "manage.py", "print_settings"],
        cwd=ROOT,
        env=dict(os.environ, VAR_DIR=str(tmp_path)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert writer.stdout and writer.stderr
    writer.stdout.close()
    assert (writer.wait(60), writer.stderr.read()) == (141, "")
    writer.stderr.close()
