"""The lists of callbacks and of endpoints: what their addresses ask for, one page by key."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from apps.access.keys import tenants
from apps.payments.callbacks.api.filters import DeskCallbackFilter
from apps.payments.callbacks.models import Delivery, Endpoint, State
from apps.payments.callbacks.rules import FAILURE_LABELS
from apps.platform.desk import list_pages

TONES = {
    State.PENDING: "",
    State.SENDING: "",
    State.DELIVERED: "ok",
    State.FAILED: "bad",
    State.PAUSED: "warn",
}
STATE_LABELS = dict(State.choices)
KINDS = {"paused": "Paused", "failing": "Failing, not paused"}


@dataclass(frozen=True, slots=True, kw_only=True)
class CallbackListQuery(list_pages.ListQuery):
    """Which callbacks the address asks for; what is unknown narrows nothing."""

    state: str = list_pages.choice_field(STATE_LABELS)
    client: str = list_pages.value_field(200)
    endpoint: str = list_pages.filter_field(list_pages.parse_row_number_place)

    def rows(self) -> QuerySet[Delivery]:
        """Return the callbacks asked for, the newest first."""
        rows = Delivery.objects.select_related("event", "endpoint")
        return self.behind(DeskCallbackFilter(self.chosen, rows).qs)


def build_callback_page(asked: CallbackListQuery) -> list_pages.ListPage:
    """Return one page of callbacks, in two queries."""
    found, last = list_pages.take_page(asked.rows())
    names = tenants.load_tenant_names({row.owner for row in found})
    rows = [
        {
            "row": row,
            "client": names.get(row.owner, row.owner),
            "tone": TONES[State(row.state)],
            "state": row.get_state_display(),
            "why": FAILURE_LABELS.get(row.last_error, ""),
        }
        for row in found
    ]
    return list_pages.build_list_page(rows, last)


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointListQuery(list_pages.ListQuery):
    """Which endpoints the address asks for."""

    only: str = list_pages.choice_field(KINDS)
    client: str = list_pages.value_field(200)

    def rows(self) -> QuerySet[Endpoint]:
        """Return the endpoints asked for, the newest first."""
        found = Endpoint.objects.all()
        if self.only == "paused":
            found = found.filter(paused_at__isnull=False)
        if self.only == "failing":
            found = found.filter(Q(failing_since__isnull=False), paused_at=None)
        if self.client:
            found = found.filter(owner=self.client)
        return self.behind(found)


def build_endpoint_page(asked: EndpointListQuery) -> list_pages.ListPage:
    """Return one page of endpoints, in two queries."""
    found, last = list_pages.take_page(asked.rows())
    names = tenants.load_tenant_names({row.owner for row in found})
    rows = [
        {
            "row": row,
            "client": names.get(row.owner, row.owner),
            "tone": endpoint_tone(row),
            "state": endpoint_state(row),
            "why": FAILURE_LABELS.get(row.last_error, ""),
        }
        for row in found
    ]
    return list_pages.build_list_page(rows, last)


def endpoint_tone(row: Endpoint) -> str:
    """Return the colour of an endpoint's state."""
    return "bad" if row.paused_at else "warn" if row.failing_since else "ok"


def endpoint_state(row: Endpoint) -> str:
    """Say how an endpoint stands."""
    if row.paused_at:
        return "Paused"
    return "Failing" if row.failing_since else "Called"
