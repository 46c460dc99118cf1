"""Compares what we think with the bank's statement, and the chain's, once a day.

A run may be repeated: a difference has one case, however often it is found.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db import transaction

from apps.banking import adapter
from apps.banking.cases import differs
from apps.banking.models import BankTransaction, Delivery, Send, StatementRun
from apps.banking.rules.reconciling import CHAIN, Difference, Entry, Held, differences
from apps.chain import orders
from apps.core.written import in_decimals
from apps.upstreams.http import UpstreamError

BACK = timedelta(days=7)
# what was sent a moment ago may not stand on the statement yet
SETTLED_AFTER = timedelta(hours=1)


def reconcile(key: str, now: datetime) -> None:
    """Compare each account; the job `banking.reconcile`. UpstreamError where the bank is away."""
    if not adapter.address():
        return
    for account in adapter.accounts():
        compare(str(account.get("id", "")), now=now)


def compare(account: str, *, now: datetime) -> StatementRun:
    """Compare one account over the last days, open cases and record it."""
    since, until = (now - BACK).date(), now.date()
    entries = [_entry(one) for one in adapter.transactions(account, since=since, until=until)]
    held = list(_held(account, now))
    known = [one.bank_id for one in entries]
    told = Delivery.objects.filter(resource_type="transaction", resource_id__in=known)
    sent = Send.objects.filter(bank_id__in=known)
    found = differences(
        held,
        entries,
        told=[*told.values_list("resource_id", flat=True), *sent.values_list("bank_id", flat=True)],
    )
    found += _of_chain()
    with transaction.atomic():
        for one in found:
            differs(one, account=account, now=now)
        run: StatementRun = StatementRun.write(
            payload={"differences": [_row(one) for one in found]},
            now=now,
            account_id=account[:100],
            since=since,
            until=until,
            entries=len(entries),
            ours=len(held),
            differences=len(found),
        )
    return run


def _entry(one: Mapping[str, Any]) -> Entry:
    bank_id, amount = one.get("id"), one.get("amount")
    known = isinstance(amount, int | Decimal) and not isinstance(amount, bool)
    if not isinstance(bank_id, str) or not known:
        raise UpstreamError("bank: a line of the statement cannot be read", permanent=True)
    status, note = str(one.get("status", "")), str(one.get("note") or "")
    return Entry(bank_id[:100], Decimal(amount), status, note)  # type: ignore[arg-type]


def _held(account: str, now: datetime) -> Iterable[Held]:
    """Yield what we sent from an account in that time, as the statement should have it."""
    sent = Send.objects.filter(
        state="SENT",
        account_id=account,
        sent_at__gte=now - BACK,
        sent_at__lte=now - SETTLED_AFTER,
    )
    for one in sent.iterator(500):
        yield Held(one.bank_id, -one.amount, one.note)


def _of_chain() -> list[Difference]:
    """Return payments that count as settled, of which the chain says otherwise."""
    settled = BankTransaction.objects.filter(state="SETTLED").only("order_id", "resource_id")
    return [
        Difference(CHAIN, one.resource_id)
        for one in settled.iterator(500)
        if not _final(one.order_id)
    ]


def _final(order_id: Any) -> bool:
    try:
        return orders.standing(order_id).state == "FINAL"
    except orders.NoOrder:
        return False


def _row(one: Difference) -> dict[str, str]:
    amounts = {"ours": one.ours, "theirs": one.theirs}
    told = {name: in_decimals(value) for name, value in amounts.items() if value is not None}
    return {"code": one.kind.code, "transaction": one.bank_id} | told
