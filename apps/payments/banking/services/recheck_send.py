"""Screens a payment once more before the bank is asked: one that was released, or that waited.

What officers released was screened by the lists of then. What blocks by now stops it, whoever
released it; what is flagged holds it again, unless that is a finding which the release answered.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from apps.backoffice.review.services import EvidenceAltered, load_unaltered_case
from apps.payments.banking.integrity import BankRowIntegrityError
from apps.payments.banking.models import Send
from apps.payments.banking.screening import screens
from apps.payments.banking.screening.memo import find_listed_names, payment_memo_of
from apps.payments.banking.screening.screens import ScreeningOutcome
from apps.payments.banking.screening.send_findings import (
    SCREENED,
    SendFindings,
    build_send_findings,
    load_carried_findings,
    load_cleared_keys,
    load_released_aml,
)
from apps.payments.banking.services.cases import find_first_case, open_send_case
from apps.payments.banking.transitions import record_transition
from apps.reference.watchlists import engine as engines

SCREEN_VALID_FOR = timedelta(minutes=5)  # how long a screen counts for a payment that has not gone


@dataclass(frozen=True, slots=True)
class SendRecheck:
    """What a payment comes to by now: the screens, and what of it nobody answered.

    `given` is what its payer gave of the payee, as its case has it.
    """

    looked: ScreeningOutcome
    held: SendFindings
    given: dict[str, str]

    @property
    def blocks(self) -> bool:
        """Whether it must not go, whoever released it."""
        return self.looked.blocked or any(finding.blocks for finding in self.held.findings)


def recheck_send(row: Send, *, now: datetime) -> SendRecheck | None:
    """Screen a payment again where that is due; None where it was just judged, and nobody held it.

    BankRowIntegrityError (503) where its case is not as it was recorded, ListsUnavailable,
    ListsStale.
    """
    if row.steps == 1 and now - row.asked_at <= SCREEN_VALID_FOR:
        return None
    payee = _load_given_payee(row)
    recipient_requests = screens.build_recipient_requests(
        row.recipient, given=payee.get("name", "")
    )
    looked = screens.screen_parties(recipient_requests, owner=row.owner, now=now)
    listed_names = find_listed_names(engines.load_current_engine(now), payment_memo_of(row))
    codes = [*_screen_rule_codes(looked), *(["ACH-11"] if listed_names else [])]
    send_findings = build_send_findings(
        row, codes, looked=looked, given=payee.get("name", ""), named=listed_names
    )
    whole = SendFindings(
        (*send_findings.findings, *load_carried_findings(row)), send_findings.screens
    )
    return SendRecheck(looked, whole.without(load_cleared_keys(row)), payee)


def _screen_rule_codes(screening_outcome: ScreeningOutcome) -> tuple[str, ...]:
    near, other = SCREENED
    return (near if screening_outcome.near else other,) if screening_outcome.flagged else ()


def _load_given_payee(row: Send) -> dict[str, str]:
    """Return what the payer gave of the payee; the ledger keeps no names, the first case does."""
    case = find_first_case(row)
    if case is None:
        return {}
    try:
        found, _ = load_unaltered_case(case)
    except EvidenceAltered:
        raise BankRowIntegrityError(
            "Integrity check failed for the case of this payment: nothing is sent."
        ) from None
    given: dict[str, str] = found.evidence.get("given", {})
    return given


@transaction.atomic
def hold_rechecked_send(row: Send, one: SendRecheck, *, now: datetime) -> None:
    """Hold a payment for what nobody answered, with a case that shows just that."""
    facts: dict[str, Any] = {"rules": one.held.codes, "decision": "FLAGGED"}
    known = facts | {"sanctions": one.looked.recorded(), "findings": one.held.recorded()}
    record_transition(row, "HELD", now=now, facts=known, calling_until=None)
    shown = facts | {"sanctions": one.looked.shown(), "aml": dict(load_released_aml(row))}
    shown |= {"given": one.given} if one.given else {}
    open_send_case(row, one.held, facts=shown, now=now)
