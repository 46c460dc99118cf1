"""Notes of records that were written, kept on disk beside the database.

Until a record is sealed nothing in the database proves that it was there: whoever can write the
database can cut it off, and put what it changed back. Of the ledgers by whose records people and
wallets are let in (config/ledgers.py) each host that writes a record notes its hash in VAR_DIR,
and `verify_ledger` there asks for it. A note says nothing of what is in the record.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from django.conf import settings
from django.db import transaction

from config.ledgers import WITNESSED

logger = logging.getLogger(__name__)
KEPT = timedelta(days=14)  # all is verified each night, and sealed within minutes


def folder() -> Path:
    """Return where this host keeps its notes: a file for each UTC day."""
    return Path(settings.VAR_DIR) / "witness"


def note(*, ledger: str, contents: Sequence[str], now: datetime) -> None:
    """Note the hashes of records of a ledger, once they are committed."""
    if ledger in WITNESSED:
        transaction.on_commit(partial(_append, ledger, contents, now), robust=True)


def _append(ledger: str, contents: Sequence[str], now: datetime) -> None:
    """Write the notes in one piece, behind those of other processes."""
    lines = "".join(f"{ledger} {now:%Y-%m-%dT%H:%M:%SZ} {content}\n" for content in contents)
    try:
        folder().mkdir(exist_ok=True)
        with (folder() / f"{now:%Y-%m-%d}.txt").open("ab", buffering=0) as out:
            out.write(lines.encode())
    except OSError as error:
        logger.error("records of %s could not be noted: %s", ledger, error)


def noted(ledger: str) -> dict[str, str]:
    """Return when each record of a ledger was written, by its hash; torn lines are passed over."""
    found: dict[str, str] = {}
    if ledger not in WITNESSED:
        return found
    for path in sorted(folder().glob("*.txt")):
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            parts = line.split(" ")
            if len(parts) == 3 and parts[0] == ledger and len(parts[2]) == 64:
                found.setdefault(parts[2], parts[1])
    return found


def forget(*, now: datetime) -> int:
    """Remove the notes of days whose records were verified many times; returns how many files."""
    oldest = f"{now - KEPT:%Y-%m-%d}.txt"
    gone = [path for path in folder().glob("*.txt") if path.name < oldest]
    for path in gone:
        path.unlink(missing_ok=True)
    return len(gone)
