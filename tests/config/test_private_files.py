"""What lies in VAR_DIR is for its user alone, whoever starts the platform with which umask."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

pytestmark = pytest.mark.processes
ROOT = Path(settings.BASE_DIR)


def run(folder: Path, *command: str, umask: int) -> None:
    plain = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
    subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=plain | {"VAR_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "config.settings"},
        umask=umask,
        check=True,
        capture_output=True,
        timeout=300,
    )


def open_to_others(folder: Path) -> list[str]:
    return [
        f"{one.relative_to(folder.parent)} {one.stat().st_mode & 0o777:o}"
        for one in (folder, *folder.rglob("*"))
        if not one.is_symlink() and one.stat().st_mode & 0o077
    ]


@pytest.mark.parametrize("there", [True, False])
def test_nothing_in_it_can_be_read_by_others(tmp_path: Path, there: bool) -> None:
    folder = tmp_path / "var"
    if there:
        folder.mkdir(mode=0o755)
    run(folder, "migrate", "--verbosity", "0", umask=0o000)
    run(folder, "collectstatic", "--noinput", "--verbosity", "0", umask=0o022)
    assert (folder / "secrets.json").exists() and any(folder.rglob("*.css"))
    assert open_to_others(folder) == []
