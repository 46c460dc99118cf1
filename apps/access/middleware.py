"""Passwords cannot be tried at speed: attempts are counted by address and by account."""

import logging
import math
from collections.abc import Callable

from django.contrib.auth import get_user_model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from apps.access import attempts, limits
from apps.core.clock import now

ATTEMPTS_PER_MINUTE = 10
logger = logging.getLogger(__name__)


class SignInLimit:
    """Answer 429 past ten attempts of an address in a minute, or ten failures of an account.

    It guards the sign-in page and the page that asks for the old password; whether an account
    exists makes no difference to what is counted or answered. It stands after the middleware
    that knows who is signed in.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        subject = _subject(request)
        if not subject:
            return self.get_response(request)
        moment, address = now(), limits.client_address(request)
        try:
            limits.hit(bucket=f"sign-in:{address}", limit=ATTEMPTS_PER_MINUTE, now=moment)
            attempt = attempts.begin(subject=subject, now=moment)
        except limits.RateLimited as error:
            logger.warning("password attempt refused for %s from %s", _named(subject), address)
            return _refused(request, error.retry_after or 60)
        response = self.get_response(request)
        if response.status_code == 302:
            attempts.passed(subject=subject)
        elif response.status_code == 200:  # the form again
            logger.warning("password attempt failed for %s from %s", _named(subject), address)
        else:
            attempt.delete()
        return response


def _subject(request: HttpRequest) -> str:
    """Return whose password a request tries: `name …` or `account …`, empty for others."""
    if request.method != "POST":
        return ""
    if request.path == reverse("admin:login"):
        return f"name {request.POST.get('username', '')}"
    if request.path == reverse("admin:password_change") and request.user.is_authenticated:
        return f"account {request.user.get_username()}"
    return ""


def _named(subject: str) -> str:
    """Return how the log calls it: people type passwords where names belong."""
    name = subject.partition(" ")[2]
    known = "\0" not in name and get_user_model().objects.filter(username=name).exists()
    return name if known else "an unknown name"


def _refused(request: HttpRequest, seconds: float) -> HttpResponse:
    minutes = math.ceil(seconds / 60)
    wait = "a minute" if minutes == 1 else f"{minutes} minutes"
    page = {"title": "Too many attempts", "detail": f"Wait {wait}, then try again."}
    response = render(request, "problem.html", page, status=429)
    response["Retry-After"] = str(max(1, math.ceil(seconds)))
    return response
