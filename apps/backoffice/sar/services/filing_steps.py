"""Record the steps of a SAR matter: whether it is filed, when, and its follow-up."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction

from apps.backoffice.sar import rules
from apps.backoffice.sar.date_formats import local_date
from apps.backoffice.sar.models import FilingEvent, SarMatter
from apps.platform.common.problems import Conflict, DomainError

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class FilingNotAllowed(DomainError):
    """The officer has no permission to record filing decisions."""

    status, code, title = 403, "not_allowed", "Not allowed"


class InvalidFiling(DomainError):
    """A field of the record is missing or invalid."""

    code, title = "invalid_filing", "The record is incomplete"


class MatterChanged(Conflict):
    """Another step was recorded concurrently, or this one is no longer possible."""

    code, title = "moved_on", "The entry has changed"


StepInput = rules.StepInput


@transaction.atomic
def record_filing_step(
    *, entry_id: int, action: str, seen: int, said: StepInput, by: "User", now: datetime
) -> FilingEvent:
    """Record one step of rules.STEPS on an entry and move its clocks.

    What was filed, reported or reviewed counts from the day that `said.on` names. `seen` is the
    number of steps the officer saw: MatterChanged when there are more by now, or when the step
    cannot be recorded in the entry's current state. Raises FilingNotAllowed, InvalidFiling.
    """
    if not (by.is_active and by.has_perm("sar.file_sarentry")):
        raise FilingNotAllowed("Your account may not record filing decisions.")
    step = rules.BY_ACTION.get(action)
    if step is None:
        raise InvalidFiling("Choose what to record.")
    matter = SarMatter.objects.select_related("entry").get(pk=entry_id)
    stands = matter.after(list(matter.entry.filings.order_by("number")))
    today = local_date(now, zone=matter.zone)
    # the page may be older than the matter: what it offered is judged again
    if matter.steps != seen or not step.may(stands, today):
        raise MatterChanged(
            "Another decision was recorded in the meantime. Review the entry again."
        )
    if wrong := rules.find_input_faults(step=step, given=said, matter=stands, today=today):
        errors = [{"field": name, "message": message} for name, message in wrong.items()]
        raise InvalidFiling(" ".join(wrong.values()), errors=errors)
    on = rules.parse_day(said.on) if step.has("on") else None
    if not matter.advance(matter=step.then(stands, on or today), action=action):
        raise MatterChanged(
            "Another decision was recorded in the meantime. Review the entry again."
        )
    columns = {"entry": matter.entry, "number": seen + 1, "action": action, "on": on, "by": by}
    payload = {"reference": "", "rationale": ""} | rules.normalize_input(step=step, given=said)
    event: FilingEvent = FilingEvent.write(payload=payload, now=now, **columns)
    return event
