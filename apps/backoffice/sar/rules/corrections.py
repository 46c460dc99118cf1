"""Corrections of wrong values in the record: nothing is rewritten. Pure.

A correction names the record that it corrects: a step, the detection, or a correction of these.
Each record is corrected at most once, by a later one, so that repeated corrections have one order.
Clocks and stages follow the corrected values.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from apps.backoffice.sar.rules.matter_clocks import Matter
from apps.backoffice.sar.rules.matter_steps import (
    BY_ACTION,
    REVIEW,
    FilingStep,
    StepField,
    StepInput,
    find_input_faults,
    normalize_input,
)

CORRECTED = "CORRECTED"
CORRECTION_TITLE = "Correction"
DETECTION = 0  # the number of what the entry itself records, which is no step
EARLIEST = date(2000, 1, 1)
DETECTED = FilingStep(
    "DETECTED",
    "Detection",
    1,
    (StepField("on", "Detected on"),),
    lambda m, day: False,
    lambda m, day: replace(m, detected=day),
    lambda m: EARLIEST,
)


class ForeignCorrection(ValueError):
    """A correction refers to something that is no record of its matter."""


@dataclass(frozen=True, slots=True)
class MatterRecord:
    """One record of a matter: the day from which it counts, and `on`, the one that it names.

    `corrects` is the id of the record that a correction corrects, DETECTION for the entry's own.
    """

    id: int
    action: str
    day: date
    on: date | None = None
    corrects: int = DETECTION


def map_records_to_steps(records: Sequence[MatterRecord]) -> dict[int, int]:
    """Return the step that each record is about: itself, or the one that it corrects.

    Raises ForeignCorrection if one corrects something that is no earlier record of the matter.
    """
    steps_of = {DETECTION: DETECTION}
    for record in records:
        if record.action != CORRECTED:
            steps_of[record.id] = record.id
        # only earlier records are in the map: a correction cannot name itself or a later one
        elif record.corrects in steps_of:
            steps_of[record.id] = steps_of[record.corrects]
        else:
            raise ForeignCorrection(f"record {record.id} corrects a record of another matter")
    return steps_of


def find_latest_records(records: Sequence[MatterRecord]) -> dict[int, int]:
    """Return for the detection and each step the last record of it: what a correction names."""
    return {of: record for record, of in map_records_to_steps(records).items()}


def _get_step_days(records: Sequence[MatterRecord]) -> dict[int, date]:
    """Return the days from which steps count, as corrected; the detection's where it was."""
    of, days = map_records_to_steps(records), {}
    for record in records:
        if record.action != CORRECTED:
            days[record.id] = record.day
        elif record.on is not None:
            # in their order: the last correction of a day counts
            days[of[record.id]] = record.on
    return days


def replay_records(
    opened: Matter, records: Sequence[MatterRecord], *, until: int | None = None
) -> Matter:
    """Return the state of a matter after its records, the oldest first.

    `until` is a step before which to stop, DETECTION for the beginning: the result is the state
    there, with later corrections applied.
    """
    days = _get_step_days(records)
    # first, because all clocks count from it
    matter = replace(opened, detected=days.get(DETECTION, opened.detected))
    if until == DETECTION:
        return matter
    for record in records:
        if record.id == until:
            break
        if record.action != CORRECTED:
            matter = BY_ACTION[record.action].then(matter, days[record.id])
    return matter


def find_misplaced_step(opened: Matter, records: Sequence[MatterRecord]) -> str:
    """Return which step would lie before what it rests on, in a sentence, or an empty text."""
    days, matter = _get_step_days(records), replay_records(opened, records, until=DETECTION)
    for record in records:
        if record.action == CORRECTED:
            continue
        step, day = BY_ACTION[record.action], days[record.id]
        # bounded by the step that it follows: a corrected day may well be before the first one
        # that the law allows, but not before what it rests on
        if step.action == "FILED":
            first = step.since(matter)
        else:
            first = matter.filed or matter.begins if step.stage == REVIEW else matter.detected
        if day < first:
            text = f"“{step.title}” of {day:%d %b %Y} would then lie before {first:%d %b %Y}"
            return f"{text}, on which it rests: correct that first."
        matter = step.then(matter, day)
    return ""


def build_correctable_step(step: FilingStep) -> FilingStep:
    """Return a step with all that can be corrected of it: its fields, and the day it began."""
    if not step.dated:
        return step
    return replace(step, fields=(StepField("on", step.dated), *step.fields))


def find_changed_values(*, step: FilingStep, given: StepInput, stood: StepInput) -> dict[str, str]:
    """Return what a correction changes, by field, each in its one form."""
    right, wrong = (
        {"on": step_input.on} | normalize_input(step=step, given=step_input)
        for step_input in (given, stood)
    )
    return {
        field.name: right[field.name]
        for field in step.fields
        if right[field.name] != wrong[field.name]
    }


def find_correction_faults(
    *, step: FilingStep, given: StepInput, stood: StepInput, matter: Matter, today: date
) -> dict[str, str]:
    """Return what is wrong with the values that a correction changes, by field.

    `matter` is its state before the step. Unchanged values were checked when they were recorded.
    """
    input_faults = find_input_faults(step=step, given=given, matter=matter, today=today)
    changed = find_changed_values(step=step, given=given, stood=stood)
    return {name: message for name, message in input_faults.items() if name in changed}
