"""Shapes of the commodity forecasts."""

from apps.insight.forecast.serializers.markets import (
    CommodityOut,
    HeatCheckOut,
    MonthOut,
    RegionOut,
)
from apps.insight.forecast.serializers.position_books import (
    PortfolioOut,
    ScenarioBaseOut,
    ScenarioBookOut,
    ScenarioOut,
)
from apps.insight.forecast.serializers.requests import PortfolioIn, ReportIn, ScenarioIn
from apps.insight.forecast.serializers.tcfd import ReportOut

__all__ = [
    "CommodityOut", "HeatCheckOut", "MonthOut", "PortfolioIn", "PortfolioOut", "RegionOut",
    "ReportIn", "ReportOut", "ScenarioBaseOut", "ScenarioBookOut", "ScenarioIn",
    "ScenarioOut",
]  # fmt: skip
