"""Compares what we think with the bank's statements, and with the chain's transfers, once a day.

A run may be repeated: a difference has one case, however often it is found.
"""

import logging
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from decimal import Decimal

from django.db import transaction
from django.db.models import Exists, OuterRef

from apps.banking import adapter
from apps.banking.cases import differs, known_undone
from apps.banking.models import BankTransaction, Delivery, Send, StatementRun
from apps.banking.rules.lifecycle import LEFT
from apps.banking.rules.reconciling import (
    Difference,
    Held,
    Known,
    differences,
    of_chain,
    of_routed,
)
from apps.banking.rules.routing import WENT
from apps.banking.rules.statements import Entry, Unread, line
from apps.chain.assets import CHAINS
from apps.chain.models import Order, Transfer
from apps.chain.nodes import urls_of
from apps.core.batches import chunks
from apps.core.written import in_decimals
from apps.settlement.rules.routes import CHAIN
from apps.upstreams.http import UpstreamError

logger = logging.getLogger(__name__)
BACK = timedelta(days=7)
# what was sent or became final a moment ago may not stand on the other side yet
SETTLED_AFTER = timedelta(hours=1)
AT_ONCE = 500
DAY = timedelta(days=1)
OVER = ("RETURNED", "FAILED")
NO_NODE = "no node of the chain is configured (EVM_RPC_URL)."
# an order is open for seven days, and is told late for as long; then the chain calls it final
ROUTED_BACK = timedelta(days=21)
ROUTED = "what was routed"  # the run that holds it against all accounts


def reconcile(key: str, now: datetime) -> None:
    """Compare the chain and each account; the job `banking.reconcile`.

    An account that cannot be read keeps no other from being compared; UpstreamError at the end,
    so that it is tried again.
    """
    compare_chain(now=now)
    if not adapter.address():
        return
    missed, read = [], list[Entry | Unread]()
    for one in adapter.accounts():
        account = str(one.get("id", ""))
        try:
            lines = _lines(account, now)
        except UpstreamError as error:
            logger.warning("the statement of account %s could not be read: %s", account, error)
            missed.append(account)
            continue
        _compared(account, lines, now)
        read += lines
    compare_routed(read, whole=not missed, now=now)
    if missed:
        raise UpstreamError(f"bank: {len(missed)} statements could not be read")


def compare(account: str, *, now: datetime) -> StatementRun:
    """Compare one account over the last days, open cases and record it."""
    return _compared(account, _lines(account, now), now)


def _lines(account: str, now: datetime) -> list[Entry | Unread]:
    since, until = (now - BACK).date(), now.date()
    return [line(one) for one in adapter.transactions(account, since=since, until=until)]


def _compared(account: str, lines: Sequence[Entry | Unread], now: datetime) -> StatementRun:
    held = list(_held(account, now))
    found = differences(held, lines, known=_known(account, lines, now))
    return _kept(account, found, read=len(lines), ours=len(held), now=now)


def _known(account: str, lines: Sequence[Entry | Unread], now: datetime) -> Known:
    ids = [one.bank_id for one in lines if isinstance(one, Entry)]
    told = Delivery.objects.filter(resource_type="transaction", resource_id__in=ids)
    sent = Send.objects.filter(bank_id__in=ids)
    doubted = Send.objects.filter(
        unclear=True,
        bank_id="",
        account_id=account,
        asked_at__range=(now - BACK, now - SETTLED_AFTER),
    )
    return Known(
        paid=frozenset(sent.values_list("bank_id", flat=True)),
        told=frozenset(told.values_list("resource_id", flat=True)),
        doubted=frozenset(-one for one in doubted.values_list("amount", flat=True)),
    )


def compare_routed(lines: Sequence[Entry | Unread], *, whole: bool, now: datetime) -> StatementRun:
    """Compare what was routed by what the bank told with the lines of all accounts.

    Unless they are the `whole` of them, what has no line says nothing. What we sent ourselves is
    held against its own account.
    """
    named = {one.bank_id for one in lines if isinstance(one, Entry)}
    held = [one for one in _routed(now) if whole or one.bank_id in named]
    found = of_routed(held, lines)
    return _kept(ROUTED, found, read=len(lines), ours=len(held), now=now)


