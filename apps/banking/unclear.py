"""Payments of which the bank gave no clear answer: looked for on its statement, else an officer's.

A payment is known there by the key that the bank was asked with. Where the statement does not tell
keys, what left under the same amount and is no other payment of ours is named to the officer.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from apps.banking import adapter, cases
from apps.banking.adapter import Taken
from apps.banking.models import Send
from apps.banking.moving import move
from apps.banking.rules.statements import Entry, line
from apps.banking.rules.troubles import Trouble
from apps.upstreams.http import UpstreamError

DAY = timedelta(days=1)
MOST = 10  # of what may be it


@dataclass(frozen=True, slots=True)
class Found:
    """What the statement has: the payment by its key, or else what may be it, by the bank's ids."""

    taken: Taken | None = None
    alike: tuple[str, ...] = ()


def find(row: Send, *, now: datetime) -> Found:
    """Look for a payment on the bank's statement; UpstreamError where that is to be tried again."""
    days = {"since": (row.asked_at - DAY).date(), "until": (now + DAY).date()}
    try:
        lines = [line(one) for one in adapter.transactions(str(row.account_id), **days)]
    except UpstreamError as error:
        if error.permanent:
            return Found()
        raise
    read = [one for one in lines if isinstance(one, Entry)]
    for one in read:
        if one.key == str(row.bank_key):
            return Found(Taken(one.bank_id, one.status[:20]))
    alike = [one.bank_id for one in read if one.amount == -row.amount]
    ours = Send.objects.filter(bank_id__in=alike).values_list("bank_id", flat=True)
    return Found(alike=tuple(sorted({*alike} - {*ours})[:MOST]))


def hold(row: Send, why: Trouble, *, facts: Mapping[str, Any], now: datetime) -> None:
    """Leave a payment to an officer; in the caller's transaction."""
    known = {"why": why.code} | dict(facts)
    move(row, "UNCLEAR", now=now, facts=known, due_at=None, calling_until=None)
    told = {"answered": facts.get("status") or facts.get("bankId"), "alike": facts.get("alike", ())}
    cases.trouble(row, why, now=now, facts=told)
