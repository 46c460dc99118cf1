"""The steps of a case page: one form each, one action each."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import cast

from django.contrib.auth.models import User
from django.http import HttpRequest

from apps.core.written import day_from
from apps.desk.guard import FIRST_YEAR, LAST_YEAR
from apps.review import actions
from apps.review.hours import working_hours
from apps.review.models import Case, Status
from apps.review.pages.keeping import draft_name
from apps.review.pages.known import proposed
from apps.review.pages.noting import template_of
from apps.review.proof import proof_of

Done = tuple[str, bool]  # what to tell the officer, and whether to go on to the next case
Step = Callable[[Case, HttpRequest, datetime], Done]


def officer(request: HttpRequest) -> User:
    """Return who asks: the site lets nobody in who is not signed in."""
    return cast(User, request.user)


def _note(request: HttpRequest) -> str:
    return request.POST.get("note", "")


def _seen(request: HttpRequest) -> str:
    """Return the stamp of the case as the form's officer saw it."""
    return request.POST.get("seen", "")


def _claim(case: Case, request: HttpRequest, now: datetime) -> Done:
    held = actions.claim(case=case, by=officer(request), now=now)
    return f"You hold this case until {held.claimed_until:%H:%M} UTC.", False


def _release(case: Case, request: HttpRequest, now: datetime) -> Done:
    actions.release(case=case, by=officer(request), now=now)
    return "The case is back in the queue.", False


def _decide(case: Case, request: HttpRequest, now: datetime) -> Done:
    outcome = request.POST.get("outcome", "")
    code = request.POST.get(f"reason_{outcome}", "")
    known = proposed(case, request.POST.dict(), outcome=outcome, code=code)
    decided = actions.decide(
        case=case,
        by=officer(request),
        outcome=outcome,
        reason_code=code,
        note=_note(request),
        now=now,
        seen=_seen(request),
        template=template_of(case, outcome=outcome, code=code),
        known=known,
        also=request.POST.getlist("also"),
        proof=proof_of(request),
    )
    more = " Proposed as a known false positive: another officer decides on that." if known else ""
    if decided.status == Status.AWAITING_SECOND:
        return f"{decided}: recorded, and waits for a second officer.{more}", True
    return f"{decided}: {decided.outcome_words.done.lower()}.{more}", True


def _confirm(case: Case, request: HttpRequest, now: datetime) -> Done:
    if request.POST.get("proposed", "") != case.first_outcome:
        raise actions.NotAwaiting("The first decision changed while you read; look again.")
    code = request.POST.get("reason", "")
    decided = actions.confirm(
        case=case,
        by=officer(request),
        reason_code=code,
        note=_note(request),
        now=now,
        seen=_seen(request),
        template=template_of(case, outcome=case.first_outcome, code=code),
        proof=proof_of(request),
    )
    return f"{decided}: {decided.outcome_words.done.lower()}, confirmed.", True


def _send_back(case: Case, request: HttpRequest, now: datetime) -> Done:
    note, seen = _note(request), _seen(request)
    actions.send_back(case=case, by=officer(request), note=note, now=now, seen=seen)
    return f"{case}: returned to the queue.", True


def _escalate(case: Case, request: HttpRequest, now: datetime) -> Done:
    actions.escalate(case=case, by=officer(request), note=_note(request), now=now)
    return f"{case}: passed to the senior officers.", True


def _refer(case: Case, request: HttpRequest, now: datetime) -> Done:
    actions.refer(case=case, by=officer(request), note=_note(request), now=now)
    return "Referred: recorded.", False


def _snooze(case: Case, request: HttpRequest, now: datetime) -> Done:
    day, hours = day_from(request.POST.get("until", "")), working_hours()
    if day is None or not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise actions.BadRouting("Choose the day on which the case comes back.")
    until = datetime.combine(day, hours.opens, hours.zone).astimezone(UTC)
    actions.snooze(case=case, by=officer(request), until=until, note=_note(request), now=now)
    return f"{case}: put aside until {until:%d %b %Y %H:%M} UTC.", True


def _assign(case: Case, request: HttpRequest, now: datetime) -> Done:
    to = chosen_officer(request)
    actions.assign(case=case, to=to, by=officer(request), now=now)
    return f"{case}: assigned to {to}.", False


def chosen_officer(request: HttpRequest) -> User:
    """Return the officer that a form names; BadRouting for none."""
    name = request.POST.get("to", "")
    found = next((one for one in actions.officers() if one.get_username() == name), None)
    if found is None:
        raise actions.BadRouting("Choose an officer.")
    return found


def _merge(case: Case, request: HttpRequest, now: datetime) -> Done:
    number = request.POST.get("into", "")
    known = number.isascii() and number.isdigit() and len(number) < 19
    into = Case.objects.filter(pk=int(number)).first() if known else None
    if into is None:
        raise actions.BadRouting("Choose the case that this one goes with.")
    actions.merge(duplicate=case, into=into, by=officer(request), note=_note(request), now=now)
    return f"{case}: goes with case {into.pk} from now on.", False


def _split(case: Case, request: HttpRequest, now: datetime) -> Done:
    actions.split(case=case, by=officer(request), now=now)
    return "The case stands by itself again.", False


STEPS: dict[str, Step] = {
    "claim": _claim,
    "release": _release,
    "decide": _decide,
    "confirm": _confirm,
    "return": _send_back,
    "escalate": _escalate,
    "refer": _refer,
    "snooze": _snooze,
    "assign": _assign,
    "merge": _merge,
    "split": _split,
}


def draft_of(case: Case, name: str) -> str:
    """Return under which name the browser keeps what is typed for a step of a case."""
    return f"{case.pk}-{draft_name(name)}"
