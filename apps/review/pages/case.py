"""The case page: everything that is known of one case, and what its reader may do now."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from apps.access import tenants
from apps.core.chain import proven
from apps.core.models import Seal
from apps.desk.rules import SHORTEST_NOTE
from apps.review import kinds
from apps.review.actions import officers
from apps.review.actions.groups import asks_second, duplicates
from apps.review.actions.routing import past_due
from apps.review.models import Action, Case, DecisionEvent, Escalation, Outcome, Status
from apps.review.pages import queue
from apps.review.pages.before import before
from apps.review.pages.deciding import box
from apps.review.pages.evidence import picture
from apps.review.rules.hours import CLAIM_LASTS, LONGEST_SNOOZE
from apps.review.rules.together import merge_fault
from apps.review.verdicts import reason_of, verdict
from config.review import KINDS

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the timeline; `sealed` is its position in the ledger's chain, if it has one."""

    event: DecisionEvent
    outcome: str
    reason: str
    note: str
    digest: str
    sealed: int | None
    more: str


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


def context(*, case: Case, user: "User", now: datetime) -> dict[str, Any]:
    """Return what the template draws."""
    holder, allowed = case.holder(now), may(case=case, user=user, now=now)
    told, merged = before(case), duplicates(case)
    known = record(case)
    return known | {
        "left": queue.time_left(due=case.due_at, now=now),
        "late": case.due_at < now,
        "aside": case.snoozed_until is not None and case.snoozed_until > now,
        "holder": holder,
        "held_by_me": holder == user,
        "may": allowed,
        **box(case=case, user=user, others=merged, drawn=known["picture"]),
        "shortest_note": SHORTEST_NOTE,
        "claim_minutes": int(CLAIM_LASTS.total_seconds() // 60),
        "snooze_from": now + timedelta(days=1),
        "snooze_to": now + LONGEST_SNOOZE,
        "officers": officers() if allowed.assign else [],
        "before": told,
        "mergeable": [one for one in told.cases if allowed.route and _mergeable(case, one)],
        "merged": merged,
        "together_second": case.kind in KINDS and asks_second(case, merged, Outcome.APPROVE),
        "alike": _alike(case) if case.entity_key else 0,
    }


def sheet(case: Case) -> dict[str, Any]:
    """Return what the evidence sheet prints: what is on record, and the cases it went with."""
    bulk = Case.objects.filter(bulk=case.bulk_id).exclude(pk=case.pk).order_by("pk")
    return record(case) | {
        "together": list(bulk.only("pk", "party", "title")) if case.bulk_id else [],
        "merged": duplicates(case),
    }


def preview(*, case: Case, now: datetime) -> dict[str, Any]:
    """Return what the pane beside the queue draws: what is known, and nothing to do."""
    row = queue.rows([case], tenants.names([case.owner]), now)[0]
    return record(case) | {"row": row}


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
    }


def may(*, case: Case, user: "User", now: datetime) -> May:
    """Tell what a user may do; the actions check all of it again."""
    holder = case.holder(now)
    free = holder is None or holder == user
    standing = case.merged_into_id is None and case.status != Status.DECIDED
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


def timeline(case: Case) -> list[Step]:
    """Return what is proved to have happened to a case, the oldest first, in words."""
    events = proven(case.events.select_related("by").order_by("pk"))
    sealed = dict(
        Seal.objects.filter(
            ledger=DecisionEvent.LEDGER, record_id__in=[event.pk for event in events]
        ).values_list("record_id", "position")
    )
    return [_step(case.kind, event, sealed.get(event.pk)) for event in events]


def _step(kind: str, event: DecisionEvent, sealed: int | None) -> Step:
    data = event.data
    return Step(
        event=event,
        outcome=kinds.words(kind, event.outcome).done if event.outcome else "",
        reason=reason_of(event),
        note=data.get("note", ""),
        digest=data.get("digest", ""),
        sealed=sealed,
        more=" ".join(_more(data)),
    )


def _more(data: dict[str, Any]) -> Iterator[str]:
    """Yield what else a step says, in words."""
    if data.get("to"):
        yield f"To {data['to']}."
    if data.get("cause") == Escalation.OVERDUE:
        yield f"It was due {_moment(data.get('due', ''))}."
    elif data.get("until"):
        yield f"Until {_moment(data['until'])}."
    for name, words in (("into", "Into"), ("from", "Out of"), ("with_case", "Together with")):
        if data.get(name):
            yield f"{words} case {data[name]}."


def _moment(text: str) -> str:
    try:
        return f"{datetime.fromisoformat(text):%d %b %Y %H:%M} UTC"
    except ValueError:
        return text


def _last_proposal(case: Case, steps: list[Step]) -> Step | None:
    """Return the first decision that waits now (an earlier one may have been returned)."""
    if case.status != Status.AWAITING_SECOND:
        return None
    return next((s for s in reversed(steps) if s.event.action == Action.PROPOSED), None)


def _question(case: Case, steps: list[Step]) -> Step | None:
    """Return what an officer asked the seniors, while nobody decided."""
    if case.escalation != Escalation.OFFICER or case.status == Status.DECIDED:
        return None
    asked = (s for s in reversed(steps) if s.event.action == Action.ESCALATED and s.event.by_id)
    return next(asked, None)


def _mergeable(case: Case, other: Case) -> bool:
    """Tell whether a case could go with another one; the action checks it again."""
    standing = other.status == Status.OPEN and other.merged_into_id is None
    return standing and not merge_fault(duplicate=case.likeness(), into=other.likeness())


def _alike(case: Case) -> int:
    """Count the other open cases of the same listed parties."""
    same = Case.objects.undecided().filter(entity_key=case.entity_key, status=Status.OPEN)
    return same.exclude(pk=case.pk).count()
