"""Payments of which the bank gave no clear answer: looked for on its statement, else an officer's.

A payment is known there by the key that the bank was asked with. Where the statement does not tell
keys, what left under the same amount and is no other payment of ours is named to the officer.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from apps.payments.banking.clients import bank_api
from apps.payments.banking.clients.bank_api import AcceptedPayment
from apps.payments.banking.models import Send
from apps.payments.banking.rules.statements import StatementEntry, parse_line
from apps.payments.banking.rules.troubles import SendTrouble
from apps.payments.banking.services import cases
from apps.payments.banking.transitions import record_transition
from apps.platform.upstreams.http import UpstreamError

DAY = timedelta(days=1)
MAX_CANDIDATES = 10  # of what may be it


@dataclass(frozen=True, slots=True)
class StatementLookup:
    """What the statement has: the payment by its key, or else what may be it, by the bank's ids."""

    taken: AcceptedPayment | None = None
    alike: tuple[str, ...] = ()


def find_on_statement(row: Send, *, now: datetime) -> StatementLookup:
    """Look for a payment on the bank's statement; UpstreamError where that is to be tried again."""
    days = {"since": (row.asked_at - DAY).date(), "until": (now + DAY).date()}
    try:
        lines = [
            parse_line(transaction)
            for transaction in bank_api.iterate_transactions(str(row.account_id), **days)
        ]
    except UpstreamError as error:
        if error.permanent:
            return StatementLookup()
        raise
    read = [line for line in lines if isinstance(line, StatementEntry)]
    for one in read:
        if one.key == str(row.bank_key):
            return StatementLookup(AcceptedPayment(one.bank_id, one.status[:20]))
    alike = [one.bank_id for one in read if one.amount == -row.amount]
    ours = Send.objects.filter(bank_id__in=alike).values_list("bank_id", flat=True)
    return StatementLookup(alike=tuple(sorted({*alike} - {*ours})[:MAX_CANDIDATES]))


def refer_unclear_send(
    row: Send, why: SendTrouble, *, facts: Mapping[str, Any], now: datetime
) -> None:
    """Leave a payment to an officer; in the caller's transaction."""
    known = {"why": why.code} | dict(facts)
    record_transition(row, "UNCLEAR", now=now, facts=known, due_at=None, calling_until=None)
    told = {"answered": facts.get("status") or facts.get("bankId"), "alike": facts.get("alike", ())}
    cases.open_trouble_case(row, why, now=now, facts=told)
