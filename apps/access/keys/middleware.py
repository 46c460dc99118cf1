"""Middleware that limits attempts to sign in, counted by address and by account."""

import logging
import math
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import cache

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.forms import UsernameField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import get_script_prefix, get_urlconf, reverse

from apps.access.keys import client_address, failed_sign_ins, rate_limits, rules
from apps.access.keys.models import FailedAttempt
from apps.platform.common.clock import now

# by address, whatever the name and the outcome
ATTEMPTS_PER_MINUTE = 10
# in a session: the user who gave the right password and has yet to give a second factor
PENDING_SIGN_IN = "staff_pending"
logger = logging.getLogger(__name__)


class SignInLimitMiddleware:
    """Answer 429 past ten attempts of an address in a minute, or too many failures.

    Too many are ten for an account, or fifty from an address whatever the names, within a quarter
    of an hour. It guards the sign-in page, the page that asks for the old password, and those that
    ask for a second factor; whether an account exists makes no difference to what is counted or
    answered. It comes after the middleware that identifies the signed-in user.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        subject = _find_subject(request)
        if not subject:
            return self.get_response(request)
        moment, address = now(), client_address.get_client_address(request)
        try:
            begun = _count_attempts(subject, address, moment)
        except rate_limits.RateLimited as error:
            logger.warning(
                "sign-in attempt refused for %s from %s", _get_log_name(subject), address
            )
            return _render_refusal(request, error.retry_after or 60, moment)
        response = self.get_response(request)
        if response.status_code == 200:  # the form again
            logger.warning("sign-in attempt failed for %s from %s", _get_log_name(subject), address)
            return response
        # success clears the account's failures, but only its own failure of the address: otherwise
        # an attacker could reset the address's count with their own account and go on guessing
        FailedAttempt.objects.filter(pk__in=[attempt.pk for attempt in begun]).delete()
        # a success redirects; any other status neither clears the failures nor adds one
        if response.status_code == 302:
            failed_sign_ins.forget_failures(subject=subject)
        return response


def _count_attempts(subject: str, address: str, moment: datetime) -> list[FailedAttempt]:
    """Count an attempt by the minute, by the account and by the address; raises RateLimited."""
    rate_limits.count_call(bucket=f"sign-in:{address}", limit=ATTEMPTS_PER_MINUTE, now=moment)
    begun = [failed_sign_ins.count_attempt(subject=subject, now=moment)]
    try:
        most = rules.MOST_OF_ADDRESS
        return [
            *begun,
            failed_sign_ins.count_attempt(subject=f"from {address}", now=moment, most=most),
        ]
    except rate_limits.RateLimited:
        # refused for its address: the account is not to blame
        begun[0].delete()
        raise


def _find_subject(request: HttpRequest) -> str:
    """Return whose proof a request tries: `name …`, `account …`, `second …`; empty for others."""
    if request.method != "POST":
        return ""
    # by the path alone: which view answers is not known yet
    page = _map_guarded_pages(get_urlconf() or settings.ROOT_URLCONF, get_script_prefix()).get(
        request.path
    )
    if page == "admin:login":
        # as the form reads it, without surrounding spaces and with full-width letters normalised
        return f"name {UsernameField().to_python(request.POST.get('username', ''))}"
    if page == "staff:second":
        # the password was right: guesses of the second factor count for that account
        waiting = request.session.get(PENDING_SIGN_IN)
        return f"second {waiting['name']}" if waiting else ""
    # the other two pages ask the signed-in person alone
    if page is None or not request.user.is_authenticated:
        return ""
    kind = "account" if page == "admin:password_change" else "second"
    return f"{kind} {request.user.get_username()}"


@cache
def _map_guarded_pages(urlconf: str, prefix: str) -> dict[str, str]:
    """Return the names of the pages that take a proof, by path; every call of the API checks it.

    What `reverse` finds depends on the urlconf and the script prefix of the request, and both are
    set for it already.
    """
    pages = ("admin:login", "staff:second", "admin:password_change", "staff:prove")
    return {reverse(page): page for page in pages}


def _get_log_name(subject: str) -> str:
    """Return the name for the log: people type passwords into name fields."""
    name = subject.partition(" ")[2]
    known = "\0" not in name and get_user_model().objects.filter(username=name).exists()
    return name if known else "an unknown name"


def _render_refusal(request: HttpRequest, seconds: float, moment: datetime) -> HttpResponse:
    minutes = math.ceil(seconds / 60)
    wait = "a minute" if minutes == 1 else f"{minutes} minutes"
    opens = moment + timedelta(minutes=minutes)
    page = {
        "title": "Too many attempts",
        "detail": f"Wait {wait}, then try again: from {opens:%H:%M} UTC on. "
        "Attempts before then are ignored.",
    }
    response = render(request, "problem.html", page, status=429)
    response["Retry-After"] = str(max(1, math.ceil(seconds)))
    return response
