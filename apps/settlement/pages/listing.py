"""The list of settlements: what its address asks for, and one page of it by key."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from apps.access import tenants
from apps.desk import lists
from apps.registry.wallets import BadWallet, read
from apps.settlement.models import Settlement
from apps.settlement.pages.records import STATES, TONES
from apps.settlement.projection import faults

LONGEST_TEXT = 140
KINDS = {"real": "In production", "sandbox": "Rehearsals"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked(lists.Asked):
    """What the address asks for; what is unknown narrows nothing."""

    text: str = ""
    state: str = ""
    owner: str = ""
    kind: str = ""

    @classmethod
    def read(cls, query: Any) -> "Asked":
        """Read a query string."""
        state, kind = query.get("state", ""), query.get("kind", "")
        return cls(
            text=query.get("text", "").strip()[:LONGEST_TEXT],
            state=state if state in STATES else "",
            owner=query.get("owner", "")[:80],
            kind=kind if kind in KINDS else "",
            after=lists.number_place(query.get("after", "")),
        )

    def settlements(self) -> QuerySet[Settlement]:
        """Return the settlements asked for, the newest first, behind the place of the address."""
        found = Settlement.objects.all()
        if self.text:
            found = found.filter(is_of(self.text))
        if self.state:
            found = found.filter(state=self.state)
        if self.owner:
            found = found.filter(owner=self.owner)
        if self.kind:
            found = found.filter(sandbox=self.kind == "sandbox")
        if self.after:
            found = found.filter(pk__lt=int(self.after))
        return found.order_by("-pk")


def is_of(text: str) -> Q:
    """Return what finds settlements: reference, id, hash, wallet."""
    found = Q(reference=text) | Q(settlement_id=text)
    if len(text) > 40:
        found |= Q(tx_hash=text)
    try:
        return found | Q(recipient=read(text).address)
    except BadWallet:
        return found


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the list; `ours` is whether the settlement is as its last event has it."""

    settlement: Settlement
    ours: bool
    client: str
    state: str
    tone: str
    amount: str


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the list; `following` is the place of the next one, "" on the last."""

    rows: list[Row]
    following: str


def page(asked: Asked) -> Page:
    """Return one page of settlements with their institutions; three queries."""
    shown, last = lists.cut(asked.settlements())
    return Page(rows(shown), str(last.pk) if last else "")


def rows(shown: Sequence[Settlement]) -> list[Row]:
    """Return settlements as they are drawn; two queries, however many."""
    wrong = faults(list(shown))
    names = tenants.names({one.owner for one in shown})
    return [
        Row(
            settlement=one,
            ours=one.pk not in wrong,
            client=names.get(one.owner, "without a key"),
            state=STATES.get(one.state, one.state),
            tone=TONES.get(one.state, ""),
            amount=amount_of(one),
        )
        for one in shown
    ]


def amount_of(row: Settlement) -> str:
    """Return what was asked for in words."""
    return f"{row.amount:,.2f} {row.source}"
