"""Refuse wrong methods, ids and values for every address of the desk, before its page runs."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.exceptions import BadRequest, PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.urls import Resolver404, register_converter, resolve
from django.urls.converters import IntConverter
from django.views.decorators.http import require_POST

METHODS = ("GET", "HEAD", "POST")
FIRST_YEAR, LAST_YEAR = 2000, 2199  # the oldest year that a date in an address or a form may have
SPANS = ("__year", "__month", "__day")
View = Callable[..., HttpResponse]


class RowIdConverter(IntConverter):
    """The id of a row: as many digits as a database can hold; a longer one matches nothing."""

    regex = "[0-9]{1,18}"


register_converter(RowIdConverter, "id")


def post_only_step(view: Callable[..., Any]) -> View:
    """Return a view for a step of a page: it answers only POST, and is never a redirect target."""
    inner: View = require_POST(view)
    inner.is_step = True  # type: ignore[attr-defined]
    return inner


def require_permission(request: HttpRequest, permission: str) -> None:
    """Raise PermissionDenied unless the user has a permission."""
    if not request.user.has_perm(permission):  # type: ignore[union-attr]
        raise PermissionDenied


def nearest_page_path(path: str) -> str:
    """Return the nearest address at or above a path that can be opened, or an empty text.

    A user whose session ended while they wrote is sent back there: a step cannot be opened.
    """
    # upwards: a step of a page, the page, its list, the home page
    while path.count("/") > 1:
        try:
            view = resolve(path).func
        except Resolver404:
            view = None
        # the functions of `wraps` pass the mark on
        if view is not None and not getattr(view, "is_step", False):
            return path
        path = path.rstrip("/").rpartition("/")[0] + "/"
    return ""


def guard_view(view: View) -> View:
    """Return a view that answers 405 to other methods, and 400 or 404 to values no row can hold."""

    @wraps(view)
    def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method not in METHODS:
            return HttpResponseNotAllowed(METHODS)
        # PostgreSQL stores no NUL in a text and raises an error, which would be a 500
        if "\x00" in request.path:
            raise Http404
        if fault := _find_request_fault(request):
            raise BadRequest(fault)
        return view(request, *args, **kwargs)

    return inner


def _find_request_fault(request: HttpRequest) -> str:
    for sent_values in (request.GET, request.POST):
        for name, values in sent_values.lists():
            if any("\x00" in text for text in (name, *values)):
                return "A value contains a NUL character."
            # Django builds a date of such a value, and raises for one that is out of range
            if name.endswith(SPANS) and not all(_is_valid_date_part(name, text) for text in values):
                return "The address names a day that no record can have."
    return ""


def _is_valid_date_part(name: str, text: str) -> bool:
    plain = text.isascii() and text.isdigit() and len(text) <= 4
    return plain and (not name.endswith("__year") or FIRST_YEAR <= int(text) <= LAST_YEAR)
