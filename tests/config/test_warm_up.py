"""After warming nothing is read any more: no module, no file, no table, and no memory grows."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.watchlists.indexes import index_of

LISTED = [
    ("Lazarus Group", "Organization"), ("Vladimir Vladimirovich Putin", "Person"),
    ("Hezbollah", "Organization"), ("DINO I", "Vessel"), ("Mikhail Mishustin", "Person"),
    ("Osama bin Laden", "Person"), ("Islamic Republic of Iran Shipping Lines", "Organization"),
    ("Korea Mining Development Trading Corporation", "Organization"), ("P-532", "Aircraft"),
    ("Abdul Rahman Yasin", "Person"), ("Tatneft", "Organization"), ("Kim Jong Un", "Person"),
]  # fmt: skip
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
SEEN = 1000
# memory that caches of words and answers of so many new names take; a dictionary takes far more
GROWS_MB = 30
LONGEST_SECONDS = 0.5


@pytest.fixture(scope="module")
def after_warming(tmp_path_factory: Any) -> Iterator[dict[str, Any]]:
    """What a fresh process reads as it screens and compares names, after warming."""
    folder = tmp_path_factory.mktemp("warming") / "index"
    index_of(LISTED, folder)  # type: ignore[arg-type]
    listed = json.dumps([name for name, _schema in LISTED])
    process = subprocess.run(
        [sys.executable, "-m", "tests.config.warmed_process", str(folder), listed, str(SEEN)],
        cwd=Path(__file__).parents[2], check=True, capture_output=True, text=True,
    )  # fmt: skip
    yield json.loads(process.stdout.splitlines()[-1])


def test_no_module_is_imported_and_no_file_is_read(after_warming: dict[str, Any]) -> None:
    assert after_warming["screened"] == SEEN
    assert after_warming["imported"] == []
    assert after_warming["opened"] == []


def test_no_table_is_made(after_warming: dict[str, Any]) -> None:
    assert after_warming["tables"] > 10  # there are such tables, and they were looked at
    assert after_warming["made"] == []


def test_memory_is_flat_and_no_name_takes_long(after_warming: dict[str, Any]) -> None:
    """A dictionary in a library of C shows neither as a module nor as a file."""
    assert after_warming["grown_mb"] < GROWS_MB
    assert after_warming["longest_seconds"] < LONGEST_SECONDS


def test_what_a_lazy_thing_would_show(tmp_path: Path) -> None:
    """The process that the other tests rest on sees what is read late."""
    folder = tmp_path / "index"
    index_of(LISTED, folder)  # type: ignore[arg-type]
    process = subprocess.run(
        [sys.executable, "-m", "tests.config.warmed_process", str(folder), "[]", "5", "late"],
        cwd=Path(__file__).parents[2], check=True, capture_output=True, text=True,
    )  # fmt: skip
    document = json.loads(process.stdout.splitlines()[-1])
    assert "colorsys" in document["imported"]
    assert any(path.endswith("README.md") for path in document["opened"])
    assert document["made"] == ["tests.config.warmed_process.late_table"]
