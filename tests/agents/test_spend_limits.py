"""What an agent may spend: rule by rule, day by day, and by many at the same moment."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from apps.compliance.agents.models import Agent, Spend
from apps.compliance.agents.rules.spend_limits import (
    SPEND_RULES,
    AgentPayment,
    SpendLimits,
    find_spend_refusal,
)
from apps.compliance.agents.services import agent_spends
from apps.compliance.agents.services.agent_spends import SpendMismatch, SpendReleased, SpendRequest
from tests.agents.conftest import ALICE_LEI, BOB_LEI, OWNED, Acting
from tests.conftest import NOON

CENT = Decimal("0.000001")
LIMITS = SpendLimits(
    max_notional=Decimal(1000),
    daily_cap=Decimal(5000),
    pairs=("USD|EUR",),
    whitelist=(BOB_LEI,),
    esg_floor=40,
)
FINE = {"pair": "USD|EUR", "counterparty_lei": BOB_LEI, "esg_score": 40}


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({}, None),
        ({"amount": Decimal(1000)}, None),
        ({"amount": Decimal(1000) + CENT}, "notional_exceeded"),
        ({"spent": Decimal(4900)}, None),
        ({"spent": Decimal(4900) + CENT}, "daily_cap_exceeded"),
        ({"pair": "EUR|USD"}, "pair_not_allowed"),
        ({"pair": ""}, "pair_not_allowed"),
        ({"counterparty_lei": ALICE_LEI}, "counterparty_not_allowed"),
        ({"counterparty_lei": ""}, "counterparty_not_allowed"),
        ({"esg_score": 39}, "esg_below_floor"),
        ({"esg_score": 0}, "esg_below_floor"),
        ({"esg_score": 41}, None),
        ({"esg_score": None}, "esg_not_known"),
        ({"revoked": True}, "agent_revoked"),
    ],
)
def test_each_limit_holds_on_both_sides(changes: Any, code: str | None) -> None:
    given: dict[str, Any] = {"amount": Decimal(100), "spent": Decimal(0)} | FINE | changes
    spend_refusal = find_spend_refusal(AgentPayment(**given), LIMITS)
    assert (spend_refusal[0].code if spend_refusal else None) == code
    assert spend_refusal is None or (spend_refusal[1] and "{" not in spend_refusal[1])


@pytest.mark.parametrize("floor", [None, 0])
def test_what_nothing_limits_is_not_refused(floor: int | None) -> None:
    payment = AgentPayment(amount=Decimal(10**9), spent=Decimal(10**9))
    assert find_spend_refusal(payment, SpendLimits(None, None, esg_floor=floor)) is None


def test_codes_of_rules_are_unique() -> None:
    assert len({rule.code for rule in SPEND_RULES}) == len(SPEND_RULES)


@pytest.fixture
def agent(register: Callable[..., Acting]) -> Agent:
    acting = register(**OWNED, mandate={"maxNotionalUsd": 1000, "dailyCapUsd": 3000})
    return Agent.objects.get(agent_id=acting.id)


def pay(agent: Agent, amount: Any, reference: str, now: datetime = NOON, **more: Any) -> Any:
    spend_request = SpendRequest(reference=reference, amount_usd=Decimal(amount), **more)
    return agent_spends.authorize_spend(agent=agent, wanted=spend_request, now=now)


def test_a_day_is_spent_to_the_last_millionth_and_no_further(agent: Agent) -> None:
    for number in range(2):
        assert pay(agent, 1000, f"p{number}").allowed
    assert pay(agent, "999.999999", "p2").spent == Decimal("2999.999999")
    refused = pay(agent, "0.000002", "p3")
    assert (refused.allowed, refused.code, refused.ref) == (False, "daily_cap_exceeded", "1 §8")
    assert "3,000" in refused.words or "3000" in refused.words
    assert pay(agent, "0.000001", "p4").spent == Decimal(3000)


def test_a_day_is_a_utc_day(agent: Agent) -> None:
    last = datetime(2026, 11, 20, 23, 59, 59, 999999, tzinfo=UTC)
    for number in range(3):
        assert pay(agent, 1000, f"p{number}", last).allowed
    east = timedelta(hours=14)
    elsewhere = last.astimezone(__import__("zoneinfo").ZoneInfo("Pacific/Kiritimati"))
    assert elsewhere.utcoffset() == east and not pay(agent, 1, "p3", elsewhere).allowed
    assert pay(agent, 1000, "p4", last + timedelta(microseconds=1)).spent == Decimal(1000)


def test_the_same_payment_again_counts_once(agent: Agent) -> None:
    first, again = pay(agent, 700, "INV-1"), pay(agent, 700, "INV-1", NOON + timedelta(days=2))
    assert (first.replayed, again.allowed, again.replayed) == (False, True, True)
    assert Spend.objects.count() == 1 and again.spent == Decimal(700)
    with pytest.raises(SpendMismatch):
        pay(agent, 701, "INV-1")
    with pytest.raises(SpendMismatch):
        pay(agent, 700, "INV-1", pair="USD|EUR")


def test_a_refused_payment_counts_for_nothing_and_may_come_again(agent: Agent) -> None:
    assert not pay(agent, 1001, "INV-1").allowed
    assert pay(agent, 1000, "INV-1").allowed


def test_what_is_released_is_there_again_on_its_own_day(agent: Agent) -> None:
    for number in range(3):
        pay(agent, 1000, f"p{number}")
    assert not pay(agent, 1000, "p3").allowed
    later = NOON + timedelta(days=1)
    assert agent_spends.release_spend(agent=agent, reference="p0", now=later) is True
    assert agent_spends.release_spend(agent=agent, reference="p0", now=later) is False
    assert agent_spends.release_spend(agent=agent, reference="nothing", now=later) is False
    assert pay(agent, 1000, "p3").allowed and not pay(agent, 1, "p4").allowed
    with pytest.raises(SpendReleased):
        pay(agent, 1000, "p0")


def test_one_agent_spends_nothing_of_another(agent: Agent, register: Callable[..., Acting]) -> None:
    other = Agent.objects.get(agent_id=register(**OWNED).id)
    pay(agent, 1000, "INV-1")
    assert pay(other, 25000, "INV-1").spent == Decimal(25000)
    assert not pay(other, "0.01", "INV-2").allowed


@pytest.mark.parametrize(("stated", "cap"), [({}, 1000), (OWNED, 25000)])
def test_without_a_mandate_the_caps_of_the_level_hold(
    register: Callable[..., Acting], stated: Any, cap: int
) -> None:
    agent = Agent.objects.get(agent_id=register(**stated).id)
    assert pay(agent, Decimal(cap) + CENT, "over").code == "notional_exceeded"
    assert pay(agent, cap, "all").allowed
    assert pay(agent, CENT, "more").code == "daily_cap_exceeded"


def test_a_verified_agent_without_a_mandate_has_no_cap(register: Callable[..., Acting]) -> None:
    agent = Agent.objects.get(agent_id=register(ownerLei=ALICE_LEI).id)
    assert pay(agent, 10**9, "much").allowed and pay(agent, 10**9, "more").allowed


def test_a_mandate_that_is_narrowed_counts_what_was_spent_before(
    register: Callable[..., Acting],
) -> None:
    acting = register(ownerLei=ALICE_LEI, mandate={"dailyCapUsd": 10000})
    agent = Agent.objects.get(agent_id=acting.id)
    assert pay(agent, 4000, "a").allowed
    acting.mandate(dailyCapUsd=4500)
    assert not pay(agent, 501, "b").allowed and pay(agent, 500, "c").allowed


def test_a_revoked_agent_spends_nothing_whatever_the_caller_still_holds(
    register: Callable[..., Acting],
) -> None:
    acting = register(ownerLei=ALICE_LEI)
    agent = Agent.objects.get(agent_id=acting.id)
    acting.revoke()
    assert pay(agent, 1, "a").code == "agent_revoked"


@pytest.mark.parametrize("amount", [0, -1])
def test_an_amount_is_above_zero(agent: Agent, amount: int) -> None:
    with pytest.raises(ValueError):
        pay(agent, amount, "none")


def test_a_payment_takes_few_queries(agent: Agent, django_assert_max_num_queries: Any) -> None:
    for number in range(20):
        pay(agent, 1, f"p{number}")
    with django_assert_max_num_queries(16):
        pay(agent, 1, "last")
