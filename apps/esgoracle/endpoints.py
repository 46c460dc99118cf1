"""The endpoints of the ESG oracle (document 3 section 4)."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from apps.core.callers import Caller
from apps.core.endpoints import Access, Endpoint, Method
from apps.core.money import to_micro
from apps.core.pipeline import Answer, Refusal
from apps.esg.conclude import conclude as conclude_entity
from apps.esg.gather import EsgDataUnavailable
from apps.esgoracle import entity, fees, standing, telling
from apps.esgoracle.entity import Entity, EntityUnknown
from apps.esgoracle.models import EsgRun
from apps.esgoracle.serializers import (
    EsgManifestOut,
    EsgReliabilityOut,
    QuoteIn,
    QuoteOut,
    ScheduleOut,
    ScoreOut,
    ScoreQuery,
)
from apps.esgoracle.standing import ScoreStale, ScoreUnavailable
from apps.registry.proof import RegistrationUnproved

SERVICE = telling.SERVICE
MICROSOFT = "INR2EJN1ERAN0W5ZP974"
KEPT = {"Cache-Control": "How long the answer may be kept: it changes with a release alone."}
CACHED = {"Cache-Control": "public, max-age=300"}


def gather_score(*, asked: dict[str, Any], now: datetime) -> Entity | EsgRun:
    """Return what a score rests on: an entity's, or the last run of the live one."""
    if "lei" in asked:
        return entity.gather(lei=asked["lei"], now=now)
    return standing.last(now=now)


def conclude_score(
    *, asked: Any, gathered: Entity | EsgRun, caller: Caller, now: datetime
) -> dict[str, Any] | Refusal:
    """Return a score; see ScoreOut."""
    if isinstance(gathered, EsgRun):
        return telling.live_said(gathered, now)
    made = conclude_entity(asked=gathered.asked, gathered=gathered.score, caller=caller, now=now)
    if isinstance(made, Refusal):
        return made
    composite, governance = made["composite"], made["governance"]
    sfdr = entity.block(found=gathered, composite=composite, governance=governance)
    return telling.entity_said(made, sfdr)


def gather_quote(*, asked: dict[str, Any], now: datetime) -> EsgRun | None:
    """Return the last run of the live score, where no score was given."""
    return None if "esg_score" in asked else standing.last(now=now)


def conclude_quote(
    *, asked: dict[str, Any], gathered: EsgRun | None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return the ESG fee; see QuoteOut."""
    given = asked["esg_score"] if gathered is None else gathered.points
    score = Decimal(given or 0)
    amount = to_micro(asked["amount_usd"])
    return telling.quote_said(amount=amount, score=score, run=gathered)


def conclude_schedule(*, asked: Any, gathered: Any, caller: Caller, now: datetime) -> Answer:
    """Return the ESG fee table; see ScheduleOut."""
    return Answer(fees.schedule(), headers=CACHED)


def conclude_manifest(*, asked: Any, gathered: Any, caller: Caller, now: datetime) -> Answer:
    """Return the manifest; see EsgManifestOut."""
    return Answer(telling.manifest(), headers=CACHED)


def conclude_reliability(
    *, asked: Any, gathered: Any, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return uptime and history; see EsgReliabilityOut."""
    return telling.reliability(now)


def _quote(name: str, method: Method) -> Endpoint:
    return Endpoint(
        name=name,
        method=method,
        path="quote",
        service=SERVICE,
        spec="3 §4",
        about="Tells the ESG fee of an amount, by the live score where none is given. Free.\n\n"
        "It binds nobody: a quote of the stability service has all fees and binds for 300 seconds. "
        "GET and POST take the same parameters and answer the same.",
        access=Access(open=True),
        asks=QuoteIn,
        answers=QuoteOut,
        example={"amountUsd": 20000, "esgScore": 62},
        gather=gather_quote,
        conclude=conclude_quote,
        problems=(ScoreUnavailable, ScoreStale),
    )


ENDPOINTS = (
    Endpoint(
        name="manifest",
        method="GET",
        path="manifest",
        service=SERVICE,
        spec="3 §4",
        about="Tells programs what this service is: its fee formula, method, addresses. Free.",
        access=Access(open=True),
        answers=EsgManifestOut,
        conclude=conclude_manifest,
        headers=KEPT,
    ),
    Endpoint(
        name="score",
        method="GET",
        path="esg-score",
        service=SERVICE,
        spec="3 §2.4",
        about="Gives the live ESG score, or that of an entity, with the fee of it. Free.\n\n"
        "Without `lei` it is the mean of three composites of public signals, each with its inputs, "
        "their source, age and licence. With one it is the entity's score and its `sfdr` block. "
        "The average is what a quote takes as `esgScore`.",
        access=Access(open=True),
        asks=ScoreQuery,
        answers=ScoreOut,
        example={"lei": MICROSOFT},
        gather=gather_score,
        conclude=conclude_score,
        problems=(
            EntityUnknown,
            EsgDataUnavailable,
            ScoreUnavailable,
            ScoreStale,
            RegistrationUnproved,
        ),
    ),
    Endpoint(
        name="fee-schedule",
        method="GET",
        path="fee-schedule",
        service=SERVICE,
        spec="3 §4",
        about="Gives the ESG fee across tiers and scores. Free.",
        access=Access(open=True),
        answers=ScheduleOut,
        conclude=conclude_schedule,
        headers=KEPT,
    ),
    _quote("quote", "GET"),
    _quote("quote-post", "POST"),
    Endpoint(
        name="reliability",
        method="GET",
        path="reliability",
        service=SERVICE,
        spec="3 §4",
        about="Gives uptime and the last 24 runs of the live score. Free.\n\n"
        "A run is due every ten minutes; `uptimePct` counts those that came to a score, of thirty "
        "days or since the first.",
        access=Access(open=True),
        answers=EsgReliabilityOut,
        conclude=conclude_reliability,
    ),
)
