"""The admin site: the stock Django admin with our name and our own policy."""

from collections.abc import Iterable
from functools import cache, wraps
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.admin import AdminSite
from django.contrib.admin.apps import AdminConfig
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.response import TemplateResponse
from django.urls import NoReverseMatch, get_script_prefix, path, reverse
from django.utils.text import capfirst
from django.views.decorators.http import require_safe

from apps.platform.common.clock import now
from apps.platform.desk import approvals, home, menu, search
from apps.platform.desk.view_guards import guard_view, nearest_page_path
from apps.platform.server.request_inbox import MOST_BODY

# django-q2's own rows are internals: one malformed schedule stops all others
HIDDEN_APPS = {"django_q"}


class DeskSite(AdminSite):
    """Where officers, registrars, examiners and operators work."""

    site_header = "Compliance Oracle"
    site_title = "Compliance Oracle"
    index_title = "Desk"
    site_url = "/"
    enable_nav_sidebar = False
    index_template = "desk/index.html"
    login_template = "desk/login.html"

    def __init__(self, name: str = "admin") -> None:
        super().__init__(name)
        # rows at the desk change only by buttons that record who did it and why
        self.disable_action("delete_selected")

    def register(
        self,
        model_or_iterable: type[Model] | Iterable[type[Model]],
        admin_class: Any = None,
        **options: Any,
    ) -> None:
        models = [model_or_iterable] if isinstance(model_or_iterable, type) else model_or_iterable
        shown = [model for model in models if model._meta.app_label not in HIDDEN_APPS]
        super().register(shown, admin_class, **options)

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        inner = super().admin_view(guard_view(view), cacheable)

        @wraps(inner)
        def outer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            # signing out needs no session; anything else
            # that was typed must survive signing in again
            leaving = request.path == reverse(f"{self.name}:logout")
            if request.method == "POST" and not leaving and not self.has_permission(request):
                # the browser keeps drafts of what was typed on a page
                back = nearest_page_path(request.path) or reverse(f"{self.name}:index")
                if back and (query_string := request.META.get("QUERY_STRING", "")):
                    # the browser keeps what was found or chosen there
                    back = f"{back}?{query_string}"
                login = reverse(f"{self.name}:login")
                return HttpResponseRedirect(f"{login}?{urlencode({'next': back})}")
            return inner(request, *args, **kwargs)

        return outer

    def get_urls(self) -> list[Any]:
        search_view = self.admin_view(require_safe(self.search))
        waiting = self.admin_view(require_safe(self.approvals))
        return [
            path("search/", search_view, name="desk_search"),
            path("approvals/", waiting, name="desk_approvals"),
            *super().get_urls(),
        ]

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        approves = approvals.can_approve_anything(request.user)  # type: ignore[arg-type]
        own: dict[str, Any] = {"sandbox": not settings.PRODUCTION, "approves": approves}
        # the mark of who reads under an engagement
        # (apps/payments/travelrule/engagements/middleware.py)
        own["watermark"] = getattr(request, "watermark", "")
        own["most_bytes_of_a_form"] = MOST_BODY
        return super().each_context(request) | own

    def approvals(self, request: HttpRequest) -> HttpResponse:
        """Show all proposals that wait for the reader's approval."""
        if not approvals.can_approve_anything(request.user):  # type: ignore[arg-type]
            raise PermissionDenied
        kind, number = request.GET.get("kind", ""), request.GET.get("page", "")
        # isdigit alone would let `²` through, which int() refuses
        known = number.isascii() and number.isdigit() and len(number) < 5
        approval_page = approvals.build_approval_page(
            user=request.user,  # type: ignore[arg-type]
            kind=kind,
            number=int(number) if known else 1,
            now=now(),
        )
        if approval_page is None:
            raise Http404
        # for the log of reads, which the middleware writes
        request.opened = ("desk.approvals", "")  # type: ignore[attr-defined]
        shown = {"title": "Needs my approval", "page": approval_page}
        return render(request, "desk/approvals.html", self.each_context(request) | shown)

    def search(self, request: HttpRequest) -> HttpResponse:
        """Show the results of a search; an exact match of a number or id opens at once."""
        text = request.GET.get("q", "").strip()
        everything = search.search_everything(user=request.user, text=text, now=now())  # type: ignore[arg-type]
        if everything.only:
            return HttpResponseRedirect(everything.only)
        request.searched = everything.searched  # type: ignore[attr-defined]
        shown = {"title": "Search", "text": text, "found": everything}
        return render(request, "desk/search.html", self.each_context(request) | shown)

    def index(self, request: HttpRequest, extra_context: Any = None) -> TemplateResponse:
        moment = now()
        shown = {
            "tiles": home.collect_tiles(request.user, moment),  # type: ignore[arg-type]
            "panels": home.collect_panels(request.user, moment),  # type: ignore[arg-type]
        }
        return super().index(request, shown | (extra_context or {}))

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """Return the reader's pages by groups of work, not by app."""
        if app_label:
            return super().get_app_list(request, app_label)
        # Django's own list resolves two addresses per model, which took a third of every page's
        # time
        rows = [
            row
            for model, model_admin in self._registry.items()
            if model_admin.has_module_permission(request)
            and (row := self._menu_row(model, model_admin.get_model_perms(request)))
        ]
        rows.sort(key=lambda row: row["name"].lower())
        return menu.group_menu(rows, here=request.path)

    def _menu_row(self, model: type[Model], perms: dict[str, bool]) -> dict[str, Any] | None:
        """Return a model as a row of Django's app list, or None if the reader may do nothing."""
        if True not in perms.values():
            return None
        changelist, add = _page_addresses(self.name, get_script_prefix(), model)
        opens = perms.get("change") or perms.get("view")
        return {
            "model": model,
            "name": capfirst(model._meta.verbose_name_plural),
            "object_name": model._meta.object_name,
            "perms": perms,
            "admin_url": changelist if opens else None,
            "add_url": add if perms.get("add") else None,
            "view_only": not perms.get("change"),
        }


@cache
def _page_addresses(
    site: str, script_prefix: str, model: type[Model]
) -> tuple[str | None, str | None]:
    """Return the addresses of a model's list and of its add form, None for a missing one.

    They do not change while a process runs, except for the prefix that a server may put before
    them.
    """
    return _address_or_none(site, model, "changelist"), _address_or_none(site, model, "add")


def _address_or_none(site: str, model: type[Model], page: str) -> str | None:
    options = model._meta
    try:
        return reverse(f"admin:{options.app_label}_{options.model_name}_{page}", current_app=site)
    except NoReverseMatch:
        return None


class AdminSiteConfig(AdminConfig):
    default_site = "apps.platform.desk.site.DeskSite"
