"""The score of an entity with its SFDR block: document 1 section 2.5 and document 3 section 2.4."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rest_framework.exceptions import ValidationError

from apps.insight.esg import evidence_figures
from apps.insight.esg.oracle.rules.articles import EntityFacts, list_failing_conditions
from apps.insight.esg.selectors import GatheredScore, gather_entity_score
from apps.insight.esg.sfdr import presenters
from apps.insight.esg.sfdr.requested_holdings import RequestedHolding
from apps.insight.esg.sfdr.rules.indicators import VERSION, JudgedIndicator
from apps.insight.esg.sfdr.services.assemble_portfolio import Portfolio, assemble_portfolio
from apps.platform.common.problems import NotFound
from apps.reference.lei.services import lookups

ALIGNED = "taxonomy_aligned"


class EntityUnknown(NotFound):
    """Neither a GLEIF record nor a registration is known for this LEI."""

    code, title = "entity_unknown", "Unknown entity"


@dataclass(frozen=True, slots=True)
class ScoredEntity:
    """What an answer about an entity rests on."""

    asked: dict[str, Any]
    score: GatheredScore
    portfolio: Portfolio
    judged: tuple[JudgedIndicator, ...]
    aligned: bool


def gather_scored_entity(*, lei: str, now: datetime) -> ScoredEntity:
    """Return the score of an entity and its indicators; EntityUnknown, EsgDataUnavailable."""
    record = lookups.look_up_lei(lei=lei, now=now, ask=False, used=False).record
    question = {
        "lei": lei,
        "name": record.entity.legal_name if record and record.entity else "",
        # selects the registers to query where GLEIF gives no country; it is no evidence
        "country": "US",
        # the best a caller can state, so that only the status on record lowers the score
        "lei_status": "ISSUED",
        **dict.fromkeys(("refresh", "narrate", "explain"), False),
    }
    try:
        entity_score = gather_entity_score(asked=question, now=now)
    # the score of document 1 asks its caller for a name; here there is no parameter for it
    except ValidationError:
        raise EntityUnknown("There is no evidence on this LEI, so it cannot be scored.") from None
    today = now.date()
    portfolio = assemble_portfolio(
        requested_holdings=[RequestedHolding(lei, "COMPANY", None, "EUR")], now=now, until=today
    )
    # alignment is no input of a PAI indicator, so the portfolio does not carry it
    own = evidence_figures.load_current_figures(subjects=[lei], today=today).get(lei, {})
    aligned = ALIGNED in own and own[ALIGNED].value == 1
    return ScoredEntity(
        question, entity_score, portfolio, presenters.judge_portfolio(portfolio), aligned
    )


def build_sfdr_block(*, found: ScoredEntity, composite: int, governance: int) -> dict[str, Any]:
    """Return the SFDR block of a score; see SfdrOut."""
    statuses = {indicator.indicator.id: str(indicator.status) for indicator in found.judged}
    facts = EntityFacts(composite, governance, statuses, found.aligned)
    eight, nine = list_failing_conditions(facts, 8), list_failing_conditions(facts, 9)
    return {
        "article8_compatible": not eight,
        "article9_compatible": not nine,
        "taxonomy_aligned": found.aligned,
        "failing": [
            {"rule": condition.code, "article": condition.article, "condition": condition.title}
            for condition in (*eight, *nine)
        ],
        "pai_indicators": [
            {name: indicator[name] for name in _SHOWN}
            for indicator in presenters.serialize_indicators(found.judged)
        ],
        "pai_data_quality": presenters.grade_data_quality(found.portfolio, found.judged),
        "pai_version": VERSION,
    }


_SHOWN: Sequence[str] = ("id", "name", "annex", "status", "rule", "value", "unit",
                         "coverage_percent", "missing")  # fmt: skip
