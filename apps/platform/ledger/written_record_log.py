"""Notes of written records, kept on disk beside the database.

Until a record is sealed nothing in the database proves that it existed: an attacker who can write
the database can delete it and undo its effects. For the ledgers that authorise people and wallets
and move money (WITNESSED), each host that writes a record notes its hash in VAR_DIR, and
`verify_ledger` on that host looks for it. A note reveals nothing about the record's content.
"""

import logging
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from django.conf import settings
from django.db import transaction

from apps.platform.ledger.table_proofs import WITNESSED

logger = logging.getLogger(__name__)
# records are sealed within minutes, and everything is verified each night
KEPT = timedelta(days=14)


def witness_folder() -> Path:
    """Return the folder of this host's notes: a file for each UTC day."""
    return Path(settings.VAR_DIR) / "witness"


def note_records(*, ledger: str, contents: Sequence[str], now: datetime) -> None:
    """Note the hashes of a ledger's records, once they are committed."""
    if ledger in WITNESSED:
        # after the commit, or a record that was rolled back would be reported missing; robust,
        # because a full disk must not fail a call that is committed
        transaction.on_commit(partial(_append_notes, ledger, contents, now), robust=True)


def _append_notes(ledger: str, contents: Sequence[str], now: datetime) -> None:
    """Append the notes in one write, after those of other processes."""
    lines = "".join(f"{ledger} {now:%Y-%m-%dT%H:%M:%SZ} {content}\n" for content in contents)
    path = witness_folder() / f"{now:%Y-%m-%d}.txt"
    try:
        try:
            out = path.open("ab", buffering=0)
        except FileNotFoundError:  # the first note of this host
            path.parent.mkdir(exist_ok=True)
            out = path.open("ab", buffering=0)
        # O_APPEND and a single write: lines of several processes do not mix
        with out:
            out.write(lines.encode())
    except OSError as error:
        logger.error("records of %s could not be noted: %s", ledger, error)


def read_noted_records(ledger: str) -> Iterator[tuple[str, str]]:
    """Yield hash and moment of each noted record of a ledger; torn lines are skipped.

    A month of payments has millions, so they are read line by line.
    """
    for path in sorted(witness_folder().glob("*.txt")) if ledger in WITNESSED else ():
        with path.open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                parts = line.rstrip("\n").split(" ")
                # a line that a crash cut off has not all its parts
                if len(parts) == 3 and parts[0] == ledger and len(parts[2]) == 64:
                    yield parts[2], parts[1]


def remove_old_notes(*, now: datetime) -> int:
    """Remove the notes of days whose records were verified many times; returns how many files."""
    oldest = f"{now - KEPT:%Y-%m-%d}.txt"
    old_paths = [path for path in witness_folder().glob("*.txt") if path.name < oldest]
    for path in old_paths:
        path.unlink(missing_ok=True)
    return len(old_paths)
