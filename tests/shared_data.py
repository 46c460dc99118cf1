"""Where the shared test data lie, if they are here at all."""

import os
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent


def folder() -> Path:
    """Return the folder of real lists and labelled sets (it may not exist)."""
    return Path(os.environ.get("SHARED_DATA") or HERE.parent.parent / "shared" / "data")


def shared(name: str) -> Path:
    """Return a file of the shared data, or skip the test that needs it."""
    path = folder() / name
    if not path.exists():
        pytest.skip(f"needs {name} of the shared data (set SHARED_DATA to its folder)")
    return path
