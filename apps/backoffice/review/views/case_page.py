"""The case page: everything that is known about one case, and what its reader may do now."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User

from apps.access.keys import tenant_names
from apps.backoffice.review import case_types, second_looks
from apps.backoffice.review.case_types import CASE_TYPES, RECORD_PAGES
from apps.backoffice.review.models import Action, Case, Escalation, Outcome, Status
from apps.backoffice.review.rules.bulk_and_merge import find_merge_fault
from apps.backoffice.review.rules.hours import CLAIM_LASTS, LONGEST_SNOOZE
from apps.backoffice.review.rules.note_templates import LEFT_OPEN
from apps.backoffice.review.selectors.prior_decisions import (
    load_prior_decisions,
    load_prior_decisions_of_cases,
)
from apps.backoffice.review.selectors.recorded_decisions import load_verdict
from apps.backoffice.review.services import list_assignable_officers
from apps.backoffice.review.services.case_routing import is_past_due
from apps.backoffice.review.services.decision_scope import is_second_officer_needed, list_duplicates
from apps.backoffice.review.views import queue_page
from apps.backoffice.review.views.case_known_false_positives import (
    build_known_offer,
    load_known_for_page,
)
from apps.backoffice.review.views.case_timeline import build_case_timeline
from apps.backoffice.review.views.decision_box import build_confirmation, build_decision_box
from apps.backoffice.review.views.evidence import draw_case_evidence
from apps.platform.desk.note_validation import SHORTEST_NOTE


@dataclass(frozen=True, slots=True)
class CasePermissions:
    """What the reader may do with the case at this moment."""

    claim: bool
    release: bool
    decide: bool
    confirm: bool
    route: bool
    aside: bool
    assign: bool
    split: bool


def build_case_context(*, case: Case, user: User, now: datetime) -> dict[str, Any]:
    """Return what the template draws."""
    holder, allowed = case.holder(now), get_case_permissions(case=case, user=user, now=now)
    prior_decisions, merged = load_prior_decisions(case), list_duplicates(case)
    case_record = build_case_record(case)
    positives = load_known_for_page(case, drawn=case_record["picture"], now=now)
    find = RECORD_PAGES.get(case.kind)
    return case_record | {
        "known": positives,
        "offer": build_known_offer(case, known=positives, now=now) if allowed.decide else None,
        "left": queue_page.format_time_left(due=case.due_at, now=now),
        "late": case.due_at < now,
        "aside": case.snoozed_until is not None and case.snoozed_until > now,
        "holder": holder,
        "held_by_me": holder == user,
        "may": allowed,
        **build_decision_box(case=case, user=user, others=merged, drawn=case_record["picture"]),
        "confirms": build_confirmation(case_record["proposal"].event)
        if case_record["proposal"]
        else None,
        "shortest_note": SHORTEST_NOTE,
        "unfinished": LEFT_OPEN,
        "claim_minutes": int(CLAIM_LASTS.total_seconds() // 60),
        "snooze_from": now + timedelta(days=1),
        "snooze_to": now + LONGEST_SNOOZE,
        "officers": list_assignable_officers() if allowed.assign else [],
        "before": prior_decisions,
        "mergeable": [
            earlier
            for earlier in prior_decisions.cases
            if allowed.route and _is_mergeable(case, earlier)
        ],
        "merged": merged,
        "together_second": case.kind in CASE_TYPES
        and is_second_officer_needed(case, merged, Outcome.APPROVE),
        "true_match": prior_decisions.true_match or _find_true_match_of_duplicates(merged),
        "cleared_with": Case.objects.filter(bulk=case.bulk_id).exclude(pk=case.pk).exists()
        if case.bulk_id
        else False,
        "alike": _count_similar_cases(case) if case.entity_key else 0,
        "looked": _load_second_look(user, case),
        "origin": find(user, case.ref) if find else None,
    }


def build_evidence_sheet(case: Case, *, user: User, now: datetime) -> dict[str, Any]:
    """Return the content of the evidence sheet: the records, and the merged cases.

    It shows the known false positives that a decision recorded, and their current state.
    """
    bulk = Case.objects.filter(bulk=case.bulk_id).exclude(pk=case.pk).order_by("pk")
    case_record = build_case_record(case)
    # a kind that no app registers any more has no reader for its answers
    tell = case_types.get_case_type(case.kind).answer if case.kind in CASE_TYPES else None
    ends = [
        s.event for s in case_record["steps"] if s.event.action in (Action.PROPOSED, Action.DECIDED)
    ]
    if not ends:
        earlier_findings = {}
    else:
        data = ends[-1].data
        earlier_findings = {"earlier": data.get("earlier", []), "warned": data.get("warning", "")}
    # the officers of the steps with their roles, as an examiner asks who they were
    people = {step.event.by_id for step in case_record["steps"] if step.event.by_id}
    users = User.objects.filter(pk__in=people).prefetch_related("groups").order_by("username")
    officer_roles = [
        (officer.get_username(), ", ".join(sorted(role.name for role in officer.groups.all())))
        for officer in (users if people else ())
    ]
    return case_record | {
        "known": load_known_for_page(case, drawn=case_record["picture"], now=now),
        "roles": officer_roles,
        "looked": _load_second_look(user, case),
        "answer": tell(case.ref) if tell else (),
        **earlier_findings,
        "together": list(bulk.only("pk", "party", "title")) if case.bulk_id else [],
        "merged": list_duplicates(case),
    }


def _find_true_match_of_duplicates(merged: Sequence[Case]) -> str:
    """Return what was found before of the duplicates of a case: that one is the listed party."""
    prior_decisions = load_prior_decisions_of_cases(merged) if merged else {}
    return next(
        (
            prior_decision.true_match
            for prior_decision in prior_decisions.values()
            if prior_decision.found
        ),
        "",
    )


def _load_second_look(user: User, case: Case) -> Any:
    """Return what was made of the decision on a second look, as far as a reader may know it."""
    return second_looks.load_second_look(user, case) if case.status == Status.DECIDED else None


def build_case_preview(*, case: Case, user: User, now: datetime) -> dict[str, Any]:
    """Return what the pane beside the queue draws: what is known, and nothing to do."""
    row = queue_page.build_queue_rows(
        [case], tenant_names.load_tenant_names([case.owner]), user, now
    )[0]
    case_record = build_case_record(case)
    if row.untold:  # leave out steps and consequences: they reveal who decided, and how
        return case_record | {"row": row, "steps": [], "verdict": row.verdict}
    return case_record | {
        "row": row,
        "known": load_known_for_page(case, drawn=case_record["picture"], now=now),
    }


def build_case_record(case: Case) -> dict[str, Any]:
    """Return what is on record of a case, for its page and for the evidence sheet."""
    steps = build_case_timeline(case)
    opened = next((step for step in steps if step.event.action == Action.OPENED), None)
    if case.status != Status.AWAITING_SECOND:
        last_proposal = None
    else:
        last_proposal = next(
            (s for s in reversed(steps) if s.event.action == Action.PROPOSED), None
        )
    if case.escalation != Escalation.OFFICER or case.ended:
        open_question = None
    else:
        timeline_steps = (
            s for s in reversed(steps) if s.event.action == Action.ESCALATED and s.event.by_id
        )
        open_question = next(timeline_steps, None)
    turns = (Action.PROPOSED, Action.RETURNED, Action.DECIDED)
    last = next((s for s in reversed(steps) if s.event.action in turns), None)
    waits = last is not None and last.event.action == Action.RETURNED
    last_return = last if waits and case.status == Status.OPEN else None
    return {
        "case": case,
        "picture": draw_case_evidence(case),
        "tenant": tenant_names.load_tenant_name(case.owner),
        "steps": steps,
        # an empty digest: the payload of the opening was purged
        "altered": opened is None or opened.digest not in ("", case.facts_digest()),
        "facts_digest": case.facts_digest(),
        "verdict": load_verdict(case, [step.event for step in steps]),
        "proposal": last_proposal,
        "question": open_question,
        "returned": last_return,
    }


def get_case_permissions(*, case: Case, user: User, now: datetime) -> CasePermissions:
    """Tell what a user may do; the actions check all of it again."""
    holder = case.holder(now)
    free = holder is None or holder == user
    standing = case.merged_into_id is None and not case.ended
    opened = standing and case.status == Status.OPEN
    # cases of a kind that no longer exists cannot be decided
    kind = case_types.get_case_type(case.kind) if case.kind in CASE_TYPES else None
    # not a permission that nobody has: superusers have every permission
    senior = kind is not None and user.has_perm(kind.confirms)
    second = standing and not opened and senior and case.first_by_id != user.pk
    passed_on = case.escalation == Escalation.OFFICER and not senior
    deciding = opened and kind is not None and user.has_perm(kind.decides) and not passed_on
    return CasePermissions(
        claim=(deciding or second) and holder is None and user.has_perm("review.claim_case"),
        release=standing and holder == user,
        decide=deciding and free,
        confirm=second and free,
        route=deciding and free and user.has_perm("review.claim_case"),
        aside=deciding
        and free
        and user.has_perm("review.claim_case")
        and (senior or not is_past_due(case, now)),
        assign=standing and user.has_perm("review.assign_case"),
        split=case.status == Status.OPEN
        and case.merged_into_id is not None
        and user.has_perm("review.decide_case")
        and not passed_on,
    )


def _is_mergeable(case: Case, other: Case) -> bool:
    """Tell whether a case could go with another one; the action checks it again."""
    standing = other.status == Status.OPEN and other.merged_into_id is None
    return standing and not find_merge_fault(duplicate=case.likeness(), into=other.likeness())


def _count_similar_cases(case: Case) -> int:
    """Count the other open cases of the same listed parties."""
    same = Case.objects.undecided().filter(entity_key=case.entity_key, status=Status.OPEN)
    return same.exclude(pk=case.pk).count()
