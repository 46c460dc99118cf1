"""Serialize books of positions for the API: portfolio, and parts of scenario and report. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from statistics import median
from typing import Any

from apps.insight.forecast.computation import VERSION
from apps.insight.forecast.market_presenter import METHOD
from apps.insight.forecast.rules import book_risk
from apps.insight.forecast.rules.book_risk import BookLoss, Position
from apps.insight.forecast.rules.lights_and_outlooks import RED, YELLOW
from apps.insight.forecast.scenario_projection import ScenarioProjection
from apps.insight.forecast.services.hourly_run import WORST_FIRST, HourlyRun

NOTHING = Decimal(0)
HUNDREDTH, FINE = Decimal("0.01"), Decimal("0.0001")
# risks that a report names (document 3 section 2.8)
TOP = 3


@dataclass(frozen=True, slots=True)
class Book:
    """Positions as submitted, their net notional by market, and the run they are judged by."""

    positions: tuple[Position, ...]
    run: HourlyRun
    nets: Mapping[str, Decimal]

    @property
    def net_notional(self) -> Decimal:
        """Net notional of all markets, whether long or short."""
        return book_risk.total_net_notional(self.nets)

    def unassessed(self, moved: Iterable[str]) -> list[str]:
        """Return the markets of the book that are not among `moved`."""
        reached = set(moved)
        return [name for name, net in self.nets.items() if net and name not in reached]

    @property
    def gross_notional(self) -> Decimal:
        """Notional of all positions as submitted, whether long or short."""
        return sum((abs(position.notional) for position in self.positions), NOTHING)

    def pct(self, usd: Decimal) -> Decimal:
        """Return USD in per cent of the gross notional; 0 if that is 0."""
        whole = self.gross_notional
        return (100 * usd / whole).quantize(HUNDREDTH, ROUND_HALF_EVEN) + 0 if whole else NOTHING


def open_book(rows: Sequence[Mapping[str, Any]], *, run: HourlyRun) -> Book:
    """Return a book under a run; raises ForecastUnavailable where one of its markets has no
    outlook.
    """
    positions = tuple(Position(row["symbol"], row["notional_usd"]) for row in rows)
    nets = book_risk.net_positions(positions)
    run.need(nets)
    return Book(positions, run, nets)


def build_portfolio(book: Book) -> dict[str, Any]:
    """Return a book under the current climate; see PortfolioOut."""
    score, adds = book_risk.score_book(book.nets, book.run.scores)
    loss = worst_loss(book)
    return {
        **serialize_book_quality(book),
        "portfolio_risk_score": score,
        "exposure_by_tier": book_risk.notional_by_light(book.nets, book.run.lights),
        "gross_notional_usd": book.gross_notional,
        "net_notional_usd": book.net_notional,
        "worst_case_drawdown": serialize_loss(book, loss),
        "contributions": serialize_shares(book, adds),
        "positions": serialize_positions(book, loss),
        "recommendations": build_recommendations(book, loss),
    }


def list_losses(book: Book, scenario_projection: ScenarioProjection) -> list[BookLoss]:
    """Return the worst month of each analogue that prices cover."""
    return [
        book_risk.worst_month(
            book.nets, scenario=scenario_projection.id, event=replay.event, moves=replay.moves
        )
        for replay in scenario_projection.replays
        if replay.moves
    ]


def worst_loss(book: Book) -> BookLoss:
    """Return the worst that the analogues of all scenarios would do."""
    losses = [
        loss for scenario in book.run.scenarios.values() for loss in list_losses(book, scenario)
    ]
    # a book that gains in every analogue has no loss, rather than the smallest gain
    nothing = BookLoss(scenario="", event="", month=0, usd=NOTHING, moves={})
    return min([nothing, *losses], key=lambda loss: loss.usd)


def list_moved_markets(book: Book) -> set[str]:
    """Return the markets of which at least one analogue of any scenario has moves."""
    return {
        name
        for scenario in book.run.scenarios.values()
        for replay in scenario.replays
        for name in replay.moves
    }


def serialize_loss(book: Book, loss: BookLoss) -> dict[str, Any]:
    """Return a loss; see LossOut. Its amounts are None for a book that no scenario moves."""
    lost = loss.usd < 0
    left = book.unassessed(list_moved_markets(book))
    return {
        "scenario": loss.scenario if lost else None,
        "event": loss.event if lost else None,
        "month": loss.month if lost else None,
        # None, not 0: the past of these markets is unknown, which must not read as no loss
        "usd": None if is_unassessed(book, left) else book_risk.round_to_cents(loss.usd),
        "pct_of_gross": None if is_unassessed(book, left) else book.pct(loss.usd),
        "not_assessed": left,
        "not_assessed_usd": sum_net_notional(book, left),
    }


def is_unassessed(book: Book, left: Sequence[str]) -> bool:
    """Tell whether none of the book's net positions is assessed."""
    return bool(left) and sum_net_notional(book, left) == book.net_notional


