"""A book under one scenario, and the report on it. Pure."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from apps.insight.forecast.presenters import books
from apps.insight.forecast.presenters.books import Book
from apps.insight.forecast.rules import book_risk, tcfd
from apps.insight.forecast.rules.book_risk import BookLoss
from apps.insight.forecast.rules.risk_lights import RED, YELLOW
from apps.insight.forecast.scenario_projection import ScenarioProjection

NOTHING = Decimal(0)
CAUSES = "Prices moved for other reasons too: no part of it is shown to be the weather's."


def build_scenario(held: Book, one: ScenarioProjection) -> dict[str, Any]:
    """Return what the past of a scenario would do to a book, in the names of the wire and of
    ScenarioOut: what is told of the scenario itself was rendered with its run.
    """
    losses = books.list_losses(held, one)
    nothing = BookLoss(scenario=one.id, event="", month=0, usd=NOTHING, moves={})
    loss = min([nothing, *losses], key=lambda each: each.usd)
    began = {replay.event: replay.began for replay in one.replays}
    left = held.unassessed(name for replay in one.replays for name in replay.moves)
    blind = books.is_unassessed(held, left)
    return {
        **books.serialize_book_quality(held),
        "portfolio_impact_usd": None if blind else book_risk.round_to_cents(loss.usd),
        "median_impact_usd": None if blind else books.median_loss(losses),
        "not_assessed": left,
        "not_assessed_usd": books.sum_net_notional(held, left),
        "replays": [
            {
                "event": each.event,
                "began": began[each.event],
                "worst_usd": book_risk.round_to_cents(each.usd),
                "worst_month": each.month or None,
            }
            for each in losses
        ],
        "positions": books.serialize_positions(held, loss),
        "reasoning": describe_scenario(held, one, loss, losses),
    }


def describe_scenario(
    held: Book, one: ScenarioProjection, loss: BookLoss, found: Sequence[BookLoss]
) -> str:
    """Return sentences on a book under a scenario, each of its numbers."""
    told = one.told
    said = [f"{told['title']}: {told['description']}", _describe_probability(told)]
    moved = sum((abs(held.nets[name]) for name in held.nets if name in one.symbols), NOTHING)
    said.append(
        f"{moved:,.2f} USD of the book's {held.gross:,.2f} net are in markets that it moves."
    )
    if not moved and held.gross:
        said.append("It says nothing of this book: its past moves none of these markets.")
    elif loss.usd < 0:
        said.append(
            f"The worst of {len(found)} analogues is {loss.event}: "
            f"{book_risk.round_to_cents(loss.usd):,.2f} "
            f"USD in month {loss.month}; the median of their worst months is "
            f"{books.median_loss(found):,.2f} USD."
        )
    else:
        said.append(f"None of {len(found)} analogues would have cost this book anything.")
    return " ".join(said)


def _describe_probability(told: Mapping[str, Any]) -> str:
    basis = told.get("probabilityBasis")
    if not basis:
        return "How often it came is not known."
    least = "at least " if basis["floor"] else ""
    return (
        f"It came in {basis['yearsWith']} of {basis['years']} years ({basis['window']}): {least}"
        f"{100 * told['probability']:.0f} in 100 a year, {100 * basis['low']:.0f} to "
        f"{100 * basis['high']:.0f} being as likely with so few years."
    )


def build_report(held: Book) -> dict[str, Any]:
    """Return the report on a book; see ReportOut."""
    score, adds = book_risk.score_book(held.nets, held.run.scores)
    shares = books.serialize_shares(held, adds)
    tiers = book_risk.notional_by_light(held.nets, held.run.lights)
    loss = books.worst_loss(held)
    theirs = {disclosure.id: disclosure.where for disclosure in tcfd.DISCLOSURES}
    return {
        **books.serialize_book_quality(held),
        "governance": {"board_oversight": theirs["GOV-a"], "management_role": theirs["GOV-b"]},
        "strategy": {
            "physical_risks": [_serialize_physical_risk(held, share) for share in shares],
            "scenario_analysis": {
                "moderate": build_moderate_case(held),
                "severe": build_severe_case(held, loss),
            },
        },
        "risk_management": {
            "exposure_by_tier": tiers,
            "worst_case": books.serialize_loss(held, loss),
        },
        "metrics": {
            "portfolio_risk_score": score,
            "notional_at_risk": tiers[YELLOW] + tiers[RED],
            "top_risks": [
                _serialize_top_risk(held, share)
                for share in shares[: books.TOP]
                if share["contribution"]
            ],
        },
        "disclosure": serialize_disclosures(),
    }


def _serialize_physical_risk(book: Book, share: Mapping[str, Any]) -> dict[str, Any]:
    market = book.run.markets[share["symbol"]]
    return {
        "symbol": share["symbol"],
        "net_usd": share["net_usd"],
        "status": market["status"],
        "climate_risk_score": share["climate_risk_score"],
        "reasoning": market["reasoning"],
    }


def _serialize_top_risk(book: Book, share: Mapping[str, Any]) -> dict[str, Any]:
    market = book.run.markets[share["symbol"]]
    return {
        "symbol": share["symbol"],
        "net_usd": share["net_usd"],
        "status": market["status"],
        "contribution": share["contribution"],
        "signal": market["signal"],
    }


def build_moderate_case(held: Book) -> dict[str, Any]:
    """Return the scenario whose median of worst months is worst for the book."""
    medians = {
        name: books.median_loss(books.list_losses(held, one))
        for name, one in held.run.scenarios.items()
    }
    name = min(medians, key=lambda median: medians[median])
    usd = medians[name]
    basis = f"The median of the worst months of its analogues. {CAUSES}"
    return _serialize_case(held, name if usd < 0 else None, None, usd, basis)


def build_severe_case(held: Book, loss: BookLoss) -> dict[str, Any]:
    """Return the worst month of the worst analogue."""
    lost = loss.usd < 0
    basis = f"The worst month of the worst analogue of all nine scenarios. {CAUSES}"
    return _serialize_case(
        held,
        loss.scenario if lost else None,
        loss.event if lost else None,
        book_risk.round_to_cents(loss.usd),
        basis,
    )


def _serialize_case(
    book: Book, name: str | None, event: str | None, usd: Decimal, basis: str
) -> dict[str, Any]:
    told = book.run.scenarios[name].told if name else {}
    blind = books.is_unassessed(book, book.unassessed(books.list_moved_markets(book)))
    return {
        "scenario": name,
        "event": event,
        "usd": None if blind else usd,
        "pct_of_gross": None if blind else book.pct(usd),
        "probability": told.get("probability"),
        "basis": basis,
    }


def serialize_disclosures() -> dict[str, Any]:
    """Return the eleven disclosures; see DisclosureOut."""
    rows = [
        {
            "id": disclosure.id,
            "pillar": disclosure.pillar,
            "asks": disclosure.asks,
            "answered": disclosure.answered,
            "where": disclosure.where,
        }
        for disclosure in tcfd.DISCLOSURES
    ]
    return {
        "framework": tcfd.FRAMEWORK,
        "note": tcfd.NOTE,
        "answered": sum(disclosure.answered != tcfd.NOT for disclosure in tcfd.DISCLOSURES),
        "disclosures": rows,
    }
