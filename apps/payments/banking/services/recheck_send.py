"""Screen a payment again before the bank is called: one that was released, or that waited.

A released payment was screened against the lists of that time. A block found now stops it despite
the release; a flag holds it again, unless the release answered that finding.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from apps.backoffice.review.services import EvidenceAltered, load_unaltered_case
from apps.payments.banking.integrity import BankRowIntegrityError
from apps.payments.banking.models import Send
from apps.payments.banking.record_transition import record_transition
from apps.payments.banking.screening import recipients
from apps.payments.banking.screening.memo import find_listed_names, payment_memo_of
from apps.payments.banking.screening.recipients import ScreeningOutcome
from apps.payments.banking.screening.send_findings import (
    SCREENED,
    SendFindings,
    build_send_findings,
    load_carried_findings,
    load_cleared_keys,
    load_released_aml,
)
from apps.payments.banking.services.send_cases import find_first_case, open_send_case
from apps.reference.watchlists import engine

# how long a screen is valid for a payment that has not gone: normally it goes within seconds
SCREEN_VALID_FOR = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class SendRecheck:
    """The current result for a payment: the screens, and the unanswered findings.

    `given` is what its payer knows of the payee, as its case has it.
    """

    looked: ScreeningOutcome
    held: SendFindings
    given: dict[str, str]

    @property
    def blocks(self) -> bool:
        """Tell whether it must not be sent, even if officers released it."""
        return self.looked.blocked or any(finding.blocks for finding in self.held.findings)


def recheck_send(row: Send, *, now: datetime) -> SendRecheck | None:
    """Screen a payment again if that is due; None if it was just judged and not held.

    Raises BankRowIntegrityError (503) if its case is not as recorded, ListsUnavailable, ListsStale.
    """
    # one step: it was judged, never held, and nothing has happened to it since
    if row.steps == 1 and now - row.asked_at <= SCREEN_VALID_FOR:
        return None
    payee = _load_given_payee(row)
    recipient_requests = recipients.build_recipient_requests(
        row.recipient, given=payee.get("name", "")
    )
    parties = recipients.screen_parties(recipient_requests, owner=row.owner, now=now)
    listed_names = find_listed_names(engine.load_current_engine(now), payment_memo_of(row))
    # the row that repeats the screen: a name that resembles a listed one, or another reason
    near, other = SCREENED
    screen_rule_codes = (near if parties.near else other,) if parties.flagged else ()
    codes = [*screen_rule_codes, *(["ACH-11"] if listed_names else [])]
    send_findings = build_send_findings(
        row, codes, screening_outcome=parties, given=payee.get("name", ""), named=listed_names
    )
    # with the findings that are not gathered again, so that a release must answer them too
    whole = SendFindings(
        (*send_findings.findings, *load_carried_findings(row)), send_findings.screens
    )
    return SendRecheck(parties, whole.without(load_cleared_keys(row)), payee)


def _load_given_payee(row: Send) -> dict[str, str]:
    """Return what the payer knows of the payee; the ledger keeps no names, the first case does."""
    case = find_first_case(row)
    if case is None:
        return {}
    try:
        unaltered, _ = load_unaltered_case(case)
    except EvidenceAltered:
        raise BankRowIntegrityError(
            "Integrity check failed for the case of this payment: nothing is sent."
        ) from None
    given_payee: dict[str, str] = unaltered.evidence.get("given", {})
    return given_payee


@transaction.atomic
def hold_rechecked_send(row: Send, send_recheck: SendRecheck, *, now: datetime) -> None:
    """Hold a payment for unanswered findings, with a case that shows only those."""
    facts: dict[str, Any] = {"rules": send_recheck.held.codes, "decision": "FLAGGED"}
    known = facts | {
        "sanctions": send_recheck.looked.recorded(),
        "findings": send_recheck.held.recorded(),
    }
    record_transition(row, "HELD", now=now, facts=known, calling_until=None)
    shown = facts | {"sanctions": send_recheck.looked.shown(), "aml": dict(load_released_aml(row))}
    shown |= {"given": send_recheck.given} if send_recheck.given else {}
    open_send_case(row, send_recheck.held, facts=shown, now=now)
