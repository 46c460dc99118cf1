"""Forms that wait until their sender has proved who they are: nothing typed is lost."""

from collections.abc import Callable
from datetime import datetime
from functools import cache
from typing import Any, cast
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.module_loading import import_string

from apps.staff import rules
from config.staff import STEP_UP

HELD = "staff_held"
LARGEST = 100_000  # characters of a form; a larger one is asked for again
SEE_OTHER = 303
Fields = list[tuple[str, str]]


def wanted(request: HttpRequest, kwargs: dict[str, Any]) -> bool:
    """Tell whether this request needs a fresh proof."""
    match = request.resolver_match
    need = STEP_UP.get(match.view_name, "") if match else ""
    if not need:
        return False
    if need == "always":
        return True
    if request.method != "POST":
        return False
    return need == "sent" or _asked(need)(request, kwargs)


@cache
def _asked(path: str) -> Callable[[HttpRequest, dict[str, Any]], bool]:
    return cast(Callable[[HttpRequest, dict[str, Any]], bool], import_string(path))


def hold(request: HttpRequest, now: datetime) -> HttpResponse:
    """Keep a form that was sent, and lead to the page that asks for the proof."""
    going = request.get_full_path()
    if request.method == "POST":
        lists = request.POST.lists()
        fields = [(n, v) for n, values in lists for v in values if n != "csrfmiddlewaretoken"]
        if sum(len(n) + len(v) for n, v in fields) <= LARGEST:
            request.session[HELD] = {
                "path": request.get_full_path(), "fields": fields, "at": int(now.timestamp())
            }  # fmt: skip
            going = reverse("staff:go_on")
    # not 302: that is what a right password answers
    place = f"{reverse('staff:prove')}?{urlencode({'next': going})}"
    return HttpResponseRedirect(place, status=SEE_OTHER)


def waiting(request: HttpRequest, now: datetime) -> tuple[str, Fields] | None:
    """Return where a form was going that still waits, and its fields."""
    kept = request.session.get(HELD)
    if not kept or not rules.recent(kept["at"], int(now.timestamp()), rules.HELD_SECONDS):
        return None
    return kept["path"], [(name, value) for name, value in kept["fields"]]


def tidy(request: HttpRequest, now: datetime) -> None:
    """Forget a form that waited too long, or that is sent again with this request."""
    kept = request.session.get(HELD)
    if not kept:
        return
    sent = request.method == "POST" and request.get_full_path() == kept["path"]
    if sent or waiting(request, now) is None:
        del request.session[HELD]
