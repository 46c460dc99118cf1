"""The steps of a case page: one form each, one action each."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import cast

from django.contrib.auth.models import User
from django.http import HttpRequest

from apps.backoffice.review import services
from apps.backoffice.review.desk_hours import load_working_hours
from apps.backoffice.review.models import Case, Status
from apps.backoffice.review.step_up import get_step_proof
from apps.backoffice.review.views.case_known_false_positives import parse_known_proposal
from apps.backoffice.review.views.kept_drafts import get_step_draft_name
from apps.backoffice.review.views.note_templates import build_note_template
from apps.platform.common.days import parse_day
from apps.platform.desk.view_guards import FIRST_YEAR, LAST_YEAR

Done = tuple[str, bool]  # what to tell the officer, and whether to go on to the next case
Step = Callable[[Case, HttpRequest, datetime], Done]


def get_officer(request: HttpRequest) -> User:
    """Return the requesting officer: the site requires a sign-in."""
    return cast(User, request.user)


def _get_note(request: HttpRequest) -> str:
    return request.POST.get("note", "")


def _get_seen_stamp(request: HttpRequest) -> str:
    """Return the stamp of the case as the form's officer saw it."""
    return request.POST.get("seen", "")


def _claim_step(case: Case, request: HttpRequest, now: datetime) -> Done:
    claimed = services.claim_case(case=case, by=get_officer(request), now=now)
    return f"Case claimed until {claimed.claimed_until:%H:%M} UTC.", False


def _release_step(case: Case, request: HttpRequest, now: datetime) -> Done:
    services.release_case(case=case, by=get_officer(request), now=now)
    return "Claim released. The case is back in the queue.", False


def _decide_step(case: Case, request: HttpRequest, now: datetime) -> Done:
    outcome = request.POST.get("outcome", "")
    code = request.POST.get(f"reason_{outcome}", "")
    proposal = parse_known_proposal(case, request.POST.dict(), outcome=outcome, code=code)
    decided = services.decide_case(
        case=case,
        by=get_officer(request),
        outcome=outcome,
        reason_code=code,
        note=_get_note(request),
        now=now,
        seen=_get_seen_stamp(request),
        template=build_note_template(case, outcome=outcome, code=code),
        known=proposal,
        also=request.POST.getlist("also"),
        proof=get_step_proof(request),
    )
    more = (
        " A known false positive was proposed and needs another officer's approval."
        if proposal
        else ""
    )
    if decided.status == Status.AWAITING_SECOND:
        return f"{decided}: first decision recorded, waiting for a second officer.{more}", True
    return f"{decided}: {decided.outcome_words.done.lower()}.{more}", True


def _confirm_step(case: Case, request: HttpRequest, now: datetime) -> Done:
    # the page showed an outcome: confirming it must not confirm another
    if request.POST.get("proposed", "") != case.first_outcome:
        raise services.NoDecisionWaiting(
            "The first decision has changed in the meantime. Review it again."
        )
    code = request.POST.get("reason", "")
    decided = services.confirm_decision(
        case=case,
        by=get_officer(request),
        reason_code=code,
        note=_get_note(request),
        now=now,
        seen=_get_seen_stamp(request),
        template=build_note_template(case, outcome=case.first_outcome, code=code),
        proof=get_step_proof(request),
    )
    return f"{decided}: {decided.outcome_words.done.lower()}, confirmed.", True


def _return_step(case: Case, request: HttpRequest, now: datetime) -> Done:
    note, seen = _get_note(request), _get_seen_stamp(request)
    services.return_decision(case=case, by=get_officer(request), note=note, now=now, seen=seen)
    return f"{case}: returned to the queue.", True


def _escalate_step(case: Case, request: HttpRequest, now: datetime) -> Done:
    services.escalate_case(case=case, by=get_officer(request), note=_get_note(request), now=now)
    return f"{case}: escalated to the senior officers.", True


def _refer_step(case: Case, request: HttpRequest, now: datetime) -> Done:
    services.refer_to_sar_log(case=case, by=get_officer(request), note=_get_note(request), now=now)
    return "Referral recorded.", False


def _snooze_step(case: Case, request: HttpRequest, now: datetime) -> Done:
    day, hours = parse_day(request.POST.get("until", "")), load_working_hours()
    if day is None or not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise services.InvalidCaseStep("Choose the day on which the case returns to the queue.")
    # a snoozed case returns when the desk opens on that day
    until = datetime.combine(day, hours.opens, hours.zone).astimezone(UTC)
    services.snooze_case(
        case=case, by=get_officer(request), until=until, note=_get_note(request), now=now
    )
    return f"{case}: snoozed until {until:%d %b %Y %H:%M} UTC.", True


def _assign_step(case: Case, request: HttpRequest, now: datetime) -> Done:
    to = get_chosen_officer(request)
    services.assign_case(case=case, to=to, by=get_officer(request), now=now)
    return f"{case}: assigned to {to}.", False


def get_chosen_officer(request: HttpRequest) -> User:
    """Return the officer that a form names; InvalidCaseStep for none."""
    name = request.POST.get("to", "")
    user = next(
        (
            assignable_officer
            for assignable_officer in services.list_assignable_officers()
            if assignable_officer.get_username() == name
        ),
        None,
    )
    if user is None:
        raise services.InvalidCaseStep("Choose an officer.")
    return user


def _merge_step(case: Case, request: HttpRequest, now: datetime) -> Done:
    number = request.POST.get("into", "")
    known = number.isascii() and number.isdigit() and len(number) < 19
    into = Case.objects.filter(pk=int(number)).first() if known else None
    if into is None:
        raise services.InvalidCaseStep("Choose the case to merge this one into.")
    services.merge_case(
        duplicate=case, into=into, by=get_officer(request), note=_get_note(request), now=now
    )
    return f"{case}: merged into case {into.pk}.", False


def _split_step(case: Case, request: HttpRequest, now: datetime) -> Done:
    services.split_merged_case(case=case, by=get_officer(request), now=now)
    return "Merge undone. The case is separate again.", False


STEPS: dict[str, Step] = {
    "claim": _claim_step,
    "release": _release_step,
    "decide": _decide_step,
    "confirm": _confirm_step,
    "return": _return_step,
    "escalate": _escalate_step,
    "refer": _refer_step,
    "snooze": _snooze_step,
    "assign": _assign_step,
    "merge": _merge_step,
    "split": _split_step,
}


def get_draft_name(case: Case, name: str) -> str:
    """Return under which name the browser keeps what is typed for a step of a case."""
    return f"{case.pk}-{get_step_draft_name(name)}"
