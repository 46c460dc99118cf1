"""Where somebody is signed in: listed, ended, and over by itself."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from apps.backoffice.staff.models import PeopleEvent, PeopleEventType, SignIn
from apps.backoffice.staff.session_store import hash_session_key
from tests.review.people import at_desk, check_page
from tests.staff.people import PASSWORD, Clock, inside, sign_in, staff

PAGE = "/admin/account/sign-ins/"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
EDGE = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0"
)


def browser(agent: str = FIREFOX, name: str = "olivia", **more: Any) -> Client:
    client = Client(headers={"user-agent": agent}, **more)
    assert sign_in(client, name).status_code == 302
    return client


def test_the_page_says_browser_address_and_time_in_words(clock: Clock) -> None:
    staff()
    here = browser(FIREFOX, REMOTE_ADDR="203.0.113.7")
    browser(EDGE, REMOTE_ADDR="203.0.113.8")
    page = check_page(here.get(PAGE))
    said = ("Firefox on Linux", "203.0.113.7", "Edge on Windows", "203.0.113.8", "This sign-in")
    assert all(one in page for one in said)
    assert f"{clock.moment:%H:%M} UTC" in page


def test_one_other_is_ended_and_then_all_others(clock: Clock) -> None:
    staff()
    here, others = browser(), [browser(EDGE) for _ in range(3)]
    first = SignIn.objects.get(key=hash_session_key(others[0].session.session_key))
    here.post(PAGE, {"which": str(first.pk)})
    assert [inside(other) for other in others] == [False, True, True]
    here.post(PAGE, {"which": "others"})
    assert [inside(other) for other in others] == [False] * 3 and inside(here)
    assert "Edge" not in check_page(here.get(PAGE))


@pytest.mark.parametrize("which", ["", "x", "9" * 19, "-1", "²"])
def test_nothing_else_is_ended(clock: Clock, which: str) -> None:
    staff()
    staff("samir")
    here, theirs = browser(), browser(name="samir")
    here.post(PAGE, {"which": which})
    here.post(PAGE, {"which": str(SignIn.objects.get(user__username="samir").pk)})
    here.post(PAGE, {"which": str(SignIn.objects.get(user__username="olivia").pk)})
    assert inside(here) and inside(theirs)


def test_a_new_password_ends_the_others_and_keeps_this_one(clock: Clock) -> None:
    staff()
    here, other = browser(), browser(EDGE)
    new = "quite another long password"
    typed = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    assert here.post("/admin/password_change/", typed).status_code == 302
    assert inside(here) and not inside(other)
    [left] = SignIn.objects.filter(user__username="olivia")
    assert left.key == hash_session_key(here.session.session_key)


def test_an_account_that_is_switched_off_is_signed_in_nowhere(clock: Clock) -> None:
    user, here = staff(), browser()
    user.is_active = False
    user.save()
    assert not inside(here)
    assert not SignIn.objects.exists()


def test_signing_out_takes_it_off_the_list(clock: Clock) -> None:
    staff()
    browser().post("/admin/logout/")
    assert not SignIn.objects.exists()


@pytest.mark.parametrize(("seconds", "open_"), [(1799, True), (1800, False)])
def test_a_sign_in_ends_when_nobody_is_there(
    clock: Clock, settings: Any, seconds: int, open_: bool
) -> None:
    settings.SIGN_IN_IDLE_MINUTES = 30
    staff()
    here = browser()
    clock.on(seconds=seconds)
    answer = here.get("/admin/review/case/")
    assert (answer.status_code == 200) is open_
    if not open_:
        assert answer["Location"] == "/admin/login/?next=/admin/review/case/"
        assert "You were away for 30 minutes" in here.get(answer["Location"]).content.decode()


@pytest.mark.parametrize(("minutes", "open_"), [(599, True), (600, False)])
def test_a_sign_in_ends_in_the_end_however_busy(
    clock: Clock, settings: Any, minutes: int, open_: bool
) -> None:
    settings.SIGN_IN_IDLE_MINUTES = 200
    staff()
    here = browser()
    for _ in range(minutes // 60):
        assert inside(here)
        clock.on(minutes=60)
    clock.on(minutes=minutes % 60)
    assert inside(here) is open_


def test_a_page_writes_at_most_once_a_minute_that_it_was_seen(
    clock: Clock, django_assert_num_queries: Any
) -> None:
    staff()
    here = browser()
    began = clock.moment
    clock.on(seconds=59)
    inside(here)
    assert SignIn.objects.get().seen == began
    clock.on(seconds=1)
    inside(here)
    assert SignIn.objects.get().seen == clock.moment


def test_a_senior_ends_those_of_another_with_a_reason_on_record(clock: Clock) -> None:
    user = staff()
    theirs, desk = browser(), at_desk(staff("samir", "Senior officer"))
    place = f"/admin/staff/person/{user.pk}/"
    assert "Firefox on Linux" in check_page(desk.get(f"{place}change/"))
    desk.post(f"{place}end/", {"reason": ""})
    assert inside(theirs)
    desk.post(f"{place}end/", {"reason": "The laptop was stolen."})
    assert not inside(theirs)
    event = PeopleEvent.objects.get(what=PeopleEventType.ENDED)
    assert (event.by, event.data["count"]) == ("samir", "1")


def test_what_was_signed_in_before_this_release_signs_in_again(clock: Clock) -> None:
    here = Client()
    here.force_login(staff())
    session = here.session
    del session["staff"]
    session.save()
    assert here.get("/admin/")["Location"].startswith("/admin/login/")


def test_officers_see_nothing_of_others(clock: Clock) -> None:
    staff()
    here = browser()
    other = User.objects.create(username="other", is_staff=True)
    assert here.get(f"/admin/staff/person/{other.pk}/change/").status_code == 403
