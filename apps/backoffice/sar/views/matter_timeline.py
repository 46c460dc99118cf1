"""The timeline of a matter: every record as written, and its current value."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from apps.backoffice.sar import rules
from apps.backoffice.sar.entry_facts import format_amount_text
from apps.backoffice.sar.models import FilingEvent
from apps.backoffice.sar.selectors.matter_steps import StepWithCorrections
from apps.platform.ledger.models import Seal


@dataclass(frozen=True, slots=True)
class RecordedField:
    """One field of a record: what it said that is not right (`was`), and what is ("" for nothing).

    A `quote` is a text of several lines.
    """

    label: str
    was: tuple[str, ...]
    value: str
    quote: bool = False


@dataclass(frozen=True, slots=True)
class TimelineRecord:
    """One record; `by_step` is the number of the correction that replaces it, 0 for none.

    `why` is what a correction says was wrong, and `reason` that of a decision which led here.
    """

    event: FilingEvent
    title: str
    rows: list[RecordedField]
    why: str
    reason: str
    by_step: int
    sealed: int | None


def build_matter_timeline(
    *, events: Sequence[FilingEvent], steps: Mapping[int, StepWithCorrections]
) -> list[TimelineRecord]:
    """Return a line for each record, the oldest first; one query, for the seals."""
    numbers = [event.pk for event in events]
    sealed = dict(
        Seal.objects.filter(ledger=FilingEvent.LEDGER, record_id__in=numbers).values_list(
            "record_id", "position"
        )
    )
    of = {
        event.pk: step
        for step in steps.values()
        for event in (step.event, *step.corrections)
        if event is not None
    }
    return [_build_record(event, of[event.pk], sealed.get(event.pk)) for event in events]


def _build_record(
    event: FilingEvent, step: StepWithCorrections, sealed: int | None
) -> TimelineRecord:
    corrects = event.action == rules.CORRECTED
    chain = [step.event, *step.corrections]
    following = [later for later in chain[chain.index(event) + 1 :] if later is not None]
    return TimelineRecord(
        event=event,
        title=_format_correction_title(step) if corrects else event.get_action_display(),
        rows=list(
            _iterate_corrected_fields(event, step) if corrects else _iterate_step_fields(step)
        ),
        why=event.data.get("rationale", "") if corrects else "",
        reason=event.data.get("reason", ""),
        by_step=following[0].number if following else 0,
        sealed=sealed,
    )


def _format_correction_title(step: StepWithCorrections) -> str:
    if step.event is None:
        return "Correction of the day of detection"
    return f"Correction of step {step.event.number}, {step.step.title}"


def _iterate_step_fields(step: StepWithCorrections) -> Iterator[RecordedField]:
    """Yield the fields of a step: what it said, struck where something else is right."""
    for field in step.step.fields:
        values = [format_field_value(field, text) for text in step.values(field.name)]
        # a step's missing day is shown only if a correction names one
        named = field.name != "on" or (step.event and step.event.on) or len(values) > 1
        if named and any(values):
            yield RecordedField(
                field.label, tuple(values[:-1]), values[-1], field.name == "rationale"
            )


def _iterate_corrected_fields(
    event: FilingEvent, step: StepWithCorrections
) -> Iterator[RecordedField]:
    """Yield what a correction made right: struck as well where that was not right either."""
    for field in step.step.fields:
        previous = step.made(field.name)
        # the position of this correction among the values of the field; None if it corrected others
        place = next((at for at, (by, _) in enumerate(previous) if by == event), None)
        if place:
            before, value = (
                format_field_value(field, previous[at][1]) for at in (place - 1, place)
            )
            stands = place == len(previous) - 1
            was = (before,) if stands else (before, value)
            yield RecordedField(
                field.label, was, value if stands else "", field.name == "rationale"
            )


def format_field_value(field: rules.StepField, text: str) -> str:
    """Return a value as it is read."""
    if not text:
        return ""
    if field.name == "on":
        return f"{date.fromisoformat(text):%d %b %Y}"
    if field.name == "amount":
        return format_amount_text(text)
    return rules.SUSPECT.get(text, "").lower() if field.name == "suspect" else text
