"""Mandates: who holds one, what it allows, and how it changes."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from apps.compliance.agents.models import Agent, AgentEvent, Mandate
from apps.reference.lei.models import LeiRecord
from tests.agents.conftest import ALICE_LEI, BOB_LEI, OWNED, Acting, Clock
from tests.lei import fake_gleif
from tests.lei.changed_entities import restate

WHOLE: dict[str, Any] = {
    "maxNotionalUsd": 1000,
    "dailyCapUsd": 5000,
    "currencyPairs": ["usd|eur", "USDC|EUR"],
    "counterpartyWhitelist": [BOB_LEI, BOB_LEI],
    "esgFloor": 40,
    "ap2Compatible": True,
}


@pytest.mark.parametrize("stated", [{}, {"ownerEntity": "Half Ltd"}])
def test_an_anonymous_agent_holds_none_and_learns_why(
    register: Callable[..., Acting], stated: Any
) -> None:
    refused = register(**stated).mandate(dailyCapUsd=5)
    assert (refused.status_code, refused.json()["code"]) == (403, "upgrade_required")
    assert "ownerEntity" in refused.json()["detail"] and not Mandate.objects.exists()


def test_one_that_would_be_anonymous_is_not_registered_with_one(
    register: Callable[..., Acting],
) -> None:
    agent = register(mandate=WHOLE)
    assert (agent.status, agent.told["code"]) == (403, "upgrade_required")
    assert not Agent.objects.exists()


def test_an_agent_is_registered_with_its_mandate(register: Callable[..., Acting]) -> None:
    agent = register(**OWNED, mandate=WHOLE)
    mandate = agent.told["mandate"]
    assert mandate["mandateId"].startswith("mnd_") and mandate["version"] == 1
    assert mandate["currencyPairs"] == ["USD|EUR", "USDC|EUR"]
    assert mandate["counterpartyWhitelist"] == [BOB_LEI] and mandate["esgFloor"] == 40
    assert agent.record()["mandate"] == mandate
    steps = AgentEvent.objects.order_by("pk").values_list("step", "about")
    assert list(steps) == [("REGISTERED", ""), ("MANDATE", mandate["mandateId"])]


@pytest.mark.parametrize(
    ("wish", "given", "clamped"),
    [(24999.99, 24999.99, False), (25000, 25000, False), (25000.01, 25000, True)],
)
def test_a_registered_agent_is_clamped_to_its_tier(
    register: Callable[..., Acting], wish: float, given: float, clamped: bool
) -> None:
    body = register(**OWNED).mandate(maxNotionalUsd=wish, dailyCapUsd=wish).json()
    assert (body["maxNotionalUsd"], body["dailyCapUsd"]) == (given, given)
    assert body["clamped"] is clamped


def test_a_verified_agent_sets_its_own_and_may_set_none(register: Callable[..., Acting]) -> None:
    agent = register(ownerLei=ALICE_LEI)
    body = agent.mandate(dailyCapUsd=400000).json()
    assert (body["dailyCapUsd"], body["maxNotionalUsd"], body["clamped"]) == (400000, None, False)


def test_what_is_left_out_stays_and_what_is_empty_is_lifted(
    register: Callable[..., Acting],
) -> None:
    agent = register(**OWNED, mandate=WHOLE)
    kept = agent.allowed(dailyCapUsd=6000)
    assert kept.status_code == 200
    body = kept.json()
    assert (body["version"], body["mandateId"]) == (2, agent.told["mandate"]["mandateId"])
    assert (body["dailyCapUsd"], body["maxNotionalUsd"], body["esgFloor"]) == (6000, 1000, 40)
    assert body["counterpartyWhitelist"] == [BOB_LEI]
    lifted = agent.allowed(counterpartyWhitelist=[], currencyPairs=[], esgFloor=0).json()
    assert (lifted["counterpartyWhitelist"], lifted["currencyPairs"]) == ([], [])
    assert (lifted["esgFloor"], lifted["dailyCapUsd"]) == (0, 6000)


def test_no_version_ever_changes(register: Callable[..., Acting]) -> None:
    agent = register(**OWNED, mandate=WHOLE)
    agent.allowed(dailyCapUsd=6000)
    for change in (
        lambda: Mandate.objects.filter(version=1).update(daily_cap=9),
        lambda: Mandate.objects.filter(version=1).delete(),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()
    versions = Mandate.objects.order_by("version").values_list("version", "daily_cap")
    assert [(number, int(cap or 0)) for number, cap in versions] == [(1, 5000), (2, 6000)]


def test_a_level_that_fell_narrows_a_mandate_and_may_end_it(
    register: Callable[..., Acting], gleif: Any, clock: Clock
) -> None:
    gleif.add(fake_gleif.record(ALICE_LEI, "Alice Ltd", nextRenewalDate="2026-11-20T23:00:00Z"))
    alone = register(ownerLei=ALICE_LEI, mandate={"dailyCapUsd": 90000})
    owned = register(
        ownerEntity="Alice Ltd",
        ownerEmail="a@alice.example",
        ownerLei=ALICE_LEI,
        mandate={"dailyCapUsd": 90000},
    )
    clock.later(days=1)
    fell, stands = (one.verify().json()["credential"]["attestation"] for one in (alone, owned))
    assert (fell["kyaLevel"], fell["mandateActive"], fell["dailyCapUsd"]) == (
        "ANONYMOUS", False, 1000,
    )  # fmt: skip
    assert (stands["kyaLevel"], stands["mandateActive"], stands["dailyCapUsd"]) == (
        "REGISTERED", True, 25000,
    )  # fmt: skip


# --- AP2 -----------------------------------------------------------------------------


def test_an_ap2_document_says_what_ap2_can_say_and_names_what_it_lacks(
    register: Callable[..., Acting],
) -> None:
    terms = WHOLE | {"maxNotionalUsd": 1000.129999, "dailyCapUsd": 5000.559999}
    ap2 = register(**OWNED, mandate=terms).told["mandate"]["ap2"]
    assert ap2["document"] == {
        "vct": "mandate.payment.open.1",
        "constraints": [
            {"type": "payment.amount_range", "currency": "USD", "max": 100012},
            {"type": "payment.agent_recurrence", "frequency": "ON_DEMAND"},
            {"type": "payment.budget", "currency": "USD", "max": 5000.55},
            {"type": "payment.allowed_payees", "allowed": [{"id": BOB_LEI, "name": BOB_LEI}]},
        ],
        "iat": 1795176000,
        "exp": 1795219200,
    }
    assert ap2["conformant"] is False
    assert ap2["missing"] == ["payment.reference", "SD-JWT signature", "cnf"]
    assert ap2["notExpressed"]["currencyPairs"] == ["USD|EUR", "USDC|EUR"]
    assert ap2["notExpressed"]["esgFloor"] == 40


def test_without_limits_or_the_wish_there_is_none(register: Callable[..., Acting]) -> None:
    agent = register(ownerLei=ALICE_LEI)
    assert "ap2" not in agent.mandate(dailyCapUsd=5).json()
    free = register(ownerLei=ALICE_LEI).mandate(ap2Compatible=True).json()
    assert free["ap2"]["document"]["constraints"] == []


@pytest.mark.parametrize(
    ("terms", "status"),
    [
        ({"counterpartyWhitelist": [ALICE_LEI] * 200}, 201),
        ({"counterpartyWhitelist": [ALICE_LEI] * 201}, 400),
        ({"currencyPairs": ["USD|EUR"] * 200}, 201),
        ({"currencyPairs": ["USD|EUR"] * 201}, 400),
    ],
)
def test_a_list_of_a_mandate_has_at_most_two_hundred_entries(
    register: Callable[..., Acting], terms: Any, status: int
) -> None:
    for _ in range(2):  # what reads a request is one for all: nothing of it wears off
        assert register(**OWNED, mandate=terms).status == status


def test_null_lifts_a_cap_and_what_changes_nothing_makes_no_version(
    register: Callable[..., Acting],
) -> None:
    agent = register(ownerLei=ALICE_LEI, mandate={"maxNotionalUsd": 100, "dailyCapUsd": 500})
    lifted = agent.allowed(maxNotionalUsd=None)
    assert (lifted.json()["maxNotionalUsd"], lifted.json()["dailyCapUsd"]) == (None, 500)
    assert lifted.json()["version"] == 2
    for terms in ({}, {"maxNotionalUsd": None}, {"dailyCapUsd": 500}):
        same = agent.mandate(**terms)
        assert (same.status_code, same.json()["version"]) == (200, 2)


def test_a_level_caps_what_null_lifts(register: Callable[..., Acting]) -> None:
    agent = register(**OWNED, mandate={"maxNotionalUsd": 100})
    assert agent.allowed(maxNotionalUsd=None).json()["maxNotionalUsd"] == 25000


@pytest.mark.parametrize(
    ("terms", "status"),
    [
        ({"maxNotionalUsd": 999.99}, 200),
        ({"maxNotionalUsd": 1000}, 200),
        ({"maxNotionalUsd": 1000.01}, 403),
        ({"maxNotionalUsd": None}, 403),
        ({"dailyCapUsd": 4999}, 200),
        ({"dailyCapUsd": 5001}, 403),
        ({"dailyCapUsd": 4999, "maxNotionalUsd": 1001}, 403),
        ({"esgFloor": 41}, 200),
        ({"esgFloor": 39}, 403),
        ({"esgFloor": 0}, 403),
        ({"currencyPairs": ["USD|EUR"]}, 200),
        ({"currencyPairs": ["USD|EUR", "USD|GBP"]}, 403),
        ({"currencyPairs": []}, 403),
        ({"counterpartyWhitelist": [ALICE_LEI]}, 403),
        ({"counterpartyWhitelist": []}, 403),
        ({"ap2Compatible": False}, 200),
        ({}, 200),
    ],
)
def test_an_agent_lowers_its_limits_and_does_not_lift_them(
    register: Callable[..., Acting], terms: dict[str, Any], status: int
) -> None:
    agent = register(ownerLei=ALICE_LEI, mandate=WHOLE)
    before = agent.record()["mandate"]
    answer = agent.mandate(**terms)
    assert answer.status_code == status, answer.content
    if status == 403:
        assert answer.json()["code"] == "owner_needed"
        assert agent.record()["mandate"] == before
        assert agent.allowed(**terms).status_code == 200


def test_without_an_lei_of_its_owner_its_level_alone_bounds_an_agent(
    register: Callable[..., Acting],
) -> None:
    agent = register(**OWNED, mandate={"maxNotionalUsd": 1000})
    for wish, given in ((24_999, 24_999), (25_000, 25_000), (25_001, 25_000)):
        answer = agent.mandate(maxNotionalUsd=wish)
        assert (answer.status_code, answer.json()["maxNotionalUsd"]) == (200, given)


def test_a_first_mandate_is_the_agents_own(register: Callable[..., Acting]) -> None:
    """Without one its level is the only limit: whatever it says narrows that."""
    agent = register(ownerLei=ALICE_LEI)
    assert agent.mandate(maxNotionalUsd=10**6).status_code == 201
    assert agent.mandate(maxNotionalUsd=10**6 + 1).status_code == 403


def test_the_document_of_a_revoked_agent_says_that_nothing_may_be_paid(
    register: Callable[..., Acting],
) -> None:
    acting = register(**OWNED, mandate={"dailyCapUsd": 5000, "ap2Compatible": True})
    before = acting.record()["mandate"]
    assert before["active"] and before["ap2"]["active"] and before["ap2"]["document"]["constraints"]
    acting.revoke()
    after = acting.record()["mandate"]
    assert not after["active"] and after["ap2"]["document"] is None
    assert (after["ap2"]["active"], after["ap2"]["conformant"]) == (False, False)
    assert after["ap2"]["missing"] == ["an active mandate"]


def test_a_mandate_whose_agent_fell_to_a_level_that_holds_none_has_no_document(
    register: Callable[..., Acting],
) -> None:
    acting = register(ownerLei=ALICE_LEI, mandate={"dailyCapUsd": 50, "ap2Compatible": True})
    restate(LeiRecord.objects.filter(lei=ALICE_LEI), registration_status="LAPSED")
    assert acting.verify().json()["kyaLevel"] == "ANONYMOUS"
    assert acting.record()["mandate"]["ap2"]["document"] is None
