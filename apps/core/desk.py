"""The admin site: the stock Django admin under a name and a policy of our own."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from django.contrib.admin import AdminSite, ModelAdmin
from django.contrib.admin.apps import AdminConfig
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.module_loading import import_string
from django.utils.text import capfirst

from apps.core.clock import now
from config.desk import HOME

# django-q2's own rows are internals: one malformed schedule stops all others
HIDDEN_APPS = {"django_q"}


@dataclass(frozen=True, slots=True)
class Tile:
    """One figure of the home page and where it leads; `tone` bad asks for attention."""

    label: str
    value: int | str
    address: str
    tone: Literal["", "ok", "warn", "bad"] = ""


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

    def index(self, request: HttpRequest, extra_context: Any = None) -> TemplateResponse:
        moment = now()
        tiles = [tile for path in HOME for tile in import_string(path)(request.user, moment)]
        return super().index(request, {"tiles": tiles} | (extra_context or {}))


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


class DeskConfig(AdminConfig):
    default_site = "apps.core.desk.DeskSite"
