"""Judges a payment by the bank before it is sent: the screen, the AML engine, the table (ACH-…).

Every way to the bank comes through here, so that what one refuses does not go by another.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import transaction

from apps.access.models import Kind
from apps.aml.screening import asked as aml_asked
from apps.aml.screening import conclude as aml_conclude
from apps.aml.screening import gather as aml_gather
from apps.banking import screens
from apps.banking.cases import log_blocked, send_held
from apps.banking.models import Send
from apps.banking.moving import begin
from apps.banking.noted import named
from apps.banking.rules.ach import Facts, Judgement, judge
from apps.banking.rules.tags import without_tags
from apps.banking.screens import Looked
from apps.core import jobs, macs
from apps.core.callers import Caller
from apps.names.payee.comparing import compare
from apps.watchlists import engine as engines

SEND = "banking.send"
EVENTS = {"APPROVED": "TAKEN", "FLAGGED": "HELD", "BLOCKED": "STOPPED"}


@dataclass(frozen=True, slots=True)
class Given:
    """What the payer was given of the payee: a name, and a digest and the end of its account."""

    name: str
    token: str
    tail: str


@dataclass(frozen=True, slots=True)
class Found:
    """What was looked up: what the screens say, and what the AML engine makes of it."""

    judgement: Judgement
    looked: Looked
    score: int
    tier: str
    signals: tuple[str, ...] = ()


def found(row: Send, given: Given, *, caller: Caller, now: datetime) -> Found:
    """Make the checks; the AML engine comes last: it locks what it judges by.

    ListsUnavailable, ListsStale and WeightsUnproved (503).
    """
    recipient = row.recipient
    looked = screens.look(screens.of_recipient(recipient, given=given.name), now=now)
    alike = compare(submitted=given.name, registered=recipient.name)
    said = " ".join(without_tags(one) for one in (row.note, row.additional_info) if one)
    facts = Facts(
        listed=looked.listed,
        near=looked.near,
        barred=looked.blocked and not looked.listed,
        doubted=looked.flagged and not looked.near,
        action="PROCEED",
        same_account=given.token == recipient.token,
        same_name=alike.band == "MATCH",
        noted=bool(named(engines.current(now), said)),
    )
    # what waits for an officer has not moved: it is counted as it is released
    aml = _judged(row, given.token, caller, now, stopped=not judge(facts).fires)
    facts = replace(facts, action=aml["action"])
    signals = tuple(str(one["sentence"]) for one in aml["signals"])
    return Found(judge(facts), looked, aml["riskScore"], aml["riskTier"], signals)


def _judged(
    row: Send, token: str, caller: Caller, now: datetime, *, stopped: bool, holds: bool = True
) -> Mapping[str, Any]:
    """Return what the AML engine makes of account -> recipient.

    An account is known to it by a keyed digest, and by no number; one that institutions share is
    another account for each.
    """
    payer = macs.keyed(what="bank payer", of=[row.owner, str(row.account_id)])
    asked = aml_asked.Asked(
        wallet=f"bank-account:{payer[:40]}",
        counterparty=f"bank-recipient:{token[:40]}",
        amount=row.amount,
        currency="USD",
        payment_id=str(row.send_id),
        direction="SEND",
    )
    gathered = aml_gather.gather(asked=asked, now=now)
    with transaction.atomic():
        said: Mapping[str, Any] = aml_conclude.conclude(
            asked=asked,
            gathered=gathered,
            caller=caller,
            now=now,
            opens=_none,
            stopped=stopped,
            holds=holds,
            named=row.recipient.name,
        )
    return said


def count(row: Send, *, now: datetime) -> None:
    """Count a payment that an officer released among those that go; part of that transaction.

    Whatever the AML engine says of it by now the officer decided: it is counted as it is paid. It
    does not judge wires.
    """
    if row.way == "wire":
        return
    payer = Caller(ref=row.owner, kind=Kind.INSTITUTION)
    _judged(row, row.recipient.token, payer, now, stopped=False, holds=False)


def _none(*, opening: Any, now: datetime) -> None:
    """Open no case of its own: the payment has one for all that was found."""


def take(row: Send, one: Found, given: Given, *, now: datetime) -> None:
    """Begin a payment as it was judged: to be sent, with its case, or stopped with its entry."""
    codes = [row.code for row in one.judgement.rows]
    facts = {
        "rules": codes,
        "decision": one.judgement.decision,
        "sanctions": one.looked.recorded(),
        "aml": {"score": one.score, "tier": one.tier},
    }
    begin(row, EVENTS[one.judgement.decision], now=now, facts=facts)
    if one.judgement.fires:
        jobs.enqueue(job=SEND, key=str(row.pk), now=now)
    elif one.judgement.reviewed:
        known = facts | {"sanctions": one.looked.shown(), "signals": list(one.signals)}
        told = {"name": given.name, "account": f"ending {given.tail}"}
        send_held(row, *codes, now=now, facts=known | {"given": told}, score=one.score)
    elif one.looked.blocked:
        log_blocked(row, *codes, looked=one.looked, now=now)