def sum_net_notional(book: Book, names: Iterable[str]) -> Decimal:
    """Return the net notional of some markets, whichever side it is on."""
    return sum((abs(book.nets[name]) for name in names), NOTHING)


def serialize_shares(book: Book, adds: Mapping[str, Decimal]) -> list[dict[str, Any]]:
    """Return each market's contribution to the score, largest first; see ShareOut."""
    whole = book.net_notional
    rows = [
        {
            "symbol": name,
            "net_usd": net,
            "side": book_risk.side_of_notional(net),
            "weight": (abs(net) / whole).quantize(FINE, ROUND_HALF_EVEN) if whole else NOTHING,
            "climate_risk_score": book.run.scores[name],
            "contribution": adds[name],
        }
        for name, net in book.nets.items()
    ]
    return sorted(rows, key=lambda row: (-row["contribution"], row["symbol"]))


def serialize_positions(book: Book, loss: BookLoss) -> list[dict[str, Any]]:
    """Return the positions as submitted; see LineOut. Their parts of the loss sum to it."""
    lights = book.run.lights
    exact = [
        position.notional * loss.moves.get(position.symbol, NOTHING) for position in book.positions
    ]
    parts = iter(book_risk.apportion_cents(exact))
    return [
        {
            "symbol": position.symbol,
            "notional_usd": position.notional,
            "side": book_risk.side_of_notional(position.notional),
            "status": lights[position.symbol],
            "climate_risk_score": book.run.scores[position.symbol],
            "worst_case_usd": next(parts),
        }
        for position in book.positions
    ]


def build_recommendations(book: Book, loss: BookLoss) -> list[str]:
    """Return a sentence for each market that is not GREEN, and one on the worst case."""
    lights = book.run.lights
    sentences = [
        f"{name}: {book.run.markets[name]['signal']!s} Net "
        f"{book_risk.side_of_notional(net).lower()} "
        f"{abs(net):,.2f} USD."
        for name, net in book.nets.items()
        if net and lights[name] in (YELLOW, RED)
    ]
    if not book.net_notional:
        return ["The book has no net position, so nothing is at risk."]
    if loss.usd < 0:
        title = book.run.scenarios[loss.scenario].body["title"]
        sentences.append(
            f"The worst past analogue is {loss.event} ({title}), month {loss.month}: "
            f"{book_risk.round_to_cents(loss.usd):,.2f} USD, {book.pct(loss.usd)} per cent of the "
            "gross notional."
        )
    if left := book.unassessed(list_moved_markets(book)):
        sentences.append(
            f"No scenario moves {', '.join(left)}: {sum_net_notional(book, left):,.2f} USD of the "
            "net notional is not assessed."
        )
    return sentences or [
        "All markets of the book are GREEN, and no past analogue would have caused it a loss."
    ]


def serialize_book_quality(book: Book) -> dict[str, Any]:
    """Return the time and quality of an answer; see BookOut."""
    labels = [str(book.run.markets[name]["dataQuality"]) for name in book.nets]
    return {
        "as_of": book.run.at,
        "data_quality": min(labels, key=WORST_FIRST.index),
        "methodology_version": VERSION,
        "method": METHOD,
    }


def median_loss(book_losses: Sequence[BookLoss]) -> Decimal:
    """Return the median of losses; 0 of none."""
    return (
        book_risk.round_to_cents(median([book_loss.usd for book_loss in book_losses]))
        if book_losses
        else NOTHING
    )
