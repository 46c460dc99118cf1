"""The engine in memory and the one in the database are one: same judgements, same profiles."""

import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.compliance.aml.backtest.memory_engine import MemoryEngine
from apps.compliance.aml.models import AmlScreen, WalletProfile
from apps.compliance.aml.rules.profile import Payment
from apps.compliance.aml.rules.scorecard import Judgement, prior_weights
from apps.platform.common.clock import to_epoch_seconds
from tests.payees.registration.conftest import wallet

pytestmark = pytest.mark.django_db
PAYMENTS = 60


def payments() -> list[tuple[int, int, int, int]]:
    """Return sender, receiver, USD and seconds since the last: bursts, pauses, circles."""
    chance = random.Random(7)
    found = []
    for _ in range(PAYMENTS):
        sender, receiver = chance.sample(range(1, 7), 2)
        amount = chance.choice([95, 100, 980, 2990, 9600, 12_000, chance.randrange(1, 50_000)])
        found.append((sender, receiver, amount, chance.choice([1, 60, 3600, 90_000, 3_000_000])))
    return found


def told(found: Judgement) -> tuple[Any, ...]:
    return (
        found.score,
        found.tier.name,
        found.action,
        found.cohort,
        [(signal.fired.id, signal.fired.value, signal.fired.strength) for signal in found.signals],
    )


def answered(body: dict[str, Any], cohort: str) -> tuple[Any, ...]:
    return (
        body["riskScore"],
        body["riskTier"],
        body["action"],
        cohort,
        [(signal["id"], signal["value"], signal["strength"]) for signal in body["signals"]],
    )


def test_both_engines_judge_every_payment_alike(ivan: APIClient, monkeypatch: Any) -> None:
    memory, at = MemoryEngine(prior_weights()), datetime(2026, 1, 1, 12, tzinfo=UTC)
    actions = set()
    for number, (sender, receiver, amount, gap) in enumerate(payments()):
        at += timedelta(seconds=gap)
        monkeypatch.setattr("apps.platform.api.viewsets.present", lambda now=at: now)
        monkeypatch.setattr("apps.reference.watchlists.engine._require_fresh", lambda _: None)
        ends = wallet(sender), wallet(receiver)
        payment = Payment(*ends, amount * 1_000_000, to_epoch_seconds(at))
        expected = memory.screen(payment)
        for side, direction in enumerate(("SEND", "RECEIVE")):
            mine, other = ends if direction == "SEND" else ends[::-1]
            body = {"wallet": mine, "counterparty": other, "amount": amount, "currency": "USDC"}
            body |= {"paymentId": f"P-{number}", "direction": direction}
            answer = ivan.post("/compliance/aml/screen", body, format="json")
            assert answer.status_code == 200, answer.content
            cohort = AmlScreen.objects.latest("pk").cohort
            assert answered(answer.json(), cohort) == told(expected[side]), (number, direction)
            actions.add(answer.json()["action"])
    assert {"PROCEED", "FLAG"} <= actions
    rows = WalletProfile.objects.all()
    assert {row.wallet: row.profile for row in rows} == memory.profiles
