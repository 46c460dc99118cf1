"""Which ids an import has met, in a temporary file so that the largest list needs no memory."""

from collections.abc import Sequence
from typing import ClassVar

from apps.reference.watchlists.temporary_store import TemporaryStore


class SeenIds(TemporaryStore):
    """A set of ids on disk, with how often each was met."""

    TABLES: ClassVar[tuple[str, ...]] = ("seen (id TEXT PRIMARY KEY, times INT) WITHOUT ROWID",)

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
        # one mark an id: callers ask for a batch, far below SQLite's limit of parameters
        marks = ",".join("?" * len(entity_ids))
        sql = f"SELECT id FROM seen WHERE id IN ({marks})"  # noqa: S608 - marks are ?,?,…
        rows = self._store.execute(sql, entity_ids)
        met_ids = {row[0] for row in rows}
        return [entity_id for entity_id in entity_ids if entity_id not in met_ids]
