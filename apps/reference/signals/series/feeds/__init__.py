"""Connectors, a row for each file of a publisher: where it is, how read, how old, on what terms."""

from apps.reference.signals.series.feeds import (
    earth,
    growing_regions,
    land,
    money,
    trade,
    world_economy,
)

FEEDS = (
    *money.FEEDS,
    *world_economy.FEEDS,
    *earth.FEEDS,
    *trade.FEEDS,
    *land.FEEDS,
    *growing_regions.FEEDS,
)
