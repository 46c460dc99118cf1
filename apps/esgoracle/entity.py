"""The score of an entity with its SFDR block: document 1 section 2.5 and document 3 section 2.4."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rest_framework.exceptions import ValidationError

from apps.core.problems import NotFound
from apps.esg import evidence
from apps.esg import gather as scores
from apps.esg.gather import Gathered
from apps.esgoracle.rules.articles import Facts, failing
from apps.lei import lookups
from apps.sfdr import reporting
from apps.sfdr.portfolio import Asked, Portfolio, put_together
from apps.sfdr.rules.indicators import VERSION, Judged

ALIGNED = "taxonomy_aligned"


class EntityUnknown(NotFound):
    """Nothing is held of this LEI: neither GLEIF's record nor a registration."""

    code, title = "entity_unknown", "The entity is not known"


@dataclass(frozen=True, slots=True)
class Entity:
    """What an answer about an entity rests on."""

    asked: dict[str, Any]
    score: Gathered
    portfolio: Portfolio
    judged: tuple[Judged, ...]
    aligned: bool


def gather(*, lei: str, now: datetime) -> Entity:
    """Return the score of an entity and its indicators; EntityUnknown, EsgDataUnavailable."""
    held = lookups.lookup(lei=lei, now=now, ask=False, used=False).record
    asked = {
        "lei": lei,
        "name": held.entity.legal_name if held and held.entity else "",
        "country": "US",  # where registers are asked of an entity whose country is not held
        "lei_status": "ISSUED",
        **dict.fromkeys(("refresh", "narrate", "explain"), False),
    }
    try:
        found = scores.gather(asked=asked, now=now)
    except ValidationError:  # a name is wanted, and nobody has one
        raise EntityUnknown("Nothing is held of this LEI: nobody here can score it.") from None
    today = now.date()
    portfolio = put_together(asked=[Asked(lei, "COMPANY", None, "EUR")], now=now, until=today)
    own = evidence.held(subjects=[lei], today=today).get(lei, {})
    aligned = ALIGNED in own and own[ALIGNED].value == 1
    return Entity(asked, found, portfolio, reporting.judged(portfolio), aligned)


def block(*, found: Entity, composite: int, governance: int) -> dict[str, Any]:
    """Return the SFDR block of a score; see SfdrOut."""
    statuses = {one.indicator.id: str(one.status) for one in found.judged}
    facts = Facts(composite, governance, statuses, found.aligned)
    eight, nine = failing(facts, 8), failing(facts, 9)
    return {
        "article8_compatible": not eight,
        "article9_compatible": not nine,
        "taxonomy_aligned": found.aligned,
        "failing": [{"rule": one.code, "article": one.article, "condition": one.title}
                    for one in (*eight, *nine)],
        "pai_indicators": [_indicator(one) for one in reporting.indicators(found.judged)],
        "pai_data_quality": reporting.quality(found.portfolio, found.judged),
        "pai_version": VERSION,
    }  # fmt: skip


_SHOWN: Sequence[str] = ("id", "name", "annex", "status", "rule", "value", "unit",
                         "coverage_percent", "missing")  # fmt: skip


def _indicator(told: dict[str, Any]) -> dict[str, Any]:
    return {name: told[name] for name in _SHOWN}
