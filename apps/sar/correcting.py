"""How a step is corrected that was recorded with a wrong value: by a further one."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING

from django.db import transaction

from apps.desk.rules import note_fault
from apps.sar import rules
from apps.sar.actions import BadFiling, MovedOn, NotAllowed, Said
from apps.sar.days import day_of
from apps.sar.models import FilingEvent, SarMatter
from apps.sar.taken import taken

if TYPE_CHECKING:
    from django.contrib.auth.models import User

MOVED = "Another step was recorded meanwhile: look at the entry again."
NEW = -1  # stands for the number of a record that is about to be written


class OfAnother(BadFiling):
    """What is to be corrected is none of the matter's records."""

    code, title = "not_of_this_matter", "It is a record of another matter"


@transaction.atomic
def correct_step(
    *, entry_id: int, corrects: int, seen: int, said: Said, why: str, by: "User", now: datetime
) -> FilingEvent:
    """Record what is right of a step, and move the clocks as if it had been recorded so.

    `corrects` is the id of the step, or of the correction of it that stands, rules.DETECTION for
    the day of detection. `said` are all its values as they are right, and `why` says what was
    wrong. `seen` is the number of steps the officer saw: MovedOn when there are more by now, or
    the record was corrected since. Raises NotAllowed, OfAnother, BadFiling.
    """
    if not (by.is_active and by.has_perm("sar.file_sarentry")):
        raise NotAllowed("Your account may not record filing decisions.")
    matter = SarMatter.objects.select_related("entry").get(pk=entry_id)
    events, today = list(matter.entry.filings.order_by("number")), day_of(now, zone=matter.zone)
    of = _about(matter, events, corrects, seen)
    values = _right(matter, events, of, said, why, today)
    on = rules.day_from(values.pop("on", ""))
    record = rules.Record(id=NEW, action=rules.CORRECTED, day=today, on=on, corrects=corrects)
    if not matter.advance(matter=_after(matter, events, record), action=rules.CORRECTED):
        raise MovedOn(MOVED)
    columns = {"entry": matter.entry, "number": seen + 1, "action": rules.CORRECTED, "by": by}
    columns |= {"on": on, "corrects_id": None if corrects == rules.DETECTION else corrects}
    payload = {"rationale": why.strip(), "values": values}
    event: FilingEvent = FilingEvent.write(payload=payload, now=now, **columns)
    return event


def _about(matter: SarMatter, events: Sequence[FilingEvent], corrects: int, seen: int) -> int:
    """Return of which step or detection the record is that an officer corrects."""
    records = [event.told(zone=matter.zone) for event in events]
    of = rules.about(records).get(corrects)
    if of is None:
        raise OfAnother("This is no record of this matter: correct it where it was recorded.")
    if matter.steps != seen or corrects != rules.latest(records)[of]:
        raise MovedOn(MOVED)
    return of


def _right(
    matter: SarMatter, events: Sequence[FilingEvent], of: int, said: Said, why: str, today: date
) -> dict[str, str]:
    """Return the values that are right and were not, by field; BadFiling for what is wrong."""
    one, records = taken(matter, events)[of], [event.told(zone=matter.zone) for event in events]
    before = rules.replay(matter.opened(), records, until=of)
    stood = one.given()
    wrong = rules.corrected_faults(
        step=one.step, given=said, stood=stood, matter=before, today=today
    )
    if fault := note_fault(why):
        wrong["why"] = fault
    if wrong:
        told = [{"field": name, "message": message} for name, message in wrong.items()]
        raise BadFiling(" ".join(wrong.values()), errors=told)
    changed = rules.changes(step=one.step, given=said, stood=stood)
    if not changed:
        raise BadFiling("This changes nothing: give what is right instead of what was recorded.")
    return changed


def _after(matter: SarMatter, events: Sequence[FilingEvent], made: rules.Record) -> rules.Matter:
    """Return where the matter stands with the correction; BadFiling where its steps then cross."""
    opened, records = matter.opened(), [*(event.told(zone=matter.zone) for event in events), made]
    if fault := rules.misplaced(opened, records):
        raise BadFiling(fault, errors=[{"field": "on", "message": fault}])
    return rules.replay(opened, records)
