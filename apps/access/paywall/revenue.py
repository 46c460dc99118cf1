"""Revenue from payments, month by month (UTC), counted from the receipts."""

import calendar
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal

from django.db.models import Count, Sum
from django.db.models.functions import TruncDate
from django.urls import reverse

from apps.access.paywall.labels import format_usdc, get_resource_label
from apps.access.paywall.models import PaymentClaim, Receipt
from apps.platform.common.batches import iter_chunks
from apps.platform.common.clock import format_utc
from apps.platform.common.money import to_micro
from apps.platform.desk.export_registry import BATCH, Export, ExportRequest, Row
from apps.platform.desk.view_guards import FIRST_YEAR, LAST_YEAR
from apps.platform.ledger.verification.verified_reads import filter_verified_records

MONTHS_SHOWN = 12


@dataclass(frozen=True, slots=True)
class ResourceRevenue:
    """The revenue of one resource: number of payments and their sum."""

    resource: str
    payments: int
    amount: Decimal

    @property
    def bought(self) -> str:
        """The name of the resource."""
        return get_resource_label(self.resource)


@dataclass(frozen=True, slots=True)
class MonthlyRevenue:
    """The revenue of a month: lines by resource, and number and sum of payments per day.

    `owed` is the amount to be refunded, `unanswered` the amount that came and bought nothing yet,
    in `waiting` payments.
    """

    month: str
    lines: tuple[ResourceRevenue, ...]
    labels: tuple[str, ...]
    payments: tuple[int, ...]
    amounts: tuple[Decimal, ...]
    owed: Decimal
    unanswered: Decimal
    waiting: int

    @property
    def last_day(self) -> str:
        """The last day of the month as YYYY-MM-DD."""
        return f"{self.month}-{len(self.labels):02}"

    @property
    def total(self) -> Decimal:
        """The sum of all payments of the month."""
        return sum((line.amount for line in self.lines), Decimal(0))

    @property
    def count(self) -> int:
        """The number of payments."""
        return sum(line.payments for line in self.lines)

    @property
    def days(self) -> list[tuple[str, int, Decimal]]:
        """The days as rows of a table."""
        return list(zip(self.labels, self.payments, self.amounts, strict=True))

    def bars(self) -> list[tuple[str, int, str, str]]:
        """Return a bar for each resource, by its revenue."""
        place = reverse("admin:paywall_paymentclaim_changelist")
        return [
            (line.bought, to_micro(line.amount), f"{format_usdc(line.amount)} USDC",
             f"{place}?resource={line.resource}")
            for line in self.lines
        ]  # fmt: skip

    def columns(self) -> tuple[str, list[int], list[str]]:
        """Return a column for each day, by its number of payments."""
        place = reverse("admin:paywall_paymentclaim_changelist")
        year, month = self.month.split("-")
        at = f"{place}?claimed_at__year={int(year)}&claimed_at__month={int(month)}&claimed_at__day="
        addresses = [f"{at}{day + 1}" for day in range(len(self.labels))]
        return ("in", list(self.payments), addresses)


def is_month(text: str) -> bool:
    """Tell whether a text is a month that records can have."""
    year, dash, month = text.partition("-")
    digits = len(year) == 4 and len(month) == 2 and (year + month).isascii()
    if not (dash and digits and (year + month).isdigit()):
        return False
    return FIRST_YEAR <= int(year) <= LAST_YEAR and 1 <= int(month) <= 12


def list_revenue_months() -> list[str]:
    """Return the latest months that have receipts, newest first."""
    receipts = Receipt.objects.dates("recorded_at", "month", order="DESC")[:MONTHS_SHOWN]
    return [f"{day:%Y-%m}" for day in receipts]


def load_monthly_revenue(month: str) -> MonthlyRevenue:
    """Load one month (YYYY-MM): three queries over its receipts, one over what waits."""
    year, number = (int(part) for part in month.split("-"))
    length = calendar.monthrange(year, number)[1]
    since = datetime(year, number, 1, tzinfo=UTC)
    # the first moment of the next month, exclusive
    until = datetime(year + number // 12, number % 12 + 1, 1, tzinfo=UTC)
    receipts = Receipt.objects.filter(recorded_at__gte=since, recorded_at__lt=until).order_by()
    paid = receipts.filter(kind=Receipt.Kind.PAYMENT)
    lines = paid.values_list("resource").annotate(Count("pk"), taken=Sum("amount"))
    # days in UTC, as the bounds above
    by_day = {
        day.day: (count, amount)
        for day, count, amount in paid.annotate(day=TruncDate("recorded_at", tzinfo=UTC))
        .values_list("day")
        .annotate(Count("pk"), Sum("amount"))
    }
    # a column for each day, those without payments too
    days = [by_day.get(day + 1, (0, Decimal(0))) for day in range(length)]
    owed = receipts.filter(kind=Receipt.Kind.REFUND_DUE).aggregate(owed=Sum("amount"))["owed"]
    unanswered = PaymentClaim.objects.unanswered()
    waiting = unanswered.filter(settled_at__gte=since, settled_at__lt=until).aggregate(
        waits=Sum("amount"), count=Count("pk")
    )
    return MonthlyRevenue(
        month=month,
        lines=tuple(
            sorted((ResourceRevenue(*row) for row in lines), key=lambda revenue: -revenue.amount)
        ),
        labels=tuple(str(day + 1) for day in range(length)),
        payments=tuple(count for count, _ in days),
        amounts=tuple(amount for _, amount in days),
        owed=owed or Decimal(0),
        unanswered=waiting["waits"] or Decimal(0),
        waiting=waiting["count"],
    )


def _iterate_receipt_rows(export_request: ExportRequest) -> Iterator[Row]:
    """Yield each authentic receipt."""
    receipts = Receipt.objects.filter(
        recorded_at__gte=export_request.since, recorded_at__lt=export_request.until
    )
    for batch in iter_chunks(receipts.order_by("pk").iterator(BATCH), BATCH):
        for receipt in filter_verified_records(batch):
            data = receipt.data
            yield (
                receipt.pk,
                format_utc(receipt.recorded_at),
                receipt.kind,
                receipt.resource,
                str(receipt.amount),
                receipt.network,
                receipt.facilitator,
                receipt.transaction,
                data.get("payer", ""),
                data.get("payTo", ""),
                receipt.claim_id,
            )


RECEIPTS = Export(
    "Receipts of payments, and session balances owed back",
    "receipts",
    (
        "receipt", "at", "kind", "resource", "amount USDC", "network", "facilitator", "transaction",
        "payer", "paid to", "payment",
    ),
    _iterate_receipt_rows,
)  # fmt: skip
