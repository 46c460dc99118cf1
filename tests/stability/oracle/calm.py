"""Facts of a calm and of a bad day, as the rules are given them."""

from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal

from apps.stability.oracle.rules import series
from apps.stability.oracle.rules.measures import Facts, Seen

TODAY = date(2026, 11, 20)

# newest values of a day on which nothing strains; what is measured by its moves stands still
CALM: Mapping[str, str] = {
    series.USDT_PRICE: "1.0002",
    series.USDC_PRICE: "0.9999",
    series.USDT_CAP: "180",
    series.USDC_CAP: "70",
    series.DOLLAR: "121.5",
    series.CURVE: "0.62",
    series.BREAKEVEN: "2.3",
    series.FED_ASSETS: "6.6",
    series.GOLD: "2400",
    series.CPI: "2.9",
    series.INDEPENDENT: "2.7",
    series.EUR_USD: "1.15",
    series.USD_CNY: "7.1",
    series.USD_CHF: "0.8",
    series.USD_JPY: "155",
    series.USD_GBP: "0.75",
    series.FSI: "-1.9",
    series.FSI_CREDIT: "-0.8",
    series.FSI_FUNDING: "-0.2",
    series.FSI_EMERGING: "-0.3",
    series.NFCI: "-0.5",
    series.CISS: "0.06",
    series.EBP: "-0.2",
    series.EPU: "140",
    series.WTI: "70",
    series.GAS: "3",
    series.WHEAT: "250",
    series.WARMTH: "1.19",
    series.ENSO: "0.4",
    series.ICE: "9.5",
}


def seen(value: str, *, then: Mapping[int, str] | None = None) -> Seen:
    """Return a series of today's value; `then` has values of so many days ago, else unchanged."""
    moved = then or {}
    ago = sorted({365, 91, 30, *moved}, reverse=True)
    past = [(TODAY - timedelta(days=days), Decimal(moved.get(days, value))) for days in ago]
    return Seen(TODAY, Decimal(value), (*past, (TODAY, Decimal(value))))


def facts(*, without: tuple[str, ...] = (), **values: Seen) -> Facts:
    """Return the facts of a calm day, with others for the named constants of rules/series.py."""
    named = {getattr(series, name): one for name, one in values.items()}
    found = {name: seen(value) for name, value in CALM.items() if name not in without}
    return found | named
