"""Endpoints of callbacks: the list, one with its history; pause, resume, send failed ones again."""

from datetime import UTC, datetime, time, timedelta
from functools import partial
from typing import Any

from django.contrib import admin
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path, reverse

from apps.access.keys import tenants
from apps.payments.callbacks.admin.staff_forms import require_permission, run_staff_action
from apps.payments.callbacks.models import Delivery, Endpoint, State, Step
from apps.payments.callbacks.rules import FAILURE_LABELS
from apps.payments.callbacks.services import staff_actions
from apps.payments.callbacks.views import changelists
from apps.platform.core.clock import now
from apps.platform.core.validators import parse_day
from apps.platform.desk.base_admin import ReadOnlyAdmin
from apps.platform.desk.view_guards import post_only_step


@admin.register(Endpoint)
class EndpointAdmin(ReadOnlyAdmin):
    """Where callbacks go, how that goes, and whether it is paused."""

    # without it the admin's autocomplete would answer differently for this model
    search_fields = ("=uid",)

    def get_urls(self) -> list[Any]:
        """Give the list, an endpoint's page, and its steps."""
        wrap, name = self.admin_site.admin_view, "callbacks_endpoint"
        return [
            path("", self.page_view(self.changelist_view), name=f"{name}_changelist"),
            path("<id:object_id>/", self.page_view(self.change_view), name=f"{name}_change"),
            path("<id:pk>/pause/", wrap(post_only_step(self.pause)), name=f"{name}_pause"),
            path("<id:pk>/resume/", wrap(post_only_step(self.resume)), name=f"{name}_resume"),
            path("<id:pk>/resend/", wrap(post_only_step(self.resend)), name=f"{name}_resend"),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the endpoints that the address asks for, fifty at a time."""
        require_permission(request, "view_endpoint")
        asked = changelists.EndpointListQuery.read(request.GET)
        found = changelists.build_endpoint_page(asked)
        drawn = {
            "title": "Endpoints of callbacks",
            "asked": asked,
            "page": found,
            "choices": [
                ("only", "Any state", changelists.KINDS, asked.only),
                ("client", "Any client", tenants.list_tenant_choices(asked.client), asked.client),
            ],
            **asked.turns(found.following),
        }
        return self.draw(request, "callbacks/endpoints.html", drawn)

    def change_view(
        self, request: HttpRequest, object_id: Any, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show one endpoint."""
        require_permission(request, "view_endpoint")
        return self._page(request, self._row(object_id))

    def pause(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Call an endpoint no more."""
        return self._do(
            request, pk, staff_actions.pause_with_reason, "It is paused: nothing is sent there."
        )

    def resume(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Call an endpoint again."""
        return self._do(
            request,
            pk,
            staff_actions.resume_with_reason,
            "It is called again; what was paused is sent.",
        )

    def resend(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Send all to an endpoint again that failed since a day."""
        day = parse_day(request.POST.get("since", ""))
        since = datetime.combine(day, time(), UTC) if day else now() - timedelta(days=1)
        return self._do(
            request,
            pk,
            partial(staff_actions.resend_failed_with_reason, since=since),
            "Sent again: {} callbacks.",
        )

    def _do(self, request: HttpRequest, pk: int, act: Any, said: str) -> HttpResponse:
        require_permission(request, "send_callback")
        row = self._row(pk)
        return run_staff_action(
            request,
            page=reverse("admin:callbacks_endpoint_change", args=[pk]),
            act=partial(act, endpoint=row, now=now()),
            said=said.format,
            again=partial(self._page, request, row),
            draft=f"endpoint-{pk}",
        )

    def _row(self, pk: Any) -> Endpoint:
        row = Endpoint.objects.filter(pk=int(pk)).first()
        if row is None:
            raise Http404
        return row

    def _page(
        self, request: HttpRequest, row: Endpoint, typed: str = "", fault: str = ""
    ) -> HttpResponse:
        counts = dict(
            Delivery.objects.filter(endpoint=row)
            .values_list("state")
            .annotate(many=Count("pk"))
            .order_by()
        )
        drawn = {
            "title": "Endpoint of callbacks",
            "row": row,
            "client": tenants.load_tenant_name(row.owner),
            "state": changelists.endpoint_state(row),
            "tone": changelists.endpoint_tone(row),
            "why": FAILURE_LABELS.get(row.last_error, ""),
            "counts": [
                (state.value, state.label, counts[state.value], changelists.TONES[state])
                for state in State
                if state.value in counts
            ],
            "failed": counts.get(State.FAILED, 0),
            "steps": Step.objects.filter(ref=f"endpoint:{row.pk}")[:50],
            "may": request.user.has_perm("callbacks.send_callback"),
            "since": f"{now() - timedelta(days=1):%Y-%m-%d}",
            "typed": typed,
            "refused": fault,
        }
        return self.draw(request, "callbacks/endpoint.html", drawn, 400 if fault else 200)
