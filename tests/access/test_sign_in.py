"""Passwords cannot be tried at speed."""

from typing import Any

from django.test import Client

from apps.access.middleware import ATTEMPTS_PER_MINUTE
from apps.review.staff import ensure_staff

LOGIN = "/admin/login/"
GOOD = {"username": "olivia", "password": "a long password"}


def attempt(password: str, address: str = "203.0.113.7") -> Any:
    return Client(REMOTE_ADDR=address).post(LOGIN, GOOD | {"password": password})


def test_the_eleventh_attempt_in_a_minute_is_refused_even_with_the_right_password(
    db: None, monkeypatch: Any, noon: Any
) -> None:
    monkeypatch.setattr("apps.access.middleware.now", lambda: noon)
    ensure_staff(username="olivia", group="Compliance officer", password=GOOD["password"])
    tried = [attempt("wrong").status_code for _ in range(ATTEMPTS_PER_MINUTE)]
    refused = attempt(GOOD["password"])
    assert tried == [200] * ATTEMPTS_PER_MINUTE
    assert (refused.status_code, refused["Retry-After"]) == (429, "60")
    assert attempt(GOOD["password"], "203.0.113.8").status_code == 302


def test_opening_the_page_counts_for_nothing(db: None) -> None:
    for _ in range(ATTEMPTS_PER_MINUTE + 5):
        assert Client().get(LOGIN).status_code == 200
