"""Lists and folders for the tests of this app."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.db.backends.base.operations import BaseDatabaseOperations

from apps.watchlists import engine
from apps.watchlists.models import Kind, Source, Topic


@pytest.fixture(scope="session", autouse=True)
def flushable() -> Iterator[None]:
    """Let tests that commit be cleaned up: append-only tables refuse the flush on PostgreSQL."""
    if connection.vendor != "postgresql":
        yield
        return
    flush = BaseDatabaseOperations.execute_sql_flush

    def without_triggers(operations: Any, statements: list[str]) -> None:
        off = "SET LOCAL session_replication_role = replica"
        flush(operations, [off, *statements])

    BaseDatabaseOperations.execute_sql_flush = without_triggers
    yield
    BaseDatabaseOperations.execute_sql_flush = flush


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, settings: Any) -> Iterator[Path]:
    """Give each test its own folder for indexes, locks and downloads, and a process that is new."""
    settings.VAR_DIR = tmp_path / "var"
    engine.forget()
    yield settings.VAR_DIR
    engine.forget()


@pytest.fixture
def source(db: Any) -> Callable[..., Source]:
    """Make a source: `source()` is an in-house sanctions list read as CSV."""

    def make(slug: str = "house", **options: Any) -> Source:
        given = {"title": slug, "topic": Topic.SANCTION, "kind": Kind.IN_HOUSE, "format": "csv"}
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
