"""What the attacks by whoever can write the database share: past every guard, and rolled back."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import DatabaseError, connection, transaction

from apps.platform.ledger.verification import verifier
from tests.platform.tampering import sql, without_triggers

REFUSED, FOUND, WITH_HEADS = "REFUSED", "FOUND", "WITH HEADS"
HARMLESS, NOTHING, UNDETECTED = "HARMLESS", "NOTHING", "UNDETECTED"


class _RolledBack(Exception):
    """Ends an attack: nothing of it stays."""


@contextmanager
def rolled_back() -> Iterator[None]:
    """Do something in a transaction of which nothing stays."""
    try:
        with transaction.atomic():
            yield
            raise _RolledBack
    except _RolledBack:
        pass


@contextmanager
def unguarded(models: Iterable[Any] | None = None) -> Iterator[None]:
    """Write as the owner of the database can: past triggers, and keys of other tables.

    `models` are the append-only ones that are written, where that is known.
    """
    if connection.vendor == "postgresql":
        sql("SET LOCAL session_replication_role = replica")
        yield
        sql("SET LOCAL session_replication_role = origin")
    else:  # keys are looked at when a transaction ends, and this one is rolled back
        with without_triggers(models):
            yield


def find_faults(ledgers: Iterable[str]) -> set[str]:
    """Return every fault that verify_ledger names now."""
    return {
        f"{name}: {fault}"
        for name in ledgers
        for fault in verifier.verify_ledger(ledger=name).faults
    }


def attempt(write: Callable[[], object]) -> str:
    """Write in a step of the transaction; return what the database says where it refuses."""
    try:
        with transaction.atomic():
            write()
    except DatabaseError as error:
        return str(error).partition("\n")[0] or type(error).__name__
    return ""
