"""The table of series: one row per series, or per family such as `fx.eur.*`.

A further series of a known file is a row here; one of a new file also needs a row of `FEEDS`, and
one of a new format a reader (signals/readers). `manage.py check` validates the tables
(apps/reference/signals/checks.py).
"""

from datetime import date

from apps.reference.signals.series import (
    earth,
    growing_regions,
    land,
    money,
    swings,
    trade,
    world_economy,
)
from apps.reference.signals.series.definitions import Feed, Reading, Series, plausible_range
from apps.reference.signals.series.feeds import FEEDS

__all__ = ["FEEDS", "SERIES", "Feed", "Reading", "Series", "find_feed", "find_series"]

SERIES: tuple[Series, ...] = (
    Series(
        name="fx.eur.*",
        title="Euro reference rate",
        unit="{} for 1 EUR",
        feed="ecb-rates",
        plausible=plausible_range("0.01", "1000000"),
        leader="fx.eur.USD",
        past=date(1999, 1, 4),
    ),
    Series(
        name="fx.treasury.*",
        title="Reporting rate of the US Treasury",
        unit="{} for 1 USD",
        feed="treasury-rates",
        plausible=plausible_range("0.001", "10000000"),
        leader="fx.treasury.EGP",
    ),
    *money.SERIES,
    *world_economy.SERIES,
    *earth.SERIES,
    *trade.SERIES,
    *land.SERIES,
    *growing_regions.SERIES,
    *swings.SERIES,
)
_NAMED = {row.name: row for row in SERIES}
_FAMILIES = tuple(row for row in SERIES if row.name.endswith("*"))
_FEEDS = {feed.name: feed for feed in FEEDS}


def find_series(name: str) -> Series | None:
    """Return the row of an observed series; None for one whose row was removed."""
    return _NAMED.get(name) or next((row for row in _FAMILIES if row.covers(name)), None)


def find_feed(row: Series) -> Feed | None:
    """Return the file of a series; None for a derived one."""
    return _FEEDS.get(row.feed)
