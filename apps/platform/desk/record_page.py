"""Shared parts of record pages: facts, row by row, and the timeline."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.platform.ledger.verification.verified_reads import filter_verified_records


def build_fact_rows(*facts: tuple[str, Any]) -> Iterator[dict[str, str]]:
    """Yield facts as rows of label and value, without empty ones."""
    yield from ({"label": label, "value": str(value)} for label, value in facts if value)


@dataclass(frozen=True, slots=True)
class TimelineEvent:
    """One line of a timeline; `why` is the rule, for users who may know it."""

    at: datetime
    words: str
    why: str
    ours: bool


def build_timeline(
    events: Sequence[Any],
    *,
    event_labels: Mapping[str, str],
    state_labels: Mapping[str, str],
    find_rule: Callable[[str], Any] | None,
) -> Iterator[TimelineEvent]:
    """Yield the steps of a state machine with the state that each led to.

    `find_rule` returns the row of the table that a step took; without it, rules are not shown.
    """
    ours = {event.pk for event in filter_verified_records(events)}
    for event in events:
        rule = find_rule(event.turn) if find_rule else None
        label = event_labels.get(event.event, event.event)
        state = state_labels.get(event.state, event.state)
        yield TimelineEvent(
            at=event.recorded_at,
            words=label if label == state else f"{label} → {state}",
            why=f"{rule.code}: {rule.title}" if rule else "",
            ours=event.pk in ours,
        )
