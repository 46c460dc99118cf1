"""The lists of orders and of transfers: what their addresses ask for, and one page by key."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet
from eth_utils.address import is_address, to_checksum_address

from apps.access import tenants
from apps.chain.assets import CHAINS, DECIMALS
from apps.chain.models import Order, Transfer
from apps.chain.orders import BadHash, hash_of
from apps.chain.pages.records import STATES, TONES
from apps.chain.projection import faults
from apps.desk import lists

LONGEST_TEXT = 140
TITLES = {one.caip2: one.title for one in CHAINS.values()}
NUMBERS = [one.chain_id for one in CHAINS.values()]
KINDS = {"settles": "Settles an order", "not": "Settles nothing", "gone": "Taken back"}


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedOrders(lists.Asked):
    """What the address asks of orders; what is unknown narrows nothing."""

    text: str = ""
    state: str = ""
    owner: str = ""
    chain: str = ""

    @classmethod
    def read(cls, query: Any) -> "AskedOrders":
        """Read a query string."""
        state, chain = query.get("state", ""), query.get("chain", "")
        return cls(
            text=query.get("text", "").strip()[:LONGEST_TEXT],
            state=state if state in STATES else "",
            owner=query.get("owner", "")[:80],
            chain=chain if chain in TITLES else "",
            after=lists.number_place(query.get("after", "")),
        )

    def orders(self) -> QuerySet[Order]:
        """Return the orders asked for, the newest first, behind the place of the address."""
        found = Order.objects.select_related("transfer")
        if self.text:
            found = found.filter(is_of(self.text))
        if self.state:
            found = found.filter(state=self.state)
        if self.owner:
            found = found.filter(owner=self.owner)
        if self.chain:
            found = found.filter(chain=self.chain)
        if self.after:
            found = found.filter(pk__lt=int(self.after))
        return found.order_by("-pk")


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedTransfers(lists.Asked):
    """What the address asks of transfers."""

    text: str = ""
    kind: str = ""

    @classmethod
    def read(cls, query: Any) -> "AskedTransfers":
        """Read a query string."""
        kind = query.get("kind", "")
        return cls(
            text=query.get("text", "").strip()[:LONGEST_TEXT],
            kind=kind if kind in KINDS else "",
            after=lists.number_place(query.get("after", "")),
        )

    def transfers(self) -> QuerySet[Transfer]:
        """Return the transfers asked for, those seen last first."""
        found = Transfer.objects.select_related("order")
        if self.text:
            found = found.filter(seen_as(self.text))
        if self.kind == "gone":
            found = found.filter(gone=True)
        elif self.kind:
            found = found.filter(order__isnull=self.kind == "not")
        if self.after:
            found = found.filter(pk__lt=int(self.after))
        return found.order_by("-pk")


def is_of(text: str) -> Q:
    """Return what finds orders: id, reference or transaction's hash, wallet paid."""
    if is_address(text):
        return Q(recipient=to_checksum_address(text))
    try:
        hashed = hash_of(text)
    except BadHash:
        return Q(order_id=_id(text))
    carried = Transfer.objects.filter(tx_hash=hashed, chain_id__in=NUMBERS)
    return Q(reference=hashed) | Q(named=hashed) | Q(transfer__in=carried.values("pk"))


def seen_as(text: str) -> Q:
    """Return what finds transfers: transaction's hash, wallet paid, id of the order."""
    if is_address(text):
        return Q(payee=text.lower())
    try:
        return Q(tx_hash=hash_of(text), chain_id__in=NUMBERS)
    except BadHash:
        return Q(order__order_id=_id(text))


def _id(text: str) -> uuid.UUID:
    """Return an order's id; one that is nobody's for a text that is none."""
    try:
        return uuid.UUID(text)
    except ValueError:
        return uuid.UUID(int=0)


@dataclass(frozen=True, slots=True)
class OrderRow:
    """One line of the list; `ours` is whether the order is as its last event has it."""

    order: Order
    ours: bool
    client: str
    state: str
    tone: str
    amount: str
    chain: str
    tx_hash: str


@dataclass(frozen=True, slots=True)
class TransferRow:
    """One line of the list of transfers."""

    transfer: Transfer
    order: Order | None
    amount: str
    chain: str
    state: str
    tone: str


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a list; `following` is the place of the next one, "" on the last."""

    rows: Sequence[OrderRow | TransferRow]
    following: str


def of_orders(asked: AskedOrders) -> Page:
    """Return one page of orders with their institutions; three queries."""
    shown, last = lists.cut(asked.orders())
    wrong = faults(shown)
    names = tenants.names({one.owner for one in shown})
    rows = [
        OrderRow(
            order=one,
            ours=one.pk not in wrong,
            client=names.get(one.owner, one.owner),
            state=STATES.get(one.state, one.state),
            tone=TONES.get(one.state, ""),
            amount=amount_of(one),
            chain=TITLES.get(one.chain, one.chain),
            tx_hash=one.transfer.tx_hash if one.transfer else one.named,
        )
        for one in shown
    ]
    return Page(rows, str(last.pk) if last else "")


def of_transfers(asked: AskedTransfers) -> Page:
    """Return one page of transfers with the orders that they settle; one query."""
    shown, last = lists.cut(asked.transfers())
    return Page(seen(shown), str(last.pk) if last else "")


def seen(shown: Sequence[Transfer]) -> list[TransferRow]:
    """Return transfers as they are drawn; their orders are read with them."""
    return [_seen(one) for one in shown]


def _seen(one: Transfer) -> TransferRow:
    order = getattr(one, "order", None)
    state, tone = ("Taken back", "bad") if one.gone else ("Settles an order", "ok")
    if order is None and not one.gone:
        state, tone = "Settles nothing", "warn"
    return TransferRow(one, order, units_of(one), _chain(one.chain_id), state, tone)


def amount_of(row: Order) -> str:
    """Return what is expected in words."""
    return f"{row.amount:,.2f} {row.asset}"


def units_of(row: Transfer) -> str:
    """Return what a transfer moved in words, by the token where it is one of the table."""
    chain = CHAINS.get(f"eip155:{row.chain_id}")
    known = {address.lower(): name for name, address in chain.assets.items()} if chain else {}
    whole, part = divmod(int(row.units), 10**DECIMALS)
    return f"{whole:,}.{part:0{DECIMALS}d} {known.get(row.asset_address, 'of another token')}"


def _chain(number: int) -> str:
    return TITLES.get(f"eip155:{number}", str(number))
