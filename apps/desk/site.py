"""The admin site: the stock Django admin under a name and a policy of our own."""

from collections.abc import Iterable
from functools import wraps
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
from django.urls import path, reverse
from django.views.decorators.http import require_safe

from apps.core.clock import now
from apps.desk import approvals, home, menu, search
from apps.desk.guard import guarded, page_of

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
        inner = super().admin_view(guarded(view), cacheable)

        @wraps(inner)
        def outer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            leaving = request.path == reverse(f"{self.name}:logout")
            if request.method == "POST" and not leaving and not self.has_permission(request):
                # what was typed waits in the browser, on the page that it was typed on
                back = page_of(request.path) or reverse(f"{self.name}:index")
                if back and (asked := request.META.get("QUERY_STRING", "")):
                    back = f"{back}?{asked}"  # what was found or chosen there
                login = reverse(f"{self.name}:login")
                return HttpResponseRedirect(f"{login}?{urlencode({'next': back})}")
            return inner(request, *args, **kwargs)

        return outer

    def get_urls(self) -> list[Any]:
        found = self.admin_view(require_safe(self.search))
        waiting = self.admin_view(require_safe(self.approvals))
        return [
            path("search/", found, name="desk_search"),
            path("approvals/", waiting, name="desk_approvals"),
            *super().get_urls(),
        ]

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        approves = approvals.may(request.user)  # type: ignore[arg-type]
        own: dict[str, Any] = {"sandbox": not settings.PRODUCTION, "approves": approves}
        # the mark of who reads under an engagement (apps/travelrule/engagements/door.py)
        own["watermark"] = getattr(request, "watermark", "")
        return super().each_context(request) | own

    def approvals(self, request: HttpRequest) -> HttpResponse:
        """Show what waits for the reader's approval, of everything that takes two people."""
        if not approvals.may(request.user):  # type: ignore[arg-type]
            raise PermissionDenied
        asked, number = request.GET.get("kind", ""), request.GET.get("page", "")
        known = number.isascii() and number.isdigit() and len(number) < 5
        found = approvals.page(
            user=request.user,  # type: ignore[arg-type]
            kind=asked,
            number=int(number) if known else 1,
            now=now(),
        )
        if found is None:
            raise Http404
        request.opened = ("desk.approvals", "")  # type: ignore[attr-defined]
        shown = {"title": "Needs my approval", "page": found}
        return render(request, "desk/approvals.html", self.each_context(request) | shown)

    def search(self, request: HttpRequest) -> HttpResponse:
        """Show what was found of a text; the one thing whose number or id it is opens."""
        text = request.GET.get("q", "").strip()
        found = search.find(user=request.user, text=text, now=now())  # type: ignore[arg-type]
        if found.only:
            return HttpResponseRedirect(found.only)
        request.searched = found.searched  # type: ignore[attr-defined]
        shown = {"title": "Search", "text": text, "found": found}
        return render(request, "desk/search.html", self.each_context(request) | shown)

    def index(self, request: HttpRequest, extra_context: Any = None) -> TemplateResponse:
        moment = now()
        shown = {
            "tiles": home.tiles(request.user, moment),  # type: ignore[arg-type]
            "panels": home.panels(request.user, moment),  # type: ignore[arg-type]
        }
        return super().index(request, shown | (extra_context or {}))

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """Return the reader's pages by groups of work, not by the apps they happen to lie in."""
        found = super().get_app_list(request, app_label)
        return found if app_label else menu.grouped(found, here=request.path)


class AdminSiteConfig(AdminConfig):
    default_site = "apps.desk.site.DeskSite"
