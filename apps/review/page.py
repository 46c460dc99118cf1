"""The case page: everything that is known of one case, and what its reader may do now."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from apps.core.models import Seal
from apps.review import queue
from apps.review.evidence import picture
from apps.review.models import Action, Case, DecisionEvent, Status
from apps.review.rules import CLAIM_LASTS, REASONS, SHORTEST_NOTE, reason

if TYPE_CHECKING:
    from django.contrib.auth.models import User

EARLIER = 10


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the timeline; `sealed` is its position in the ledger's chain, if it has one."""

    event: DecisionEvent
    reason: str
    note: str
    digest: str
    sealed: int | None


@dataclass(frozen=True, slots=True)
class May:
    """What the reader may do with the case at this moment."""

    claim: bool
    release: bool
    decide: bool
    confirm: bool


def context(*, case: Case, user: "User", now: datetime) -> dict[str, Any]:
    """Return what the template draws."""
    steps = timeline(case)
    opened = next((step for step in steps if step.event.action == Action.OPENED), None)
    holder = case.holder(now)
    return {
        "case": case,
        "picture": picture(case),
        "tenant": queue.tenant_names({case.owner}).get(case.owner, case.owner),
        "left": queue.time_left(due=case.due_at, now=now),
        "late": case.due_at < now,
        "holder": holder,
        "held_by_me": holder == user,
        "may": may(case=case, user=user, now=now),
        "reasons": REASONS,
        "confirming": REASONS.get(case.first_outcome, ()),
        "shortest_note": SHORTEST_NOTE,
        "claim_minutes": int(CLAIM_LASTS.total_seconds() // 60),
        "steps": steps,
        "altered": opened is None or opened.digest not in ("", case.facts_digest()),
        "facts_digest": case.facts_digest(),
        "earlier": earlier(case),
        "decision": next((s for s in steps if s.event.action == Action.DECIDED), None),
        "proposal": _last_proposal(case, steps),
    }


def may(*, case: Case, user: "User", now: datetime) -> May:
    """Tell what a user may do; the actions check all of it again."""
    holder = case.holder(now)
    free = holder is None or holder == user
    opened = case.status == Status.OPEN
    second = (
        case.status == Status.AWAITING_SECOND
        and case.first_by_id != user.pk
        and user.has_perm("review.approve_second")
    )
    workable = (opened and user.has_perm("review.decide_case")) or second
    return May(
        claim=workable and holder is None and user.has_perm("review.claim_case"),
        release=holder == user,
        decide=opened and workable and free,
        confirm=second and free,
    )


def timeline(case: Case) -> list[Step]:
    """Return what happened to a case, the oldest first, with reasons in words."""
    events = list(case.events.select_related("by").order_by("pk"))
    sealed = dict(
        Seal.objects.filter(
            ledger=DecisionEvent.LEDGER, record_id__in=[event.pk for event in events]
        ).values_list("record_id", "position")
    )
    return [_step(event, sealed.get(event.pk)) for event in events]


def _step(event: DecisionEvent, sealed: int | None) -> Step:
    data = event.data
    found = reason(outcome=event.outcome, code=data.get("reason_code", ""))
    return Step(
        event=event,
        reason=f"{found.label} ({found.basis})" if found else data.get("reason_code", ""),
        note=data.get("note", ""),
        digest=data.get("digest", ""),
        sealed=sealed,
    )


def _last_proposal(case: Case, steps: list[Step]) -> Step | None:
    """Return the first decision that waits now (an earlier one may have been returned)."""
    if case.status != Status.AWAITING_SECOND:
        return None
    return next((s for s in reversed(steps) if s.event.action == Action.PROPOSED), None)


def earlier(case: Case) -> list[Case]:
    """Return the latest other cases of the same party."""
    if not (case.party_key or case.lei or case.wallet_key):
        return []
    return list(Case.objects.same_party(case).defer("evidence", "rules")[:EARLIER])
