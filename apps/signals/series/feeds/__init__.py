"""Connectors, a row for each file of a publisher: where it is, how read, how old, on what terms."""

from apps.signals.series.feeds import earth, growing, land, money, trade, world

FEEDS = (*money.FEEDS, *world.FEEDS, *earth.FEEDS, *trade.FEEDS, *land.FEEDS, *growing.FEEDS)
