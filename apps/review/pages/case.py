"""The case page: everything that is known of one case, and what its reader may do now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.utils.module_loading import import_string

from apps.access import tenants
from apps.desk.rules import SHORTEST_NOTE
from apps.review import kinds
from apps.review.actions import officers
from apps.review.actions.groups import asks_second, duplicates
from apps.review.actions.routing import past_due
from apps.review.before import before, outcomes
from apps.review.models import Action, Case, Escalation, Outcome, Status
from apps.review.pages import queue
from apps.review.pages.deciding import box, confirmed
from apps.review.pages.evidence import picture
from apps.review.pages.known import offer, on_case
from apps.review.pages.timeline import Step, timeline
from apps.review.rules.hours import CLAIM_LASTS, LONGEST_SNOOZE
from apps.review.rules.notes import LEFT_OPEN
from apps.review.rules.together import merge_fault
from apps.review.verdicts import verdict
from config.review import KINDS, LOOKED, RECORDS


@dataclass(frozen=True, slots=True)
class May:
    """What the reader may do with the case at this moment."""

    claim: bool
    release: bool
    decide: bool
    confirm: bool
    route: bool
    aside: bool
    assign: bool
    split: bool


def context(*, case: Case, user: User, now: datetime) -> dict[str, Any]:
    """Return what the template draws."""
    holder, allowed = case.holder(now), may(case=case, user=user, now=now)
    told, merged = before(case), duplicates(case)
    known = record(case)
    positives = on_case(case, drawn=known["picture"], now=now)
    return known | {
        "known": positives,
        "offer": offer(case, known=positives, now=now) if allowed.decide else None,
        "left": queue.time_left(due=case.due_at, now=now),
        "late": case.due_at < now,
        "aside": case.snoozed_until is not None and case.snoozed_until > now,
        "holder": holder,
        "held_by_me": holder == user,
        "may": allowed,
        **box(case=case, user=user, others=merged, drawn=known["picture"]),
        "confirms": confirmed(known["proposal"].event) if known["proposal"] else None,
        "shortest_note": SHORTEST_NOTE,
        "unfinished": LEFT_OPEN,
        "claim_minutes": int(CLAIM_LASTS.total_seconds() // 60),
        "snooze_from": now + timedelta(days=1),
        "snooze_to": now + LONGEST_SNOOZE,
        "officers": officers() if allowed.assign else [],
        "before": told,
        "mergeable": [one for one in told.cases if allowed.route and _mergeable(case, one)],
        "merged": merged,
        "together_second": case.kind in KINDS and asks_second(case, merged, Outcome.APPROVE),
        "true_match": told.true_match or _true_match(merged),
        "cleared_with": Case.objects.filter(bulk=case.bulk_id).exclude(pk=case.pk).exists()
        if case.bulk_id
        else False,
        "alike": _alike(case) if case.entity_key else 0,
        "looked": _looked(user, case),
        "origin": _origin(user, case),
    }


def sheet(case: Case, *, user: User, now: datetime) -> dict[str, Any]:
    """Return what the evidence sheet prints: what is on record, and the cases it went with.

    What a decision recorded of known false positives stands with it; beside that, how they are.
    """
    bulk = Case.objects.filter(bulk=case.bulk_id).exclude(pk=case.pk).order_by("pk")
    found = record(case)
    return found | {
        "known": on_case(case, drawn=found["picture"], now=now),
        "roles": _roles(found["steps"]),
        "looked": _looked(user, case),
        "answer": _answer(case),
        **_earlier(case, found["steps"]),
        "together": list(bulk.only("pk", "party", "title")) if case.bulk_id else [],
        "merged": duplicates(case),
    }


def _true_match(merged: Sequence[Case]) -> str:
    """Return what was found before of the duplicates of a case: that one is the listed party."""
    told = outcomes(merged) if merged else {}
    return next((one.true_match for one in told.values() if one.found), "")


def _looked(user: User, case: Case) -> Any:
    """Return what was made of the decision on a second look, as far as a reader may know it."""
    return import_string(LOOKED)(user, case) if case.status == Status.DECIDED else None


def _origin(user: User, case: Case) -> tuple[str, str] | None:
    """Return the record that a case is about, in words, and its page, for who may see that."""
    found = RECORDS.get(case.kind)
    origin: tuple[str, str] | None = import_string(found)(user, case.ref) if found else None
    return origin


def _answer(case: Case) -> Sequence[Mapping[str, str]]:
    """Return what the client was answered; of a kind that left nothing."""
    tell = kinds.named(case.kind).answer if case.kind in KINDS else None
    return tell(case.ref) if tell else ()


def _roles(steps: list[Step]) -> list[tuple[str, str]]:
    """Return who took steps, with the roles that they have today; two queries at most."""
    people = {step.event.by_id for step in steps if step.event.by_id}
    found = User.objects.filter(pk__in=people).prefetch_related("groups").order_by("username")
    return [
        (one.get_username(), ", ".join(sorted(role.name for role in one.groups.all())))
        for one in (found if people else ())
    ]


def _earlier(case: Case, steps: Sequence[Step]) -> dict[str, Any]:
    """Return what was on record of the party when the case was decided, and was warned of."""
    ends = [s.event for s in steps if s.event.action in (Action.PROPOSED, Action.DECIDED)]
    if not ends:
        return {}
    data = ends[-1].data
    return {"earlier": data.get("earlier", []), "warned": data.get("warning", "")}


def preview(*, case: Case, user: User, now: datetime) -> dict[str, Any]:
    """Return what the pane beside the queue draws: what is known, and nothing to do."""
    row = queue.rows([case], tenants.names([case.owner]), user, now)[0]
    found = record(case)
    if row.untold:  # neither steps nor what came of it: they tell who decided, and how
        return found | {"row": row, "steps": [], "verdict": row.verdict}
    return found | {"row": row, "known": on_case(case, drawn=found["picture"], now=now)}


def record(case: Case) -> dict[str, Any]:
    """Return what is on record of a case, for its page and for the evidence sheet."""
    steps = timeline(case)
    opened = next((step for step in steps if step.event.action == Action.OPENED), None)
    return {
        "case": case,
        "picture": picture(case),
        "tenant": tenants.name(case.owner),
        "steps": steps,
        "altered": opened is None or opened.digest not in ("", case.facts_digest()),
        "facts_digest": case.facts_digest(),
        "verdict": verdict(case, [step.event for step in steps]),
        "proposal": _last_proposal(case, steps),
        "question": _question(case, steps),
        "returned": _returned(case, steps),
    }


def may(*, case: Case, user: User, now: datetime) -> May:
    """Tell what a user may do; the actions check all of it again."""
    holder = case.holder(now)
    free = holder is None or holder == user
    standing = case.merged_into_id is None and not case.ended
    opened = standing and case.status == Status.OPEN
    decides, confirms = _permissions(case)
    senior = user.has_perm(confirms)
    second = standing and not opened and senior and case.first_by_id != user.pk
    passed_on = case.escalation == Escalation.OFFICER and not senior
    deciding = opened and user.has_perm(decides) and not passed_on
    return May(
        claim=(deciding or second) and holder is None and user.has_perm("review.claim_case"),
        release=standing and holder == user,
        decide=deciding and free,
        confirm=second and free,
        route=deciding and free and user.has_perm("review.claim_case"),
        aside=deciding
        and free
        and user.has_perm("review.claim_case")
        and (senior or not past_due(case, now)),
        assign=standing and user.has_perm("review.assign_case"),
        split=case.status == Status.OPEN
        and case.merged_into_id is not None
        and user.has_perm("review.decide_case")
        and not passed_on,
    )


def _permissions(case: Case) -> tuple[str, str]:
    """Return who may decide a case and who confirms; of a kind that left, nobody."""
    kind = kinds.named(case.kind) if case.kind in KINDS else None
    return (kind.decides, kind.confirms) if kind else ("nobody", "nobody")


def _last_proposal(case: Case, steps: list[Step]) -> Step | None:
    """Return the first decision that waits now (an earlier one may have been returned)."""
    if case.status != Status.AWAITING_SECOND:
        return None
    return next((s for s in reversed(steps) if s.event.action == Action.PROPOSED), None)


def _question(case: Case, steps: list[Step]) -> Step | None:
    """Return what an officer asked the seniors, while nobody decided."""
    if case.escalation != Escalation.OFFICER or case.ended:
        return None
    asked = (s for s in reversed(steps) if s.event.action == Action.ESCALATED and s.event.by_id)
    return next(asked, None)


def _returned(case: Case, steps: list[Step]) -> Step | None:
    """Return why a second officer returned the first decision, until there is another."""
    turns = (Action.PROPOSED, Action.RETURNED, Action.DECIDED)
    last = next((s for s in reversed(steps) if s.event.action in turns), None)
    waits = last is not None and last.event.action == Action.RETURNED
    return last if waits and case.status == Status.OPEN else None


def _mergeable(case: Case, other: Case) -> bool:
    """Tell whether a case could go with another one; the action checks it again."""
    standing = other.status == Status.OPEN and other.merged_into_id is None
    return standing and not merge_fault(duplicate=case.likeness(), into=other.likeness())


def _alike(case: Case) -> int:
    """Count the other open cases of the same listed parties."""
    same = Case.objects.undecided().filter(entity_key=case.entity_key, status=Status.OPEN)
    return same.exclude(pk=case.pk).count()
