"""The door of the desk: ages of sign-ins, second factors that are due, and fresh proofs."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from apps.core.clock import now
from apps.staff import browser, held, rules
from apps.staff.models import SignIn

DESK, ACCOUNT = "/admin/", "/admin/account/"
SIGNED_IN_BY_HAND = ("admin:logout", "admin:login", "admin:jsi18n")


class StaffDoor:
    """Stand before every page of the desk, for who is signed in."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(DESK) or not request.user.is_authenticated:
            return self.get_response(request)
        moment = now()
        if reason := self._over(request, moment):
            logout(request)
            messages.warning(request, reason)
            return redirect_to_login(_place(request), reverse("admin:login"))
        self._see(request, moment)
        if self._lacks_second(request):
            return HttpResponseRedirect(reverse("staff:security"))
        key = request.session.session_key
        response = self.get_response(request)
        if request.user.is_authenticated and request.session.session_key != key:
            browser.move(request=request, user=request.user, now=moment)
        return response

    def process_view(
        self, request: HttpRequest, view: Any, args: Any, kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        """Ask for a fresh proof where config/staff.py wants one; what was typed waits."""
        if not request.path.startswith(DESK) or not request.user.is_authenticated:
            return None
        moment = now()
        held.tidy(request, moment)
        if not held.wanted(request, kwargs):
            return None
        if not browser.recently_proved(request, moment):
            return held.hold(request, moment)
        # what is done with it may record it
        request.proof = browser.last_proof(request)  # type: ignore[attr-defined]
        return None

    def _over(self, request: HttpRequest, moment: datetime) -> str:
        known = browser.state(request)
        if not known:  # nothing says when it began
            return "Sign in again."
        return rules.over(
            since=known["since"],
            seen=known["seen"],
            moment=int(moment.timestamp()),
            hours=settings.SIGN_IN_HOURS,
            idle_minutes=settings.SIGN_IN_IDLE_MINUTES,
        )

    def _see(self, request: HttpRequest, moment: datetime) -> None:
        second = int(moment.timestamp())
        if rules.recent(browser.state(request)["seen"], second, rules.SEEN_EVERY):
            return
        browser.note(request, seen=second)
        SignIn.objects.filter(key=request.session.session_key).update(seen=moment)

    def _lacks_second(self, request: HttpRequest) -> bool:
        if not settings.MFA_REQUIRED or browser.state(request).get("strong"):
            return False
        hand = {reverse(name) for name in SIGNED_IN_BY_HAND}
        return not request.path.startswith(ACCOUNT) and request.path not in hand


def _place(request: HttpRequest) -> str:
    return request.get_full_path() if request.method in ("GET", "HEAD") else DESK
