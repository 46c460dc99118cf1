"""Viewsets of the commodity forecasts (document 3 section 4): for anybody, free."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.http.response import HttpResponseBase
from rest_framework.request import Request

from apps.insight.forecast import market_presenter
from apps.insight.forecast.computation import VERSION
from apps.insight.forecast.presenters import position_books, scenarios, tcfd_report
from apps.insight.forecast.rules.crop_risk_calendar import MONTHS
from apps.insight.forecast.rules.markets import SYMBOLS
from apps.insight.forecast.serializers import (
    CommodityOut,
    HeatCheckOut,
    MonthOut,
    PortfolioIn,
    PortfolioOut,
    RegionOut,
    ReportIn,
    ReportOut,
    ScenarioBookOut,
    ScenarioIn,
    ScenarioOut,
)
from apps.insight.forecast.serializers.requests import MOST, MarketSymbol
from apps.insight.forecast.services import hourly_run
from apps.insight.forecast.services.hourly_run import ForecastUnavailable, HourlyRun
from apps.platform.api.answers import Answer
from apps.platform.api.callers import Caller
from apps.platform.api.operations import Access, PathParameter, operation
from apps.platform.api.representation import RenderedAnswer, render_answer
from apps.platform.api.shapes import Shape
from apps.platform.api.viewsets import OperationViewSet
from apps.platform.common.problems import NotFound

# bytes of a book, enough that ten thousand positions are refused by count, not by size
LARGE = 640 * 1024
ACCESS = Access(open=True)
BOOK = [
    {"symbol": "WHEAT", "notionalUsd": 250000},
    {"symbol": "COFFEE", "notionalUsd": 100000.55},
    {"symbol": "WTI", "notionalUsd": -75000},
]
HOURLY = "The answer uses the data known at this hour's computation; no call waits for a publisher."
BOOKS = (
    f"A book has 1 to {MOST} positions of at most 100 billion USD each; a negative amount is a "
    "short position. Positions of one market are netted first, so their order and splitting do "
    "not change the result."
)


class UnsupportedSymbol(NotFound):
    """The symbol has a valid format and is not one of the eleven."""

    code, title = "unsupported_symbol", "This symbol is not supported"


def require_supported_symbols(symbols: list[str]) -> None:
    """Raise UnsupportedSymbol if one of these is none of the eleven."""
    strange = sorted({symbol for symbol in symbols if symbol not in SYMBOLS})
    if strange:
        # the answer repeats what callers sent, so it must not grow with it
        named = ", ".join(strange[:5])
        raise UnsupportedSymbol(f"Not supported: {named}. Supported symbols: {', '.join(SYMBOLS)}.")


def parse_commodity_request(*, symbol: str) -> dict[str, Any]:
    """Return the requested market; raises UnsupportedSymbol (404)."""
    require_supported_symbols([symbol])
    return {"symbol": symbol}


def parse_book_request(**asked: Any) -> dict[str, Any]:
    """Return the submitted book; raises UnsupportedSymbol (404)."""
    require_supported_symbols([position["symbol"] for position in asked["positions"]])
    return asked


def gather_all_markets(*, asked: Any, now: datetime) -> HourlyRun:
    """Return the run of the hour; all eleven markets must have an outlook."""
    run = hourly_run.load_current_run(now=now)
    run.need(SYMBOLS)
    return run


def gather_market(*, asked: Mapping[str, Any], now: datetime) -> HourlyRun:
    """Return the hour's run, with the requested market."""
    run = hourly_run.load_current_run(now=now)
    run.need([asked["symbol"]])
    return run


def gather_regions(*, asked: Any, now: datetime) -> HourlyRun:
    """Return the run of the hour, with regions."""
    run = hourly_run.load_current_run(now=now)
    if not run.regions:
        raise ForecastUnavailable("There is not enough weather data for any region.")
    return run


def gather_book(*, asked: Mapping[str, Any], now: datetime) -> position_books.Book:
    """Return the book under the run of the hour."""
    return position_books.open_book(asked["positions"], run=hourly_run.load_current_run(now=now))


def conclude_heat_check(
    *, asked: Any, gathered: HourlyRun, caller: Caller, now: datetime
) -> Answer:
    """Return the eleven lights; see HeatCheckOut."""
    # a call that computed the hour's run stores it too; of a stored run this does nothing
    hourly_run.record_run(gathered, now=now)
    markets = [gathered.markets[name] for name in SYMBOLS]
    return Answer(
        {
            "as_of": gathered.at,
            "commodities": [
                {
                    "symbol": market["symbol"],
                    "status": market["status"],
                    "signal": market["signal"],
                    "climate_risk_score": gathered.scores[market["symbol"]],
                    "outlook": market["outlook"],
                }
                for market in markets
            ],
            "data_quality": min((market["dataQuality"] for market in markets), key=_rank_quality),
            "methodology_version": VERSION,
            "method": market_presenter.METHOD,
        }
    )


def _rank_quality(label: str) -> int:
    return hourly_run.WORST_FIRST.index(label)


def conclude_commodity(
    *, asked: Mapping[str, Any], gathered: HourlyRun, caller: Caller, now: datetime
) -> Answer:
    """Return one market; see CommodityOut."""
    hourly_run.record_run(gathered, now=now)
    return Answer(RenderedAnswer(gathered.markets[asked["symbol"]]))


def conclude_regions(*, asked: Any, gathered: HourlyRun, caller: Caller, now: datetime) -> Any:
    """Return the regions, the most severe first; see RegionOut."""
    hourly_run.record_run(gathered, now=now)
    return [RenderedAnswer(region) for region in gathered.regions]


