"""Viewsets of the oracle (document 3 section 4): they read runs, and compute nothing."""

from datetime import datetime
from typing import Any

from django.http.response import HttpResponseBase
from rest_framework.decorators import action
from rest_framework.request import Request

from apps.insight.stability.models import StabilityRun
from apps.insight.stability.oracle import adaptive_status, presenters
from apps.insight.stability.oracle.selectors import latest_run
from apps.insight.stability.oracle.selectors.latest_run import OracleStale, OracleUnavailable
from apps.insight.stability.oracle.serializers.adaptive import AdaptiveOut
from apps.insight.stability.oracle.serializers.runs import (
    OracleRunOut,
    OracleStatusOut,
    ReliabilityOut,
)
from apps.platform.api.operations import Access, operation
from apps.platform.api.representation import RenderedAnswer
from apps.platform.api.viewsets import OperationViewSet
from apps.platform.ledger.verification.verified_reads import filter_verified_records

HISTORY = 24  # document 3 section 8


class ReliabilityViewSet(OperationViewSet):
    """Whether it is safe to settle now (document 3 section 2.3)."""

    @operation(
        "reliability",
        spec="3 §2.3",
        access=Access(open=True),
        response=ReliabilityOut,
        problems=(OracleUnavailable, OracleStale),
    )
    def list(self, request: Request) -> HttpResponseBase:
        """Says whether it is safe to settle now. Free.

        From the last run, one of which is due every ten minutes: score, peg, confidence, the
        dollar's health, and the row of the decision table that decided. A late run is never STABLE;
        without a run in the last 30 minutes the answer is 503.
        """
        return self.run(gather_reliability)


class OracleRunViewSet(OperationViewSet):
    """Runs of the oracle (document 3 section 4)."""

    shared = {"access": Access(open=True)}

    @action(detail=False)
    @operation(
        "oracle-status",
        spec="3 §4",
        response=OracleStatusOut,
        problems=(OracleUnavailable, OracleStale),
    )
    def status(self, request: Request) -> HttpResponseBase:
        """Returns the last run as it was computed: every layer, input and value. Free."""
        return self.run(gather_status)

    @action(detail=False)
    @operation(
        "oracle-history",
        spec="3 §4",
        response=OracleRunOut,
        many=True,
    )
    def history(self, request: Request) -> HttpResponseBase:
        """Lists the last 24 runs, newest first. Free.

        `status` is what a run reported when it was made; UNAVAILABLE if it had no score.
        """
        return self.run(gather_history)

    @action(detail=False, url_path="adaptive/status")
    @operation("adaptive-status", spec="3 §2.3", response=AdaptiveOut)
    def adaptive(self, request: Request) -> HttpResponseBase:
        """Returns the weights of the tiers, what they are based on, and the circuit breakers of all
        publishers of figures. Free.

        Changing weights takes two people, and no policy is executed.
        """
        return self.run(lambda *, asked, now: adaptive_status.build_adaptive_status(now))


def gather_reliability(*, asked: Any, now: datetime) -> RenderedAnswer:
    """Return the answer from the last run; raises OracleUnavailable, OracleStale."""
    return presenters.render_reliability(latest_run.load_latest_run(now), now)


def gather_status(*, asked: Any, now: datetime) -> RenderedAnswer:
    """Return the last run; raises OracleUnavailable, OracleStale."""
    return presenters.render_status(latest_run.load_latest_run(now), now)


def gather_history(*, asked: Any, now: datetime) -> list[dict[str, Any]]:
    """Return the last 24 runs, newest first, without those that fail their integrity check."""
    newest = StabilityRun.objects.order_by("-slot")[:HISTORY]
    return presenters.serialize_history(filter_verified_records(newest))
