"""Recheck a payment before it is priced: one that an officer released, or that waited.

Also one whose sender has tried to pay a listed wallet since it was checked.

A released or halted payment was screened against the lists of that time. A party listed since must
not pass: every check runs again with the current lists and countries, and a block applies even to a
released payment. A flag holds it again, unless the release answered that finding.
"""

from dataclasses import replace
from datetime import datetime, timedelta

from django.db import transaction

from apps.backoffice.review.payment_hold_findings import list_unanswered_findings
from apps.compliance.aml.selectors import has_tried_listed_since
from apps.payments.payments import payment_checks
from apps.payments.payments.findings import (
    CHECK_EVENTS,
    findings_of_cases,
    load_cleared_finding_keys,
    sides_by_screen,
)
from apps.payments.payments.models import Payment, PaymentEvent
from apps.payments.payments.record_transition import record_transition
from apps.payments.payments.rules import messages
from apps.payments.payments.rules.transitions import find_transition
from apps.payments.payments.services import payment_case
from apps.payments.payments.services.payment_case import RELEASED
from apps.platform.common.clock import SKEW

EARLIER = "earlier"
# how long checks count for a payment that has not gone to the rail
CHECKS_VALID_FOR = timedelta(hours=1)


def is_recheck_due(payment: Payment, *, now: datetime) -> bool:
    """Tell whether a payment is checked again before it is priced; one query for a young one.

    If the clock has been set back since, the age of the checks is unknown: they run again.
    """
    # since it was checked: an attempt of the same sender makes this payment suspicious too
    if "aml" in payment.found and has_tried_listed_since(
        screen_id=payment.found["aml"]["screenId"],
        wallet=payment.sender_account,
        payee=payment.creditor_wallet,
        owner=payment.owner,
    ):
        return True
    # no query for most payments: they are priced right after their checks
    if RELEASED not in payment.found and -SKEW <= now - payment.submitted_at < CHECKS_VALID_FOR:
        return False
    events = PaymentEvent.objects.filter(payment=payment, event__in=(*CHECK_EVENTS, "RELEASED"))
    last = events.order_by("-number").values_list("event", "recorded_at").first()
    # one that was released since is checked again, whatever the time of the one or the other
    return (
        last is None or last[0] not in CHECK_EVENTS or not -SKEW <= now - last[1] < CHECKS_VALID_FOR
    )


def recheck_payment(payment: Payment, *, now: datetime) -> None:
    """Make the checks of a payment again, and take the turn that they come to.

    The records of the checks before stay beside the new ones, the oldest first.
    """
    check_inputs = payment_checks.gather_check_inputs(payment=payment, now=now)
    with transaction.atomic():
        check_results = payment_checks.record_check_results(
            payment=payment, looked=check_inputs, released=RELEASED in payment.found, now=now
        )
        flagged = findings_of_cases(check_results.cases, sides_by_screen(check_results.found))
        # only a release answers findings
        cleared = load_cleared_finding_keys(payment) if RELEASED in payment.found else frozenset()
        unanswered_findings = list_unanswered_findings(flagged, cleared=cleared)
        checks = replace(check_results.checks, answered=bool(flagged) and not unanswered_findings)
        next_ = find_transition(payment.state, "RECHECKED", checks)
        disclosed, error = payment.said | dict(check_results.said), ""
        if next_.next == "BLOCKED":
            disclosed, error = (
                disclosed | {"compliance": dict(messages.BLOCKED_FLAGS)},
                messages.BLOCKED,
            )
        before = payment.found
        latest = {
            name: record for name, record in before.items() if name not in (RELEASED, EARLIER)
        }
        earlier = [*before.get(EARLIER, ()), latest]
        since = {RELEASED: before[RELEASED]} if RELEASED in before else {}
        check_records = dict(check_results.found) | since | {EARLIER: earlier}
        transition = record_transition(
            payment,
            "RECHECKED",
            now=now,
            checks=checks,
            facts={
                "found": dict(check_results.found),
                "findings": [
                    unanswered_finding.recorded() for unanswered_finding in unanswered_findings
                ],
                "turn": next_.code,
            },
            plans=False,
            found=check_records,
            said=disclosed,
            error=error,
        )
        if transition.review:
            payment_case.open_hold_case(
                payment=payment, cases=check_results.cases, findings=unanswered_findings, now=now
            )
