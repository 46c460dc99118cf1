"""An institution as the origin of a loss (3 §4, contagion): by LEI, at its country's node.

No source publishes lending between institutions. An institution therefore enters at its country's
node, with the caller's stated share of that country; the answer states this assumption.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.insight.intelligence.catalogue.product import Product
from apps.insight.intelligence.rules.currency_web import SOVEREIGNS, node_of_country
from apps.insight.intelligence.services import paid_answers
from apps.insight.intelligence.services.paid_answers import KeptAnswer
from apps.platform.api.answers import Answer
from apps.platform.api.callers import Caller
from apps.platform.api.operations import PathParameter
from apps.platform.common.problems import DomainError, NotFound, Unavailable
from apps.reference.lei.services import lookups

IDS: Mapping[str, PathParameter] = {}


class InstitutionUnknown(NotFound):
    """GLEIF has no such LEI."""

    code, title = "institution_unknown", "Unknown institution"


class InstitutionNotPlaced(DomainError):
    """The institution's country is not in the web, or is not known."""

    code, title = "institution_not_placed", "The institution's country is not in the network"


class InstitutionNotChecked(Unavailable):
    """The institution could not be looked up."""

    code, title = "institution_not_checked", "The institution could not be looked up"


PROBLEMS = (InstitutionUnknown, InstitutionNotPlaced, InstitutionNotChecked)


def gather_answer(product: Product, *, asked: Mapping[str, Any], now: datetime) -> KeptAnswer:
    """Return the answer; for an institution, from its LEI record. May query GLEIF; see PROBLEMS."""
    origin = asked["origin"]
    if origin in SOVEREIGNS:
        return paid_answers.gather_answer(product, asked=asked, now=now)
    # used=False: a lookup here does not put the LEI among those that are refreshed daily
    lei_lookup = lookups.look_up_lei(lei=origin, now=now, used=False)
    if lei_lookup.status == "NOT_CHECKED":
        raise InstitutionNotChecked("GLEIF could not be queried for this LEI.")
    if lei_lookup.record is None:
        raise InstitutionUnknown("GLEIF has no such LEI.")
    record = lei_lookup.record
    country = record.entity.country or record.entity.jurisdiction[:2]
    placed = {
        "node": _web_node_or_refuse(country),
        "institution": {
            "lei": record.entity.lei,
            "legal_name": record.entity.legal_name,
            "country": country,
            "country_share": asked["country_share"],
            "source": record.source,
            "as_of": record.as_of,
        },
    }
    return paid_answers.gather_answer(product, asked={**asked, **placed}, now=now)


def conclude_answer(
    product: Product, *, gathered: KeptAnswer, caller: Caller, now: datetime
) -> Answer:
    """Return the answer."""
    return paid_answers.conclude_answer(product, gathered=gathered, caller=caller, now=now)


def _web_node_or_refuse(country: str) -> str:
    node = node_of_country(country)
    if node is not None:
        return node
    listed = ", ".join(SOVEREIGNS)
    whose = f"Its country is {country}" if country else "Its record states no country"
    sentence = f"{whose}. The network has: {listed}. EU stands for the euro countries."
    raise InstitutionNotPlaced(sentence, errors=[{"field": "origin", "message": sentence}])
