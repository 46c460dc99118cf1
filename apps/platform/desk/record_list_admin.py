"""Admin of read-only records: a list, page by page, and the page of each record."""

from collections.abc import Collection, Mapping
from typing import Any, ClassVar, cast

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path

from apps.platform.desk.base_admin import ReadOnlyAdmin
from apps.platform.desk.list_pages import ListPage, ListQuery
from apps.platform.desk.view_guards import post_only_step

# a select filter: its name, the label of no choice, the choices, the chosen one
ChoiceFilter = tuple[str, str, Mapping[str, str], str]


class RecordListAdmin(ReadOnlyAdmin):
    """A list and a record's page; each of `steps` is a method that a button of the page posts to.

    A subclass names its templates, parses the list's address with `list_query`, and returns the
    context of both pages.
    """

    list_title: ClassVar[str]
    list_template: ClassVar[str]
    record_template: ClassVar[str]
    list_query: ClassVar[type[ListQuery]]
    record_related: ClassVar[Collection[str]] = ()
    steps: ClassVar[Collection[str]] = ()

    def build_page(self, asked: Any, user: User) -> ListPage:
        """Return the page of the list that an address requests."""
        raise NotImplementedError

    def list_filters(self, asked: Any) -> list[ChoiceFilter]:
        """Return the select filters of the list."""
        return []

    def build_record_context(self, record: Any, user: User) -> dict[str, Any]:
        """Return the context of a record's page."""
        raise NotImplementedError

    def get_urls(self) -> list[Any]:
        """Return only the addresses of the list, a record's page and its steps."""
        name, wrap = f"{self.opts.app_label}_{self.opts.model_name}", self.admin_site.admin_view
        steps = [
            path(
                f"<id:pk>/{step}/", wrap(post_only_step(getattr(self, step))), name=f"{name}_{step}"
            )
            for step in self.steps
        ]
        return [
            path("", self.page_view(self.changelist_view), name=f"{name}_changelist"),
            path("<id:object_id>/", self.page_view(self.change_view), name=f"{name}_change"),
            *steps,
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the records that the address requests, fifty at a time."""
        self.require_view(request)
        query = self.list_query.read(request.GET)
        page = self.build_page(query, cast(User, request.user))
        shown = {
            "title": self.list_title,
            "asked": query,
            "page": page,
            "choices": self.list_filters(query),
            **query.turns(page.following),
            **(extra_context or {}),
        }
        return self.draw(request, self.list_template, shown)

    def change_view(
        self, request: HttpRequest, object_id: Any, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show one record."""
        self.require_view(request)
        return self.draw_record(request, self.get_record(request, object_id))

    def draw_record(self, request: HttpRequest, record: Any) -> HttpResponse:
        """Render the page of a record."""
        record_context = self.build_record_context(record, cast(User, request.user))
        return self.draw(request, self.record_template, record_context)

    def get_record(self, request: HttpRequest, pk: Any) -> Any:
        """Return the record of a number; Http404 if there is none."""
        rows = self.get_queryset(request)
        if self.record_related:
            rows = rows.select_related(*self.record_related)
        record = rows.filter(pk=int(pk)).first()
        if record is None:
            raise Http404
        return record

    def require_view(self, request: HttpRequest) -> None:
        """Raise PermissionDenied unless the user may see such records."""
        if not self.has_view_permission(request):
            raise PermissionDenied
