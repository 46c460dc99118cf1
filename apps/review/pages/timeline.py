"""What is proved to have happened to a case, step by step, in words."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.core.chain import proven
from apps.core.models import Seal
from apps.review import kinds
from apps.review.models import Case, DecisionEvent, Escalation
from apps.review.verdicts import reason_of


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


def timeline(case: Case) -> list[Step]:
    """Return what is proved to have happened to a case, the oldest first, in words."""
    events = proven(case.events.select_related("by").order_by("pk"))
    sealed = dict(
        Seal.objects.filter(
            ledger=DecisionEvent.LEDGER, record_id__in=[event.pk for event in events]
        ).values_list("record_id", "position")
    )
    return [step(case.kind, event, sealed.get(event.pk)) for event in events]


def step(kind: str, event: DecisionEvent, sealed: int | None) -> Step:
    """Return a step of a case of a kind in words; `sealed` is its place in the chain."""
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
    if data.get("overdue"):
        yield "It stays past due."
    if data.get("cause") == Escalation.OVERDUE:
        yield f"It was due {_moment(data.get('due', ''))}."
    elif data.get("until"):
        yield f"Until {_moment(data['until'])}."
    for name, words in (("into", "Into"), ("from", "Out of"), ("with_case", "Together with")):
        if data.get(name):
            yield f"{words} case {data[name]}."
    if proof := data.get("proof"):
        how = proof["how"][:1].lower() + proof["how"][1:]
        yield f"Proved anew who they are: {how}, {_moment(proof['at'], seconds=True)}."
    if also := data.get("also"):
        yield f"Answered too: {' '.join(one['sentence'] for one in also)}"
    yield from data.get("known", ())


def _moment(text: str, *, seconds: bool = False) -> str:
    form = "%d %b %Y %H:%M:%S UTC" if seconds else "%d %b %Y %H:%M UTC"
    try:
        return datetime.fromisoformat(text).strftime(form)
    except ValueError:
        return text
