"""What is recorded of an entry: one compare-and-set and one ledger event each."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction

from apps.core.problems import Conflict, DomainError
from apps.sar import rules
from apps.sar.models import FilingEvent, SarMatter

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class NotAllowed(DomainError):
    """The officer has no permission to record filing decisions."""

    status, code, title = 403, "not_allowed", "Not allowed"


class BadFiling(DomainError):
    """What must be said is missing."""

    code, title = "invalid_filing", "The record is not complete"


class MovedOn(Conflict):
    """Another step was recorded meanwhile, or this one cannot be now."""

    code, title = "moved_on", "The entry stands differently now"


@dataclass(frozen=True, slots=True)
class Said:
    """What an officer wrote: the reference of a filing, the rationale of a decision."""

    reference: str = ""
    rationale: str = ""


@transaction.atomic
def record_step(
    *, entry_id: int, action: str, seen: int, said: Said, by: "User", now: datetime
) -> FilingEvent:
    """Record one step of rules.STEPS on an entry and move its clocks.

    `seen` is the number of steps the officer saw: MovedOn when there are more by now, or when
    the step cannot be recorded as the entry stands. Raises NotAllowed, BadFiling.
    """
    if not (by.is_active and by.has_perm("sar.file_sarentry")):
        raise NotAllowed("Your account may not record filing decisions.")
    step = rules.BY_ACTION.get(action)
    if step is None:
        raise BadFiling("Choose what is to be recorded.")
    if missing := rules.fault(step=step, reference=said.reference, rationale=said.rationale):
        raise BadFiling(missing, errors=[{"field": step.needs, "message": missing}])
    matter = SarMatter.objects.select_related("entry").get(pk=entry_id)
    stands = matter.after(list(matter.entry.filings.order_by("number")))
    if matter.steps != seen or not step.may(stands):
        raise MovedOn("Another decision was recorded meanwhile: look at the entry again.")
    if not matter.advance(matter=step.then(stands, now.date()), action=action):
        raise MovedOn("Another decision was recorded meanwhile: look at the entry again.")
    payload = {"reference": said.reference.strip(), "rationale": said.rationale.strip()}
    event: FilingEvent = FilingEvent.write(
        payload=payload, now=now, entry=matter.entry, number=seen + 1, action=action, by=by
    )
    return event
