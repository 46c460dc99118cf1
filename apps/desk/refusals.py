"""Refusals below the desk's address: for who is signed in they are drawn as pages of the desk."""

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from apps.core import problems
from apps.core.hosts import is_api

TITLES = {400: "This address cannot be read", 403: "This is not yours to open", 404: "Not found"}
WORDS = {
    400: "The address or the form holds something that no record can have.",
    403: "Your group does not have this page. An administrator can say who has it.",
    404: "There is nothing at this address, or nothing that you may see.",
}
STALE = "The form is out of date: load the page again and repeat. Nothing was stored."


def handler400(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, 400, WORDS[400]) or problems.handler400(request, exception)


def handler403(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, 403, WORDS[403]) or problems.handler403(request, exception)


def handler404(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, 404, WORDS[404]) or problems.handler404(request, exception)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form without its token (settings.CSRF_FAILURE_VIEW)."""
    return _page(request, 403, STALE) or problems.csrf_failure(request, reason)


def _page(request: HttpRequest, status: int, words: str) -> HttpResponse | None:
    """Return the refusal in the desk's frame, or None where it is not the desk's."""
    if not _at_desk(request) or not admin.site.has_permission(request):
        return None
    shown = admin.site.each_context(request) | {"title": TITLES[status], "words": words}
    return render(request, "desk/refusal.html", shown, status=status)


def _at_desk(request: HttpRequest) -> bool:
    """Tell whether an address is the desk's; a host of a service has none."""
    if is_api(request) or not hasattr(request, "user"):
        return False
    return request.path.startswith(reverse("admin:index"))
