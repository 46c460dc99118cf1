"""The lists of callbacks and of endpoints: what their addresses ask for, one page by key."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from apps.access import tenants
from apps.callbacks.models import Delivery, Endpoint, State
from apps.callbacks.rules import WORDS
from apps.desk import lists

TONES = {
    State.PENDING: "",
    State.SENDING: "",
    State.DELIVERED: "ok",
    State.FAILED: "bad",
    State.PAUSED: "warn",
}
STATES = dict(State.choices)
KINDS = {"paused": "Paused", "failing": "Failing, not paused"}


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a list; `following` is the place of the next one, "" on the last."""

    rows: list[Any]
    following: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked(lists.Asked):
    """Which callbacks the address asks for; what is unknown narrows nothing."""

    state: str = ""
    client: str = ""
    endpoint: str = ""

    @classmethod
    def read(cls, query: Any) -> "Asked":
        """Read a query string."""
        state = query.get("state", "")
        return cls(
            state=state if state in STATES else "",
            client=query.get("client", "")[:200],
            endpoint=lists.number_place(query.get("endpoint", "")),
            after=lists.number_place(query.get("after", "")),
        )

    def rows(self) -> QuerySet[Delivery]:
        """Return the callbacks asked for, the newest first."""
        found = Delivery.objects.select_related("event", "endpoint")
        if self.state:
            found = found.filter(state=self.state)
        if self.client:
            found = found.filter(owner=self.client)
        if self.endpoint:
            found = found.filter(endpoint=int(self.endpoint))
        if self.after:
            found = found.filter(pk__lt=int(self.after))
        return found.order_by("-pk")


def callbacks(asked: Asked) -> Page:
    """Return one page of callbacks, in two queries."""
    found, last = lists.cut(asked.rows())
    names = tenants.names({row.owner for row in found})
    rows = [
        {
            "row": row,
            "client": names.get(row.owner, row.owner),
            "tone": TONES[State(row.state)],
            "state": row.get_state_display(),
            "why": WORDS.get(row.last_error, ""),
        }
        for row in found
    ]
    return Page(rows, str(last.pk) if last else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointsAsked(lists.Asked):
    """Which endpoints the address asks for."""

    only: str = ""
    client: str = ""

    @classmethod
    def read(cls, query: Any) -> "EndpointsAsked":
        """Read a query string."""
        only = query.get("only", "")
        return cls(
            only=only if only in KINDS else "",
            client=query.get("client", "")[:200],
            after=lists.number_place(query.get("after", "")),
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


def endpoints(asked: EndpointsAsked) -> Page:
    """Return one page of endpoints, in two queries."""
    found, last = lists.cut(asked.rows())
    names = tenants.names({row.owner for row in found})
    rows = [
        {
            "row": row,
            "client": names.get(row.owner, row.owner),
            "tone": tone(row),
            "state": state(row),
            "why": WORDS.get(row.last_error, ""),
        }
        for row in found
    ]
    return Page(rows, str(last.pk) if last else "")


def tone(row: Endpoint) -> str:
    """Return the colour of an endpoint's state."""
    return "bad" if row.paused_at else "warn" if row.failing_since else "ok"


def state(row: Endpoint) -> str:
    """Say how an endpoint stands."""
    if row.paused_at:
        return "Paused"
    return "Failing" if row.failing_since else "Called"