def _routed(now: datetime) -> Iterator[Held]:
    """Yield what was routed in that time and is no payment of ours, as a statement has it."""
    told = BankTransaction.objects.filter(
        state__in=WENT, seen_at__gte=now - BACK + DAY, seen_at__lte=now - SETTLED_AFTER
    )
    paid = Send.objects.filter(bank_id=OuterRef("resource_id"))
    rows = told.exclude(Exists(paid)).order_by("pk")
    for piece in chunks(rows.iterator(AT_ONCE), AT_ONCE):
        undone = known_undone(piece)
        for one in piece:
            amount = one.amount or Decimal(0)
            yield Held(one.resource_id, amount, over=one.resource_id in undone)


def compare_chain(*, now: datetime) -> StatementRun:
    """Compare what counts as settled with the chain's orders, and its transfers with ours.

    `entries` of the run are the transfers that the chain has, by what its nodes told the watcher.
    Without a node nobody told anything: the run says that nothing was compared. What was routed so
    long ago that its transfer is over and for good is not looked at again.
    """
    if not urls_of(CHAINS[CHAIN]):
        return _kept(CHAIN, (), read=0, ours=0, now=now, missed=NO_NODE)
    seen, settled = 0, dict[str, bool]()
    lately = BankTransaction.objects.filter(state__in=WENT, seen_at__gte=now - ROUTED_BACK)
    for piece in chunks(lately.order_by("pk").iterator(AT_ONCE), AT_ONCE):
        seen += len(piece)
        settled |= _apart(piece, now)
    came = Transfer.objects.filter(gone=False, block_time__gte=now - BACK)
    strays = came.filter(order=None)
    names = [f"{one.tx_hash}:{one.log_index}"[:100] for one in strays.iterator(AT_ONCE)]
    found = of_chain(settled=settled, strays=names)
    return _kept(CHAIN, found, read=came.count(), ours=seen, now=now)


def _apart(rows: Sequence[BankTransaction], now: datetime) -> dict[str, bool]:
    """Return payments of which the chain says otherwise, and whether they count as settled."""
    orders = Order.objects.filter(order_id__in=[one.order_id for one in rows], state="FINAL")
    final = dict(orders.values_list("order_id", "changed_at"))
    wrong = {one.resource_id: True for one in rows if _settled(one) and one.order_id not in final}
    late = now - SETTLED_AFTER
    return wrong | {
        one.resource_id: False
        for one in rows
        if not _settled(one) and one.order_id in final and final[one.order_id] <= late
    }


def _settled(row: BankTransaction) -> bool:
    return row.state == "SETTLED"


def _held(account: str, now: datetime) -> Iterator[Held]:
    """Yield what the bank took from an account in that time, as the statement should have it."""
    sent = Send.objects.filter(
        state__in=LEFT,
        account_id=account,
        sent_at__gte=now - BACK,
        sent_at__lte=now - SETTLED_AFTER,
    )
    for one in sent.iterator(AT_ONCE):
        yield Held(one.bank_id, -one.amount, one.note, one.state in OVER)


@transaction.atomic
def _kept(
    of: str,
    found: Sequence[Difference],
    *,
    read: int,
    ours: int,
    now: datetime,
    missed: str = "",
) -> StatementRun:
    """Open the cases of a comparison and record it; `missed` says why nothing was compared."""
    for one in found:
        differs(one, account=of, now=now)
    run: StatementRun = StatementRun.write(
        payload={"differences": [_row(one) for one in found]}
        | ({"notCompared": missed} if missed else {}),
        now=now,
        account_id=of[:100],
        since=(now - BACK).date(),
        until=now.date(),
        entries=read,
        ours=ours,
        differences=len(found),
    )
    return run


def _row(one: Difference) -> dict[str, str]:
    amounts = {"ours": one.ours, "theirs": one.theirs}
    told = {name: in_decimals(value) for name, value in amounts.items() if value is not None}
    return {"code": one.kind.code, "transaction": one.bank_id} | told
