"""An institution as the origin of a loss (3 §4, contagion): by LEI, in the place of its country.

Nobody publishes who lent to whom by institution. So one stands in its country's row of the web, at
the share of that country which the caller states; the answer says so in words.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.core.callers import Caller
from apps.core.endpoints import Id
from apps.core.pipeline import Answer
from apps.core.problems import DomainError, NotFound
from apps.core.problems import Unavailable as NotNow
from apps.intelligence import answering
from apps.intelligence.answering import Kept
from apps.intelligence.catalogue.shape import Product
from apps.intelligence.rules.webs import SOVEREIGNS, node_of
from apps.lei import lookups
from apps.lei.values import Held, Lookup

IDS: Mapping[str, Id] = {}


class InstitutionUnknown(NotFound):
    """GLEIF knows no such LEI."""

    code, title = "institution_unknown", "The institution is not known"


class InstitutionNotPlaced(DomainError):
    """The institution's country is not in the web, or nobody says which it is."""

    code, title = "institution_not_placed", "The institution has no place in the web"


class InstitutionNotChecked(NotNow):
    """Nobody could be asked who the institution is."""

    code, title = "institution_not_checked", "The institution could not be looked up"


PROBLEMS = (InstitutionUnknown, InstitutionNotPlaced, InstitutionNotChecked)


def gather(product: Product, *, asked: Mapping[str, Any], now: datetime) -> Kept:
    """Return the answer; of an institution, by who it is. May ask GLEIF once; see PROBLEMS."""
    origin = asked["origin"]
    if origin in SOVEREIGNS:
        return answering.gather(product, asked=asked, now=now)
    held = _held(lookups.lookup(lei=origin, now=now, used=False))
    country = held.entity.country or held.entity.jurisdiction[:2]
    placed = {"node": _node(country), "institution": _told(held, country, asked)}
    return answering.gather(product, asked={**asked, **placed}, now=now)


def conclude(product: Product, *, gathered: Kept, caller: Caller, now: datetime) -> Answer:
    """Return the answer."""
    return answering.conclude(product, gathered=gathered, caller=caller, now=now)


def _held(found: Lookup) -> Held:
    if found.status == "NOT_CHECKED":
        raise InstitutionNotChecked("GLEIF could not be asked whose LEI this is.")
    if found.record is None:
        raise InstitutionUnknown("GLEIF knows no such LEI.")
    return found.record


def _node(country: str) -> str:
    node = node_of(country)
    if node is not None:
        return node
    listed = ", ".join(SOVEREIGNS)
    whose = f"It is of {country}" if country else "Its record names no country"
    said = f"{whose}, and the web has: {listed}. EU stands for countries whose money is the euro."
    raise InstitutionNotPlaced(said, errors=[{"field": "origin", "message": said}])


def _told(held: Held, country: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return an institution in the words of the API; see InstitutionOut."""
    return {
        "lei": held.entity.lei,
        "legal_name": held.entity.legal_name,
        "country": country,
        "country_share": asked["country_share"],
        "source": held.source,
        "as_of": held.as_of,
    }
