"""POST /sfdr/screen, paid for, and the same screen again for who paid (document 1 section 4)."""

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.core.callers import Caller
from apps.core.chain import proven
from apps.core.problems import NO_SUCH_ID, NotFound, Unavailable
from apps.core.rendering import Wire, render
from apps.lei import lookups
from apps.sfdr import reporting
from apps.sfdr.models import PaiReport
from apps.sfdr.reports import Gathered, gather_entity, plan_lookups, write
from apps.sfdr.rules.indicators import VERSION
from apps.sfdr.serializers import SfdrScreenOut
from apps.watchlists import engine as engines
from apps.watchlists import lookup
from apps.watchlists.found import Found
from apps.watchlists.rules import BLOCK_SCORE
from apps.watchlists.subjects import Subject


class ScreeningUnproved(Unavailable):
    """The record of this screening is not proved to be as it was given: somebody altered it."""

    code, title = "record_unproved", "The stored screening cannot be given"


@dataclass(frozen=True, slots=True)
class Screened:
    """An entity's indicators, its name as GLEIF has it, and what the lists say of it."""

    gathered: Gathered
    name: str
    sanctions: Found
    sample: bool


def gather(*, asked: dict[str, Any], now: datetime) -> Screened:
    """Compute an entity's indicators and search the lists; ListsUnavailable, ListsStale (503)."""
    held = lookups.lookup(lei=asked["lei"], now=now, ask=False, used=False).record
    name = held.entity.legal_name if held else asked["name"]
    engine = engines.current(now)
    subject = Subject(name=asked["name"], aliases=(name,), lei=asked["lei"])
    found = lookup.sanctions(engine=engine, subject=subject)
    return Screened(gather_entity(asked=asked, now=now), name, found, engine.sample)


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
        "generated_at": now,
        "summary": reporting.summary(rows),
        "indicators": reporting.indicators(rows),
        "sanctions_check": {
            "matched": found.score >= BLOCK_SCORE,
            "score": found.score,
            "datasets": sorted({one.dataset for one in found.matches}),
        },
        "ungc_compliance": next(one.status for one in rows if one.indicator.id == 10),
        "data_quality": "SAMPLE" if sample else reporting.quality(portfolio, rows),
        "legal_basis": reporting.legal(),
        "rules_version": VERSION,
    }


def again(*, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime) -> Wire:
    """Return a screening to the wallet that paid for it; NotFound for everybody else.

    Who paid shows it by a stream session of the same wallet. ScreeningUnproved (503) for a record
    that is not as it was given, whoever asks.
    """
    held = list(PaiReport.objects.filter(report_id=asked["screening_id"], kind="SCREEN"))
    record = next(iter(proven(held)), None)
    if held and record is None:
        raise ScreeningUnproved("The record of this screening was altered: have it made anew.")
    if record is None or record.purged or record.payer != caller.name:
        raise NotFound(NO_SUCH_ID)
    return Wire(record.data["response"])
