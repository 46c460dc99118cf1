"""The timeline of a case: its verified steps, in words."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.backoffice.review.models import Case, DecisionEvent, Escalation
from apps.backoffice.review.selectors.recorded_decisions import format_recorded_reason
from apps.platform.ledger.models import Seal
from apps.platform.ledger.verification.verified_reads import filter_verified_records


@dataclass(frozen=True, slots=True)
class TimelineStep:
    """One line of the timeline; `sealed` is its position in the ledger's chain, if it has one."""

    event: DecisionEvent
    outcome: str
    reason: str
    note: str
    digest: str
    sealed: int | None
    more: str


def build_case_timeline(case: Case) -> list[TimelineStep]:
    """Return the verified steps of a case in words, the oldest first."""
    events = filter_verified_records(case.events.select_related("by").order_by("pk"))
    sealed = dict(
        Seal.objects.filter(
            ledger=DecisionEvent.LEDGER, record_id__in=[event.pk for event in events]
        ).values_list("record_id", "position")
    )
    return [build_timeline_step(case, event, sealed.get(event.pk)) for event in events]


def build_timeline_step(case: Case, event: DecisionEvent, sealed: int | None) -> TimelineStep:
    """Return a step of a case in words; `sealed` is its place in the chain."""
    data = event.data
    return TimelineStep(
        event=event,
        outcome=case.words_of(event.outcome).done if event.outcome else "",
        reason=format_recorded_reason(event),
        note=data.get("note", ""),
        digest=data.get("digest", ""),
        sealed=sealed,
        more=" ".join(_describe_details(data)),
    )


def _describe_details(data: dict[str, Any]) -> Iterator[str]:
    """Yield what else a step says, in words."""
    if data.get("to"):
        yield f"To {data['to']}."
    if data.get("overdue"):
        yield "Still overdue."
    if data.get("cause") == Escalation.OVERDUE:
        yield f"Was due {_format_moment(data.get('due', ''))}."
    elif data.get("until"):
        yield f"Until {_format_moment(data['until'])}."
    for name, words in (("into", "Into"), ("from", "Out of"), ("with_case", "Together with")):
        if data.get(name):
            yield f"{words} case {data[name]}."
    if proof := data.get("proof"):
        how = proof["how"][:1].lower() + proof["how"][1:]
        yield f"Identity confirmed again: {how}, {_format_moment(proof['at'], seconds=True)}."
    if also := data.get("also"):
        yield f"Also answered: {' '.join(answered_rule['sentence'] for answered_rule in also)}"
    yield from data.get("known", ())


def _format_moment(text: str, *, seconds: bool = False) -> str:
    form = "%d %b %Y %H:%M:%S UTC" if seconds else "%d %b %Y %H:%M UTC"
    try:
        return datetime.fromisoformat(text).strftime(form)
    except ValueError:
        return text
