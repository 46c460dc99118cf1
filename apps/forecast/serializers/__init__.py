"""Shapes of the commodity forecasts."""

from apps.forecast.serializers.asked import PortfolioIn, ReportIn, ScenarioIn
from apps.forecast.serializers.books import (
    PortfolioOut,
    ScenarioBaseOut,
    ScenarioBookOut,
    ScenarioOut,
)
from apps.forecast.serializers.markets import CommodityOut, HeatCheckOut, MonthOut, RegionOut
from apps.forecast.serializers.tcfd import ReportOut

__all__ = [
    "CommodityOut", "HeatCheckOut", "MonthOut", "PortfolioIn", "PortfolioOut", "RegionOut",
    "ReportIn", "ReportOut", "ScenarioBaseOut", "ScenarioBookOut", "ScenarioIn",
    "ScenarioOut",
]  # fmt: skip
