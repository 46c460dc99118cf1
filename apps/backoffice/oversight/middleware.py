"""Record who opens personal data at the desk, so that no page has to do it."""

from collections.abc import Callable
from typing import Any, cast

from django.contrib.admin import ModelAdmin
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse

from apps.backoffice.oversight.services.reads import record_read, record_reads
from apps.backoffice.oversight.services.samples import SAR_PREFIX
from apps.platform.common.clock import now
from apps.platform.desk.page_titles import IMPERSONAL, WORK_LISTS

REFUSED = (403, 404, 405)


class RecordReadsMiddleware:
    """Write a record for every page of a personal model that was shown.

    A page whose opening cannot be recorded is not shown.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        opened: tuple[str, str] | None = getattr(request, "opened", None)
        if opened and request.user.is_authenticated and _is_page_shown(request, response):
            self._opened(request, *opened)
        searched: tuple[str, ...] = getattr(request, "searched", ())
        searched_models = [
            what for what in searched if response.status_code == 200 and what not in IMPERSONAL
        ]
        # a text that was also searched for in the SAR log may name one of its entries: other staff
        # can read the ledger of other reads, so the text goes into the log's own ledger alone
        hushed = any(searched_model.startswith(SAR_PREFIX) for searched_model in searched_models)
        for what in searched_models:
            is_logged = not hushed or what.startswith(SAR_PREFIX)
            self._record(request, what, "", _get_query_string(request) if is_logged else "")
        return response

    def _opened(self, request: HttpRequest, what: str, ref: str) -> None:
        """Record what was opened; of a page that shows several (`ReadOnlyAdmin.shows`), each."""
        several: list[str] | None = getattr(request, "several", None)
        if several is None:
            self._record(request, what, ref, _get_query_string(request))
            return
        record_reads(
            by=cast(User, request.user),
            what=what,
            refs=several,
            now=now(),
            address=request.path,
            query=_get_query_string(request),
        )

    def _record(self, request: HttpRequest, what: str, ref: str, query: str) -> None:
        record_read(
            by=cast(User, request.user),
            what=what,
            ref=ref,
            now=now(),
            address=request.path,
            query=query,
        )

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> None:
        """Note which model's page is requested."""
        page = find_admin_of_view(view)
        if page is None or page.opts.label_lower in IMPERSONAL:
            return
        # pages name the id `object_id` or `pk`, some otherwise
        view_arguments = list(kwargs.values())
        object_id = kwargs.get(
            "object_id", kwargs.get("pk", view_arguments[0] if view_arguments else "")
        )
        request.opened = (page.opts.label_lower, str(object_id))  # type: ignore[attr-defined]


def _get_query_string(request: HttpRequest) -> str:
    return str(request.META.get("QUERY_STRING", ""))


def _is_page_shown(request: HttpRequest, response: HttpResponse) -> bool:
    """Tell whether a page was shown: also one that a refused form shows again."""
    what, ref = request.opened  # type: ignore[attr-defined]
    status = response.status_code
    # a redirect or a server error shows nothing; a 400 or 409 draws the page again with its data
    if status in REFUSED or not (200 <= status < 300 or 400 <= status < 500):
        return False
    if hasattr(request, "several"):
        return True
    # work lists are opened all day and would bury the rest; a search in one is recorded
    searching = bool(request.GET.get("q"))
    return bool(ref) or searching or what not in WORK_LISTS


def find_admin_of_view(view: Any) -> ModelAdmin | None:
    """Return the admin of a model whose page a view is, or None."""
    while view is not None:
        # bound methods carry the admin as `__self__`, Django's wrappers as `model_admin`;
        # decorators hide either behind `__wrapped__`
        owner = getattr(view, "__self__", None)
        if isinstance(owner, ModelAdmin):
            return owner
        model_admin = getattr(view, "model_admin", None)
        if isinstance(model_admin, ModelAdmin):
            return model_admin
        view = getattr(view, "__wrapped__", None)
    return None
