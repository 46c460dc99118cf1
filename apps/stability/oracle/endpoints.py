"""The endpoints of the oracle (document 3 section 4): they read runs, and compute nothing."""

from datetime import datetime
from typing import Any

from apps.core.callers import Caller
from apps.core.chain import proven
from apps.core.endpoints import Access, Endpoint
from apps.core.rendering import Wire
from apps.stability.models import StabilityRun
from apps.stability.oracle import adaptive, answers, standing
from apps.stability.oracle.adaptive_shapes import AdaptiveOut
from apps.stability.oracle.serializers import OracleRunOut, OracleStatusOut, ReliabilityOut
from apps.stability.oracle.standing import OracleStale, OracleUnavailable

SERVICE = "stability"
HISTORY = 24  # document 3 section 8


def gather_reliability(*, asked: Any, now: datetime) -> Wire:
    """Return the answer from the last run; raises OracleUnavailable, OracleStale."""
    return answers.reliability(standing.last(now), now)


def gather_status(*, asked: Any, now: datetime) -> Wire:
    """Return the last run; raises OracleUnavailable, OracleStale."""
    return answers.status(standing.last(now), now)


def gather_history(*, asked: Any, now: datetime) -> list[dict[str, Any]]:
    """Return the last 24 runs, the newest first; those that are not as written are left out."""
    newest = StabilityRun.objects.order_by("-slot")[:HISTORY]
    return answers.history(proven(newest))


def gather_adaptive(*, asked: Any, now: datetime) -> dict[str, Any]:
    """Return how the adaptive part stands; see AdaptiveOut."""
    return adaptive.status(now)


def conclude(*, asked: Any, gathered: Any, caller: Caller, now: datetime) -> Any:
    """Return what was gathered: nothing is written."""
    return gathered


ENDPOINTS = (
    Endpoint(
        name="reliability",
        method="GET",
        path="reliability",
        service=SERVICE,
        spec="3 §2.3",
        about="Tells whether it is safe to settle now. Free.\n\n"
        "From the last run, one of which is due every ten minutes: score, peg, confidence, the "
        "dollar's health, and the row of the decision table that decided. A run that is late is "
        "never STABLE; without one of the last 30 minutes there is no number, but 503.",
        access=Access(open=True),
        answers=ReliabilityOut,
        gather=gather_reliability,
        conclude=conclude,
        problems=(OracleUnavailable, OracleStale),
    ),
    Endpoint(
        name="oracle-status",
        method="GET",
        path="api/status",
        service=SERVICE,
        spec="3 §4",
        about="Tells the last run as it was computed: every layer, input and value. Free.",
        access=Access(open=True),
        answers=OracleStatusOut,
        gather=gather_status,
        conclude=conclude,
        problems=(OracleUnavailable, OracleStale),
    ),
    Endpoint(
        name="oracle-history",
        method="GET",
        path="api/history",
        service=SERVICE,
        spec="3 §4",
        about="Lists the last 24 runs, the newest first. Free.\n\n"
        "`status` is what a run said when it was made; UNAVAILABLE where it had no number.",
        access=Access(open=True),
        answers=OracleRunOut,
        many=True,
        gather=gather_history,
        conclude=conclude,
    ),
    Endpoint(
        name="adaptive-status",
        method="GET",
        path="api/adaptive/status",
        service=SERVICE,
        spec="3 §2.3",
        about="Tells the weights of the tiers, what they are learnt from, and the breakers of all "
        "publishers of figures. Free.\n\nWeights change by two people alone, and no policy is "
        "executed.",
        access=Access(open=True),
        answers=AdaptiveOut,
        gather=gather_adaptive,
        conclude=conclude,
    ),
)
