"""Check a bank payment before it is sent: the screen, the AML engine, the table (ACH-…).

All payments to the bank pass through here, so that one that is refused cannot go another way.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import transaction

from apps.backoffice.review.services.case_creation import open_no_case
from apps.compliance.aml.rules.profile_inclusion import OtherChecks
from apps.compliance.aml.screening.requests import AmlScreenRequest
from apps.compliance.aml.screening.selectors import gather_aml_screen
from apps.compliance.aml.screening.services import conclude_aml_screen
from apps.payments.banking.models import Send
from apps.payments.banking.record_transition import record_new_row
from apps.payments.banking.rules.automatic_sending import (
    PaymentFacts,
    PaymentJudgement,
    judge_payment,
)
from apps.payments.banking.screening import recipients
from apps.payments.banking.screening.memo import find_listed_names, payment_memo_of
from apps.payments.banking.screening.recipients import ScreeningOutcome
from apps.payments.banking.screening.send_findings import build_send_findings
from apps.payments.banking.services.log_blocked_send import log_blocked_send
from apps.payments.banking.services.send_cases import open_send_case
from apps.platform.api.callers import Caller
from apps.platform.crypto import macs
from apps.platform.jobs import job_queue
from apps.reference.names.payee.comparison import compare_payee_names
from apps.reference.watchlists import engine

SEND_JOB = "banking.send"


@dataclass(frozen=True, slots=True)
class GivenPayee:
    """The payee as the payer knows it: a name, and a digest and the end of its account."""

    name: str
    token: str
    tail: str


@dataclass(frozen=True, slots=True)
class SendJudgement:
    """The results of the checks: those of the screens, and that of the AML engine.

    `named` are listed parties that the note names.
    """

    judgement: PaymentJudgement
    looked: ScreeningOutcome
    score: int
    tier: str
    signals: tuple[str, ...] = ()
    named: tuple[str, ...] = ()


def judge_send(row: Send, given: GivenPayee, *, caller: Caller, now: datetime) -> SendJudgement:
    """Run the checks; ListsUnavailable, ListsStale and WeightsIntegrityError (503)."""
    recipient = row.recipient
    recipient_requests = recipients.build_recipient_requests(recipient, given=given.name)
    parties = recipients.screen_parties(recipient_requests, owner=row.owner, now=now)
    alike = compare_payee_names(submitted=given.name, registered=recipient.name)
    listed_names = find_listed_names(engine.load_current_engine(now), payment_memo_of(row))
    facts = PaymentFacts(
        listed=parties.listed,
        near=parties.near,
        barred=parties.blocked and not parties.listed,
        doubted=parties.flagged and not parties.near,
        # as if the engine had no objection: what the others find decides whether it counts the
        # payment
        action="PROCEED",
        same_account=given.token == recipient.token,
        same_name=alike.band == "MATCH",
        noted=bool(listed_names),
    )
    # last, because the engine locks the profiles of both accounts. A payment that waits for an
    # officer has not moved: it is counted when it is released
    aml = judge_by_aml(
        row,
        given.token,
        caller,
        now,
        others=OtherChecks.PASS if judge_payment(facts).fires else OtherChecks.STOP,
    )
    facts = replace(facts, action=aml["action"])
    signals = tuple(str(signal["sentence"]) for signal in aml["signals"])
    return SendJudgement(
        judge_payment(facts), parties, aml["riskScore"], aml["riskTier"], signals, listed_names
    )


def judge_by_aml(
    row: Send, token: str, caller: Caller, now: datetime, *, others: OtherChecks, holds: bool = True
) -> Mapping[str, Any]:
    """Return the AML engine's result for account -> recipient.

    An account is known to it only by a keyed digest.
    """
    # with the owner: a shared account is a different account for each institution
    payer = macs.keyed_digest(what="bank payer", of=[row.owner, str(row.account_id)])
    screen_request = AmlScreenRequest(
        wallet=f"bank-account:{payer[:40]}",
        counterparty=f"bank-recipient:{token[:40]}",
        amount=row.amount,
        currency="USD",
        payment_id=str(row.send_id),
        direction="SEND",
    )
    gathered = gather_aml_screen(asked=screen_request, now=now)
    with transaction.atomic():
        aml_screen: Mapping[str, Any] = conclude_aml_screen(
            asked=screen_request,
            gathered=gathered,
            caller=caller,
            now=now,
            # what the engine flags joins the payment's own case (begin_send)
            opens=open_no_case,
            others=others,
            holds=holds,
            named=row.recipient.name,
        )
    return aml_screen


def begin_send(
    row: Send, send_judgement: SendJudgement, given: GivenPayee, *, now: datetime
) -> None:
    """Create a payment with its outcome: to be sent, with its case, or stopped with its entry."""
    codes = [row.code for row in send_judgement.judgement.rows]
    facts: dict[str, Any] = {
        "rules": codes,
        "decision": send_judgement.judgement.decision,
        "sanctions": send_judgement.looked.recorded(),
        "aml": {"score": send_judgement.score, "tier": send_judgement.tier},
    }
    if send_judgement.judgement.reviewed:
        send_findings = build_send_findings(
            row,
            codes,
            screening_outcome=send_judgement.looked,
            given=given.name,
            named=send_judgement.named,
        )
        record_new_row(row, "HELD", now=now, facts=facts | {"findings": send_findings.recorded()})
        known = facts | {
            "sanctions": send_judgement.looked.shown(),
            "signals": list(send_judgement.signals),
        }
        payee = {"name": given.name, "account": f"ending {given.tail}"}
        open_send_case(
            row,
            send_findings,
            now=now,
            facts=known | {"given": payee},
            score=send_judgement.score,
        )
        return
    record_new_row(
        row, "TAKEN" if send_judgement.judgement.fires else "STOPPED", now=now, facts=facts
    )
    if send_judgement.judgement.fires:
        job_queue.enqueue_job(job=SEND_JOB, key=str(row.pk), now=now)
    # a block by the AML engine's score has its SAR entry from the engine
    elif send_judgement.looked.blocked:
        log_blocked_send(row, *codes, screening_outcome=send_judgement.looked, now=now)
