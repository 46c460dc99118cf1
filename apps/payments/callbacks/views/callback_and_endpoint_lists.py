"""The lists of callbacks and of endpoints: filters from the address, paged by key."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from apps.access.keys import tenant_names
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
    """The filters of callbacks in the address; an unknown value filters nothing."""

    state: str = list_pages.choice_field(STATE_LABELS)
    client: str = list_pages.value_field(200)
    endpoint: str = list_pages.filter_field(list_pages.parse_row_number_place)

    def rows(self) -> QuerySet[Delivery]:
        """Return the matching callbacks, the newest first."""
        rows = Delivery.objects.select_related("event", "endpoint")
        return self.behind(DeskCallbackFilter(self.chosen, rows).qs)


def build_callback_page(query: CallbackListQuery) -> list_pages.ListPage:
    """Return one page of callbacks, in two queries."""
    deliveries, last = list_pages.take_page(query.rows())
    names = tenant_names.load_tenant_names({row.owner for row in deliveries})
    rows = [
        {
            "row": row,
            "client": names.get(row.owner, row.owner),
            "tone": TONES[State(row.state)],
            "state": row.get_state_display(),
            "why": FAILURE_LABELS.get(row.last_error, ""),
        }
        for row in deliveries
    ]
    return list_pages.build_list_page(rows, last)


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointListQuery(list_pages.ListQuery):
    """The filters of endpoints in the address."""

    only: str = list_pages.choice_field(KINDS)
    client: str = list_pages.value_field(200)

    def rows(self) -> QuerySet[Endpoint]:
        """Return the matching endpoints."""
        endpoints = Endpoint.objects.all()
        if self.only == "paused":
            endpoints = endpoints.filter(paused_at__isnull=False)
        if self.only == "failing":
            endpoints = endpoints.filter(Q(failing_since__isnull=False), paused_at=None)
        if self.client:
            endpoints = endpoints.filter(owner=self.client)
        return self.behind(endpoints)


def build_endpoint_page(query: EndpointListQuery) -> list_pages.ListPage:
    """Return one page of endpoints, in two queries."""
    endpoints, last = list_pages.take_page(query.rows())
    names = tenant_names.load_tenant_names({row.owner for row in endpoints})
    rows = [
        {
            "row": row,
            "client": names.get(row.owner, row.owner),
            "tone": endpoint_tone(row),
            "state": endpoint_state(row),
            "why": FAILURE_LABELS.get(row.last_error, ""),
        }
        for row in endpoints
    ]
    return list_pages.build_list_page(rows, last)


def endpoint_tone(row: Endpoint) -> str:
    """Return the colour of an endpoint's state."""
    return "bad" if row.paused_at else "warn" if row.failing_since else "ok"


def endpoint_state(row: Endpoint) -> str:
    """Describe the state of an endpoint."""
    if row.paused_at:
        return "Paused"
    return "Failing" if row.failing_since else "Called"
