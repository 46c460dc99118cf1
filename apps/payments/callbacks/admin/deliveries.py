"""Pages of callbacks: the list, one with its attempts, and the button to send it again."""

from functools import partial
from typing import Any

from django.contrib import admin
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from apps.access.keys import tenant_names
from apps.payments.callbacks.admin.reasoned_action_admin import StaffActionAdmin, run_staff_action
from apps.payments.callbacks.models import Delivery, State, Step
from apps.payments.callbacks.rules import FAILURE_LABELS
from apps.payments.callbacks.services import staff_actions
from apps.payments.callbacks.views import callback_and_endpoint_lists
from apps.platform.common.clock import now
from apps.platform.desk.list_pages import ListPage
from apps.platform.desk.record_list_admin import ChoiceFilter
from apps.platform.desk.view_guards import require_permission
from apps.platform.upstreams.addresses import redact_url


@admin.register(Delivery)
class DeliveryAdmin(StaffActionAdmin):
    """Every callback, without its body and without the query of its address."""

    # without it the admin's autocomplete would answer differently for this model
    search_fields = ("=event__uid",)
    list_title = "Callbacks"
    list_template = "callbacks/list.html"
    list_query = callback_and_endpoint_lists.CallbackListQuery
    record_template = "callbacks/delivery.html"
    record_related = ("event", "endpoint")
    steps = ("resend",)

    def build_page(
        self, query: callback_and_endpoint_lists.CallbackListQuery, user: User
    ) -> ListPage:
        return callback_and_endpoint_lists.build_callback_page(query)

    def list_filters(
        self, query: callback_and_endpoint_lists.CallbackListQuery
    ) -> list[ChoiceFilter]:
        return [
            ("state", "Any state", callback_and_endpoint_lists.STATE_LABELS, query.state),
            ("client", "Any client", tenant_names.list_tenant_choices(query.client), query.client),
        ]

    def resend(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Send a callback again."""
        require_permission(request, "callbacks.send_callback")
        row = self.get_record(request, pk)
        return run_staff_action(
            request,
            page=reverse("admin:callbacks_delivery_change", args=[pk]),
            act=partial(staff_actions.resend_with_reason, row=row, now=now()),
            said=lambda _: "Sending again: up to four attempts, starting now.",
            again=partial(self.draw_record, request, row),
            draft=f"resend-{pk}",
        )

    def build_record_context(self, record: Delivery, user: User) -> dict[str, Any]:
        log = [
            (attempt, FAILURE_LABELS.get(attempt.error, ""))
            for attempt in record.log.order_by("number")
        ]
        may = user.has_perm("callbacks.send_callback")
        return {
            "title": f"Callback {record.event.name}",
            "row": record,
            "address": redact_url(record.url),
            "client": tenant_names.load_tenant_name(record.owner),
            "tone": callback_and_endpoint_lists.TONES[State(record.state)],
            "log": log,
            "steps": Step.objects.filter(ref=f"delivery:{record.pk}"),
            "may_resend": may and record.state in (State.DELIVERED, State.FAILED)
            and record.event.body and not record.endpoint.paused_at,
        }  # fmt: skip
