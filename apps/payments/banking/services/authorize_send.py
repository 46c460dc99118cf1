"""Judges a payment by the bank before it is sent: the screen, the AML engine, the table (ACH-…).

Every way to the bank comes through here, so that what one refuses does not go by another.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import transaction

from apps.access.keys.models import KeyKind
from apps.backoffice.review.findings import list_answered_keys
from apps.compliance.aml.screening import requests as aml_asked
from apps.compliance.aml.screening import selectors as aml_gather
from apps.compliance.aml.screening import services as aml_conclude
from apps.payments.banking.models import Send
from apps.payments.banking.rules.ach import PaymentFacts, PaymentJudgement, judge_payment
from apps.payments.banking.screening import screens
from apps.payments.banking.screening.memo import find_listed_names, payment_memo_of
from apps.payments.banking.screening.screens import ScreeningOutcome
from apps.payments.banking.screening.send_findings import (
    build_aml_findings,
    build_send_findings,
    load_cleared_keys,
    load_holding_findings,
)
from apps.payments.banking.services.cases import log_blocked_send, open_send_case
from apps.payments.banking.transitions import record_new_row, record_transition
from apps.platform.api.callers import Caller
from apps.platform.crypto import macs
from apps.platform.jobs import job_queue
from apps.reference.names.payee.comparison import compare_payee_names
from apps.reference.watchlists import engine as engines

SEND_JOB = "banking.send"


@dataclass(frozen=True, slots=True)
class GivenPayee:
    """What the payer was given of the payee: a name, and a digest and the end of its account."""

    name: str
    token: str
    tail: str


@dataclass(frozen=True, slots=True)
class SendJudgement:
    """What was looked up: what the screens say, and what the AML engine makes of it.

    `named` are listed parties that the note names.
    """

    judgement: PaymentJudgement
    looked: ScreeningOutcome
    score: int
    tier: str
    signals: tuple[str, ...] = ()
    named: tuple[str, ...] = ()


def judge_send(row: Send, given: GivenPayee, *, caller: Caller, now: datetime) -> SendJudgement:
    """Make the checks; the AML engine comes last: it locks what it judges by.

    ListsUnavailable, ListsStale and WeightsIntegrityError (503).
    """
    recipient = row.recipient
    recipient_requests = screens.build_recipient_requests(recipient, given=given.name)
    looked = screens.screen_parties(recipient_requests, owner=row.owner, now=now)
    alike = compare_payee_names(submitted=given.name, registered=recipient.name)
    listed_names = find_listed_names(engines.load_current_engine(now), payment_memo_of(row))
    facts = PaymentFacts(
        listed=looked.listed,
        near=looked.near,
        barred=looked.blocked and not looked.listed,
        doubted=looked.flagged and not looked.near,
        action="PROCEED",
        same_account=given.token == recipient.token,
        same_name=alike.band == "MATCH",
        noted=bool(listed_names),
    )
    # what waits for an officer has not moved: it is counted as it is released
    aml = _judge_by_aml(row, given.token, caller, now, stopped=not judge_payment(facts).fires)
    facts = replace(facts, action=aml["action"])
    signals = tuple(str(signal["sentence"]) for signal in aml["signals"])
    return SendJudgement(
        judge_payment(facts), looked, aml["riskScore"], aml["riskTier"], signals, listed_names
    )


def _judge_by_aml(
    row: Send, token: str, caller: Caller, now: datetime, *, stopped: bool, holds: bool = True
) -> Mapping[str, Any]:
    """Return what the AML engine makes of account -> recipient.

    An account is known to it by a keyed digest, and by no number; one that institutions share is
    another account for each.
    """
    payer = macs.keyed_digest(what="bank payer", of=[row.owner, str(row.account_id)])
    screen_request = aml_asked.AmlScreenRequest(
        wallet=f"bank-account:{payer[:40]}",
        counterparty=f"bank-recipient:{token[:40]}",
        amount=row.amount,
        currency="USD",
        payment_id=str(row.send_id),
        direction="SEND",
    )
    gathered = aml_gather.gather_aml_screen(asked=screen_request, now=now)
    with transaction.atomic():
        said: Mapping[str, Any] = aml_conclude.conclude_aml_screen(
            asked=screen_request,
            gathered=gathered,
            caller=caller,
            now=now,
            opens=_open_no_case,
            stopped=stopped,
            holds=holds,
            named=row.recipient.name,
        )
    return said


def release_send(row: Send, *, rules: Collection[str], now: datetime) -> None:
    """Let a held payment go on; part of the transaction that decides.

    Its decision answers findings by their `rules`: what else is found holds it again before it is
    sent (services/recheck_send.py). The AML engine judges it as of now, and counts it among those
    that go unless something is left. It does not judge wires.
    """
    holding_findings = load_holding_findings(row)
    answered = list_answered_keys(holding_findings, rules)
    known = load_cleared_keys(row) | set(answered)
    facts: dict[str, Any] = {"answered": answered}
    if row.way != "wire":
        (flags,) = build_aml_findings("FLAG")
        left = any(
            holding_finding["key"] not in known
            for holding_finding in holding_findings
            if holding_finding["key"] != flags.key
        )
        payer = Caller(ref=row.owner, kind=KeyKind.INSTITUTION)
        holds = flags.key not in known
        said = _judge_by_aml(row, row.recipient.token, payer, now, stopped=left, holds=holds)
        score = {"score": said["riskScore"], "tier": said["riskTier"]}
        facts |= {"aml": {"action": said["action"]} | score}
    record_transition(row, "RELEASED", now=now, facts=facts, due_at=now)
    job_queue.enqueue_job(job=SEND_JOB, key=str(row.pk), now=now)


def _open_no_case(*, opening: Any, now: datetime) -> None:
    """Open no case of its own: the payment has one for all that was found."""


def begin_send(row: Send, one: SendJudgement, given: GivenPayee, *, now: datetime) -> None:
    """Begin a payment as it was judged: to be sent, with its case, or stopped with its entry."""
    codes = [row.code for row in one.judgement.rows]
    facts: dict[str, Any] = {
        "rules": codes,
        "decision": one.judgement.decision,
        "sanctions": one.looked.recorded(),
        "aml": {"score": one.score, "tier": one.tier},
    }
    if one.judgement.reviewed:
        send_findings = build_send_findings(
            row, codes, looked=one.looked, given=given.name, named=one.named
        )
        record_new_row(row, "HELD", now=now, facts=facts | {"findings": send_findings.recorded()})
        known = facts | {"sanctions": one.looked.shown(), "signals": list(one.signals)}
        told = {"name": given.name, "account": f"ending {given.tail}"}
        open_send_case(row, send_findings, now=now, facts=known | {"given": told}, score=one.score)
        return
    record_new_row(row, "TAKEN" if one.judgement.fires else "STOPPED", now=now, facts=facts)
    if one.judgement.fires:
        job_queue.enqueue_job(job=SEND_JOB, key=str(row.pk), now=now)
    elif one.looked.blocked:
        log_blocked_send(row, *codes, looked=one.looked, now=now)
