"""What every address of the desk refuses before its page is asked: methods, ids and values."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.exceptions import BadRequest, PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.urls import Resolver404, register_converter, resolve
from django.urls.converters import IntConverter
from django.views.decorators.http import require_POST

METHODS = ("GET", "HEAD", "POST")
FIRST_YEAR, LAST_YEAR = 2000, 2199  # of what a date in an address or a form may say
SPANS = ("__year", "__month", "__day")
View = Callable[..., HttpResponse]


class RowIdConverter(IntConverter):
    """The id of a row: as many digits as a database can hold; a longer one is nowhere."""

    regex = "[0-9]{1,18}"


register_converter(RowIdConverter, "id")


def post_only_step(view: Callable[..., Any]) -> View:
    """Return a view that is a step of a page: it answers POST alone, and nobody returns to it."""
    inner: View = require_POST(view)
    inner.is_step = True  # type: ignore[attr-defined]
    return inner


def require_permission(request: HttpRequest, permission: str) -> None:
    """Raise PermissionDenied unless who asks has a permission."""
    if not request.user.has_perm(permission):  # type: ignore[union-attr]
        raise PermissionDenied


def nearest_page_path(path: str) -> str:
    """Return the nearest address at or above a path that can be looked at, or an empty text.

    Whose session ended while they wrote is led back there: a step cannot be opened.
    """
    while path.count("/") > 1:
        try:
            found = resolve(path).func
        except Resolver404:
            found = None
        # the functions of `wraps` hand the mark on
        if found is not None and not getattr(found, "is_step", False):
            return path
        path = path.rstrip("/").rpartition("/")[0] + "/"
    return ""


def guard_view(view: View) -> View:
    """Return a view that answers 405 to other methods, and 400 or 404 to what no row can hold."""

    @wraps(view)
    def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method not in METHODS:
            return HttpResponseNotAllowed(METHODS)
        if "\x00" in request.path:
            raise Http404
        if fault := _find_request_fault(request):
            raise BadRequest(fault)
        return view(request, *args, **kwargs)

    return inner


def _find_request_fault(request: HttpRequest) -> str:
    for given in (request.GET, request.POST):
        for name, values in given.lists():
            if any("\x00" in text for text in (name, *values)):
                return "A value holds a NUL character."
            if name.endswith(SPANS) and not all(_is_valid_date_part(name, text) for text in values):
                return "The address names a day that no record can have."
    return ""


def _is_valid_date_part(name: str, text: str) -> bool:
    plain = text.isascii() and text.isdigit() and len(text) <= 4
    return plain and (not name.endswith("__year") or FIRST_YEAR <= int(text) <= LAST_YEAR)
