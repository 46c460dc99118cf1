"""Correct a step that was recorded with a wrong value, by a further record."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING

from django.db import transaction

from apps.backoffice.sar import rules
from apps.backoffice.sar.date_formats import local_date
from apps.backoffice.sar.models import FilingEvent, SarMatter
from apps.backoffice.sar.selectors.matter_steps import list_matter_steps
from apps.backoffice.sar.services.filing_steps import (
    FilingNotAllowed,
    InvalidFiling,
    MatterChanged,
    StepInput,
)
from apps.platform.desk.note_validation import find_note_fault

if TYPE_CHECKING:
    from django.contrib.auth.models import User

CHANGED_MEANWHILE = "Another step was recorded in the meantime. Review the entry again."
NEW = -1  # placeholder for the number of a record that is about to be written


class RecordOfOtherMatter(InvalidFiling):
    """The record to correct belongs to another matter."""

    code, title = "not_of_this_matter", "It is a record of another matter"


@transaction.atomic
def correct_filing_step(
    *, entry_id: int, corrects: int, seen: int, said: StepInput, why: str, by: "User", now: datetime
) -> FilingEvent:
    """Record what is right of a step, and move the clocks as if it had been recorded so.

    `corrects` is the id of the step, or of its latest correction, rules.DETECTION for the day of
    detection. `said` are all its values as they are right, and `why` says what was wrong. `seen` is
    the number of steps the officer saw: MatterChanged when there are more by now, or the record was
    corrected since. Raises FilingNotAllowed, RecordOfOtherMatter, InvalidFiling.
    """
    if not (by.is_active and by.has_perm("sar.file_sarentry")):
        raise FilingNotAllowed("Your account may not record filing decisions.")
    matter = SarMatter.objects.select_related("entry").get(pk=entry_id)
    events, today = list(matter.entry.filings.order_by("number")), local_date(now, zone=matter.zone)
    of = _find_corrected_step(matter, events, corrects, seen)
    values = _validate_correction(matter, events, of, said, why, today)
    on = rules.parse_day(values.pop("on", ""))
    record = rules.MatterRecord(id=NEW, action=rules.CORRECTED, day=today, on=on, corrects=corrects)
    opened = matter.opened()
    # all clocks are computed again as if the right value had been recorded from the start
    records = [*(event.told(zone=matter.zone) for event in events), record]
    if fault := rules.find_misplaced_step(opened, records):
        raise InvalidFiling(fault, errors=[{"field": "on", "message": fault}])
    if not matter.advance(matter=rules.replay_records(opened, records), action=rules.CORRECTED):
        raise MatterChanged(CHANGED_MEANWHILE)
    # `seen` is the number of steps that `advance` has just compared
    columns = {"entry": matter.entry, "number": seen + 1, "action": rules.CORRECTED, "by": by}
    columns |= {"on": on, "corrects_id": None if corrects == rules.DETECTION else corrects}
    payload = {"rationale": why.strip(), "values": values}
    event: FilingEvent = FilingEvent.write(payload=payload, now=now, **columns)
    return event


def _find_corrected_step(
    matter: SarMatter, events: Sequence[FilingEvent], corrects: int, seen: int
) -> int:
    """Return of which step or detection the record is that an officer corrects."""
    records = [event.told(zone=matter.zone) for event in events]
    of = rules.map_records_to_steps(records).get(corrects)
    if of is None:
        raise RecordOfOtherMatter("This record belongs to another matter: correct it there.")
    if matter.steps != seen or corrects != rules.find_latest_records(records)[of]:
        raise MatterChanged(CHANGED_MEANWHILE)
    return of


def _validate_correction(
    matter: SarMatter,
    events: Sequence[FilingEvent],
    of: int,
    step_input: StepInput,
    why: str,
    today: date,
) -> dict[str, str]:
    """Return the values that are right and were not, by field; InvalidFiling for what is wrong."""
    step, records = (
        list_matter_steps(matter, events)[of],
        [event.told(zone=matter.zone) for event in events],
    )
    before = rules.replay_records(matter.opened(), records, until=of)
    stood = step.given()
    wrong = rules.find_correction_faults(
        step=step.step, given=step_input, stood=stood, matter=before, today=today
    )
    if fault := find_note_fault(why):
        wrong["why"] = fault
    if wrong:
        errors = [{"field": name, "message": message} for name, message in wrong.items()]
        raise InvalidFiling(" ".join(wrong.values()), errors=errors)
    changed = rules.find_changed_values(step=step.step, given=step_input, stood=stood)
    if not changed:
        raise InvalidFiling(
            "This changes nothing: give the correct value instead of the recorded one."
        )
    return changed
