"""A book under one scenario, and the report on it. Pure."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from apps.insight.forecast.presenters import position_books
from apps.insight.forecast.presenters.position_books import Book
from apps.insight.forecast.rules import book_risk
from apps.insight.forecast.rules.book_risk import BookLoss
from apps.insight.forecast.scenario_projection import ScenarioProjection

NOTHING = Decimal(0)
CAUSES = "Prices also moved for other reasons: none of the move is shown to be due to the weather."


def build_scenario(book: Book, scenario_projection: ScenarioProjection) -> dict[str, Any]:
    """Return the effect of a scenario's past on a book, in the names of the wire and of
    ScenarioOut; the scenario itself was rendered with its run.
    """
    losses = position_books.list_losses(book, scenario_projection)
    nothing = BookLoss(scenario=scenario_projection.id, event="", month=0, usd=NOTHING, moves={})
    loss = min([nothing, *losses], key=lambda scenario_loss: scenario_loss.usd)
    began = {replay.event: replay.began for replay in scenario_projection.replays}
    left = book.unassessed(name for replay in scenario_projection.replays for name in replay.moves)
    blind = position_books.is_unassessed(book, left)
    return {
        **position_books.serialize_book_quality(book),
        "portfolio_impact_usd": None if blind else book_risk.round_to_cents(loss.usd),
        "median_impact_usd": None if blind else position_books.median_loss(losses),
        "not_assessed": left,
        "not_assessed_usd": position_books.sum_net_notional(book, left),
        "replays": [
            {
                "event": analogue.event,
                "began": began[analogue.event],
                "worst_usd": book_risk.round_to_cents(analogue.usd),
                "worst_month": analogue.month or None,
            }
            for analogue in losses
        ],
        "positions": position_books.serialize_positions(book, loss),
        "reasoning": describe_scenario(book, scenario_projection, loss, losses),
    }


def describe_scenario(
    book: Book,
    scenario_projection: ScenarioProjection,
    loss: BookLoss,
    book_losses: Sequence[BookLoss],
) -> str:
    """Return sentences on a book under a scenario, generated from its numbers."""
    projection = scenario_projection.body
    parts = [
        f"{projection['title']}: {projection['description']}",
        _describe_probability(projection),
    ]
    moved = sum(
        (abs(book.nets[name]) for name in book.nets if name in scenario_projection.symbols), NOTHING
    )
    parts.append(
        f"{moved:,.2f} USD of the book's {book.net_notional:,.2f} net notional is in markets that "
        "the scenario moves."
    )
    if not moved and book.net_notional:
        parts.append(
            "The scenario does not affect this book: its past moves none of these markets."
        )
    elif loss.usd < 0:
        parts.append(
            f"The worst of {len(book_losses)} analogues is {loss.event}: "
            f"{book_risk.round_to_cents(loss.usd):,.2f} "
            f"USD in month {loss.month}; the median of their worst months is "
            f"{position_books.median_loss(book_losses):,.2f} USD."
        )
    else:
        parts.append(f"None of {len(book_losses)} analogues would have caused this book a loss.")
    return " ".join(parts)


def _describe_probability(probability: Mapping[str, Any]) -> str:
    basis = probability.get("probabilityBasis")
    if not basis:
        return "Its frequency is not known."
    least = "at least " if basis["floor"] else ""
    return (
        f"It occurred in {basis['yearsWith']} of {basis['years']} years ({basis['window']}): "
        f"{least}{100 * probability['probability']:.0f} per cent a year (95 per cent interval "
        f"{100 * basis['low']:.0f} to {100 * basis['high']:.0f})."
    )
