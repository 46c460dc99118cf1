"""Callbacks: the list, one with its attempts, and sending it again."""

from functools import partial
from typing import Any

from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path, reverse

from apps.access.keys import tenants
from apps.payments.callbacks.admin.staff_forms import require_permission, run_staff_action
from apps.payments.callbacks.models import Delivery, State, Step
from apps.payments.callbacks.rules import FAILURE_LABELS
from apps.payments.callbacks.services import staff_actions
from apps.payments.callbacks.views import changelists
from apps.platform.core.clock import now
from apps.platform.desk.base_admin import ReadOnlyAdmin
from apps.platform.desk.view_guards import post_only_step
from apps.platform.upstreams.addresses import redact_url


@admin.register(Delivery)
class DeliveryAdmin(ReadOnlyAdmin):
    """Every callback; its body, and what follows a question mark in its address, are not shown."""

    # without it the admin's autocomplete would answer differently for this model
    search_fields = ("=event__uid",)

    def get_urls(self) -> list[Any]:
        """Give the list, a callback's page, and its step."""
        wrap, name = self.admin_site.admin_view, "callbacks_delivery"
        return [
            path("", self.page_view(self.changelist_view), name=f"{name}_changelist"),
            path("<id:object_id>/", self.page_view(self.change_view), name=f"{name}_change"),
            path("<id:pk>/resend/", wrap(post_only_step(self.resend)), name=f"{name}_resend"),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the callbacks that the address asks for, fifty at a time."""
        require_permission(request, "view_delivery")
        asked = changelists.CallbackListQuery.read(request.GET)
        found = changelists.build_callback_page(asked)
        drawn = {
            "title": "Callbacks",
            "asked": asked,
            "page": found,
            "choices": [
                ("state", "Any state", changelists.STATE_LABELS, asked.state),
                ("client", "Any client", tenants.list_tenant_choices(asked.client), asked.client),
            ],
            **asked.turns(found.following),
        }
        return self.draw(request, "callbacks/list.html", drawn)

    def change_view(
        self, request: HttpRequest, object_id: Any, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show one callback and each of its attempts."""
        require_permission(request, "view_delivery")
        return self._page(request, self._row(object_id))

    def resend(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Send a callback again."""
        require_permission(request, "send_callback")
        row = self._row(pk)
        return run_staff_action(
            request,
            page=reverse("admin:callbacks_delivery_change", args=[pk]),
            act=partial(staff_actions.resend_with_reason, row=row, now=now()),
            said=lambda _: "It is sent again: four attempts, the first now.",
            again=partial(self._page, request, row),
            draft=f"resend-{pk}",
        )

    def _row(self, pk: Any) -> Delivery:
        row = Delivery.objects.select_related("event", "endpoint").filter(pk=int(pk)).first()
        if row is None:
            raise Http404
        return row

    def _page(
        self, request: HttpRequest, row: Delivery, typed: str = "", fault: str = ""
    ) -> HttpResponse:
        log = [(one, FAILURE_LABELS.get(one.error, "")) for one in row.log.order_by("number")]
        may = request.user.has_perm("callbacks.send_callback")
        drawn = {
            "title": f"Callback {row.event.name}",
            "row": row,
            "address": redact_url(row.url),
            "client": tenants.load_tenant_name(row.owner),
            "tone": changelists.TONES[State(row.state)],
            "log": log,
            "steps": Step.objects.filter(ref=f"delivery:{row.pk}"),
            "may_resend": may and row.state in (State.DELIVERED, State.FAILED) and row.event.body
            and not row.endpoint.paused_at,
            "typed": typed,
            "refused": fault,
        }  # fmt: skip
        return self.draw(request, "callbacks/delivery.html", drawn, 400 if fault else 200)
