"""What an AML screen answers, and what its events and profiles show (document 1 section 2.4)."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from apps.compliance.aml.rules.profile import DAY, Profile
from apps.compliance.aml.rules.scorecard import (
    POINT,
    Judgement,
    WeighedSignal,
    maturity_of_count,
    risk_at,
)
from apps.compliance.aml.rules.signals import BY_ID
from apps.compliance.aml.screening.requests import AmlScreenRequest
from apps.compliance.aml.screening.selectors import AmlScreenInputs
from apps.platform.common.clock import to_epoch_seconds
from apps.platform.common.money import from_micro
from apps.reference.signals.serializers import serialize_valuation


def build_aml_response(
    screen_id: UUID,
    screen_request: AmlScreenRequest,
    gathered: AmlScreenInputs,
    judgement: Judgement,
    before: Profile,
    own: Profile,
    reasoning: dict[str, Any] | None,
    counted: bool,
    now: datetime,
) -> dict[str, Any]:
    """Return the values of AmlScreenOut.

    `before` is the wallet's profile by which the payment was judged, `own` that after this screen.
    """
    aml_response = {
        "screen_id": screen_id,
        "wallet": screen_request.wallet,
        "risk_score": judgement.score,
        "risk_tier": judgement.tier.name,
        "action": judgement.action,
        "rule": judgement.rule.code,
        "cohort": judgement.cohort,
        "signals": [serialize_signal(signal) for signal in judgement.signals],
        "sanctions": {"hit": gathered.listed, "parties": describe_listed_parties(gathered)},
        "profile": serialize_profile_brief(own, at=to_epoch_seconds(now)),
        "profile_before": serialize_profile_brief(before, at=to_epoch_seconds(now)),
        "payment_id": screen_request.payment_id,
        "counted": counted,
        "checked_at": now,
    }
    if gathered.converted is not None:
        aml_response["valuation"] = serialize_valuation(gathered.converted)
    return aml_response | ({"reasoning": reasoning} if reasoning is not None else {})


def describe_listed_parties(gathered: AmlScreenInputs) -> list[str]:
    """Describe which of the two parties is on which list."""
    sides = ("wallet", "counterparty")
    return [
        f"{side}: {entry}"
        for side, party in zip(sides, gathered.parties, strict=True)
        for entry in party.listed
    ]


def serialize_signal(weighed_signal: WeighedSignal) -> dict[str, Any]:
    """Return a signal as SignalOut has it."""
    row = BY_ID[weighed_signal.fired.id]
    return {
        "id": row.id,
        "title": row.title,
        "value": weighed_signal.fired.value,
        "strength": weighed_signal.fired.strength,
        # thousandths of points times a thousand are millionths
        "points": from_micro(weighed_signal.points * POINT),
        "sentence": weighed_signal.fired.sentence,
        "basis": row.source,
    }


def serialize_profile_brief(known: Profile, *, at: int) -> dict[str, Any]:
    """Return a profile as ProfileBrief has it."""
    return {
        "maturity": maturity_of_count(known.solid).name,
        "tx_count": known.count,
        "tx_volume_avg": from_micro(known.average),
        "risk_score": min(100, risk_at(known, at) // POINT),
    }


def serialize_wallet_profile(
    wallet: str, known: Profile, *, standing: str, at: int
) -> dict[str, Any]:
    """Return a profile as ProfileOut has it."""
    # today and yesterday, in UTC
    lately = known.since(at // DAY - 1)
    payload = serialize_profile_brief(known, at=at) | {
        "wallet": wallet,
        "sent": known.sent,
        "received": known.received,
        "tx_volume": from_micro(known.volume),
        "counterparties": known.met,
        "tx_since_yesterday": sum(sum(day.times) for day in lately),
        "volume_since_yesterday": from_micro(sum(sum(day.volume) for day in lately)),
        "standing": standing or "NONE",
    }
    if known.count:
        payload["first_seen_at"] = datetime.fromtimestamp(known.first_at, UTC)
        payload["last_seen_at"] = datetime.fromtimestamp(known.last_at, UTC)
    return payload
