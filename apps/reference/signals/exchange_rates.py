"""Convert amounts to US dollars by reference rates of exchange.

DESIGN.md section 4, 2.7: thresholds are in USD, other currencies convert by dated reference rates,
by their peg if none is published, and a missing rate is a check that could not run.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import Q

from apps.reference.signals import ecb_parser, row_macs, services
from apps.reference.signals.models import Observation
from apps.reference.signals.pegs import Peg, find_peg
from apps.reference.signals.points import SAMPLE
from apps.reference.signals.readers.treasury_rates import CODES
from apps.reference.signals.series import Reading

EURO_SERIES_PREFIX, TREASURY_SERIES_PREFIX = "fx.eur.", "fx.treasury."
PEG, TREASURY = "PEG", "TREASURY"  # whose rate it is, beside the names of publishers of daily ones
SAMPLE_FILE = Path(__file__).resolve().parent / "sample" / "fx.csv"
# weekends, holidays and the longest closing of the bank, with some days to notice a failure
OLDEST_RATE = timedelta(days=10)
# a quarter, and some weeks until the next one's rates are out
OLDEST_QUARTERLY_RATE = timedelta(days=130)
DEPARTED = Decimal("0.05")  # a peg from which the Treasury's rate is further away has ended
SAMPLE_FROM = date(2026, 6, 1)  # older sample rates are there for histories alone
MICRO = Decimal("0.000001")


@dataclass(frozen=True, slots=True)
class UsdAmount:
    """An amount in US dollars (to a millionth), and the dollars for one unit of its currency."""

    amount_usd: Decimal
    rate: Decimal
    rate_date: date
    source: str


def convert_to_usd(
    *,
    amount: Decimal,
    currency: str,
    now: datetime,
    known_at: datetime | None = None,
    quarterly: bool = False,
) -> UsdAmount | None:
    """State an amount in US dollars by the newest rate that is at most ten days old.

    If none is published, a peg is used (signals/pegs.py), and with `quarterly` the US Treasury's
    rate of the quarter: good enough to compare an amount with a threshold, never to pay by. None if
    there is no such rate: then the amount could not be judged. `known_at` leaves out what was
    learnt later. Outside production the bundled sample is used where real rates are missing,
    whatever its age, and the source says SAMPLE.
    """
    if not isinstance(amount, Decimal):
        raise TypeError("an amount of money is a Decimal")
    if currency == "USD":
        return UsdAmount(amount.quantize(MICRO, ROUND_HALF_EVEN), Decimal(1), now.date(), "USD")
    usd_rate = _find_usd_rate(currency, now.date(), known_at, quarterly=quarterly)
    if usd_rate is None:
        return None
    dollars = (amount * usd_rate.rate).quantize(MICRO, ROUND_HALF_EVEN)
    return UsdAmount(dollars, usd_rate.rate, usd_rate.day, usd_rate.source)


def describe_missing_rate(currency: str, *, now: datetime, quarterly: bool = False) -> str:
    """Name the rates of a currency that were looked up where none is available."""
    peg = find_peg(currency, now.date())
    tied = ""
    if peg:
        departed = f"and its peg to {peg.anchor} no longer holds"
        tied = departed if peg.anchor == "USD" else f"nor one of {peg.anchor}, its anchor"
        tied = f", {tied}"
    text = f"No rate of {currency} from the last ten days is available{tied}"
    if quarterly:
        text += f", and none of the US Treasury of the last {OLDEST_QUARTERLY_RATE.days} days"
    return f"{text}."


@dataclass(frozen=True, slots=True)
class _UsdRate:
    """The dollars for one unit of a currency, of which day and by whom."""

    rate: Decimal
    day: date
    source: str


@dataclass(frozen=True, slots=True)
class _RateTable:
    """Usable rates: for one euro by source and day, and the Treasury's for one dollar by day."""

    euro: dict[tuple[str, date], dict[str, Decimal]]
    treasury: dict[date, Decimal]

    def crossed(self, currency: str, *, sample: bool) -> _UsdRate | None:
        """Return the newest published rate of a currency, over the euro; both of one day."""
        currencies = {"USD"} if currency == "EUR" else {"USD", currency}
        keys = (key for key in self.euro if (key[0] == SAMPLE) is sample)
        for source, day in sorted(keys, key=lambda key: key[1], reverse=True):
            row = self.euro[source, day]
            if currencies <= row.keys():
                # both rates are per euro: dollars per euro over units per euro are dollars per unit
                return _UsdRate(row["USD"] / row.get(currency, Decimal(1)), day, source)
        return None

    def of_quarter(self) -> _UsdRate | None:
        """Return the Treasury's newest rate."""
        if not self.treasury:
            return None
        day = max(self.treasury)
        # the Treasury states units for one dollar
        return _UsdRate(1 / self.treasury[day], day, TREASURY)

    def pegged(self, peg: Peg, today: date, *, sample: bool) -> _UsdRate | None:
        """Return the rate of a peg; None if its anchor has none, or if the peg has ended."""
        if peg.anchor == "USD":
            anchor = None if sample else _UsdRate(Decimal(1), today, PEG)
        else:
            anchor = self.crossed(peg.anchor, sample=sample)
        if anchor is None:
            return None
        rate, quarter = anchor.rate / peg.units, self.of_quarter()
        # a peg that ended shows in the Treasury's own rate before the table of pegs is corrected
        if quarter and abs(rate - quarter.rate) > DEPARTED * rate:
            return None
        return _UsdRate(rate, anchor.day, SAMPLE if sample else PEG)


