"""Lists and folders for the tests of this app."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from apps.reference.watchlists import engine
from apps.reference.watchlists.models import Source, SourceKind, SourceTopic


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, settings: Any) -> Iterator[Path]:
    """Give each test its own folder for indexes, locks and downloads, and a process that is new."""
    settings.VAR_DIR = tmp_path / "var"
    engine.reset_engine()
    yield settings.VAR_DIR
    engine.reset_engine()


@pytest.fixture
def source(db: Any) -> Callable[..., Source]:
    """Make a source: `source()` is an in-house sanctions list read as CSV."""

    def make(slug: str = "house", **options: Any) -> Source:
        given = {
            "title": slug,
            "topic": SourceTopic.SANCTION,
            "kind": SourceKind.IN_HOUSE,
            "format": "csv",
        }
        return Source.objects.create(slug=slug, **given | options)

    return make


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write a list file of persons: `write("a.csv", {"1": "Olaf Scholz"})`."""

    def make(name: str, parties: dict[str, str]) -> Path:
        path = tmp_path / name
        rows = [f"{key},{full},Person" for key, full in parties.items()]
        path.write_text("\n".join(["entity_id,name,schema", *rows]) + "\n")
        return path

    return make
