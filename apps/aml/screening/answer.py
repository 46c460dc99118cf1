"""What an AML screen answers, and what its events and profiles show (document 1 section 2.4)."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from apps.aml.rules.profile import DAY, Profile
from apps.aml.rules.scoring import POINT, Judgement, Weighed, maturity, risk_at
from apps.aml.rules.signals import BY_ID
from apps.aml.screening.asked import Asked
from apps.aml.screening.gather import Gathered
from apps.core.money import from_micro
from apps.core.shapes import epoch


def answer(
    screen_id: UUID,
    asked: Asked,
    gathered: Gathered,
    judgement: Judgement,
    own: Profile,
    reasoning: dict[str, Any] | None,
    counted: bool,
    now: datetime,
) -> dict[str, Any]:
    """Return the values of AmlScreenOut; `own` is the wallet's profile after this screen."""
    found = {
        "screen_id": screen_id,
        "wallet": asked.wallet,
        "risk_score": judgement.score,
        "risk_tier": judgement.tier.name,
        "action": judgement.action,
        "rule": judgement.rule.code,
        "cohort": judgement.cohort,
        "signals": [signal(one) for one in judgement.signals],
        "sanctions": {"hit": gathered.listed, "parties": listed(gathered)},
        "profile": brief(own, at=epoch(now)),
        "payment_id": asked.payment_id,
        "counted": counted,
        "checked_at": now,
    }
    return found | ({"reasoning": reasoning} if reasoning is not None else {})


def listed(gathered: Gathered) -> list[str]:
    """Return which of the two parties is on which list, in words."""
    sides = ("wallet", "counterparty")
    return [
        f"{side}: {entry}"
        for side, party in zip(sides, gathered.parties, strict=True)
        for entry in party.listed
    ]


def signal(one: Weighed) -> dict[str, Any]:
    """Return a signal as SignalOut has it."""
    row = BY_ID[one.fired.id]
    return {
        "id": row.id,
        "title": row.title,
        "value": one.fired.value,
        "strength": one.fired.strength,
        "points": from_micro(one.points * POINT),
        "sentence": one.fired.sentence,
        "basis": row.source,
    }


def brief(known: Profile, *, at: int) -> dict[str, Any]:
    """Return a profile as ProfileBrief has it."""
    return {
        "maturity": maturity(known.solid).name,
        "tx_count": known.count,
        "tx_volume_avg": from_micro(known.average),
        "risk_score": min(100, risk_at(known, at) // POINT),
    }


def whole(wallet: str, known: Profile, *, standing: str, at: int) -> dict[str, Any]:
    """Return a profile as ProfileOut has it."""
    lately = known.since(at // DAY - 1)
    found = brief(known, at=at) | {
        "wallet": wallet,
        "sent": known.sent,
        "received": known.received,
        "tx_volume": from_micro(known.volume),
        "counterparties": known.met,
        "tx_since_yesterday": sum(sum(one.times) for one in lately),
        "volume_since_yesterday": from_micro(sum(sum(one.volume) for one in lately)),
        "standing": standing or "NONE",
    }
    if known.count:
        found["first_seen_at"] = datetime.fromtimestamp(known.first_at, UTC)
        found["last_seen_at"] = datetime.fromtimestamp(known.last_at, UTC)
    return found