def _find_usd_rate(
    currency: str, today: date, known_at: datetime | None, *, quarterly: bool
) -> _UsdRate | None:
    """Return the rate of a currency by the best source: published, peg, quarter, sample."""
    peg = find_peg(currency, today)
    table = _load_rate_table(
        {"USD", currency, peg.anchor if peg else "USD"}, currency, today, known_at
    )
    # the best source first; the sample only where nothing real is known
    for sample in (False, True):
        if usd_rate := table.crossed(currency, sample=sample):
            return usd_rate
        if peg and (usd_rate := table.pegged(peg, today, sample=sample)):
            return usd_rate
        if quarterly and not sample and (usd_rate := table.of_quarter()):
            return usd_rate
    return None


def _load_rate_table(
    currencies: set[str], currency: str, day: date, known_at: datetime | None
) -> _RateTable:
    """Return usable rates; of several vintages the last, in one query."""
    # real rates of the last ten days; in a sandbox the sample of any age as well
    usable = Q(observed_on__gte=day - OLDEST_RATE) & ~Q(source=SAMPLE)
    if not settings.PRODUCTION:
        usable |= Q(source=SAMPLE, observed_on__gte=SAMPLE_FROM)
    usable &= Q(series__in=[EURO_SERIES_PREFIX + code for code in currencies])
    if currency in CODES:
        usable |= Q(
            series=TREASURY_SERIES_PREFIX + currency, observed_on__gte=day - OLDEST_QUARTERLY_RATE
        )
    rows = Observation.objects.filter(usable, observed_on__lte=day)
    if known_at is not None:
        rows = rows.filter(vintage__lte=known_at)
    table = _RateTable({}, {})
    listed = rows.order_by("vintage").values_list(*row_macs.COLUMNS)
    # in the order of vintages, so that a later one replaces an earlier one
    for series, on, value, source, _, _ in row_macs.filter_proven_rows(listed):
        if series.startswith(TREASURY_SERIES_PREFIX):
            rates: dict[Any, Decimal] = table.treasury
            key: Any = on
        else:
            rates = table.euro.setdefault((source, on), {})
            key = series.removeprefix(EURO_SERIES_PREFIX)
        if value is None:  # its publisher took it back
            rates.pop(key, None)
        else:
            rates[key] = value
    return table


def record_rates(*, rates: Iterable[ecb_parser.Rate], source: str, now: datetime) -> int:
    """Keep rates; a value that is known already adds nothing. Returns how many rows are new."""
    return services.record_readings(readings=map(_build_reading, rates), source=source, now=now)


def _build_reading(rate: ecb_parser.Rate) -> Reading:
    return Reading(EURO_SERIES_PREFIX + rate.currency, rate.day, rate.per_euro)


def import_rates_file(*, path: Path, source: str, now: datetime) -> int:
    """Keep the rates of a file in the bank's format; returns how many rows are new."""
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return record_rates(
            rates=ecb_parser.parse_ecb_rates(stream, today=now.date()), source=source, now=now
        )
