"""Resolve payments without a clear answer of the bank: by its statement, else by an officer.

The statement identifies a payment by the key of our request. If it has no keys, the officer gets
the outgoing lines of the same amount that are no other payment of ours.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from apps.payments.banking.clients import bank_api
from apps.payments.banking.clients.bank_api import AcceptedPayment
from apps.payments.banking.models import Send
from apps.payments.banking.record_transition import record_transition
from apps.payments.banking.rules.send_troubles import SendTrouble
from apps.payments.banking.rules.statement_lines import StatementEntry, parse_line
from apps.payments.banking.services import send_cases
from apps.platform.upstreams.http import UpstreamError

DAY = timedelta(days=1)
MAX_CANDIDATES = 10  # more than an officer would go through by hand


@dataclass(frozen=True, slots=True)
class StatementLookup:
    """The statement's result: the payment by its key, or else candidates, by the bank's ids."""

    taken: AcceptedPayment | None = None
    alike: tuple[str, ...] = ()


def find_on_statement(row: Send, *, now: datetime) -> StatementLookup:
    """Search the bank's statement for a payment; UpstreamError if that must be retried."""
    # a day to either side: the days of a statement are the bank's
    days = {"since": (row.asked_at - DAY).date(), "until": (now + DAY).date()}
    try:
        lines = [
            parse_line(transaction)
            for transaction in bank_api.iterate_transactions(str(row.account_id), **days)
        ]
    except UpstreamError as error:
        # the statement cannot be read at all: then an officer asks the bank
        if error.permanent:
            return StatementLookup()
        raise
    entries = [line for line in lines if isinstance(line, StatementEntry)]
    for statement_entry in entries:
        if statement_entry.key == str(row.bank_key):
            return StatementLookup(
                AcceptedPayment(statement_entry.bank_id, statement_entry.status[:20])
            )
    # negative: money that left the account
    alike = [entry.bank_id for entry in entries if entry.amount == -row.amount]
    ours = Send.objects.filter(bank_id__in=alike).values_list("bank_id", flat=True)
    return StatementLookup(alike=tuple(sorted({*alike} - {*ours})[:MAX_CANDIDATES]))


def refer_unclear_send(
    row: Send, why: SendTrouble, *, facts: Mapping[str, Any], now: datetime
) -> None:
    """Refer a payment to an officer; in the caller's transaction."""
    known = {"why": why.code} | dict(facts)
    record_transition(row, "UNCLEAR", now=now, facts=known, due_at=None, calling_until=None)
    found_at_bank = {
        "answered": facts.get("status") or facts.get("bankId"),
        "alike": facts.get("alike", ()),
    }
    send_cases.open_trouble_case(row, why, now=now, facts=found_at_bank)
