"""Lines of a bank's statement, as far as they can be read. Pure."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from apps.banking.rules.routing import status_of
from apps.core.canonical import digest

LARGEST = Decimal(10**12)
LONGEST_ID, LONGEST_TEXT = 100, 300


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the statement; `amount` is negative where it leaves the account.

    `key` is the one that the bank was asked with, where it tells that.
    """

    bank_id: str
    amount: Decimal
    status: str
    note: str = ""
    at: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class Unread:
    """A line that cannot be read; `named` is its id, or a name of its own, the same every time."""

    named: str


def amount_of(value: Any) -> Decimal | None:
    """Return an amount in dollars, None for what is none."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    found = Decimal(value)
    return found if found.is_finite() and abs(found) < LARGEST else None


def line(one: Any) -> Entry | Unread:
    """Return a line of a statement as the bank's API has it."""
    told: Mapping[str, Any] = one if isinstance(one, Mapping) else {}
    bank_id, amount = told.get("id"), amount_of(told.get("amount"))
    named = isinstance(bank_id, str) and 0 < len(bank_id) <= LONGEST_ID
    if not named or amount is None:
        unique = digest([json.dumps(one, sort_keys=True, default=str)])
        return Unread(str(bank_id) if named else f"line {unique[:32]}")
    names = ("note", "createdAt", "idempotencyKey")
    texts = (str(told.get(name) or "")[:LONGEST_TEXT] for name in names)
    return Entry(str(bank_id), amount, status_of(told)[:LONGEST_TEXT], *texts)
