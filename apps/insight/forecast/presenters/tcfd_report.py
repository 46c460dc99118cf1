"""Present the climate disclosure (TCFD) of a book: two cases, physical risk, and the sources."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from apps.insight.forecast.presenters import position_books
from apps.insight.forecast.presenters.position_books import Book
from apps.insight.forecast.presenters.scenarios import CAUSES
from apps.insight.forecast.rules import book_risk, tcfd_disclosures
from apps.insight.forecast.rules.book_risk import BookLoss
from apps.insight.forecast.rules.lights_and_outlooks import RED, YELLOW


def build_report(book: Book) -> dict[str, Any]:
    """Return the report on a book; see ReportOut."""
    score, adds = book_risk.score_book(book.nets, book.run.scores)
    shares = position_books.serialize_shares(book, adds)
    tiers = book_risk.notional_by_light(book.nets, book.run.lights)
    loss = position_books.worst_loss(book)
    theirs = {disclosure.id: disclosure.where for disclosure in tcfd_disclosures.DISCLOSURES}
    return {
        **position_books.serialize_book_quality(book),
        "governance": {"board_oversight": theirs["GOV-a"], "management_role": theirs["GOV-b"]},
        "strategy": {
            "physical_risks": [_serialize_physical_risk(book, share) for share in shares],
            "scenario_analysis": {
                "moderate": build_moderate_case(book),
                "severe": build_severe_case(book, loss),
            },
        },
        "risk_management": {
            "exposure_by_tier": tiers,
            "worst_case": position_books.serialize_loss(book, loss),
        },
        "metrics": {
            "portfolio_risk_score": score,
            "notional_at_risk": tiers[YELLOW] + tiers[RED],
            "top_risks": [
                _serialize_top_risk(book, share)
                for share in shares[: position_books.TOP]
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


def build_moderate_case(book: Book) -> dict[str, Any]:
    """Return the scenario whose median of worst months is worst for the book."""
    medians = {
        name: position_books.median_loss(position_books.list_losses(book, projection))
        for name, projection in book.run.scenarios.items()
    }
    name = min(medians, key=lambda median: medians[median])
    usd = medians[name]
    basis = f"The median of the worst months of its analogues. {CAUSES}"
    return _serialize_case(book, name if usd < 0 else None, None, usd, basis)


def build_severe_case(book: Book, loss: BookLoss) -> dict[str, Any]:
    """Return the worst month of the worst analogue."""
    lost = loss.usd < 0
    basis = f"The worst month of the worst analogue of all nine scenarios. {CAUSES}"
    return _serialize_case(
        book,
        loss.scenario if lost else None,
        loss.event if lost else None,
        book_risk.round_to_cents(loss.usd),
        basis,
    )


def _serialize_case(
    book: Book, name: str | None, event: str | None, usd: Decimal, basis: str
) -> dict[str, Any]:
    projection = book.run.scenarios[name].body if name else {}
    blind = position_books.is_unassessed(
        book, book.unassessed(position_books.list_moved_markets(book))
    )
    return {
        "scenario": name,
        "event": event,
        "usd": None if blind else usd,
        "pct_of_gross": None if blind else book.pct(usd),
        "probability": projection.get("probability"),
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
        for disclosure in tcfd_disclosures.DISCLOSURES
    ]
    return {
        "framework": tcfd_disclosures.FRAMEWORK,
        "note": tcfd_disclosures.NOTE,
        "answered": sum(
            disclosure.answered != tcfd_disclosures.NOT
            for disclosure in tcfd_disclosures.DISCLOSURES
        ),
        "disclosures": rows,
    }
