"""The timeline of a matter: every record as it was written, and what stands of it now."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from apps.core.models import Seal
from apps.sar import rules
from apps.sar.facts import as_read
from apps.sar.models import FilingEvent
from apps.sar.taken import Taken


@dataclass(frozen=True, slots=True)
class Told:
    """One field of a record: what it said that is not right (`was`), and what is ("" for nothing).

    A `quote` is a text of several lines.
    """

    label: str
    was: tuple[str, ...]
    value: str
    quote: bool = False


@dataclass(frozen=True, slots=True)
class Recorded:
    """One record; `by_step` is the number of the correction that stands instead, 0 for none.

    `why` is what a correction says was wrong, and `reason` that of a decision which led here.
    """

    event: FilingEvent
    title: str
    rows: list[Told]
    why: str
    reason: str
    by_step: int
    sealed: int | None


def timeline(*, events: Sequence[FilingEvent], steps: Mapping[int, Taken]) -> list[Recorded]:
    """Return a line for each record, the oldest first; one query, for the seals."""
    numbers = [event.pk for event in events]
    sealed = dict(
        Seal.objects.filter(ledger=FilingEvent.LEDGER, record_id__in=numbers).values_list(
            "record_id", "position"
        )
    )
    of = {
        event.pk: one
        for one in steps.values()
        for event in (one.event, *one.corrections)
        if event is not None
    }
    return [_line(event, of[event.pk], sealed.get(event.pk)) for event in events]


def _line(event: FilingEvent, one: Taken, sealed: int | None) -> Recorded:
    corrects = event.action == rules.CORRECTED
    chain = [one.event, *one.corrections]
    following = [later for later in chain[chain.index(event) + 1 :] if later is not None]
    return Recorded(
        event=event,
        title=_correction(one) if corrects else event.get_action_display(),
        rows=list(_changed(event, one) if corrects else _written(one)),
        why=event.data.get("rationale", "") if corrects else "",
        reason=event.data.get("reason", ""),
        by_step=following[0].number if following else 0,
        sealed=sealed,
    )


def _correction(one: Taken) -> str:
    if one.event is None:
        return "Correction of the day of detection"
    return f"Correction of step {one.event.number}, {one.step.title}"


def _written(one: Taken) -> Iterator[Told]:
    """Yield the fields of a step: what it said, struck where something else is right."""
    for field in one.step.fields:
        values = [as_shown(field, text) for text in one.values(field.name)]
        # that a step names no day itself is told only where a correction does
        named = field.name != "on" or (one.event and one.event.on) or len(values) > 1
        if named and any(values):
            yield Told(field.label, tuple(values[:-1]), values[-1], field.name == "rationale")


def _changed(event: FilingEvent, one: Taken) -> Iterator[Told]:
    """Yield what a correction made right: struck as well where that was not right either."""
    for field in one.step.fields:
        made = one.made(field.name)
        place = next((at for at, (by, _) in enumerate(made) if by == event), None)
        if place:
            before, value = (as_shown(field, made[at][1]) for at in (place - 1, place))
            stands = place == len(made) - 1
            was = (before,) if stands else (before, value)
            yield Told(field.label, was, value if stands else "", field.name == "rationale")


def as_shown(field: rules.Field, text: str) -> str:
    """Return a value as it is read."""
    if not text:
        return ""
    if field.name == "on":
        return f"{date.fromisoformat(text):%d %b %Y}"
    if field.name == "amount":
        return as_read(text)
    return rules.SUSPECT.get(text, "").lower() if field.name == "suspect" else text
