"""Assigning, escalating and putting aside: who looks at a case, and when."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User

from apps.backoffice.review import services, tasks
from apps.backoffice.review.integrity import verify_cases
from apps.backoffice.review.models import Action, Case, Escalation
from apps.backoffice.review.views.case_page import get_case_permissions
from apps.platform.common.problems import Conflict
from tests.review.people import NOON, NOTE, OFFICER, approve, case, person, steps

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


@pytest.fixture
def boss(samir: User) -> User:
    """A senior who may assign."""
    samir.user_permissions.add(Permission.objects.get(codename="assign_case"))
    return User.objects.get(pk=samir.pk)


def aside(one: Case, by: User, **given: Any) -> Case:
    values = {"until": NOON + DAY, "note": "Waits for the passport copy.", "now": NOON} | given
    return services.snooze_case(case=one, by=by, **values)


# --- assigning ------------------------------------------------------------------------


def test_an_assigned_case_is_next_for_its_officer_and_for_nobody_else(
    olivia: User, ben: User, boss: User
) -> None:
    one = services.assign_case(case=case(), to=olivia, by=boss, now=NOON)
    assert one.assigned_to == olivia
    assert services.claim_next_case(by=ben, now=NOON) is None
    assert services.claim_next_case(by=olivia, now=NOON) == one
    assert one.events.get(action=Action.ASSIGNED).data == {"to": "olivia"}


def test_assigning_takes_the_case_from_its_holder(olivia: User, ben: User, boss: User) -> None:
    one = services.claim_case(case=case(), by=ben, now=NOON)
    assert services.assign_case(case=one, to=olivia, by=boss, now=NOON).claimed_by is None


def test_only_who_may_assigns_and_only_to_who_works_on_cases(
    olivia: User, ben: User, boss: User
) -> None:
    one, otto = case(), person("otto", "Operator")
    with pytest.raises(services.StepNotAllowed, match="may not assign"):
        services.assign_case(case=one, to=ben, by=olivia, now=NOON)
    with pytest.raises(services.StepNotAllowed, match="otto does not work"):
        services.assign_case(case=one, to=otto, by=boss, now=NOON)
    assert [user.username for user in services.list_assignable_officers()] == [
        "ben",
        "olivia",
        "samir",
    ]


def test_the_first_officer_is_not_assigned_as_the_second(
    olivia: User, sofia: User, boss: User
) -> None:
    one = approve(case(risk="HIGH"), boss)
    for stranger in (boss, olivia):
        with pytest.raises(services.StepNotAllowed, match="second officer"):
            services.assign_case(case=one, to=stranger, by=boss, now=NOON)
    assert services.assign_case(case=one, to=sofia, by=boss, now=NOON).assigned_to == sofia


def test_a_decided_case_is_not_assigned(olivia: User, boss: User) -> None:
    one = approve(case(), olivia)
    with pytest.raises(services.AlreadyDecided):
        services.assign_case(case=one, to=olivia, by=boss, now=NOON)


# --- escalating -----------------------------------------------------------------------


def test_an_escalated_case_is_the_seniors(olivia: User, ben: User, samir: User) -> None:
    one = services.claim_case(case=case(), by=olivia, now=NOON)
    one = services.escalate_case(case=one, by=olivia, note=NOTE, now=NOON)
    assert (one.escalation, one.escalated_at, one.claimed_by) == ("OFFICER", NOON, None)
    assert one.events.get(action=Action.ESCALATED).data == {"note": NOTE, "cause": "OFFICER"}
    assert services.claim_next_case(by=ben, now=NOON) is None
    with pytest.raises(services.StepNotAllowed, match="senior"):
        approve(one, ben)
    assert approve(one, samir).status == "DECIDED"


def test_a_stale_page_does_not_decide_what_was_escalated(olivia: User, ben: User) -> None:
    new_case = case()
    services.escalate_case(case=new_case, by=ben, note=NOTE, now=NOON)
    with pytest.raises(services.InvalidCaseStep, match="already been escalated"):
        services.escalate_case(case=new_case, by=olivia, note=NOTE, now=NOON)
    with pytest.raises(services.StepNotAllowed, match="senior"):
        approve(new_case, olivia)


def test_a_senior_gives_an_escalated_case_back_by_assigning_it(olivia: User, boss: User) -> None:
    one = services.escalate_case(case=case(), by=olivia, note=NOTE, now=NOON)
    one = services.assign_case(case=one, to=olivia, by=boss, now=NOON)
    assert (one.escalation, one.escalated_at) == ("", None)
    assert approve(one, olivia).status == "DECIDED"


def test_escalating_needs_a_sentence_and_a_free_case(olivia: User, ben: User) -> None:
    new_case = case()
    with pytest.raises(services.InvalidCaseStep):
        services.escalate_case(case=new_case, by=olivia, note="too short", now=NOON)
    services.claim_case(case=new_case, by=ben, now=NOON)
    with pytest.raises(services.ClaimedByOther):
        services.escalate_case(case=new_case, by=olivia, note=NOTE, now=NOON)


def test_what_is_past_due_escalates_by_itself_once(olivia: User, samir: User) -> None:
    one, waiting = case("1", risk="HIGH"), approve(case("2", risk="HIGH"), olivia)
    approve(case("3"), olivia)
    assert one.due_at == NOON + 4 * HOUR
    assert services.escalate_overdue_cases(now=one.due_at) == 0
    late = one.due_at + timedelta(microseconds=1)
    assert services.escalate_overdue_cases(now=late) == 2
    assert services.escalate_overdue_cases(now=late + HOUR) == 0
    one.refresh_from_db()
    assert (one.escalation, one.escalated_at) == (Escalation.OVERDUE, late)
    event = one.events.get(action=Action.ESCALATED)
    assert (event.by, event.data["cause"]) == (None, "OVERDUE")
    assert steps(waiting)[-1] == "ESCALATED"


def test_what_is_past_due_may_still_be_decided_by_anyone(olivia: User) -> None:
    new_case = case()
    tasks.escalate_overdue("", new_case.due_at + HOUR)
    new_case.refresh_from_db()
    assert services.claim_next_case(by=olivia, now=new_case.due_at + HOUR) == new_case
    assert approve(new_case, olivia, now=new_case.due_at + HOUR).status == "DECIDED"


def test_escalation_works_through_more_than_one_batch(
    db: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.backoffice.review.services.case_routing.BATCH", 2)
    for number in range(5):
        case(str(number))
    assert services.escalate_overdue_cases(now=NOON + 30 * DAY) == 5


def test_an_escalated_case_is_neither_held_nor_put_aside_by_a_junior(
    olivia: User, ben: User, samir: User
) -> None:
    new_case = case()
    one = services.escalate_case(case=new_case, by=olivia, note=NOTE, now=NOON)
    for seen in (one, new_case):  # the page as it is, and as it was before
        for step in (
            lambda c: services.claim_case(case=c, by=ben, now=NOON),
            lambda c: aside(c, ben),
        ):
            with pytest.raises((services.StepNotAllowed, Conflict)):
                step(seen)
    with pytest.raises(services.StepNotAllowed, match="senior officer"):
        services.claim_case(case=one, by=ben, now=NOON)
    assert steps(one) == ["OPENED", "ESCALATED"]
    assert services.claim_case(case=one, by=samir, now=NOON).holder(NOON) == samir
    assert aside(one, samir).snoozed_until == NOON + DAY


def test_an_escalated_case_is_assigned_by_a_senior_alone(olivia: User, ben: User) -> None:
    ben.user_permissions.add(Permission.objects.get(codename="assign_case"))
    ben, one = User.objects.get(pk=ben.pk), case()
    assert services.assign_case(case=one, to=olivia, by=ben, now=NOON).assigned_to == olivia
    one = services.escalate_case(case=one, by=olivia, note=NOTE, now=NOON)
    with pytest.raises(services.StepNotAllowed, match="senior officer"):
        services.assign_case(case=one, to=ben, by=ben, now=NOON)


def test_assigning_what_is_past_due_does_not_escalate_it_again(olivia: User, boss: User) -> None:
    one = case()
    late = one.due_at + HOUR
    assert services.escalate_overdue_cases(now=late) == 1
    for _ in range(2):
        one = services.assign_case(case=one, to=olivia, by=boss, now=late)
        assert (one.escalation, one.assigned_to) == ("OVERDUE", olivia)
        assert services.escalate_overdue_cases(now=late + HOUR) == 0
    assert steps(one) == ["OPENED", "ESCALATED", "ASSIGNED", "ASSIGNED"]
    assert list(verify_cases(lambda done: None)) == []


# --- putting aside --------------------------------------------------------------------


def test_what_is_put_aside_comes_back_and_its_due_time_keeps_running(olivia: User) -> None:
    one = services.claim_case(case=case(), by=olivia, now=NOON)
    due = one.due_at
    one = aside(one, olivia)
    assert (one.snoozed_until, one.claimed_by, one.due_at) == (NOON + DAY, None, due)
    assert services.claim_next_case(by=olivia, now=NOON + DAY - HOUR) is None
    assert services.claim_next_case(by=olivia, now=NOON + DAY) == one
    assert Case.objects.late(due + HOUR).get() == one


def test_a_claim_wakes_what_was_put_aside(olivia: User, ben: User) -> None:
    one = aside(case(), olivia)
    assert services.claim_case(case=one, by=ben, now=NOON).snoozed_until is None


def test_a_case_put_aside_past_its_due_time_escalates_and_wakes(olivia: User) -> None:
    one = aside(case(), olivia, until=NOON + 20 * DAY)
    services.escalate_overdue_cases(now=one.due_at + HOUR)
    one.refresh_from_db()
    assert (one.escalation, one.snoozed_until) == ("OVERDUE", None)


def test_what_is_past_due_is_put_aside_by_a_senior_alone(olivia: User, samir: User) -> None:
    new_case = case()
    last, late = new_case.due_at, new_case.due_at + timedelta(microseconds=1)
    assert get_case_permissions(case=new_case, user=olivia, now=last).aside
    assert aside(new_case, olivia, until=last + DAY, now=last).snoozed_until == last + DAY
    with pytest.raises(services.InvalidCaseStep, match="only a senior"):
        aside(new_case, olivia, until=late + DAY, now=late)
    services.escalate_overdue_cases(now=late)
    new_case.refresh_from_db()
    with pytest.raises(services.InvalidCaseStep, match="only a senior"):
        aside(new_case, olivia, until=late + DAY, now=late)
    offered = get_case_permissions(case=new_case, user=olivia, now=late)
    assert offered.route and not offered.aside
    assert get_case_permissions(case=new_case, user=samir, now=late).aside
    assert aside(new_case, samir, until=late + DAY, now=late).snoozed_until == late + DAY
    assert services.escalate_overdue_cases(now=late + HOUR) == 0


@pytest.mark.parametrize(
    "given", [{"until": NOON}, {"until": NOON + 31 * DAY}, {"note": "too short"}]
)
def test_putting_aside_needs_a_date_and_a_sentence(olivia: User, given: dict[str, Any]) -> None:
    new_case = case()
    with pytest.raises(services.InvalidCaseStep):
        aside(new_case, olivia, **given)
    assert steps(new_case) == ["OPENED"]


def test_what_another_holds_or_waits_for_a_second_is_not_put_aside(
    olivia: User, ben: User, samir: User
) -> None:
    held = services.claim_case(case=case("1"), by=ben, now=NOON)
    with pytest.raises(services.ClaimedByOther):
        aside(held, olivia)
    with pytest.raises(Conflict):
        aside(approve(case("2", risk="HIGH"), olivia), samir)


@pytest.mark.parametrize("group", ["Examiner", "Operator"])
def test_others_route_nothing(db: Any, group: str) -> None:
    one, stranger = case(), person("stranger", group)
    with pytest.raises(services.StepNotAllowed):
        aside(one, stranger)
    with pytest.raises(services.StepNotAllowed):
        services.escalate_case(case=one, by=stranger, note=NOTE, now=NOON)
    with pytest.raises(services.StepNotAllowed):
        services.assign_case(case=one, to=person("ben", OFFICER), by=stranger, now=NOON)
