"""Register what users may export; each app declares its own."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.platform.common.registry import Registry

BATCH = 500  # rows per batch
Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """A request to export rows whose time lies in `since` ≤ time < `until`."""

    what: str
    since: datetime
    until: datetime


@dataclass(frozen=True, slots=True)
class Export:
    """One kind of export: its columns, and a stream of the rows in a span of time.

    `ledger` is the one whose head the manifest states.
    """

    title: str
    ledger: str
    columns: tuple[str, ...]
    rows: Callable[[ExportRequest], Iterator[Row]]


# by the name in the file
EXPORTS: Registry[Export] = Registry("kind of export")
