"""The state of the adaptive part: weights in force, outcomes to learn from, breakers."""

import logging
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import DatabaseError

from apps.insight.stability.models import TierOutcome
from apps.insight.stability.oracle.rules.layers import TIERS, WHOLE, initial_weights
from apps.insight.stability.oracle.rules.weight_updates import POLICY_THRESHOLD
from apps.insight.stability.oracle.selectors.tier_weights import (
    INITIAL_VERSION,
    TierWeightsIntegrityError,
    WeightsInForce,
    load_weights_in_force,
)
from apps.platform.upstreams.models import UpstreamState
from apps.reference.signals.clients.publishers import Publisher
from apps.reference.signals.series import FEEDS

logger = logging.getLogger(__name__)
POLICY = {"confidenceThreshold": POLICY_THRESHOLD, "executed": False}


def build_adaptive_status(now: datetime) -> dict[str, Any]:
    """Return AdaptiveOut's fields; DISABLED if the database or the weights cannot be read."""
    try:
        return _serialize_status(
            "ACTIVE", load_weights_in_force(), TierOutcome.objects.count(), list_breakers(now)
        )
    except (DatabaseError, TierWeightsIntegrityError) as error:
        logger.error("adaptive weights are off: %s", type(error).__name__)
        return _serialize_status(
            "DISABLED", WeightsInForce(INITIAL_VERSION, initial_weights()), 0, []
        )


def _serialize_status(
    state: str, weights: WeightsInForce, outcomes: int, breakers: list[Any]
) -> dict[str, Any]:
    return {
        "status": state,
        "weights": {tier: Decimal(weights.weights[tier]) / WHOLE for tier in TIERS},
        "weights_version": weights.version,
        "predictions": outcomes,
        "circuit_breakers": breakers,
        "policy": POLICY,
    }


def list_breakers(now: datetime) -> list[dict[str, Any]]:
    """Return the breaker of every publisher of figures, by the publisher's name. One query."""
    # a breaker belongs to the queried host, which may be an operator's mirror: the answer is public
    # and names neither such hosts nor upstreams that publish no figures
    hosts: dict[str, set[str]] = {}
    for feed in FEEDS:
        hosts.setdefault(feed.publisher, set()).add(Publisher(feed).name)
    upstream_states = UpstreamState.objects.filter(name__in=set().union(*hosts.values()))
    upstream_states_by_name = {
        upstream_state.name: upstream_state for upstream_state in upstream_states
    }
    return [
        _serialize_breaker(
            publisher,
            [upstream_states_by_name[name] for name in names if name in upstream_states_by_name],
            now,
        )
        for publisher, names in sorted(hosts.items())
    ]


def _serialize_breaker(
    publisher: str, upstream_states: list[UpstreamState], now: datetime
) -> dict[str, Any]:
    return {
        "breaker_name": publisher,
        "is_open": any(
            upstream_state.open_until is not None and upstream_state.open_until > now
            for upstream_state in upstream_states
        ),
        "failure_count": max(
            (upstream_state.failures for upstream_state in upstream_states), default=0
        ),
    }
