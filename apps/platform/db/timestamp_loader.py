"""How moments are read from PostgreSQL: by the interpreter's own reader, where that is the same.

Django puts a reader in Python in the place of the driver's; it takes ten times as long, and a
page of a hundred rows has hundreds of moments.
"""

from datetime import UTC, datetime
from functools import lru_cache
from typing import Any


def register_timestamp_loader(*, connection: Any, **_: Any) -> None:
    """Have a new connection read moments quickly; SQLite has none to read."""
    if connection.vendor != "postgresql":
        return
    adapters = connection.connection.adapters
    kind = adapters.types["timestamptz"]
    adapters.register_loader(kind.oid, _build_utc_datetime_loader(adapters.get_loader(kind.oid, 0)))


@lru_cache(maxsize=4)
def _build_utc_datetime_loader(django: Any) -> type[Any]:
    class Quicker(django):  # type: ignore[misc]
        """Reads what is in UTC, as sessions are; anything else is left to Django's reader."""

        def load(self, data: Any) -> datetime:
            try:
                found = datetime.fromisoformat(str(data, "ascii"))
            except ValueError:  # before our era, or for ever
                found = None
            if found is None or found.tzinfo is not UTC:
                found = super().load(data)
            return found

    return Quicker
