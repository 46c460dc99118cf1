"""What an app declares that people may export (it registers them)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.platform.common.registry import Registry

BATCH = 500  # rows that are read and written at a time
Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """What to export: rows whose time lies in `since` ≤ time < `until`."""

    what: str
    since: datetime
    until: datetime


@dataclass(frozen=True, slots=True)
class Export:
    """One kind of export: its columns and the rows of a span of time, streaming.

    `ledger` is the one whose head the manifest states.
    """

    title: str
    ledger: str
    columns: tuple[str, ...]
    rows: Callable[[ExportRequest], Iterator[Row]]


# By the name in the file
EXPORTS: Registry[Export] = Registry("kind of export")
