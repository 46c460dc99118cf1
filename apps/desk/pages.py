"""The bases of the desk's pages: nothing is edited but by a button that is an action."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.contrib.admin import ModelAdmin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import capfirst
from django.views.decorators.http import require_safe


class ReadOnly(ModelAdmin):
    """Pages on which nothing can be added, changed or deleted."""

    actions: Any = None
    change_form_template: ClassVar[Any] = "desk/record.html"

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        title = {"title": capfirst(self.opts.verbose_name_plural)}
        return super().changelist_view(request, title | (extra_context or {}))

    def render_change_form(
        self, request: HttpRequest, context: Any, *rest: Any, **more: Any
    ) -> HttpResponse:
        if context.get("original") is not None:
            context |= {"title": str(context["original"]), "subtitle": None}
        context["show_save_and_continue"] = False
        return super().render_change_form(request, context, *rest, **more)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def page_view(self, view: Callable[..., HttpResponse]) -> Any:
        """Return a view of our own as an address of the site that is only read."""
        return self.admin_site.admin_view(require_safe(view))

    def draw(
        self, request: HttpRequest, template: str, shown: dict[str, Any], status: int = 200
    ) -> HttpResponse:
        """Render a template of our own with what every page of the site needs."""
        context = self.admin_site.each_context(request) | {"opts": self.opts} | shown
        return render(request, template, context, status=status)
