"""Findings of a payment's checks, and which of them officers answered."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from apps.backoffice.review.payment_hold_findings import Finding, build_finding_key
from apps.backoffice.review.services import CaseOpening
from apps.compliance.screening.combined.party_findings import PartyScreen
from apps.payments.payments.case_rows import SIDE_LABELS
from apps.payments.payments.models import Payment, PaymentEvent
from apps.platform.ledger.verification.verified_reads import filter_verified_records

CHECK_EVENTS = ("CHECKED", "RECHECKED")
AML_CASE_KIND = "aml"  # the kind of the case that the AML screen opens


def sides_by_screen(records: Mapping[str, Any]) -> dict[str, str]:
    """Return the party of each screen, by its id; `records` are those of checks."""
    return {row["screenId"]: row["side"] for row in records.get("screens", ())}


def findings_of_cases(
    cases: Sequence[CaseOpening], sides: Mapping[str, str]
) -> tuple[Finding, ...]:
    """Return the flagged findings of some checks."""
    findings_by_case = (
        _aml_findings(case) if case.kind == AML_CASE_KIND else _party_screen(case, sides).findings()
        for case in cases
    )
    return tuple(finding for case_findings in findings_by_case for finding in case_findings)


def _party_screen(case: CaseOpening, sides: Mapping[str, str]) -> PartyScreen:
    return PartyScreen(sides[case.ref], case, SIDE_LABELS[sides[case.ref]])


def _aml_findings(case: CaseOpening) -> tuple[Finding, ...]:
    """Return the AML screen's findings: its rules, whatever the score is now."""
    return tuple(
        # keyed by the rule: a score that rises by the same rule is no new finding
        Finding(reason["code"], reason["ref"], reason["sentence"], False, _aml_finding_key(reason))
        for reason in case.reasons
    )


def _aml_finding_key(reason: Mapping[str, str]) -> str:
    return build_finding_key(AML_CASE_KIND, reason["ref"])


def narrow_case_to_findings(
    case: CaseOpening, sides: Mapping[str, str], keys: Collection[str]
) -> CaseOpening | None:
    """Return the case of a check with only some findings, by their keys; None without any."""
    if case.kind != AML_CASE_KIND:
        party_screen = _party_screen(case, sides).holding(keys)
        return party_screen.opening if party_screen is not None else None
    reasons = [reason for reason in case.reasons if _aml_finding_key(reason) in keys]
    return replace(case, reasons=reasons) if reasons else None


def load_holding_findings(payment: Payment) -> Sequence[Mapping[str, Any]]:
    """Return the findings that hold a payment, as its ledger has them.

    There are none if its checks could not be made.
    """
    events = PaymentEvent.objects.filter(payment=payment, number=payment.steps)
    # only of its present step: a payment that moved on is held by nothing
    (last,) = filter_verified_records(events) or (None,)
    return last.data.get("findings", ()) if last is not None and last.event in CHECK_EVENTS else ()


def load_cleared_finding_keys(payment: Payment) -> frozenset[str]:
    """Return the keys of the findings that officers answered when they released a payment."""
    released = PaymentEvent.objects.filter(payment=payment, event="RELEASED")
    return frozenset(
        key for event in filter_verified_records(released) for key in event.data.get("answered", ())
    )
