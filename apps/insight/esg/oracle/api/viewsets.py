"""Viewsets of the ESG oracle (document 3 section 4)."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from django.http.response import HttpResponseBase
from rest_framework.request import Request

from apps.compliance.payees.selectors.registrations import RegistrationIntegrityError
from apps.insight.esg.models.oracle_runs import EsgRun
from apps.insight.esg.oracle import fees, presenters
from apps.insight.esg.oracle.selectors import entity_score, latest_run
from apps.insight.esg.oracle.selectors.entity_score import EntityUnknown, ScoredEntity
from apps.insight.esg.oracle.selectors.latest_run import ScoreStale, ScoreUnavailable
from apps.insight.esg.oracle.serializers import (
    EsgManifestOut,
    EsgReliabilityOut,
    QuoteIn,
    QuoteOut,
    ScheduleOut,
    ScoreOut,
    ScoreQuery,
)
from apps.insight.esg.selectors import EsgDataUnavailable
from apps.insight.esg.services.conclude_score import conclude_entity_score
from apps.platform.api.answers import Answer, Refusal
from apps.platform.api.callers import Caller
from apps.platform.api.operations import Access, operation
from apps.platform.api.viewsets import OperationViewSet
from apps.platform.common.money import to_micro

SERVICE = presenters.SERVICE
MICROSOFT = "INR2EJN1ERAN0W5ZP974"
# documentation of the header in the OpenAPI document; CACHED is its value, in seconds
KEPT = {"Cache-Control": "How long the answer may be cached; it changes only with a release."}
CACHED = {"Cache-Control": "public, max-age=300"}


def gather_score(*, asked: dict[str, Any], now: datetime) -> ScoredEntity | EsgRun:
    """Return what a score rests on: an entity's, or the last run of the live one."""
    if "lei" in asked:
        return entity_score.gather_scored_entity(lei=asked["lei"], now=now)
    return latest_run.load_latest_run(now=now)


def conclude_score(
    *, asked: Any, gathered: ScoredEntity | EsgRun, caller: Caller, now: datetime
) -> dict[str, Any] | Refusal:
    """Return a score; see ScoreOut."""
    if isinstance(gathered, EsgRun):
        return presenters.serialize_live_score(gathered, now)
    scored = conclude_entity_score(
        asked=gathered.asked, gathered=gathered.score, caller=caller, now=now
    )
    if isinstance(scored, Refusal):
        return scored
    composite, governance = scored["composite"], scored["governance"]
    sfdr = entity_score.build_sfdr_block(found=gathered, composite=composite, governance=governance)
    return presenters.serialize_entity_score(scored, sfdr)


def gather_quote(*, asked: dict[str, Any], now: datetime) -> EsgRun | None:
    """Return the last run of the live score, where no score was given."""
    return None if "esg_score" in asked else latest_run.load_latest_run(now=now)


def conclude_quote(
    *, asked: dict[str, Any], gathered: EsgRun | None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return the ESG fee; see QuoteOut."""
    esg_score = asked["esg_score"] if gathered is None else gathered.points
    score = Decimal(esg_score or 0)
    amount = to_micro(asked["amount_usd"])
    return presenters.serialize_quote(amount=amount, score=score, run=gathered)


class ManifestViewSet(OperationViewSet):
    """The description of the service for programs (document 3 section 4)."""

    @operation(
        "manifest",
        spec="3 §4",
        access=Access(open=True),
        response=EsgManifestOut,
        response_headers=KEPT,
    )
    def list(self, request: Request) -> HttpResponseBase:
        """Describes this service for programs: its fee formula, method and addresses. Free."""
        return self.run(lambda **_: Answer(presenters.build_manifest(), headers=CACHED))


class ScoreViewSet(OperationViewSet):
    """The live ESG score, and those of entities (document 3 section 2.4)."""

    @operation(
        "score",
        spec="3 §2.4",
        access=Access(open=True),
        request=ScoreQuery,
        response=ScoreOut,
        example={"lei": MICROSOFT},
        problems=(
            EntityUnknown,
            EsgDataUnavailable,
            ScoreUnavailable,
            ScoreStale,
            RegistrationIntegrityError,
        ),
    )
    def list(self, request: Request) -> HttpResponseBase:
        """Returns the live ESG score, or that of an entity, with its fee. Free.

        Without `lei` it is the mean of three composites of public signals, each with its inputs,
        their source, age and licence. With `lei` it is the entity's score and its `sfdr` block. Use
        the average as `esgScore` of a quote.
        """
        return self.run(gather_score, conclude_score)


class FeeScheduleViewSet(OperationViewSet):
    """The ESG fee table (document 3 section 4)."""

    @operation(
        "fee-schedule",
        spec="3 §4",
        access=Access(open=True),
        response=ScheduleOut,
        response_headers=KEPT,
    )
    def list(self, request: Request) -> HttpResponseBase:
        """Returns the ESG fee across tiers and scores. Free."""
        return self.run(lambda **_: Answer(fees.build_fee_schedule(), headers=CACHED))


# GET and POST take the same parameters and answer the same
QUOTE: dict[str, Any] = {
    "spec": "3 §4",
    "access": Access(open=True),
    "request": QuoteIn,
    "response": QuoteOut,
    "example": {"amountUsd": 20000, "esgScore": 62},
    "problems": (ScoreUnavailable, ScoreStale),
}


class QuoteViewSet(OperationViewSet):
    """Quotes of fees, by query or by body (document 3 section 4)."""

    @operation("quote", **QUOTE)
    def list(self, request: Request) -> HttpResponseBase:
        """Returns the ESG fee of an amount, at the live score if you give none. Free.

        The fee is not binding: a quote of the stability service has all fees and is binding for 300
        seconds. GET and POST take the same parameters and return the same answer.
        """
        return self.run(gather_quote, conclude_quote)

    @operation("quote-post", **QUOTE, description=list.declared["description"])  # type: ignore[attr-defined]
    def create(self, request: Request) -> HttpResponseBase:
        return self.list(request)


class ReliabilityViewSet(OperationViewSet):
    """Uptime and runs of the live score (document 3 section 4)."""

    @operation("reliability", spec="3 §4", access=Access(open=True), response=EsgReliabilityOut)
    def list(self, request: Request) -> HttpResponseBase:
        """Returns uptime and the last 24 runs of the live score. Free.

        A run is due every ten minutes; `uptimePct` is the share that produced a score, over thirty
        days or since the first run.
        """
        return self.run(lambda *, asked, now: presenters.build_reliability(now))
