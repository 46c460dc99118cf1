"""Lines of a bank's statement, as far as they can be read. Pure."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from apps.payments.banking.rules.routes import parse_status
from apps.platform.crypto.canonical import canonical_digest

MAX_AMOUNT = Decimal(10**12)
LONGEST_ID, LONGEST_TEXT = 100, 300


@dataclass(frozen=True, slots=True)
class StatementEntry:
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
class UnreadableLine:
    """A line that cannot be read; `named` is its id, or a name of its own, the same every time."""

    named: str


def parse_amount(value: Any) -> Decimal | None:
    """Return an amount in dollars, None for what is none."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    found = Decimal(value)
    return found if found.is_finite() and abs(found) < MAX_AMOUNT else None


def parse_line(one: Any) -> StatementEntry | UnreadableLine:
    """Return a line of a statement as the bank's API has it."""
    told: Mapping[str, Any] = one if isinstance(one, Mapping) else {}
    bank_id, amount = told.get("id"), parse_amount(told.get("amount"))
    named = isinstance(bank_id, str) and 0 < len(bank_id) <= LONGEST_ID
    if not named or amount is None:
        unique = canonical_digest([json.dumps(one, sort_keys=True, default=str)])
        return UnreadableLine(str(bank_id) if named else f"line {unique[:32]}")
    names = ("note", "createdAt", "idempotencyKey")
    texts = (str(told.get(name) or "")[:LONGEST_TEXT] for name in names)
    return StatementEntry(str(bank_id), amount, parse_status(told)[:LONGEST_TEXT], *texts)
