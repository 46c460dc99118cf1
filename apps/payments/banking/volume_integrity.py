"""Verify the settled volume of each institution and month: it sets the volume tier of fees."""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date, datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import Min

from apps.payments.banking.models import BankEvent, BankTransaction
from apps.payments.payments.models import MonthVolume, Payment
from apps.payments.payments.services.pricing import first_day_of_month
from apps.payments.settlement.models import Settlement
from apps.platform.common.money import from_micro, to_micro

AT_ONCE = 500
OwnerMonth = tuple[str, date]


def compare_month_volumes(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield in words the months whose volume is not the sum of their settlements."""
    settled = _sum_settled()
    stored_volumes = {(row.owner, row.month): row.settled_usd for row in MonthVolume.objects.all()}
    for owner, month in sorted({*settled, *stored_volumes}):
        if stored_volumes.get((owner, month), Decimal(0)) != _settled_usd(settled, owner, month):
            # a settlement may have come between the two reads: look again under a lock
            yield from _find_volume_faults(owner, month)
    progress(len(stored_volumes))


@transaction.atomic
def _find_volume_faults(owner: str, month: date) -> list[str]:
    # counting is the last write of every settlement, so none commits unseen while this lock is held
    row = MonthVolume.objects.select_for_update().filter(owner=owner, month=month).first()
    settled_usd = row.settled_usd if row else Decimal(0)
    settled = _settled_usd(_sum_settled(owner), owner, month)
    if settled_usd == settled:
        return []
    return [f"the volume of {owner} in {month:%b %Y} is {settled_usd}, but {settled} was settled"]


def _settled_usd(settled: Counter[OwnerMonth], owner: str, month: date) -> Decimal:
    return from_micro(settled[owner, month])


def _sum_settled(owner: str | None = None) -> Counter[OwnerMonth]:
    """Return in micro-USD what settled by owner and month, as payments.pricing counts it."""
    of = {} if owner is None else {"owner": owner}
    settled: Counter[OwnerMonth] = Counter()

    def add(whose: str, usd: Decimal, at: datetime | None) -> None:
        if at is not None:
            settled[whose, first_day_of_month(at)] += to_micro(usd)

    payments = Payment.objects.filter(state="SETTLED", **of)
    for whose, price, at in payments.values_list("owner", "price", "settled_at").iterator(AT_ONCE):
        add(whose, Decimal(price["amountUsd"]), at)
    rows = Settlement.objects.filter(state="SETTLED", sandbox=False, **of)
    for whose, usd, at in rows.values_list("owner", "amount_usd", "settled_at").iterator(AT_ONCE):
        add(whose, usd or Decimal(0), at)
    # the first final transfer of a bank payment counts, whatever the chain took back later
    finals = BankEvent.objects.filter(
        event="FINAL", subject__startswith=f"{BankTransaction.THING}:"
    ).order_by()
    counted = dict(finals.values_list("subject").annotate(first=Min("recorded_at")))
    for row in BankTransaction.objects.filter(**of).iterator(AT_ONCE):
        add(row.owner, row.amount or Decimal(0), counted.get(row.subject))
    return settled
