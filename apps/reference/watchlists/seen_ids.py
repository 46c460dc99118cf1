"""Which ids an import has met, in a temporary file so that the largest list needs no memory."""

import sqlite3
from collections.abc import Sequence
from types import TracebackType
from typing import Self


class SeenIds:
    """A set of ids on disk, with how often each was met."""

    def __init__(self) -> None:
        """Open an empty temporary store."""
        self._store = sqlite3.connect("")
        self._store.execute("PRAGMA journal_mode=OFF")
        self._store.execute("CREATE TABLE seen (id TEXT PRIMARY KEY, times INT) WITHOUT ROWID")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._store.close()

    def times(self, entity_id: str) -> int:
        """Count an id and return how often it was met, this time included."""
        row = self._store.execute(
            "INSERT INTO seen VALUES (?, 1) ON CONFLICT (id) DO UPDATE SET times = times + 1 "
            "RETURNING times",
            (entity_id,),
        ).fetchone()
        return int(row[0])

    def missing(self, entity_ids: Sequence[str]) -> list[str]:
        """Return those ids that were never met."""
        marks = ",".join("?" * len(entity_ids))
        sql = f"SELECT id FROM seen WHERE id IN ({marks})"  # noqa: S608 - marks are ?,?,…
        rows = self._store.execute(sql, entity_ids)
        met = {row[0] for row in rows}
        return [entity_id for entity_id in entity_ids if entity_id not in met]