def conclude_portfolio(
    *, asked: Mapping[str, Any], gathered: position_books.Book, caller: Caller, now: datetime
) -> Answer:
    """Return a book under the climate of now; see PortfolioOut."""
    hourly_run.record_run(gathered.run, now=now)
    return Answer(position_books.build_portfolio(gathered) | _echo_fields(asked, "label"))


def conclude_scenario(
    *, asked: Mapping[str, Any], gathered: position_books.Book, caller: Caller, now: datetime
) -> Answer:
    """Return a book under a scenario; see ScenarioOut."""
    hourly_run.record_run(gathered.run, now=now)
    scenario_projection = gathered.run.scenarios[asked["scenario"]]
    return Answer(
        RenderedAnswer(
            scenario_projection.body
            | render_answer(
                ScenarioBookOut, scenarios.build_scenario(gathered, scenario_projection)
            )
        )
    )


def conclude_report(
    *, asked: Mapping[str, Any], gathered: position_books.Book, caller: Caller, now: datetime
) -> Answer:
    """Return the report on a book; see ReportOut."""
    hourly_run.record_run(gathered.run, now=now)
    return Answer(
        tcfd_report.build_report(gathered) | _echo_fields(asked, "entity_name", "reporting_period")
    )


def _echo_fields(asked: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: asked[name] for name in names if name in asked}


class HeatCheckViewSet(OperationViewSet):
    """Lights of the eleven markets (document 3 section 4)."""

    @operation(
        "heat-check",
        notes=(HOURLY,),
        spec="3 §4",
        access=ACCESS,
        response=HeatCheckOut,
        problems=(ForecastUnavailable,),
    )
    def list(self, request: Request) -> HttpResponseBase:
        """Returns a light and a one-line reason for each of eleven commodity markets: is it at risk
        from the climate now?
        """
        return self.run(gather_all_markets, conclude_heat_check)


class CommodityViewSet(OperationViewSet):
    """Climate risk of single markets (document 3 section 4)."""

    path_parameters = {
        "symbol": PathParameter(
            field=MarketSymbol(),
            description=f"The market: {', '.join(SYMBOLS)}.",
            example="WHEAT",
            owned=False,
        )
    }

    @operation(
        "commodity",
        spec="3 §4",
        description="Returns the climate risk of one commodity market: score and light with their "
        "components, price, outlook for three months, reasons.\n\n"
        f"A malformed symbol is 400, an unsupported one 404. {HOURLY}",
        access=ACCESS,
        response=CommodityOut,
        problems=(UnsupportedSymbol, ForecastUnavailable),
    )
    def retrieve(self, request: Request, symbol: str) -> HttpResponseBase:
        return self.run(gather_market, conclude_commodity, parse_commodity_request)


class RegionViewSet(OperationViewSet):
    """Climate risk of the regions that produce the commodities (document 3 section 4)."""

    @operation(
        "regions",
        spec="3 §4",
        description="Ranks the regions that produce the eleven commodities by their current "
        "climate risk, with threats and alerts.\n\n"
        f"A region without enough data is left out. {HOURLY}",
        access=ACCESS,
        response=RegionOut,
        many=True,
        problems=(ForecastUnavailable,),
    )
    def list(self, request: Request) -> HttpResponseBase:
        return self.run(gather_regions, conclude_regions)


class CalendarViewSet(OperationViewSet):
    """The calendar of the commodities (document 3 section 4)."""

    @operation("calendar", spec="3 §4", access=ACCESS, response=MonthOut, many=True)
    def list(self, request: Request) -> HttpResponseBase:
        """Lists for each month the harvests that its weather decides, and the dated disasters that
        began in it.
        """
        return self.run(lambda **_: list(MONTHS))


def _book_operation(
    name: str, *, request: type[Shape], response: type[Shape], example: Mapping[str, Any]
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare an operation on a book of positions."""
    return operation(
        name,
        notes=(BOOKS, HOURLY),
        spec="3 §2.8",
        access=ACCESS,
        request=request,
        response=response,
        example=example,
        max_body=LARGE,
        # it creates nothing: the same request in the same hour gives the same answer
        idempotent=False,
        problems=(UnsupportedSymbol, ForecastUnavailable),
    )


class PortfolioViewSet(OperationViewSet):
    """Books under the current climate (document 3 section 2.8)."""

    @_book_operation(
        "portfolio",
        request=PortfolioIn,
        response=PortfolioOut,
        example={"positions": BOOK, "label": "Desk 7"},
    )
    def create(self, request: Request) -> HttpResponseBase:
        """Returns the climate risk of a book of commodity positions: score, exposure by light, and
        the worst loss under the dated past of nine scenarios.
        """
        return self.run(gather_book, conclude_portfolio, parse_book_request)


class ScenarioViewSet(OperationViewSet):
    """Books under one of nine scenarios (document 3 section 2.8)."""

    @_book_operation(
        "scenario",
        request=ScenarioIn,
        response=ScenarioOut,
        example={"scenario": "la_nina", "positions": BOOK},
    )
    def create(self, request: Request) -> HttpResponseBase:
        """Tests a book against one of nine scenarios: how often it occurred, what prices and
        harvests did each time, and what that would do to the book.
        """
        return self.run(gather_book, conclude_scenario, parse_book_request)


class TcfdReportViewSet(OperationViewSet):
    """Reports on the physical climate risk of books (document 3 section 2.8)."""

    @_book_operation(
        "tcfd-report",
        request=ReportIn,
        response=ReportOut,
        example={"positions": BOOK, "entityName": "Example Ltd", "reportingPeriod": "2026"},
    )
    def create(self, request: Request) -> HttpResponseBase:
        """Produces a TCFD-style report on the physical climate risk of a book, and says which of
        the eleven disclosures it answers.
        """
        return self.run(gather_book, conclude_report, parse_book_request)
