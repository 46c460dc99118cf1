"""Digests of list versions: the entries that a version adds, and those it removes.

A version is the changes up to it, so the digests of all versions cover every state of every
party. They run over the rows in the order of their ids, which never change.
"""

import hashlib
import json
from collections.abc import Iterable
from typing import Any

READ_BATCH = 2000
Row = tuple[str, str | int]  # the party's id, and its state's digest or first version


class RunningDigest:
    """A digest over rows, as they come."""

    def __init__(self) -> None:
        self.count = 0
        self._hash = hashlib.sha256()

    def add(self, row: Row) -> None:
        """Take one more row."""
        self.count += 1
        # a JSON array each: its brackets keep two rows apart from one with the same characters
        self._hash.update(json.dumps(row).encode())

    def stated(self) -> dict[str, Any]:
        """Return how many rows there were, and their digest."""
        return {"count": self.count, "sha256": self._hash.hexdigest()}


def digest_rows(rows: Iterable[Row]) -> dict[str, Any]:
    """Return the digest over rows."""
    running = RunningDigest()
    for row in rows:
        running.add(row)
    return running.stated()


def digest_version(states: Any, version: Any) -> dict[str, Any]:
    """Return the digests of a version; `states` are all states of its source, any model."""
    begun = states.filter(first_sequence=version.sequence).order_by("pk")
    ended = states.filter(last_sequence=version.sequence - 1).order_by("pk")
    return {
        "begun": digest_rows(begun.values_list("entity_id", "digest").iterator(READ_BATCH)),
        "ended": digest_rows(ended.values_list("entity_id", "first_sequence").iterator(READ_BATCH)),
    }
