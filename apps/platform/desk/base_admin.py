"""Base classes of the desk's pages: a row changes only by a button that runs an action."""

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import capfirst, slugify
from django.views.decorators.http import require_safe

from apps.platform.common.problems import DomainError


def _draft_name(request: HttpRequest) -> str:
    """Return the key of the draft of the stock form at an address, its query included."""
    return f"form-{request.path}{slugify(request.META.get('QUERY_STRING', ''))}"


class ReadOnlyAdmin(ModelAdmin):
    """Pages on which nothing can be added, changed or deleted."""

    actions: Any = None
    change_form_template: ClassVar[Any] = "desk/record.html"

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        title = {"title": capfirst(self.opts.verbose_name_plural)}
        return super().changelist_view(request, title | (extra_context or {}))

    def render_change_form(
        self, request: HttpRequest, context: Any, *rest: Any, **more: Any
    ) -> HttpResponse:
        if (record := context.get("original")) is not None:
            shown = self.record_context(request, record)
            context |= shown | {"title": str(record), "subtitle": None}
        context["show_save_and_continue"] = False
        # the browser keeps a draft of what is typed into the form
        context["form_draft"] = _draft_name(request)
        return super().render_change_form(request, context, *rest, **more)

    def record_context(self, request: HttpRequest, record: Any) -> dict[str, Any]:
        """Return what a record's page shows beside its fields."""
        return {}

    def message_user(
        self,
        request: HttpRequest,
        message: Any,
        level: Any = messages.INFO,
        *rest: Any,
        **more: Any,
    ) -> None:
        # the stock form of this address is saved, so its draft may be deleted
        if level == messages.SUCCESS and not more.get("extra_tags"):
            more["extra_tags"] = f"stored-{_draft_name(request)}"
        super().message_user(request, message, level, *rest, **more)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def page_view(self, view: Callable[..., HttpResponse]) -> Any:
        """Return a view of our own as a read-only address of the site."""
        return self.admin_site.admin_view(require_safe(view))

    def shows(self, request: HttpRequest, pks: Iterable[int]) -> None:
        """Name the rows that a page of several shows: the read log records each of them."""
        request.several = [str(pk) for pk in pks]  # type: ignore[attr-defined]

    def again(
        self, request: HttpRequest, pk: int, refused: DomainError, **shown: Any
    ) -> HttpResponse:
        """Render a row's page again after a refused step, with the input."""
        request.method = "GET"  # on POST Django's own page would save the form
        answer = self.changeform_view(request, str(pk), extra_context={"refused": refused} | shown)
        answer.status_code = refused.status
        return answer

    def draw(
        self, request: HttpRequest, template: str, shown: dict[str, Any], status: int = 200
    ) -> HttpResponse:
        """Render one of our templates with the context of every page of the site."""
        context = self.admin_site.each_context(request) | {"opts": self.opts} | shown
        return render(request, template, context, status=status)


class NewestFirstAdmin(ReadOnlyAdmin):
    """A list of records, the newest first, which are too many to count."""

    list_per_page = 50
    show_full_result_count = False
    ordering: ClassVar[Any] = ("-pk",)
