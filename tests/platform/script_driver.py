"""Runs a script that drives real processes on a database of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from config import settings as configured
from tests import template_databases


def driven(
    module: str,
    folder: Path,
    *given: str,
    settings: str = "tests.platform.cluster_settings",
    seconds: float = 180,
) -> dict[str, Any]:
    """Run a module (of tests.platform, or named whole) as a process; return its last line.

    `given` are its arguments. Its database is a file in `folder`, or what KILLED_DATABASE_URL says.
    """
    whole = module if "." in module else f"tests.platform.{module}"
    own = os.environ.get("KILLED_DATABASE_URL")
    if not own:
        own = f"sqlite:///{template_databases.copy_template(folder)}"
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": settings,
        "VAR_DIR": str(folder),
        "DATABASE_URL": own,
        "PYTHONPATH": str(configured.BASE_DIR),
    }
    environment.pop("REDIS_URL", None)
    process = subprocess.run(
        [sys.executable, "-m", whole, *given],
        cwd=configured.BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        timeout=seconds,
    )
    assert process.returncode == 0, process.stderr[-3000:]
    found: dict[str, Any] = json.loads(process.stdout.splitlines()[-1])
    return found
