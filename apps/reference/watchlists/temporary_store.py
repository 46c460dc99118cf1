"""A temporary SQLite file for what an import must remember and memory cannot hold."""

import sqlite3
from types import TracebackType
from typing import ClassVar, Self


class TemporaryStore:
    """A private database on disk that is gone when it is closed."""

    TABLES: ClassVar[tuple[str, ...]]

    def __init__(self) -> None:
        """Open an empty store."""
        # an empty name is a database of this connection alone, in a file that SQLite deletes
        self._store = sqlite3.connect("")
        # nothing is ever rolled back: who fails drops the whole store
        self._store.execute("PRAGMA journal_mode=OFF")
        for columns in self.TABLES:
            self._store.execute(f"CREATE TABLE {columns}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._store.close()
