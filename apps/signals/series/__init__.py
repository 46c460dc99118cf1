"""What is observed: one row for each series, or for a family of them such as `fx.eur.*`.

A series of a file that is read already is a row here; one of a new file needs a row of
`FEEDS` too, and of a new format its parser (apps/signals/readers). `manage.py check` judges the
tables (apps/signals/checks.py).
"""

from apps.signals.series import earth, growing, land, money, swings, trade, world
from apps.signals.series.feeds import FEEDS
from apps.signals.series.shape import Feed, Reading, Series, between

__all__ = ["FEEDS", "SERIES", "Feed", "Reading", "Series", "feed_of", "row_of"]

SERIES: tuple[Series, ...] = (
    Series(
        name="fx.eur.*",
        title="Euro reference rate",
        unit="{} for 1 EUR",
        feed="ecb-rates",
        plausible=between("0.01", "1000000"),
        leader="fx.eur.USD",
    ),
    *money.SERIES,
    *world.SERIES,
    *earth.SERIES,
    *trade.SERIES,
    *land.SERIES,
    *growing.SERIES,
    *swings.SERIES,
)
_NAMED = {row.name: row for row in SERIES}
_FAMILIES = tuple(row for row in SERIES if row.name.endswith("*"))
_FEEDS = {feed.name: feed for feed in FEEDS}


def row_of(name: str) -> Series | None:
    """Return the row of an observed series; None for one whose row has left."""
    return _NAMED.get(name) or next((row for row in _FAMILIES if row.covers(name)), None)


def feed_of(row: Series) -> Feed | None:
    """Return the file that a series stands in; None for a derived one."""
    return _FEEDS.get(row.feed)
