"""Reference rates of exchange: fetched, and used to state an amount in US dollars.

DESIGN.md section 4, 2.7: thresholds are in USD, other currencies convert by dated reference
rates, and no rate is a check that could not run.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path

from django.conf import settings
from django.db.models import Q

from apps.signals import ecb, loading, proofs
from apps.signals.models import Observation
from apps.signals.points import SAMPLE as SAMPLE
from apps.signals.series import Reading

SERIES = "fx.eur."
SAMPLE_FILE = Path(__file__).resolve().parent / "sample" / "fx.csv"
# weekends, holidays and the longest closing of the bank, with some days to notice a failure
OLDEST = timedelta(days=10)
SAMPLED = date(2026, 6, 1)  # older sample rates are there for histories alone
MICRO = Decimal("0.000001")


@dataclass(frozen=True, slots=True)
class Converted:
    """An amount in US dollars (to a millionth), and the dollars for one unit of its currency."""

    amount_usd: Decimal
    rate: Decimal
    rate_date: date
    source: str


def to_usd(
    *, amount: Decimal, currency: str, now: datetime, known_at: datetime | None = None
) -> Converted | None:
    """State an amount in US dollars by the newest rate that is at most ten days old.

    None when there is no such rate: then the amount could not be judged. `known_at` leaves
    out what was learnt later. Outside production the bundled sample serves where real rates
    are missing, whatever its age, and says SAMPLE.
    """
    if not isinstance(amount, Decimal):
        raise TypeError("an amount of money is a Decimal")
    if currency == "USD":
        return Converted(amount.quantize(MICRO, ROUND_HALF_EVEN), Decimal(1), now.date(), "USD")
    wanted = {"USD"} if currency == "EUR" else {"USD", currency}
    table = _table(wanted, now.date(), known_at)
    for source, day in sorted(table, key=lambda key: (key[0] != SAMPLE, key[1]), reverse=True):
        row = table[source, day]
        if wanted <= row.keys():
            rate = row["USD"] / row.get(currency, Decimal(1))
            dollars = (amount * rate).quantize(MICRO, ROUND_HALF_EVEN)
            return Converted(dollars, rate, day, source)
    return None


def _table(
    currencies: set[str], day: date, known_at: datetime | None
) -> dict[tuple[str, date], dict[str, Decimal]]:
    """Return usable rates by source and day; of several vintages the last, in one query."""
    usable = Q(observed_on__gte=day - OLDEST) & ~Q(source=SAMPLE)
    if not settings.PRODUCTION:
        usable |= Q(source=SAMPLE, observed_on__gte=SAMPLED)
    rows = Observation.objects.filter(
        usable, series__in=[SERIES + currency for currency in currencies], observed_on__lte=day
    )
    if known_at is not None:
        rows = rows.filter(vintage__lte=known_at)
    table: dict[tuple[str, date], dict[str, Decimal]] = {}
    listed = rows.order_by("vintage").values_list(*proofs.COLUMNS)
    for series, on, value, source, _, _ in proofs.proven(listed):
        day_of = table.setdefault((source, on), {})
        if value is None:  # the bank took it back
            day_of.pop(series.removeprefix(SERIES), None)
        else:
            day_of[series.removeprefix(SERIES)] = value
    return table


def record(*, rates: Iterable[ecb.Rate], source: str, now: datetime) -> int:
    """Keep rates; a value that is known already adds nothing. Returns how many rows are new."""
    return loading.record(readings=map(_reading, rates), source=source, now=now)


def _reading(rate: ecb.Rate) -> Reading:
    return Reading(SERIES + rate.currency, rate.day, rate.per_euro)


def from_file(*, path: Path, source: str, now: datetime) -> int:
    """Keep the rates of a file in the bank's format; returns how many rows are new."""
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return record(rates=ecb.parse(stream, today=now.date()), source=source, now=now)
