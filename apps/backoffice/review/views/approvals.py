"""Decisions that seniors confirm: of single cases, and clears of several together."""

from collections import defaultdict
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db.models import Count, Exists, OuterRef
from django.urls import reverse

from apps.access.keys import tenant_names
from apps.backoffice.review.models import (
    Action,
    BulkClear,
    Case,
    CaseQuerySet,
    DecisionEvent,
    Status,
)
from apps.backoffice.review.selectors.prior_decisions import (
    PriorDecisions,
    load_prior_decisions_of_cases,
)
from apps.backoffice.review.selectors.recorded_decisions import UNREAD, format_recorded_reason
from apps.platform.desk.approvals import Approvals, PendingApproval
from apps.platform.ledger.verification.verified_reads import filter_verified_records

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.db.models import QuerySet

NAMED = 3  # parties of a clear that its line names
UNDECIDED = "undecided"


def list_waiting_decisions(user: "User", now: datetime) -> Approvals | None:
    """Return single decisions that wait for this user; bulk decisions are listed separately.

    A case whose bulk holds no other one that waits is decided on its own page.
    """
    if not user.has_perm("review.approve_second"):
        return None
    together = Case.objects.filter(bulk=OuterRef("bulk"), status=Status.AWAITING_SECOND)
    # a case alone in its bulk is decided on its own page, like a single decision
    alone = ~Exists(together.exclude(pk=OuterRef("pk")))
    cases = Case.objects.filter(alone, merged_into=None).waiting_for(user)
    return Approvals(cases.count, lambda most: _build_decision_lines(cases, most))


def list_waiting_clears(user: "User", now: datetime) -> Approvals | None:
    """Return clears of several cases that wait for this user."""
    if not user.has_perm("review.approve_second"):
        return None
    bulk_clears = BulkClear.objects.filter(cases__status=Status.AWAITING_SECOND)
    bulks = bulk_clears.exclude(proposed_by=user).annotate(waits=Count("cases")).filter(waits__gt=1)
    return Approvals(
        bulks.count, lambda most: _build_clear_lines(list(_select_first_bulks(bulks, most)))
    )


def _select_first_bulks(bulks: "QuerySet[BulkClear]", most: int) -> "QuerySet[BulkClear]":
    return bulks.select_related("proposed_by").order_by("proposed_at", "pk")[:most]


def _build_decision_lines(cases: CaseQuerySet, most: int) -> list[PendingApproval]:
    """Return lines of cases: what is recorded of them, of their parties before, and tenants."""
    numbers = list(cases.order_by("first_at", "pk").values_list("pk", flat=True)[:most])
    decided_cases = Case.objects.filter(pk__in=numbers).select_related("first_by").defer("evidence")
    rows = list(decided_cases.order_by("first_at", "pk"))
    known, names = (
        load_first_decisions(numbers),
        tenant_names.load_tenant_names({case.owner for case in rows}),
    )
    prior_decisions = load_prior_decisions_of_cases(rows)
    return [
        _build_decision_line(case, known.get(case.pk), names, prior_decisions[case.pk])
        for case in rows
    ]


def _build_decision_line(
    case: Case, event: DecisionEvent | None, names: dict[str, str], prior_decisions: PriorDecisions
) -> PendingApproval:
    about = [case.party or case.title, format_case_amount(case), names.get(case.owner, case.owner)]
    second = case.second_sentence or _describe_warning(prior_decisions)
    changes = [(f"Case {case.pk}", UNDECIDED, case.first_outcome_words.done.lower())]
    return PendingApproval(
        kind="Decision",
        title=f"{case.first_outcome_words.does}: {' · '.join(filter(None, about))}",
        changes=(*changes, *([("Why a second officer", "", second)] if second else [])),
        by=case.first_by.get_username() if case.first_by else "",
        at=case.first_at or case.opened_at,
        why=format_reason_and_note(event),
        address=reverse("admin:review_case_change", args=[case.pk]),
    )


def _build_clear_lines(bulks: list[BulkClear]) -> list[PendingApproval]:
    waiting = Case.objects.filter(bulk__in=bulks, status=Status.AWAITING_SECOND)
    members: dict[int, list[Case]] = defaultdict(list)
    for case in waiting.defer("evidence", "rules").order_by("pk"):
        members[case.bulk_id or 0].append(case)
    first_decisions = load_first_decisions([cases[0].pk for cases in members.values()])
    prior_decisions = load_prior_decisions_of_cases(
        [case for cases in members.values() for case in cases]
    )
    # a clear that a colleague confirmed since it was counted has no waiting case
    return [
        _build_clear_line(bulk, members[bulk.pk], first_decisions, prior_decisions)
        for bulk in bulks
        if bulk.pk in members
    ]


def _build_clear_line(
    bulk: BulkClear,
    cases: list[Case],
    known: dict[int, DecisionEvent],
    priors: dict[int, PriorDecisions],
) -> PendingApproval:
    parties = list(dict.fromkeys(case.party or case.title for case in cases))
    more = len(parties) - NAMED
    named = "; ".join(parties[:NAMED]) + (f"; and {more} more" if more > 0 else "")
    warned = [(f"Case {case.pk}", "", _describe_warning(priors[case.pk])) for case in cases]
    does = f"{len(cases)} cases", UNDECIDED, cases[0].first_outcome_words.done.lower()
    return PendingApproval(
        kind="Bulk clear",
        title=f"Clear {len(cases)} cases: {named}",
        changes=(
            does,
            *(("Amount", "", total) for total in format_amount_totals(cases)),
            *(row for row in warned if row[2]),
        ),
        by=bulk.proposed_by.get_username(),
        at=bulk.proposed_at,
        why=format_reason_and_note(known.get(cases[0].pk)),
        address=reverse("admin:review_bulk", args=[bulk.pk]),
    )


def _describe_warning(prior_decisions: PriorDecisions) -> str:
    """Return what speaks against an approval, without the decisions themselves."""
    # who opens a case's page is on record, who opens this list is not
    if prior_decisions.found:
        return "An earlier case found this party to be the listed party."
    return f"{prior_decisions.warning}." if prior_decisions.warning else ""


def load_first_decisions(numbers: list[int]) -> dict[int, DecisionEvent]:
    """Return the latest first decision on each case, of those that are proved to be ours."""
    steps = DecisionEvent.objects.filter(case__in=numbers, action=Action.PROPOSED)
    events = steps.select_related("by", "case").defer(*UNREAD).order_by("pk")
    return {event.case_id: event for event in filter_verified_records(events)}


def format_reason_and_note(event: DecisionEvent | None) -> str:
    """Return reason and note of a step, or an empty text where none is recorded."""
    if event is None:
        return ""
    return "\n".join(filter(None, (format_recorded_reason(event), event.data.get("note", ""))))


def format_case_amount(case: Case) -> str:
    """Return a case's amount with its currency, or an empty text."""
    return f"{case.amount:,.2f} {case.currency}" if case.amount is not None else ""


def format_amount_totals(cases: list[Case]) -> list[str]:
    """Return the total amounts of cases by currency, and last how many have no amount."""
    sums: dict[str, Decimal] = defaultdict(Decimal)
    for case in cases:
        if case.amount is not None:
            sums[case.currency] += case.amount
    totals = [f"{total:,.2f} {currency}" for currency, total in sorted(sums.items())]
    unknown = sum(case.amount is None for case in cases)
    left = f"{unknown} case{'' if unknown == 1 else 's'} without an amount"
    return [*totals, left] if unknown else totals
