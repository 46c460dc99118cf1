"""Forms that wait until their sender has proved who they are: nothing typed is lost."""

import json
from datetime import datetime
from fnmatch import fnmatchcase
from functools import cache
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from apps.backoffice.staff import secret_encryption
from apps.backoffice.staff.rules import session_lifetimes
from apps.platform.desk.step_up import ALWAYS, EVERYDAY, SENT, STEP_UP, ProofNeed

HELD = "staff_held"
LARGEST = 100_000  # characters of a form; a larger one must be entered again
SEE_OTHER = 303
Fields = list[tuple[str, str]]


def is_proof_needed(request: HttpRequest, kwargs: dict[str, Any]) -> bool:
    """Tell whether this request needs a fresh proof."""
    name = request.resolver_match.view_name if request.resolver_match else ""
    need = get_proof_need(name)
    if not need:
        return False
    if need == ALWAYS:
        return True
    if request.method != "POST":
        return False
    return need == SENT or need(request, kwargs)


@cache
def get_proof_need(name: str) -> ProofNeed | None:
    """Return the proof that an address requires, by its name, or None."""
    if name in STEP_UP:
        return STEP_UP[name]
    # the safe side: a form of the desk that no app has registered requires a proof
    free = any(fnmatchcase(name, pattern) for pattern in EVERYDAY)
    return SENT if name.startswith("admin:") and not free else None


def hold_form(request: HttpRequest, now: datetime) -> HttpResponse:
    """Keep a form that was sent, and lead to the page that asks for the proof."""
    going = request.get_full_path()
    if request.method == "POST":
        lists = request.POST.lists()
        fields = [(n, v) for n, values in lists for v in values if n != "csrfmiddlewaretoken"]
        if sum(len(n) + len(v) for n, v in fields) <= LARGEST:
            # sessions are rows of the database, and one of these forms has a user's new password
            request.session[HELD] = {
                "path": request.get_full_path(),
                "fields": secret_encryption.encrypt_secret(json.dumps(fields)),
                "at": int(now.timestamp()),
            }
            going = reverse("staff:go_on")
    # not 302: that is what a right password answers
    place = f"{reverse('staff:prove')}?{urlencode({'next': going})}"
    return HttpResponseRedirect(place, status=SEE_OTHER)


def get_held_form(request: HttpRequest, now: datetime) -> tuple[str, Fields] | None:
    """Return the address and fields of the form that waits; None without one, or if it expired or
    cannot be decrypted.
    """
    held_form = request.session.get(HELD)
    if not held_form or not session_lifetimes.is_recent(
        held_form["at"], int(now.timestamp()), session_lifetimes.HELD_SECONDS
    ):
        return None
    try:
        fields = json.loads(secret_encryption.decrypt_secret(str(held_form["fields"])))
    except secret_encryption.UnreadableSecret:
        return None
    return held_form["path"], [(name, value) for name, value in fields]


def discard_held_form(request: HttpRequest, now: datetime) -> None:
    """Forget a form that cannot be sent any more, or that is sent again with this request."""
    held_form = request.session.get(HELD)
    if not held_form:
        return
    sent = request.method == "POST" and request.get_full_path() == held_form["path"]
    if sent or get_held_form(request, now) is None:
        del request.session[HELD]
