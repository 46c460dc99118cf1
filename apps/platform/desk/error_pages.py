"""Error pages below the desk's address: signed-in users see them in the desk's frame."""

from urllib.parse import urlsplit

from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse

from apps.platform.common import problems
from apps.platform.common.clock import now
from apps.platform.common.service_hosts import is_api_request
from apps.platform.desk.view_guards import nearest_page_path

TITLES = {400: "Invalid address", 403: "You do not have access to this page", 404: "Not found"}
WORDS = {
    400: "The address or the form contains a value that no record can have.",
    403: "Your group does not have access to this page. Ask an administrator who does.",
    404: "There is nothing at this address, or you are not allowed to see it.",
}
OUT_OF_DATE = "This form is out of date"
FAILED = "Something went wrong on our side"
FAILED_SENT = (
    "Check whether your changes were saved before you submit again. What you typed "
    "is kept in your browser. "
)
STALE = (
    "You have signed in again since the page was loaded. Nothing was saved: go back to the "
    "page, where what you typed is kept, and submit it again."
)
UNSIGNED = (
    "You have signed in or out elsewhere since the page was loaded, or your browser "
    "does not accept cookies. Nothing was saved: go back to the page and sign in again."
)


def handler400(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _render_desk_error(request, 400, WORDS[400]) or problems.handler400(request, exception)


def handler403(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _render_desk_error(request, 403, WORDS[403]) or problems.handler403(request, exception)


def handler404(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _render_desk_error(request, 404, WORDS[404]) or problems.handler404(request, exception)


def handler500(request: HttpRequest) -> HttpResponse:
    """Render the error page of a failed desk page without the database, which may be the cause."""
    if is_api_request(request) or not request.path.startswith(reverse("admin:index")):
        return problems.handler500(request)
    sent = FAILED_SENT if request.method == "POST" else ""
    shown = {
        "title": FAILED,
        "detail": (
            f"{sent}If this happens again, contact your operator: {now():%d %b %Y %H:%M:%S} UTC."
        ),
        "back": _referring_page(request)
        or nearest_page_path(request.path)
        or reverse("admin:index"),
        "home": reverse("admin:index"),
    }
    return HttpResponse(render_to_string("problem.html", shown), status=500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form without its token (settings.CSRF_FAILURE_VIEW).

    At the desk an anonymous user is sent to sign in, and then back to the page; the sign-in page
    itself says that it is out of date.
    """
    if _is_desk_request(request) and not admin.site.has_permission(request):
        # sending the sign-in page back to itself would hide why the form was refused
        if request.path == reverse("admin:login"):
            shown = admin.site.each_context(request) | {"title": OUT_OF_DATE, "words": UNSIGNED}
            shown["back"] = request.get_full_path()
            return render(request, "desk/refusal.html", shown, status=403)
        back = nearest_page_path(request.path) or reverse("admin:index")
        return redirect_to_login(back, reverse("admin:login"))
    return _render_desk_error(request, 403, STALE, OUT_OF_DATE) or problems.error_page(
        403, "The form is out of date: load the page again and repeat.", request
    )


def _render_desk_error(
    request: HttpRequest, status: int, words: str, title: str = ""
) -> HttpResponse | None:
    """Return the refusal in the desk's frame, or None if the address is not the desk's."""
    if not _is_desk_request(request) or not admin.site.has_permission(request):
        return None
    shown = admin.site.each_context(request) | {"title": title or TITLES[status], "words": words}
    if title:
        shown["back"] = _referring_page(request)
    return render(request, "desk/refusal.html", shown, status=status)


def _referring_page(request: HttpRequest) -> str:
    """Return the desk page that a form came from, by the browser's Referer, or an empty text."""
    # not the form's own address, because some addresses are hidden; nor that of another site
    came = urlsplit(request.headers.get("Referer", ""))
    ours = came.netloc == request.get_host() and came.path.startswith(reverse("admin:index"))
    return came.path if ours else ""


def _is_desk_request(request: HttpRequest) -> bool:
    """Tell whether an address is the desk's; the host of a service has none."""
    if is_api_request(request) or not hasattr(request, "user"):
        return False
    return request.path.startswith(reverse("admin:index"))
