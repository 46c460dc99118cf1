"""POST /sfdr/screen, paid for (document 1 section 4)."""

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.insight.esg.models.sfdr_reports import PaiReport
from apps.insight.esg.sfdr.reports import (
    GatheredReport,
    gather_entity_report,
    plan_lookups,
    record_report,
)
from apps.insight.esg.sfdr.serializers import SfdrScreenOut
from apps.insight.esg.sfdr.serializers.responses import QUALITIES
from apps.platform.api.callers import Caller
from apps.platform.api.representation import RenderedAnswer, render_answer
from apps.platform.common.problems import DomainError, NotFound, Unavailable
from apps.reference.lei.legal_name_check import is_legal_name
from apps.reference.lei.services import lookups
from apps.reference.watchlists import engine as watchlist_engine
from apps.reference.watchlists import lookup
from apps.reference.watchlists.matches import LookupResult
from apps.reference.watchlists.rules.score_limits import BLOCK_SCORE
from apps.reference.watchlists.subjects import Subject


class LeiUnavailable(Unavailable):
    """We do not have the LEI, and it could not be looked up: nothing is charged."""

    code, title = "lei_unavailable", "The LEI could not be checked"


class LeiUnknown(NotFound):
    """GLEIF has no such LEI: nothing is charged."""

    code, title = "lei_unknown", "No such LEI"


class NameMismatch(DomainError):
    """The LEI belongs to an entity with another name: nothing is charged."""

    status, code, title = 422, "name_mismatch", "Name and LEI do not match"


class SfdrDataUnavailable(Unavailable):
    """No indicator could be computed: nothing is charged."""

    code, title = "sfdr_data_unavailable", "No data to screen the entity"


@dataclass(frozen=True, slots=True)
class GatheredScreen:
    """An entity's indicators, its legal name from GLEIF, and the sanctions result.

    `sample` says whether a list or the record of the LEI is a sample, `lacking` which enabled
    lists are not loaded and why.
    """

    gathered: GatheredReport
    name: str
    sanctions: LookupResult
    sample: bool
    lacking: tuple[str, ...]


def gather_screen(*, asked: dict[str, Any], now: datetime) -> GatheredScreen:
    """Compute an entity's indicators and search the lists.

    Raises before anything is charged: LeiUnknown, LeiUnavailable, NameMismatch,
    SfdrDataUnavailable, ListsUnavailable, ListsStale.
    """
    lei_lookup = lookups.look_up_lei(lei=asked["lei"], now=now)
    if lei_lookup.record is None:
        if lei_lookup.status == "UNKNOWN":
            raise LeiUnknown("GLEIF has no such LEI.")
        raise LeiUnavailable("We do not have the LEI, and GLEIF did not answer.", retry_after=300)
    entity = lei_lookup.record.entity
    # the sanctions result is for the given name, the indicators for the LEI: with another entity's
    # name the screen would attest one company's clean lists to another
    if not is_legal_name(asked["name"], entity):
        raise NameMismatch(f"The LEI belongs to {entity.legal_name}.")
    engine = watchlist_engine.load_current_engine(now)
    subject = Subject(name=entity.legal_name, aliases=(asked["name"],), lei=asked["lei"])
    sanctions = lookup.match_sanctions(engine=engine, subject=subject)
    gathered = gather_entity_report(asked=asked, now=now)
    if not any(row.computed for row in gathered.rows):
        sentence = "None of the 18 indicators can be computed. Give inputs, or try again later."
        raise SfdrDataUnavailable(sentence, retry_after=3600)
    sample = engine.sample or lei_lookup.record.source == "SAMPLE"
    return GatheredScreen(
        gathered, entity.legal_name, sanctions, sample, engine.lacking("sanction")
    )


def conclude_screen(
    *, asked: dict[str, Any], gathered: GatheredScreen, caller: Caller, now: datetime
) -> RenderedAnswer:
    """Store the screening and return it; see SfdrScreenOut."""
    screening_id = uuid.uuid4()
    body = render_answer(SfdrScreenOut, _build_screen_values(screening_id, asked, gathered, now))
    plan_lookups([asked["lei"]], now)
    record_report(
        kind=PaiReport.Kind.SCREEN,
        report_id=screening_id,
        asked=asked,
        body=body,
        portfolio=gathered.gathered.portfolio,
        caller=caller,
        now=now,
        payer=caller.name,
    )
    return body


def _build_screen_values(
    screening_id: uuid.UUID, asked: dict[str, Any], gathered: GatheredScreen, now: datetime
) -> dict[str, Any]:
    rows, sanctions = gathered.gathered.rows, gathered.sanctions
    portfolio = gathered.gathered.portfolio
    qualities = [
        gathered.gathered.answer["data_quality"],
        "SAMPLE" if gathered.sample else "LIVE",
        "PARTIAL" if gathered.lacking or sanctions.unread else "LIVE",
    ]
    return {
        "screening_id": screening_id,
        "lei": asked["lei"],
        "entity_name": gathered.name,
        "reporting_period": asked["reporting_period"],
        "figures_until": portfolio.until.isoformat(),
        "generated_at": now,
        **gathered.gathered.answer,
        "sanctions_check": {
            "matched": sanctions.score >= BLOCK_SCORE,
            "score": sanctions.score,
            "datasets": sorted({match.dataset for match in sanctions.matches}),
            "checked": not sanctions.unread,
            "unread": list(sanctions.unread),
        },
        # PAI indicator 10: violations of UN Global Compact principles and OECD Guidelines
        "ungc_compliance": next(row.status for row in rows if row.indicator.id == 10),
        # QUALITIES has the best first
        "data_quality": max(qualities, key=QUALITIES.index),
    }
