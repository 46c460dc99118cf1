"""Passwords and codes cannot be tried at speed: attempts are counted by address and account."""

import logging
import math
from collections.abc import Callable
from datetime import datetime, timedelta

from django.contrib.auth import get_user_model
from django.contrib.auth.forms import UsernameField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from apps.access import attempts, limits, rules
from apps.access.models import FailedAttempt
from apps.core.clock import now

ATTEMPTS_PER_MINUTE = 10
logger = logging.getLogger(__name__)


class SignInLimit:
    """Answer 429 past ten attempts of an address in a minute, or too many failures.

    Ten of an account, or fifty from an address whatever the names, within a quarter of an hour.
    It guards the sign-in page, the page that asks for the old password, and those that ask for a
    second factor; whether an account exists makes no difference to what is counted or answered. It
    stands after the middleware that knows who is signed in.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        subject = _subject(request)
        if not subject:
            return self.get_response(request)
        moment, address = now(), limits.client_address(request)
        try:
            begun = _begin(subject, address, moment)
        except limits.RateLimited as error:
            logger.warning("sign-in attempt refused for %s from %s", _named(subject), address)
            return _refused(request, error.retry_after or 60, moment)
        response = self.get_response(request)
        if response.status_code == 200:  # the form again
            logger.warning("sign-in attempt failed for %s from %s", _named(subject), address)
            return response
        # a right one forgets what failed before of the account, and only itself of the address:
        # else one's own account would let go on guessing those of others
        FailedAttempt.objects.filter(pk__in=[one.pk for one in begun]).delete()
        if response.status_code == 302:
            attempts.passed(subject=subject)
        return response


def _begin(subject: str, address: str, moment: datetime) -> list[FailedAttempt]:
    """Count an attempt by the minute, by the account and by the address; raises RateLimited."""
    limits.hit(bucket=f"sign-in:{address}", limit=ATTEMPTS_PER_MINUTE, now=moment)
    begun = [attempts.begin(subject=subject, now=moment)]
    try:
        most = rules.MOST_OF_ADDRESS
        return [*begun, attempts.begin(subject=f"from {address}", now=moment, most=most)]
    except limits.RateLimited:
        begun[0].delete()
        raise


def _subject(request: HttpRequest) -> str:
    """Return whose proof a request tries: `name …`, `account …`, `second …`; empty for others."""
    if request.method != "POST":
        return ""
    if request.path == reverse("admin:login"):
        # as the form reads it, which takes away blanks and tells no wide letter from a usual one
        return f"name {UsernameField().to_python(request.POST.get('username', ''))}"
    if request.path == reverse("staff:second"):
        waiting = request.session.get("staff_pending")  # apps/staff/browser.py
        return f"second {waiting['name']}" if waiting else ""
    own = {
        reverse("admin:password_change"): "account",
        reverse("staff:prove"): "second",
    }.get(request.path)
    return f"{own} {request.user.get_username()}" if own and request.user.is_authenticated else ""


def _named(subject: str) -> str:
    """Return how the log calls it: people type passwords where names belong."""
    name = subject.partition(" ")[2]
    known = "\0" not in name and get_user_model().objects.filter(username=name).exists()
    return name if known else "an unknown name"


def _refused(request: HttpRequest, seconds: float, moment: datetime) -> HttpResponse:
    minutes = math.ceil(seconds / 60)
    wait = "a minute" if minutes == 1 else f"{minutes} minutes"
    opens = moment + timedelta(minutes=minutes)
    page = {
        "title": "Too many attempts",
        "detail": f"Wait {wait}, then try again: from {opens:%H:%M} UTC on. "
        "What is tried until then does not count, right or wrong.",
    }
    response = render(request, "problem.html", page, status=429)
    response["Retry-After"] = str(max(1, math.ceil(seconds)))
    return response
