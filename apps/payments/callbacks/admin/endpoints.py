"""Pages of endpoints: the list, one with its history; pause, resume, resend failed callbacks."""

from datetime import timedelta
from functools import partial
from typing import Any

from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from apps.access.keys import tenant_names
from apps.payments.callbacks.admin.reasoned_action_admin import StaffActionAdmin, run_staff_action
from apps.payments.callbacks.models import Delivery, Endpoint, State, Step
from apps.payments.callbacks.rules import FAILURE_LABELS
from apps.payments.callbacks.services import staff_actions
from apps.payments.callbacks.views import callback_and_endpoint_lists
from apps.platform.common.clock import now
from apps.platform.common.days import parse_day, start_of_day
from apps.platform.desk.list_pages import ListPage
from apps.platform.desk.record_list_admin import ChoiceFilter
from apps.platform.desk.view_guards import require_permission


@admin.register(Endpoint)
class EndpointAdmin(StaffActionAdmin):
    """The addresses of callbacks, their success, and whether they are paused."""

    # without it the admin's autocomplete would answer differently for this model
    search_fields = ("=uid",)
    list_title = "Callback endpoints"
    list_template = "callbacks/endpoints.html"
    list_query = callback_and_endpoint_lists.EndpointListQuery
    record_template = "callbacks/endpoint.html"
    steps = ("pause", "resume", "resend")

    def build_page(
        self, query: callback_and_endpoint_lists.EndpointListQuery, user: User
    ) -> ListPage:
        return callback_and_endpoint_lists.build_endpoint_page(query)

    def list_filters(
        self, query: callback_and_endpoint_lists.EndpointListQuery
    ) -> list[ChoiceFilter]:
        return [
            ("only", "Any state", callback_and_endpoint_lists.KINDS, query.only),
            ("client", "Any client", tenant_names.list_tenant_choices(query.client), query.client),
        ]

    def pause(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Pause calls to an endpoint."""
        return self._do(
            request,
            pk,
            staff_actions.pause_with_reason,
            "Paused: nothing is sent to this endpoint.",
        )

    def resume(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Resume calls to an endpoint."""
        return self._do(
            request,
            pk,
            staff_actions.resume_with_reason,
            "Resumed. Paused callbacks are being sent.",
        )

    def resend(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Send all callbacks to an endpoint again that failed since a day."""
        day = parse_day(request.POST.get("since", ""))
        since = start_of_day(day) if day else now() - timedelta(days=1)
        return self._do(
            request,
            pk,
            partial(staff_actions.resend_failed_with_reason, since=since),
            "Callbacks sent again: {}.",
        )

    def _do(self, request: HttpRequest, pk: int, act: Any, said: str) -> HttpResponse:
        require_permission(request, "callbacks.send_callback")
        row = self.get_record(request, pk)
        return run_staff_action(
            request,
            page=reverse("admin:callbacks_endpoint_change", args=[pk]),
            act=partial(act, endpoint=row, now=now()),
            said=said.format,
            again=partial(self.draw_record, request, row),
            draft=f"endpoint-{pk}",
        )

    def build_record_context(self, record: Endpoint, user: User) -> dict[str, Any]:
        counts = dict(
            Delivery.objects.filter(endpoint=record)
            .values_list("state")
            .annotate(many=Count("pk"))
            .order_by()
        )
        return {
            "title": "Callback endpoint",
            "row": record,
            "client": tenant_names.load_tenant_name(record.owner),
            "state": callback_and_endpoint_lists.endpoint_state(record),
            "tone": callback_and_endpoint_lists.endpoint_tone(record),
            "why": FAILURE_LABELS.get(record.last_error, ""),
            "counts": [
                (
                    state.value,
                    state.label,
                    counts[state.value],
                    callback_and_endpoint_lists.TONES[state],
                )
                for state in State
                if state.value in counts
            ],
            "failed": counts.get(State.FAILED, 0),
            "steps": Step.objects.filter(ref=f"endpoint:{record.pk}")[:50],
            "may": user.has_perm("callbacks.send_callback"),
            "since": f"{now() - timedelta(days=1):%Y-%m-%d}",
        }
