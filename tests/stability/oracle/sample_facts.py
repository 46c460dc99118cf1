"""Facts of a calm and of a bad day, as the rules are given them."""

from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal

from apps.insight.stability.oracle.rules import series_names
from apps.insight.stability.oracle.rules.measures import Facts, SeriesValues

TODAY = date(2026, 11, 20)

# newest values of a day on which nothing strains; what is measured by its moves stands still
CALM: Mapping[str, str] = {
    series_names.USDT_PRICE: "1.0002",
    series_names.USDC_PRICE: "0.9999",
    series_names.USDT_CAP: "180",
    series_names.USDC_CAP: "70",
    series_names.DOLLAR: "121.5",
    series_names.CURVE: "0.62",
    series_names.BREAKEVEN: "2.3",
    series_names.FED_ASSETS: "6.6",
    series_names.GOLD: "2400",
    series_names.CPI: "2.9",
    series_names.INDEPENDENT: "2.7",
    series_names.EUR_USD: "1.15",
    series_names.USD_CNY: "7.1",
    series_names.USD_CHF: "0.8",
    series_names.USD_JPY: "155",
    series_names.USD_GBP: "0.75",
    series_names.FSI: "-1.9",
    series_names.FSI_CREDIT: "-0.8",
    series_names.FSI_FUNDING: "-0.2",
    series_names.FSI_EMERGING: "-0.3",
    series_names.NFCI: "-0.5",
    series_names.CISS: "0.06",
    series_names.EBP: "-0.2",
    series_names.EPU: "140",
    series_names.WTI: "70",
    series_names.GAS: "3",
    series_names.WHEAT: "250",
    series_names.WARMTH: "1.19",
    series_names.ENSO: "0.4",
    series_names.ICE: "9.5",
}


def seen(value: str, *, then: Mapping[int, str] | None = None) -> SeriesValues:
    """Return a series of today's value; `then` has values of so many days ago, else unchanged."""
    moved = then or {}
    ago = sorted({365, 91, 30, *moved}, reverse=True)
    past = [(TODAY - timedelta(days=days), Decimal(moved.get(days, value))) for days in ago]
    return SeriesValues(TODAY, Decimal(value), (*past, (TODAY, Decimal(value))))


def facts(*, without: tuple[str, ...] = (), **values: SeriesValues) -> Facts:
    """Return the facts of a calm day, with others for the named constants of rules/series.py."""
    named = {getattr(series_names, name): one for name, one in values.items()}
    found = {name: seen(value) for name, value in CALM.items() if name not in without}
    return found | named
