"""POST /sfdr/screen, paid for (document 1 section 4)."""

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.core.callers import Caller
from apps.core.problems import DomainError, NotFound, Unavailable
from apps.core.rendering import Wire, render
from apps.lei import lookups
from apps.lei.names import agrees
from apps.sfdr.models import PaiReport
from apps.sfdr.reports import Gathered, gather_entity, plan_lookups, write
from apps.sfdr.serializers import SfdrScreenOut
from apps.watchlists import engine as engines
from apps.watchlists import lookup
from apps.watchlists.found import Found
from apps.watchlists.rules import BLOCK_SCORE
from apps.watchlists.subjects import Subject


class LeiUnavailable(Unavailable):
    """The LEI is not held and could not be asked for: nothing is charged."""

    code, title = "lei_unavailable", "The LEI could not be checked"


class LeiUnknown(NotFound):
    """GLEIF has no such LEI: nothing is charged."""

    code, title = "lei_unknown", "No such LEI"


class NameMismatch(DomainError):
    """The LEI is another entity's than the name: nothing is charged."""

    status, code, title = 422, "name_mismatch", "The name is not that of the LEI"


class SfdrDataUnavailable(Unavailable):
    """Not one indicator could be computed: nothing is charged."""

    code, title = "sfdr_data_unavailable", "There is no data to screen the entity"


@dataclass(frozen=True, slots=True)
class Screened:
    """An entity's indicators, its name as GLEIF has it, and what the lists say of it."""

    gathered: Gathered
    name: str
    sanctions: Found
    sample: bool


def gather(*, asked: dict[str, Any], now: datetime) -> Screened:
    """Compute an entity's indicators and search the lists.

    Raises before anything is charged: LeiUnknown, LeiUnavailable, NameMismatch,
    SfdrDataUnavailable, ListsUnavailable, ListsStale.
    """
    name = _entity(asked, now)
    engine = engines.current(now)
    subject = Subject(name=name, aliases=(asked["name"],), lei=asked["lei"])
    found = lookup.sanctions(engine=engine, subject=subject)
    gathered = gather_entity(asked=asked, now=now)
    if not any(one.computed for one in gathered.rows):
        told = "Not one of the 18 indicators can be computed: give inputs, or ask again later."
        raise SfdrDataUnavailable(told, retry_after=3600)
    return Screened(gathered, name, found, engine.sample)


def _entity(asked: dict[str, Any], now: datetime) -> str:
    """Return the legal name of an LEI; refuses a name that is another entity's."""
    found = lookups.lookup(lei=asked["lei"], now=now)
    if found.record is None:
        if found.status == "UNKNOWN":
            raise LeiUnknown("GLEIF has no such LEI.")
        raise LeiUnavailable("The LEI is not held here, and GLEIF did not answer.", retry_after=300)
    entity = found.record.entity
    if not agrees(asked["name"], entity):
        raise NameMismatch(f"The LEI is that of {entity.legal_name}.")
    return entity.legal_name


def conclude(*, asked: dict[str, Any], gathered: Screened, caller: Caller, now: datetime) -> Wire:
    """Keep the screening and return it; see SfdrScreenOut."""
    screening_id = uuid.uuid4()
    body = render(SfdrScreenOut, _values(screening_id, asked, gathered, now))
    plan_lookups([asked["lei"]], now)
    write(
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


def _values(
    screening_id: uuid.UUID, asked: dict[str, Any], gathered: Screened, now: datetime
) -> dict[str, Any]:
    rows, found = gathered.gathered.rows, gathered.sanctions
    portfolio = gathered.gathered.portfolio
    sample = gathered.sample or portfolio.sample
    return {
        "screening_id": screening_id,
        "lei": asked["lei"],
        "entity_name": gathered.name,
        "reporting_period": asked["reporting_period"],
        "figures_until": portfolio.until.isoformat(),
        "generated_at": now,
        **gathered.gathered.told,
        "sanctions_check": {
            "matched": found.score >= BLOCK_SCORE,
            "score": found.score,
            "datasets": sorted({one.dataset for one in found.matches}),
        },
        "ungc_compliance": next(one.status for one in rows if one.indicator.id == 10),
    } | ({"data_quality": "SAMPLE"} if sample else {})
