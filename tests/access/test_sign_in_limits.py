"""Passwords cannot be tried at speed, from one address or from many."""

import logging
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.test import Client

from apps.access.keys import rules
from apps.access.keys.middleware import ATTEMPTS_PER_MINUTE
from apps.access.keys.models import FailedAttempt
from apps.platform.desk.role_sync import ensure_staff_user

LOGIN, CHANGE = "/admin/login/", "/admin/password_change/"
GOOD = {"username": "olivia", "password": "a long password"}


class Clock:
    """The moment that the middleware sees."""

    def __init__(self, moment: Any) -> None:
        self.moment = moment

    def __call__(self) -> Any:
        return self.moment


@pytest.fixture
def clock(db: None, monkeypatch: Any, noon: Any) -> Clock:
    found = Clock(noon)
    monkeypatch.setattr("apps.access.keys.middleware.now", found)
    ensure_staff_user(username="olivia", group="Compliance officer", password=GOOD["password"])
    return found


def attempt(password: str, address: str = "203.0.113.7", name: str = "olivia") -> Any:
    given = {"username": name, "password": password}
    return Client(REMOTE_ADDR=address).post(LOGIN, given)


def from_everywhere(count: int, name: str = "olivia") -> list[int]:
    """Try a wrong password from so many addresses."""
    return [attempt("wrong", f"198.51.100.{n}", name).status_code for n in range(count)]


def test_the_eleventh_attempt_in_a_minute_is_refused_even_with_the_right_password(
    clock: Clock,
) -> None:
    names = [f"name{n}" for n in range(ATTEMPTS_PER_MINUTE)]
    tried = [attempt("wrong", name=name).status_code for name in names]
    refused = attempt(GOOD["password"])
    assert tried == [200] * ATTEMPTS_PER_MINUTE
    assert (refused.status_code, refused["Retry-After"]) == (429, "60")
    assert attempt(GOOD["password"], "203.0.113.8").status_code == 302


@pytest.mark.parametrize("name", ["olivia", "nobody-of-this-name"])
def test_ten_wrong_passwords_of_an_account_are_enough_from_wherever(
    clock: Clock, name: str
) -> None:
    tried = from_everywhere(12, name)
    assert tried == [200] * 10 + [429] * 2
    refused = attempt(GOOD["password"], "203.0.113.99", name)
    assert (refused.status_code, refused["Retry-After"]) == (429, "900")
    assert b"Wait 15 minutes" in refused.content


def test_the_wait_ends_by_itself_however_often_it_was_tried(clock: Clock) -> None:
    from_everywhere(10)
    for minute in range(1, 15):
        clock.moment += timedelta(minutes=1)
        assert from_everywhere(3) == [429] * 3, minute
    clock.moment += timedelta(seconds=59)
    assert attempt(GOOD["password"]).status_code == 429
    clock.moment += timedelta(seconds=1)
    assert attempt(GOOD["password"]).status_code == 302


def test_nine_wrong_ones_and_a_right_one_begin_anew(clock: Clock) -> None:
    assert from_everywhere(9) == [200] * 9
    assert attempt(GOOD["password"]).status_code == 302
    assert from_everywhere(10) == [200] * 10
    assert from_everywhere(1) == [429]


def test_other_accounts_are_not_limited_by_it(clock: Clock) -> None:
    ensure_staff_user(username="samir", group="Senior officer", password="another long one")
    from_everywhere(11)
    assert attempt("another long one", "203.0.113.9", "samir").status_code == 302


def test_case_is_no_way_around(clock: Clock) -> None:
    assert from_everywhere(5, "Olivia") + from_everywhere(6, "OLIVIA") == [200] * 10 + [429]


@pytest.mark.parametrize("name", ["  olivia ", "ｏlivia", "\tOLIVIA"])
def test_another_spelling_of_the_same_account_is_no_way_around(clock: Clock, name: str) -> None:
    assert from_everywhere(10) == [200] * 10
    assert attempt(GOOD["password"], "203.0.113.99", name).status_code == 429


def test_an_unknown_account_is_answered_as_a_known_one(clock: Clock) -> None:
    known, unknown = attempt("wrong", "203.0.113.1"), attempt("wrong", "203.0.113.2", "nobody")
    strip = b'value="%s"'
    shown = [
        page.content.replace(strip % name, b"").split(b"csrfmiddlewaretoken")[0]
        for page, name in ((known, b"olivia"), (unknown, b"nobody"))
    ]
    assert shown[0] == shown[1]
    assert known.status_code == unknown.status_code == 200


def test_guesses_of_the_old_password_are_limited_and_a_change_counts_for_nothing(
    clock: Clock,
) -> None:
    client = Client()
    client.force_login(User.objects.get(username="olivia"))

    def change(old: str, address: str) -> int:
        new = "quite another long password"
        given = {"old_password": old, "new_password1": new, "new_password2": new}
        return int(client.post(CHANGE, given, REMOTE_ADDR=address).status_code)

    tried = [change("wrong", f"198.51.100.{n}") for n in range(11)]
    assert tried == [200] * 10 + [429]
    assert attempt(GOOD["password"]).status_code == 302, "signing in is counted by itself"
    clock.moment += rules.WITHIN
    assert change(GOOD["password"], "203.0.113.5") == 302


def test_opening_the_pages_counts_for_nothing(clock: Clock) -> None:
    for _ in range(ATTEMPTS_PER_MINUTE + 5):
        assert Client().get(LOGIN).status_code == 200
    assert not FailedAttempt.objects.exists()


def test_the_log_says_who_was_tried_and_never_what_was_typed(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    attempt("a secret guess")
    attempt("x", name="my password typed as a name")
    from_everywhere(11)
    text = caplog.text
    assert "failed for olivia from 203.0.113.7" in text
    assert "failed for an unknown name from 203.0.113.7" in text
    assert "refused for olivia from 198.51.100.10" in text
    assert "secret" not in text
    assert "typed" not in text
    kept = " ".join(FailedAttempt.objects.values_list("subject", flat=True))
    assert "olivia" not in kept


def test_twelve_characters_are_the_least_and_common_ones_are_refused(db: None) -> None:
    for refused in ("kdjwplqmzay", "123456789012", "startfinding"):
        with pytest.raises(ValidationError):
            validate_password(refused)
    validate_password("kdjwplqmzayx")


def test_fifty_failures_from_an_address_are_enough_whatever_the_names(clock: Clock) -> None:
    """Fifty of one address; a right one of its own is none, and makes none good."""
    samir = ensure_staff_user(username="samir", group="Senior officer", password="another long one")
    tried = []
    for number in range(52):
        if number % 8 == 0:
            clock.moment += timedelta(minutes=1)
        tried.append(attempt("wrong", name=f"name{number}").status_code)
        if number == 30:
            assert attempt("another long one", name=samir.username).status_code == 302
    assert tried == [200] * 50 + [429] * 2
    assert attempt(GOOD["password"], "203.0.113.8").status_code == 302
    clock.moment += timedelta(minutes=15)
    assert attempt(GOOD["password"]).status_code == 302
