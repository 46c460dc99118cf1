"""Parse lines of a bank's statement as far as they are readable. Pure."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from apps.payments.banking.rules.routes import MAX_AMOUNT, parse_status
from apps.platform.crypto.canonical import canonical_digest

LONGEST_ID, LONGEST_TEXT = 100, 300


@dataclass(frozen=True, slots=True)
class StatementEntry:
    """A line of the statement; `amount` is negative if it leaves the account.

    `key` is that of our request to the bank, if the bank reports it.
    """

    bank_id: str
    amount: Decimal
    status: str
    note: str = ""
    at: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class UnreadableLine:
    """An unreadable line; `named` is its id, or a substitute that is the same every time."""

    named: str


def parse_amount(value: Any) -> Decimal | None:
    """Return an amount in dollars, None for an invalid one."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    amount = Decimal(value)
    return amount if amount.is_finite() and abs(amount) < MAX_AMOUNT else None


def parse_line(line: Any) -> StatementEntry | UnreadableLine:
    """Return a line of a statement as the bank's API has it."""
    entry: Mapping[str, Any] = line if isinstance(line, Mapping) else {}
    bank_id, amount = entry.get("id"), parse_amount(entry.get("amount"))
    named = isinstance(bank_id, str) and 0 < len(bank_id) <= LONGEST_ID
    if not named or amount is None:
        # a digest of the line: found again tomorrow, it must open the same case and not another
        unique = canonical_digest([json.dumps(line, sort_keys=True, default=str)])
        return UnreadableLine(str(bank_id) if named else f"line {unique[:32]}")
    names = ("note", "createdAt", "idempotencyKey")
    texts = (str(entry.get(name) or "")[:LONGEST_TEXT] for name in names)
    return StatementEntry(str(bank_id), amount, parse_status(entry)[:LONGEST_TEXT], *texts)
