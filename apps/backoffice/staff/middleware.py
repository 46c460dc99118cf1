"""Guard the desk: ages of sign-ins, second factors that are due, and recent proofs."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.urls import reverse

from apps.backoffice.staff import forms_awaiting_proof, sign_in_session
from apps.backoffice.staff.integrity import StaffIntegrityError, changed_by, require_recorded_person
from apps.backoffice.staff.models import SignIn
from apps.backoffice.staff.rules import session_lifetimes
from apps.backoffice.staff.session_store import hash_session_key
from apps.platform.common.clock import now

DESK, ACCOUNT = "/admin/", "/admin/account/"
SAFE = ("GET", "HEAD", "OPTIONS", "TRACE")
SIGNED_IN_BY_HAND = ("admin:logout", "admin:login", "admin:jsi18n")


class UnprovedStaffMiddleware:
    """Answer 503 at the desk for an account that is not as recorded.

    It comes directly after the middleware that identifies the user: nothing else acts for such an
    account. Changes of accounts are recorded with the name of the signed-in user.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(DESK):
            return self.get_response(request)
        name = "at the sign-in page"
        try:
            if request.user.is_authenticated:
                name = request.user.get_username()
                # reading a user verifies its row; a form also verifies roles and second factors, as
                # a sign-in does
                if request.method not in SAFE:
                    require_recorded_person(request.user)
        except StaffIntegrityError as error:
            return _render_unproved(error)
        with changed_by(name):
            return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer for a page on which an account turned out not to be as recorded."""
        return _render_unproved(exception) if isinstance(exception, StaffIntegrityError) else None


def _render_unproved(error: StaffIntegrityError) -> HttpResponse:
    """Render the refusal."""
    # without the request: the desk's template would ask for the permissions of this account
    shown = {"title": error.title, "detail": f"{error.detail} ({error.code})"}
    return HttpResponse(render_to_string("problem.html", shown), status=error.status)


class StaffAccessMiddleware:
    """Guard every page of the desk for signed-in users."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(DESK) or not request.user.is_authenticated:
            return self.get_response(request)
        moment = now()
        sign_in_state = sign_in_session.get_sign_in_state(request)
        if not sign_in_state:
            reason = "Sign in again."
        else:
            reason = session_lifetimes.find_sign_in_end_reason(
                since=sign_in_state["since"],
                seen=sign_in_state["seen"],
                moment=int(moment.timestamp()),
                hours=settings.SIGN_IN_HOURS,
                idle_minutes=settings.SIGN_IN_IDLE_MINUTES,
            )
        if reason:
            logout(request)
            messages.warning(request, reason)
            # a step of a page cannot be opened by its address
            return_path = request.get_full_path() if request.method in ("GET", "HEAD") else DESK
            return redirect_to_login(return_path, reverse("admin:login"))
        self._see(request, moment)
        if self._lacks_second(request):
            return HttpResponseRedirect(reverse("staff:security"))
        key = request.session.session_key
        response = self.get_response(request)
        # a change of the password gives the session another key
        if request.user.is_authenticated and request.session.session_key != key:
            sign_in_session.follow_session_key(request=request, user=request.user, now=moment)
        return response

    def process_view(
        self, request: HttpRequest, view: Any, args: Any, kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        """Ask for a fresh proof where its app wants one; what was typed waits."""
        if not request.path.startswith(DESK) or not request.user.is_authenticated:
            return None
        moment = now()
        forms_awaiting_proof.discard_held_form(request, moment)
        if not forms_awaiting_proof.is_proof_needed(request, kwargs):
            return None
        if not sign_in_session.is_recently_proved(request, moment):
            return forms_awaiting_proof.hold_form(request, moment)
        # for the step itself, which may record it (review/step_up.py)
        request.proof = sign_in_session.get_last_proof(request)  # type: ignore[attr-defined]
        return None

    def _see(self, request: HttpRequest, moment: datetime) -> None:
        second = int(moment.timestamp())
        # at most one write a minute, however many pages are opened
        if session_lifetimes.is_recent(
            sign_in_session.get_sign_in_state(request)["seen"], second, session_lifetimes.SEEN_EVERY
        ):
            return
        sign_in_session.update_sign_in_state(request, seen=second)
        SignIn.objects.filter(key=hash_session_key(request.session.session_key)).update(seen=moment)

    def _lacks_second(self, request: HttpRequest) -> bool:
        if not settings.MFA_REQUIRED or sign_in_session.get_sign_in_state(request).get("strong"):
            return False
        hand = {reverse(name) for name in SIGNED_IN_BY_HAND}
        return not request.path.startswith(ACCOUNT) and request.path not in hand
