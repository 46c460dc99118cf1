"""The endpoints of the commodity forecasts (document 3 section 4): for anybody, free."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from apps.core.callers import Caller
from apps.core.endpoints import Access, Endpoint, Id
from apps.core.pipeline import Answer
from apps.core.problems import NotFound
from apps.core.rendering import Wire, render
from apps.core.shapes import Shape
from apps.forecast import books, running, stressing, telling
from apps.forecast.computing import VERSION
from apps.forecast.rules.markets import SYMBOLS
from apps.forecast.rules.months import MONTHS
from apps.forecast.running import NotKnown, Run
from apps.forecast.serializers import (
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
from apps.forecast.serializers.asked import MOST, Symbol

LARGE = 640 * 1024  # bytes of a book: one of ten thousand positions is told so by its count
ACCESS = Access(open=True)
BOOK = [
    {"symbol": "WHEAT", "notionalUsd": 250000},
    {"symbol": "COFFEE", "notionalUsd": 100000.55},
    {"symbol": "WTI", "notionalUsd": -75000},
]
HOURLY = (
    "It rests on what was known at the last full computation, of this hour: no call waits for a "
    "publisher."
)
BOOKS = (
    f"A book has 1 to {MOST} positions of at most 100 billion USD each; below 0 they are short. "
    "Positions of one market are netted first, so splitting one, or the order, changes nothing."
)


class UnsupportedSymbol(NotFound):
    """The symbol has the right form and is none of the eleven."""

    code, title = "unsupported_symbol", "This symbol is not supported"


def supported(symbols: list[str]) -> None:
    """Raise UnsupportedSymbol where one of these is none of the eleven."""
    strange = sorted({one for one in symbols if one not in SYMBOLS})
    if strange:
        named = ", ".join(strange[:5])
        raise UnsupportedSymbol(f"Not supported: {named}. These are: {', '.join(SYMBOLS)}.")


def make_commodity(*, symbol: str) -> dict[str, Any]:
    """Return which market is asked for; raises UnsupportedSymbol (404)."""
    supported([symbol])
    return {"symbol": symbol}


def make_book(**asked: Any) -> dict[str, Any]:
    """Return a book that is asked about; raises UnsupportedSymbol (404)."""
    supported([one["symbol"] for one in asked["positions"]])
    return asked


def gather(*, asked: Any, now: datetime) -> Run:
    """Return the run of the hour; raises NotKnown (503) where too little is known."""
    return running.current(now=now)


def gather_all(*, asked: Any, now: datetime) -> Run:
    """Return the run of the hour, of all markets."""
    run = running.current(now=now)
    run.need(SYMBOLS)
    return run


def gather_one(*, asked: Mapping[str, Any], now: datetime) -> Run:
    """Return the run of the hour, with the market that is asked for."""
    run = running.current(now=now)
    run.need([asked["symbol"]])
    return run


def gather_regions(*, asked: Any, now: datetime) -> Run:
    """Return the run of the hour, with regions."""
    run = running.current(now=now)
    if not run.regions:
        raise NotKnown("Too little is known of the weather of any region.")
    return run


def gather_book(*, asked: Mapping[str, Any], now: datetime) -> books.Book:
    """Return the book under the run of the hour."""
    return books.opened(asked["positions"], run=running.current(now=now))


def conclude_heat(*, asked: Any, gathered: Run, caller: Caller, now: datetime) -> Answer:
    """Return the eleven lights; see HeatCheckOut."""
    running.keep(gathered, now=now)
    told = [gathered.markets[name] for name in SYMBOLS]
    return Answer(
        {
            "as_of": gathered.at,
            "commodities": [
                {
                    "symbol": one["symbol"],
                    "status": one["status"],
                    "signal": one["signal"],
                    "climate_risk_score": gathered.scores[one["symbol"]],
                    "outlook": one["outlook"],
                }
                for one in told
            ],
            "data_quality": min((one["dataQuality"] for one in told), key=_worst),
            "methodology_version": VERSION,
            "method": telling.METHOD,
        }
    )


def _worst(label: str) -> int:
    return running.WORST_FIRST.index(label)


def conclude_commodity(
    *, asked: Mapping[str, Any], gathered: Run, caller: Caller, now: datetime
) -> Answer:
    """Return one market; see CommodityOut."""
    running.keep(gathered, now=now)
    return Answer(Wire(gathered.markets[asked["symbol"]]))


def conclude_regions(*, asked: Any, gathered: Run, caller: Caller, now: datetime) -> Any:
    """Return the regions, the gravest first; see RegionOut."""
    running.keep(gathered, now=now)
    return [Wire(one) for one in gathered.regions]


def conclude_calendar(*, asked: Any, gathered: None, caller: Caller, now: datetime) -> Any:
    """Return twelve months; see MonthOut."""
    return list(MONTHS)


def conclude_portfolio(
    *, asked: Mapping[str, Any], gathered: books.Book, caller: Caller, now: datetime
) -> Answer:
    """Return a book under the climate of now; see PortfolioOut."""
    running.keep(gathered.run, now=now)
    return Answer(books.portfolio(gathered) | _given(asked, "label"))


def conclude_scenario(
    *, asked: Mapping[str, Any], gathered: books.Book, caller: Caller, now: datetime
) -> Answer:
    """Return a book under a scenario; see ScenarioOut."""
    running.keep(gathered.run, now=now)
    one = gathered.run.scenarios[asked["scenario"]]
    return Answer(Wire(one.told | render(ScenarioBookOut, stressing.scenario(gathered, one))))


def conclude_report(
    *, asked: Mapping[str, Any], gathered: books.Book, caller: Caller, now: datetime
) -> Answer:
    """Return the report on a book; see ReportOut."""
    running.keep(gathered.run, now=now)
    return Answer(stressing.report(gathered) | _given(asked, "entity_name", "reporting_period"))


def _given(asked: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: asked[name] for name in names if name in asked}


def _get(name: str, path: str, about: str, answers: type[Shape], **options: Any) -> Endpoint:
    return Endpoint(
        name=name,
        method="GET",
        path=f"forecast/{path}",
        service="forecast",
        spec="3 §4",
        about=about,
        access=ACCESS,
        answers=answers,
        **options,
    )


def _post(
    name: str,
    about: str,
    shapes: tuple[type[Shape], type[Shape]],
    conclude: Callable[..., Answer],
    example: Mapping[str, Any],
) -> Endpoint:
    asks, answers = shapes
    return Endpoint(
        name=name,
        method="POST",
        path=f"forecast/{name}",
        service="forecast",
        spec="3 §2.8",
        about=f"{about}\n\n{BOOKS}\n\n{HOURLY}",
        access=ACCESS,
        asks=asks,
        answers=answers,
        make=make_book,
        example=example,
        gather=gather_book,
        conclude=conclude,
        max_body=LARGE,
        idempotent=False,  # it makes nothing: asked again, it is the same arithmetic
        problems=(UnsupportedSymbol, NotKnown),
    )


ENDPOINTS = (
    _get(
        "heat-check",
        "heat-check",
        "Tells which of eleven commodity markets the climate endangers now: a light and a line "
        f"for each.\n\n{HOURLY}",
        HeatCheckOut,
        gather=gather_all,
        conclude=conclude_heat,
        problems=(NotKnown,),
    ),
    _get(
        "commodity",
        "commodity/<str:symbol>",
        "Tells the climate risk of one commodity market: score and light with all that they are "
        "made of, price, outlook for three months, reasons.\n\n"
        f"A symbol of another form is 400, one that is not supported 404. {HOURLY}",
        CommodityOut,
        make=make_commodity,
        ids={
            "symbol": Id(
                field=Symbol(),
                about=f"Which market: {', '.join(SYMBOLS)}.",
                example="WHEAT",
                owned=False,
            )
        },
        gather=gather_one,
        conclude=conclude_commodity,
        problems=(UnsupportedSymbol, NotKnown),
    ),
    _get(
        "regions",
        "regions",
        "Ranks the regions that yield the eleven commodities by their climate risk now, with "
        f"threats and alerts.\n\nA region of which too little is known is left out. {HOURLY}",
        RegionOut,
        many=True,
        gather=gather_regions,
        conclude=conclude_regions,
        problems=(NotKnown,),
    ),
    _get(
        "calendar",
        "calendar",
        "Lists for each month which harvests its weather decides, and which dated disasters began "
        "in it.",
        MonthOut,
        many=True,
        conclude=conclude_calendar,
    ),
    _post(
        "portfolio",
        "Tells the climate risk of a book of commodity positions: score, exposure by light, and "
        "the worst that the dated past of nine scenarios would do to it.",
        (PortfolioIn, PortfolioOut),
        conclude_portfolio,
        {"positions": BOOK, "label": "Desk 7"},
    ),
    _post(
        "scenario",
        "Holds a book against one of nine scenarios: how often it came, what prices and harvests "
        "did each time, and what that would do to the book.",
        (ScenarioIn, ScenarioOut),
        conclude_scenario,
        {"scenario": "la_nina", "positions": BOOK},
    ),
    _post(
        "tcfd-report",
        "Writes a report on the physical climate risk of a book in the manner of the TCFD, and "
        "says which of the eleven disclosures it answers.",
        (ReportIn, ReportOut),
        conclude_report,
        {"positions": BOOK, "entityName": "Example Ltd", "reportingPeriod": "2026"},
    ),
)
