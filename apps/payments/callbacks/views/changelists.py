"""The lists of callbacks and of endpoints: what their addresses ask for, one page by key."""

from dataclasses import dataclass
from typing import Any

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


@dataclass(frozen=True, slots=True)
class ListPage:
    """One page of a list; `following` is the place of the next one, "" on the last."""

    rows: list[Any]
    following: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallbackListQuery(list_pages.ListQuery):
    """Which callbacks the address asks for; what is unknown narrows nothing."""

    state: str = ""
    client: str = ""
    endpoint: str = ""

    @classmethod
    def read(cls, query: Any) -> "CallbackListQuery":
        """Read a query string."""
        state = query.get("state", "")
        return cls(
            state=state if state in STATE_LABELS else "",
            client=query.get("client", "")[:200],
            endpoint=list_pages.parse_row_number_place(query.get("endpoint", "")),
            after=list_pages.parse_row_number_place(query.get("after", "")),
        )

    def rows(self) -> QuerySet[Delivery]:
        """Return the callbacks asked for, the newest first."""
        rows = Delivery.objects.select_related("event", "endpoint")
        found = DeskCallbackFilter(self.chosen, rows).qs
        if self.after:
            found = found.filter(pk__lt=int(self.after))
        return found.order_by("-pk")


def build_callback_page(asked: CallbackListQuery) -> ListPage:
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
    return ListPage(rows, str(last.pk) if last else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointListQuery(list_pages.ListQuery):
    """Which endpoints the address asks for."""

    only: str = ""
    client: str = ""

    @classmethod
    def read(cls, query: Any) -> "EndpointListQuery":
        """Read a query string."""
        only = query.get("only", "")
        return cls(
            only=only if only in KINDS else "",
            client=query.get("client", "")[:200],
            after=list_pages.parse_row_number_place(query.get("after", "")),
        )

    def rows(self) -> QuerySet[Endpoint]:
        """Return the endpoints asked for, the newest first."""
        found = Endpoint.objects.all()
        if self.only == "paused":
            found = found.filter(paused_at__isnull=False)
        if self.only == "failing":
            found = found.filter(Q(failing_since__isnull=False), paused_at=None)
        if self.client:
            found = found.filter(owner=self.client)
        if self.after:
            found = found.filter(pk__lt=int(self.after))
        return found.order_by("-pk")


def build_endpoint_page(asked: EndpointListQuery) -> ListPage:
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
    return ListPage(rows, str(last.pk) if last else "")


def endpoint_tone(row: Endpoint) -> str:
    """Return the colour of an endpoint's state."""
    return "bad" if row.paused_at else "warn" if row.failing_since else "ok"


def endpoint_state(row: Endpoint) -> str:
    """Say how an endpoint stands."""
    if row.paused_at:
        return "Paused"
    return "Failing" if row.failing_since else "Called"
