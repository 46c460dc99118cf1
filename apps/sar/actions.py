"""How an entry begins, and what is recorded of it: one ledger event for each step."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import IntegrityError, transaction

from apps.core.problems import Conflict, DomainError
from apps.sar import rules
from apps.sar.days import day_of
from apps.sar.models import FilingEvent, SarEntry, SarMatter

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocked:
    """A blocked outcome as the log keeps it: which record it was, of whom, and why.

    `reasons` are sentences, `rules` the references that held, in the same order. `sanctions`: a
    sanctioned party was matched, so that OFAC may be owed a report; `lists` are the short names
    of those that it was matched on (authorities.py). `risk_score` is 0 to 100.
    """

    kind: str
    ref: str
    owner: str
    party: str
    lei: str = ""
    reasons: Sequence[str] = ()
    rules: Sequence[str] = ()
    sanctions: bool
    lists: Sequence[str] = ()
    risk_score: int


def open_entry(*, blocked: Blocked, now: datetime) -> SarEntry:
    """Enter a blocked outcome into the log and start its clocks.

    Call it inside the domain's transaction: record and entry then exist together or not at all.
    """
    payload = {
        "party": blocked.party,
        "lei": blocked.lei,
        "reasons": list(blocked.reasons),
        "rules": list(blocked.rules),
        "owner": blocked.owner,
        "riskScore": blocked.risk_score,
        "sanctions": blocked.sanctions,
        "lists": list(blocked.lists),
        "zone": settings.DESK_TIME_ZONE,
    }
    entry: SarEntry = SarEntry.write(payload=payload, now=now, kind=blocked.kind, ref=blocked.ref)
    return entry


@transaction.atomic
def enter(*, blocked: Blocked, now: datetime) -> SarEntry:
    """Enter an outcome into the log, or return the entry that stands for the same record."""
    same = SarEntry.objects.filter(kind=blocked.kind, ref=blocked.ref)
    if found := same.first():
        return found
    try:
        return open_entry(blocked=blocked, now=now)
    except IntegrityError:  # somebody else entered it in between: theirs stands
        return same.get()


@transaction.atomic
def found_sanctioned(*, entry: SarEntry, by: "User", rationale: str, now: datetime) -> None:
    """Start the clock of the report to OFAC on an entry that began without it.

    An officer found the sanctioned party while deciding a case: no permission of the log is asked.
    """
    matter = SarMatter.objects.select_for_update().select_related("entry").get(pk=entry.pk)
    stands = matter.after(list(entry.filings.order_by("number")))
    step, today = rules.BY_ACTION["MATCHED"], day_of(now, zone=matter.zone)
    if not step.may(stands, today):
        return
    seen = matter.steps
    matter.advance(matter=step.then(stands, today), action=step.action)
    payload = {"reference": "", "rationale": rationale.strip()}
    FilingEvent.write(
        payload=payload, now=now, entry=entry, number=seen + 1, action=step.action, by=by
    )


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
    today = day_of(now, zone=matter.zone)
    if matter.steps != seen or not step.may(stands, today):
        raise MovedOn("Another decision was recorded meanwhile: look at the entry again.")
    if not matter.advance(matter=step.then(stands, today), action=action):
        raise MovedOn("Another decision was recorded meanwhile: look at the entry again.")
    payload = {"reference": said.reference.strip(), "rationale": said.rationale.strip()}
    event: FilingEvent = FilingEvent.write(
        payload=payload, now=now, entry=matter.entry, number=seen + 1, action=action, by=by
    )
    return event
