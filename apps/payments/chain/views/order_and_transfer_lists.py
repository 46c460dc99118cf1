"""The lists of orders and of transfers: what their addresses ask for, and one page by key."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from eth_utils.address import is_address, to_checksum_address

from apps.access.keys import tenant_names
from apps.payments.chain.assets import CHAINS, DECIMALS
from apps.payments.chain.case_links import STATE_LABELS, TONES
from apps.payments.chain.expected_transfers import InvalidHash, parse_transaction_hash
from apps.payments.chain.integrity import find_order_faults
from apps.payments.chain.models import Order, Transfer
from apps.platform.common.uuids import parse_uuid
from apps.platform.desk import list_pages

LONGEST_TEXT = 140
# no order has this id: a text that is no id finds nothing
NOBODYS = uuid.UUID(int=0)
CHAIN_TITLES = {chain.caip2: chain.title for chain in CHAINS.values()}
CHAIN_IDS = [chain.chain_id for chain in CHAINS.values()]
KINDS = {"settles": "Settles an order", "not": "No settlement", "gone": "Reversed"}


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderListQuery(list_pages.ListQuery):
    """What the address asks of orders; what is unknown narrows nothing."""

    text: str = list_pages.text_field(LONGEST_TEXT)
    state: str = list_pages.choice_field(STATE_LABELS)
    owner: str = list_pages.value_field(80)
    chain: str = list_pages.choice_field(CHAIN_TITLES)

    def orders(self) -> QuerySet[Order]:
        """Return the requested orders, the newest first, after the cursor of the address."""
        orders = Order.objects.select_related("transfer")
        rows = self.narrow(orders, "state", "owner", "chain")
        if self.text:
            rows = rows.filter(order_search_filter(self.text))
        return self.behind(rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferListQuery(list_pages.ListQuery):
    """What the address asks of transfers."""

    text: str = list_pages.text_field(LONGEST_TEXT)
    kind: str = list_pages.choice_field(KINDS)

    def transfers(self) -> QuerySet[Transfer]:
        """Return the requested transfers, the most recently seen first."""
        rows = Transfer.objects.select_related("order")
        if self.text:
            rows = rows.filter(transfer_search_filter(self.text))
        if self.kind == "gone":
            rows = rows.filter(gone=True)
        elif self.kind:
            rows = rows.filter(order__isnull=self.kind == "not")
        return self.behind(rows)


def order_search_filter(text: str) -> Q:
    """Return what finds orders: id, reference or transaction's hash, wallet paid."""
    # addresses of orders are stored in EIP-55 form, those of transfers in lower case
    if is_address(text):
        return Q(recipient=to_checksum_address(text))
    try:
        hashed = parse_transaction_hash(text)
    except InvalidHash:
        return Q(order_id=parse_uuid(text) or NOBODYS)
    carried = Transfer.objects.filter(tx_hash=hashed, chain_id__in=CHAIN_IDS)
    return Q(reference=hashed) | Q(named=hashed) | Q(transfer__in=carried.values("pk"))


def transfer_search_filter(text: str) -> Q:
    """Return what finds transfers: transaction's hash, wallet paid, id of the order."""
    if is_address(text):
        return Q(payee=text.lower())
    try:
        return Q(tx_hash=parse_transaction_hash(text), chain_id__in=CHAIN_IDS)
    except InvalidHash:
        return Q(order__order_id=parse_uuid(text) or NOBODYS)


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


def build_order_page(query: OrderListQuery) -> list_pages.ListPage:
    """Return one page of orders with their institutions; three queries."""
    shown, last = list_pages.take_page(query.orders())
    wrong = find_order_faults(shown)
    names = tenant_names.load_tenant_names({order.owner for order in shown})
    rows = [
        OrderRow(
            order=order,
            ours=order.pk not in wrong,
            client=names.get(order.owner, order.owner),
            state=STATE_LABELS.get(order.state, order.state),
            tone=TONES.get(order.state, ""),
            amount=format_order_amount(order),
            chain=CHAIN_TITLES.get(order.chain, order.chain),
            tx_hash=order.transfer.tx_hash if order.transfer else order.named,
        )
        for order in shown
    ]
    return list_pages.build_list_page(rows, last)


def build_transfer_page(query: TransferListQuery) -> list_pages.ListPage:
    """Return one page of transfers with the orders that they settle; one query."""
    shown, last = list_pages.take_page(query.transfers())
    return list_pages.build_list_page(build_transfer_rows(shown), last)


def build_transfer_rows(shown: Sequence[Transfer]) -> list[TransferRow]:
    """Return transfers as they are drawn; their orders are read with them."""
    return [_build_transfer_row(transfer) for transfer in shown]


def _build_transfer_row(transfer: Transfer) -> TransferRow:
    order = getattr(transfer, "order", None)
    state, tone = ("Reversed", "bad") if transfer.gone else ("Settles an order", "ok")
    if order is None and not transfer.gone:
        state, tone = "No settlement", "warn"
    return TransferRow(
        transfer,
        order,
        format_transfer_amount(transfer),
        CHAIN_TITLES.get(f"eip155:{transfer.chain_id}", str(transfer.chain_id)),
        state,
        tone,
    )


def format_order_amount(row: Order) -> str:
    """Return what is expected in words."""
    return f"{row.amount:,.2f} {row.asset}"


def format_transfer_amount(row: Transfer) -> str:
    """Return what a transfer moved in words, by the token where it is one of the table."""
    chain = CHAINS.get(f"eip155:{row.chain_id}")
    known = {address.lower(): name for name, address in chain.assets.items()} if chain else {}
    whole, part = divmod(int(row.units), 10**DECIMALS)
    return f"{whole:,}.{part:0{DECIMALS}d} {known.get(row.asset_address, 'of another token')}"
