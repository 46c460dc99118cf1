"""Refer cases to the log of suspicious activity (apps/backoffice/sar).

That an entry exists is confidential: nothing of it is written into the case, its events or anything
else that users without access to the log can read, and every referral gets the same answer.
"""

import logging
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import transaction

from apps.backoffice.review import case_types
from apps.backoffice.review.models import Case, Outcome
from apps.backoffice.review.rules.evidence import freeze_evidence
from apps.backoffice.review.services.case_routing import InvalidCaseStep
from apps.backoffice.review.services.claims import require_permission
from apps.backoffice.sar.entry_facts import PaymentFacts
from apps.backoffice.sar.sanctions_authorities import is_ofac_report_owed
from apps.backoffice.sar.services.entries import BlockedOutcome, OfficerReferral, enter_referral
from apps.platform.desk.note_validation import find_note_fault

if TYPE_CHECKING:
    from django.contrib.auth.models import User

logger = logging.getLogger(__name__)


@transaction.atomic
def refer_to_sar_log(*, case: Case, by: "User", note: str, now: datetime) -> None:
    """Enter a case into the log, with a reason; a further referral is added to its matter.

    Raises InvalidCaseStep, StepNotAllowed.
    """
    # any case of the kind, whoever holds it and even a decided one: a suspicion may arise later
    require_permission(by, case_types.get_case_type(case.kind).decides, "refer cases")
    if fault := find_note_fault(note):
        raise InvalidCaseStep(fault, errors=[{"field": "note", "message": fault}])
    concerns = case_types.get_case_type(case.kind).concerns_ofac
    owed = concerns is not None and concerns(
        case.refs, owed=is_ofac_report_owed(_find_matched_lists(case))
    )
    enter_referral(
        blocked=_build_blocked_outcome(case, by, note, sanctions=owed),
        heard=OfficerReferral(by=by, text=note),
        now=now,
    )


def enter_true_match(*, case: Case, by: "User", reason_code: str, note: str, now: datetime) -> None:
    """Enter a rejected case of a listed party into the log, and start the clock of its report.

    OFAC's clock runs for parties of OFAC's lists, for lists of unknown origin, and for payments
    that an embargo forbids. Call it inside the transaction of the final decision, with the reason
    of that decision.
    """
    if case.outcome != Outcome.REJECT:
        return
    kind = case_types.get_case_type(case.kind)
    # a rejected transaction is reported whatever the reason of the rejection (31 CFR 501.604)
    forbidden = not kind.reported.isdisjoint(case.refs)
    matched = reason_code in kind.true_matches
    if not (matched or forbidden):
        return
    owed = matched and is_ofac_report_owed(_find_matched_lists(case))
    words = case_types.describe_reason(case.kind, outcome=case.outcome, code=reason_code)
    officer_referral = OfficerReferral(by=by, text=note, reason=words, matched=owed)
    enter_referral(
        blocked=_build_blocked_outcome(case, by, note, sanctions=owed or forbidden),
        heard=officer_referral,
        now=now,
    )


def _find_matched_lists(case: Case) -> list[str]:
    named = case_types.get_case_type(case.kind).lists
    return sorted(named(case.evidence)) if named else []


def _build_blocked_outcome(case: Case, by: "User", note: str, *, sanctions: bool) -> BlockedOutcome:
    text = f"{by.get_username()}: {note.strip()}"
    return BlockedOutcome(
        kind=case.kind,
        ref=case.ref,
        owner=case.owner,
        party=case.party or case.title,
        lei=case.lei,
        reasons=[*(rule["sentence"] for rule in case.rules), text],
        rules=case.refs,
        sanctions=sanctions,
        lists=_find_matched_lists(case),
        risk_score=case.risk_score,
        opened_at=case.opened_at,
        facts=PaymentFacts(
            amount=case.amount,
            currency=case.currency,
            usd=case.amount_usd,
            country=case.country,
            reference=case.reference,
            wallet=case.wallet,
            picture=_draw_evidence(case),
        ),
    )


def _draw_evidence(case: Case) -> dict[str, Any]:
    """Return the evidence as the case page draws it; empty if it cannot be drawn."""
    draw = case_types.get_case_type(case.kind).picture
    try:
        return dict(freeze_evidence(draw(case.evidence) if draw else case.evidence))
    except (LookupError, TypeError, ValueError, AttributeError):
        # the entry matters more than its picture, and the case still has the evidence
        logger.exception("the evidence of case %s cannot be displayed", case.pk)
        return {}
