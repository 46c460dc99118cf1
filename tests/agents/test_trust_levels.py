"""What is known of an agent's owner, and what follows: as table, and as clients see it."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from apps.compliance.agents.models import Agent, AgentEvent
from apps.compliance.agents.rules.levels import (
    LEI_RULES,
    LEVEL_RULES,
    TIERS,
    AgentOwner,
    clamp_limit,
    judge_owner,
)
from apps.platform.api.models import IdempotentCall
from tests.agents.conftest import ALICE, ALICE_LEI, BOB_LEI, OWNED, Acting
from tests.lei import fake_gleif

GOOD: dict[str, Any] = {"lei": ALICE_LEI, "asked": "KNOWN", "status": "ISSUED", "holder": ALICE}
KEY = "1f0c2a7e-5b1d-4c7e-9a52-3f8f6f0f7d11"


@pytest.mark.parametrize(
    ("owner", "level", "says"),
    [
        (AgentOwner(), "ANONYMOUS", "The owner is unknown"),
        (AgentOwner(entity=ALICE), "ANONYMOUS", "ownerEmail is missing"),
        (AgentOwner(email=True), "ANONYMOUS", "ownerEntity is missing"),
        (AgentOwner(entity=ALICE, email=True), "REGISTERED", "self-attested"),
        (AgentOwner(**GOOD), "VERIFIED", "is ISSUED to"),
        (AgentOwner(**GOOD, standing="ACTIVE"), "VERIFIED", "is ISSUED to"),
        (AgentOwner(**GOOD, standing="INACTIVE"), "ANONYMOUS", "is INACTIVE"),
        (AgentOwner(**GOOD | {"status": "LAPSED"}), "ANONYMOUS", "is LAPSED, not ISSUED"),
        (AgentOwner(**GOOD, entity=ALICE, email=True), "VERIFIED", "is ISSUED to"),
        (AgentOwner(**GOOD, entity="Bob", agreement=74), "ANONYMOUS", f"belongs to {ALICE}"),
        (
            AgentOwner(**GOOD, entity="Bob", email=True, agreement=74),
            "REGISTERED",
            "score 74 of 100",
        ),
        (AgentOwner(**GOOD, entity="Bob", email=True, agreement=75), "VERIFIED", "is ISSUED to"),
        (
            AgentOwner(entity=ALICE, email=True, lei=ALICE_LEI, asked="NOT_CHECKED"),
            "REGISTERED",
            "could not be checked",
        ),
        (AgentOwner(lei=ALICE_LEI, asked="UNKNOWN"), "ANONYMOUS", "is not in the LEI registry"),
    ],
)
def test_a_level_follows_from_what_is_known(owner: AgentOwner, level: str, says: str) -> None:
    standing = judge_owner(owner)
    assert (standing.level, says in standing.note) == (level, True), standing.note
    assert standing.lei_verified is (level == "VERIFIED")
    assert bool(standing.upgrade) is (level != "VERIFIED")


def test_every_rule_is_reached() -> None:
    owners = [
        AgentOwner(),
        AgentOwner(lei=ALICE_LEI, asked="NOT_CHECKED"),
        AgentOwner(lei=ALICE_LEI, asked="UNKNOWN"),
        AgentOwner(**GOOD | {"status": "RETIRED"}),
        AgentOwner(**GOOD, standing="INACTIVE"),
        AgentOwner(**GOOD, agreement=74),
    ]
    hit = {next(rule.code for rule in LEI_RULES if rule.when(owner)) for owner in owners}
    assert hit == {rule.code for rule in LEI_RULES}
    assert {rule.level for rule in LEVEL_RULES} == set(TIERS)


@pytest.mark.parametrize(
    ("wish", "cap", "given"),
    [("24999.99", "25000", "24999.99"), ("25000", "25000", "25000"), ("25000.01", "25000", "25000"),
     (None, "25000", "25000"), ("400000", None, "400000"), (None, None, None)],
)  # fmt: skip
def test_a_limit_is_the_lower_of_two(wish: Any, cap: Any, given: Any) -> None:
    told = [None if one is None else Decimal(one) for one in (wish, cap, given)]
    assert clamp_limit(told[0], told[1]) == told[2]


@pytest.mark.parametrize(
    ("stated", "level", "score", "cap"),
    [
        ({}, "ANONYMOUS", 20, 1000),
        ({"ownerEntity": ALICE}, "ANONYMOUS", 20, 1000),
        ({"ownerEmail": "owner@alice.example"}, "ANONYMOUS", 20, 1000),
        (OWNED, "REGISTERED", 60, 25000),
        ({"ownerLei": ALICE_LEI}, "VERIFIED", 95, None),
        ({**OWNED, "ownerLei": ALICE_LEI}, "VERIFIED", 95, None),
        ({"ownerEntity": "ALICE Trading Ltd.", "ownerLei": ALICE_LEI}, "VERIFIED", 95, None),
    ],
)
def test_an_agent_has_the_level_of_what_is_stated(
    register: Callable[..., Acting], stated: Any, level: str, score: int, cap: Any
) -> None:
    agent = register(**stated)
    told = agent.told
    assert (agent.status, told["kyaLevel"], told["kyaScore"]) == (201, level, score)
    assert told["tierCaps"] == {"maxNotionalUsd": cap, "dailyCapUsd": cap}
    assert told["leiVerified"] is (level == "VERIFIED")
    assert told["leiEntityName"] == (ALICE if "ownerLei" in stated else None)
    assert ("_next" in told) is (level != "VERIFIED") and told["tierNote"]


@pytest.mark.parametrize(
    ("known", "stated", "says"),
    [
        ({"status": "LAPSED"}, OWNED, "LAPSED"),
        ({}, OWNED | {"ownerEntity": "Bob SA"}, f"belongs to {ALICE}"),
    ],
)
def test_an_lei_that_does_not_count_leaves_the_level_below_and_says_why(
    register: Callable[..., Acting], gleif: Any, known: Any, stated: Any, says: str
) -> None:
    gleif.add(fake_gleif.record(ALICE_LEI, ALICE, **known))
    told = register(**stated, ownerLei=ALICE_LEI).told
    assert (told["kyaLevel"], told["leiVerified"]) == ("REGISTERED", False)
    assert says in told["tierNote"] and told["_next"]


@pytest.mark.parametrize(
    ("stated", "verified"),
    [
        (ALICE, True),
        ("ALICE TRADING LTD", True),
        ("Alice Traidng Limited", True),  # a slip of the pen
        ("Alise Trading Limited", False),  # another letter in a short name is another name
        ("Алис Трейдинг Лимитед", True),  # its legal name in another script, as GLEIF has it
        ("Alice Trading Energy Limited", False),  # a sibling
        ("Alice Trading Fund II", False),
        ("Alice", False),
        ("Trading Limited", False),
        ("Old Heron Limited", False),  # its former name
        ("Bob Shipping SA", False),
    ],
)
def test_the_name_of_the_owner_agrees_with_gleifs_as_payees_do(
    register: Callable[..., Acting], gleif: Any, stated: str, verified: bool
) -> None:
    held = fake_gleif.record(ALICE_LEI, ALICE)
    held["attributes"]["entity"]["otherNames"] = [
        {"name": "Old Heron Limited", "type": "PREVIOUS_LEGAL_NAME"},
        {"name": "Алис Трейдинг Лимитед", "type": "ALTERNATIVE_LANGUAGE_LEGAL_NAME"},
    ]
    gleif.add(held)
    told = register(**OWNED | {"ownerEntity": stated}, ownerLei=ALICE_LEI).told
    assert told["kyaLevel"] == ("VERIFIED" if verified else "REGISTERED"), told["tierNote"]
    assert verified or "75 is required" in told["tierNote"]


def test_when_gleif_does_not_answer_the_level_is_the_one_below_and_says_so(
    register: Callable[..., Acting], gleif: Any
) -> None:
    gleif.status = 500
    told = register(**OWNED, ownerLei=ALICE_LEI).told
    assert (told["kyaLevel"], told["leiStatus"]) == ("REGISTERED", "NOT_CHECKED")
    assert "could not be checked" in told["tierNote"]
    assert register(ownerLei=BOB_LEI).told["kyaLevel"] == "ANONYMOUS"


def test_registered_again_it_is_a_new_agent(register: Callable[..., Acting]) -> None:
    old, new = register(), register(**OWNED)
    assert old.id != new.id and old.record()["kyaLevel"] == "ANONYMOUS"
    assert old.secret != new.secret


def test_the_record_is_open_and_holds_neither_secret_nor_email(
    register: Callable[..., Acting],
) -> None:
    agent = register(**OWNED)
    text = str(agent.record())
    for word in (agent.secret, Agent.objects.get().digest, "owner@alice.example"):
        assert word not in text


def test_the_email_is_in_the_payload_of_the_ledger_and_nowhere_else(
    register: Callable[..., Acting],
) -> None:
    register(**OWNED)
    event = AgentEvent.objects.get()
    assert event.data["ownerEmail"] == "owner@alice.example" and event.mac_fault() == ""
    assert "owner@alice.example" not in str(Agent.objects.values())
    assert "owner@alice.example" not in str(event.envelope())


@pytest.mark.parametrize(
    "change",
    [
        {"name": ""},
        {"name": "Agent\u202e"},
        {"ownerEmail": "not-an-address"},
        {"ownerLei": ALICE_LEI[:-2] + "00"},
        {"protocols": "x402"},
        {"mandate": {"esgFloor": 101}},
        {"mandate": {"esgFloor": -1}},
        {"mandate": {"currencyPairs": ["USDEUR"]}},
        {"mandate": {"currencyPairs": ["USD|EURO12"]}},
        {"mandate": {"counterpartyWhitelist": ["SHORT"]}},
        {"mandate": {"dailyCapUsd": 0}},
        {"mandate": {"dailyCapUsd": "100"}},
        {"mandate": {"dailyCapUsd": 0.0000001}},
        {"strange": 1},
    ],
)
def test_what_is_not_right_is_refused(register: Callable[..., Acting], change: Any) -> None:
    agent = register(**OWNED | change)
    assert agent.status == 400 and not Agent.objects.exists()
    [field] = [row["field"] for row in agent.told["errors"]]
    assert field.split(".")[0] in change


def test_a_repeat_gets_the_same_secret_and_the_database_has_it_nowhere(
    register: Callable[..., Acting],
) -> None:
    first, again = (register({"Idempotency-Key": KEY}) for _ in range(2))
    assert (again.id, again.secret) == (first.id, first.secret) and Agent.objects.count() == 1
    kept = str(IdempotentCall.objects.values())
    for word in (first.secret, KEY, first.id):
        assert word not in kept
    other = register({"Idempotency-Key": KEY}, name="Another")
    assert (other.status, other.told["code"]) == (409, "idempotency_key_reused")


def test_a_stored_answer_that_another_key_sealed_is_not_given(
    register: Callable[..., Acting], settings: Any
) -> None:
    register({"Idempotency-Key": KEY})
    settings.SECRET_KEY = "another" * 8
    agent = register({"Idempotency-Key": KEY})
    assert (agent.status, agent.told["code"]) == (503, "stored_answer_altered")


def test_an_address_registers_only_so_often_in_a_minute(
    register: Callable[..., Acting], settings: Any
) -> None:
    settings.FREE_RATE_PER_MINUTE = 2
    assert [register().status for _ in range(3)] == [201, 201, 429]


@pytest.mark.parametrize("key", ["1", "a-key-of-mine", "1" * 32, "12345671" * 5, "x" * 31])
def test_a_key_that_somebody_else_may_come_upon_is_refused(
    register: Callable[..., Acting], key: str
) -> None:
    """Everybody behind one address is one caller: the key alone tells who registered."""
    refused = register({"Idempotency-Key": key})
    assert (refused.status, refused.told["code"]) == (400, "bad_idempotency_key")
    assert not Agent.objects.exists()


def test_where_no_lei_registry_is_set_up_that_is_said_and_no_silence(
    register: Callable[..., Acting], settings: Any
) -> None:
    settings.GLEIF_URL = ""
    note = register(**OWNED, ownerLei=ALICE_LEI).told["tierNote"]
    assert "is not configured here" in note and "does not answer" not in note


def test_a_note_that_ends_with_a_name_ends_with_one_full_stop(
    register: Callable[..., Acting], gleif: Any
) -> None:
    gleif.add(fake_gleif.record(ALICE_LEI, "Apple Inc."))
    assert (
        register(ownerLei=ALICE_LEI).told["tierNote"] == f"LEI {ALICE_LEI} is ISSUED to Apple Inc."
    )
