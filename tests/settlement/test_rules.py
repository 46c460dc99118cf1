"""The tables of settlements by their boundaries: checks, decisions, turns."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.payments.settlement.rules import flow, status_notes, transitions
from apps.payments.settlement.rules.flow import CHECKS, RULES, FlowFacts, judge_flow
from apps.payments.settlement.rules.payout_stablecoins import route_of
from apps.payments.settlement.rules.transitions import (
    STATES,
    TRANSITIONS,
    CheckResults,
    find_transition,
)
from apps.platform.common.transition_tables import NoSuchTransition

CALM = FlowFacts(
    ran=frozenset(CHECKS), amount_usd=Decimal(100), aml="PROCEED", screen="APPROVED",
    beneficiary=True, esg_of="live", asset="USDC", status="STABLE",
)  # fmt: skip


@pytest.mark.parametrize(
    ("check", "change", "code"),
    [
        ("aml", {"aml": "BLOCK"}, "FLOW-1"),
        ("aml", {"aml": "FLAG"}, "FLOW-2"),
        ("aml", {}, "FLOW-3"),
        ("sanctions", {"listed": True}, "FLOW-4"),
        ("sanctions", {"screen": "BLOCKED"}, "FLOW-5"),
        ("sanctions", {"screen": "FLAGGED"}, "FLOW-6"),
        ("sanctions", {"screen": ""}, "FLOW-7"),
        ("fatf_r16", {"contested": True}, "FLOW-8"),
        ("fatf_r16", {}, "FLOW-9"),
        ("fatf_r16", {"beneficiary": False, "amount_usd": Decimal("1000")}, "FLOW-10"),
        ("fatf_r16", {"beneficiary": False, "amount_usd": None}, "FLOW-10"),
        ("fatf_r16", {"beneficiary": False, "amount_usd": Decimal("999.999999")}, "FLOW-11"),
        ("esg", {"esg_of": "entity"}, "FLOW-12"),
        ("esg", {}, "FLOW-13"),
        ("routing", {"asset": ""}, "FLOW-14"),
        ("routing", {"reaches": False}, "FLOW-15"),
        ("routing", {}, "FLOW-16"),
        ("stability", {"status": "UNSTABLE"}, "FLOW-17"),
        ("stability", {"status": "CAUTION", "amount_usd": Decimal("100000.000001")}, "FLOW-18"),
        ("stability", {"status": "CAUTION", "amount_usd": None}, "FLOW-18"),
        ("stability", {"status": "CAUTION", "amount_usd": Decimal("100000")}, "FLOW-19"),
        ("stability", {}, "FLOW-20"),
        ("stability", {"ran": frozenset()}, "FLOW-21"),
    ],
)
def test_each_check_is_decided_by_its_first_row_that_holds(
    check: str, change: dict[str, Any], code: str
) -> None:
    assert flow.rule_for_check(check, replace(CALM, **change)).code == code


@pytest.mark.parametrize("check", CHECKS)
def test_a_check_that_did_not_run_holds(check: str) -> None:
    judgement = judge_flow(replace(CALM, ran=CALM.ran - {check}))
    assert (judgement.decision, judgement.decided_by) == ("HOLD", check)
    assert judgement.reason


def test_what_blocks_is_graver_than_what_holds() -> None:
    judgement = judge_flow(replace(CALM, listed=True, aml="FLAG", status="UNSTABLE"))
    assert (judgement.decision, judgement.reason) == ("BLOCKED", flow.BLOCKED_REASON)
    assert judgement.shown("aml") is judgement.shown("sanctions") is flow.UNDISCLOSED_BLOCK
    assert judgement.shown("stability").code == "FLOW-17"


@pytest.mark.parametrize("change", [{"aml": "FLAG"}, {"screen": "FLAGGED"}])
@pytest.mark.parametrize("more", [{}, {"status": "UNSTABLE"}, {"beneficiary": False}])
def test_two_flagged_flows_are_told_alike(change: dict[str, Any], more: dict[str, Any]) -> None:
    judgement = judge_flow(replace(CALM, **change, **more))
    assert (judgement.decision, judgement.reason) == ("HOLD", flow.HELD_REASON)
    assert judgement.shown("aml") is judgement.shown("sanctions") is flow.UNDISCLOSED_HOLD


def test_what_neither_aml_nor_sanctions_holds_is_told_by_its_check() -> None:
    judgement = judge_flow(replace(CALM, status="UNSTABLE"))
    assert judgement.reason == "Stability: Settlement halts: the stability oracle is UNSTABLE."
    assert (judgement.shown("aml").code, judgement.shown("sanctions").code) == ("FLOW-3", "FLOW-7")


facts = st.builds(
    FlowFacts,
    ran=st.frozensets(st.sampled_from(CHECKS)),
    amount_usd=st.none() | st.decimals("0.01", "1000000", places=2),
    listed=st.booleans(),
    screen=st.sampled_from(["", "APPROVED", "FLAGGED", "BLOCKED"]),
    aml=st.sampled_from(["", "PROCEED", "FLAG", "BLOCK"]),
    beneficiary=st.booleans(),
    contested=st.booleans(),
    esg_of=st.sampled_from(["", "live", "entity"]),
    asset=st.sampled_from(["", "USDC", "EURC"]),
    reaches=st.booleans(),
    status=st.sampled_from(["", "STABLE", "CAUTION", "UNSTABLE"]),
)


@given(facts)
def test_nothing_proceeds_but_what_every_check_passed(some: FlowFacts) -> None:
    judgement = judge_flow(some)
    assert (judgement.decision == "PROCEED") is (not judgement.holding) is (not judgement.reason)
    assert (judgement.decision == "PROCEED") <= (some.ran == frozenset(CHECKS))


@given(facts)
def test_two_blocked_flows_are_told_alike(some: FlowFacts) -> None:
    judgement = judge_flow(some)
    if judgement.decision == "BLOCKED":
        told = {name: judgement.shown(name).code for name in flow.CONFIDENTIAL_CHECKS}
        assert told == dict.fromkeys(flow.CONFIDENTIAL_CHECKS, "FLOW-22")


def test_codes_and_states_are_each_used_once_or_known() -> None:
    codes = [
        rule.code for rule in (*RULES, flow.NOT_RUN, flow.UNDISCLOSED_BLOCK, flow.UNDISCLOSED_HOLD)
    ]
    assert len(codes) == len(set(codes))
    turns = [transition.code for transition in TRANSITIONS]
    assert len(turns) == len(set(turns))
    assert (
        {transition.next for transition in TRANSITIONS}
        == set(STATES)
        == set(status_notes.API_STATUSES)
    )


PROCEED, BLOCKED = CheckResults(decision="PROCEED"), CheckResults(decision="BLOCKED")
HOLD = CheckResults(decision="HOLD", holding=frozenset({"stability"}), held_for=("stability",))


@pytest.mark.parametrize(
    ("state", "event", "checks", "code", "to"),
    [
        ("", "ASKED", BLOCKED, "SET-1", "BLOCKED"),
        ("", "ASKED", replace(PROCEED, sandbox=True), "SET-2", "SETTLED"),
        ("", "ASKED", PROCEED, "SET-3", "AWAITING_SETTLEMENT"),
        ("", "ASKED", HOLD, "SET-4", "HELD"),
        ("HELD", "RESUBMITTED", replace(PROCEED, held_for=("aml",)), "SET-5", "HELD"),
        ("HELD", "RESUBMITTED", replace(BLOCKED, held_for=("aml",)), "SET-6", "BLOCKED"),
        ("HELD", "RESUBMITTED", replace(PROCEED, held_for=("stability",)), "SET-8",
         "AWAITING_SETTLEMENT"),
        ("HELD", "RESUBMITTED", replace(PROCEED, sandbox=True), "SET-7", "SETTLED"),
        ("HELD", "RESUBMITTED", HOLD, "SET-9", "HELD"),
        ("RELEASED", "RESUBMITTED", BLOCKED, "SET-10", "BLOCKED"),
        ("RELEASED", "RESUBMITTED", PROCEED, "SET-12", "AWAITING_SETTLEMENT"),
        ("RELEASED", "RESUBMITTED", HOLD, "SET-19", "HELD"),
        ("RELEASED", "RESUBMITTED", replace(HOLD, seen=("stability",)), "SET-12",
         "AWAITING_SETTLEMENT"),
        ("RELEASED", "RESUBMITTED", replace(HOLD, seen=("stability",), halts=True), "SET-13",
         "RELEASED"),
        ("RELEASED", "RESUBMITTED",
         replace(HOLD, seen=("stability",), not_run=frozenset({"stability"})), "SET-13",
         "RELEASED"),
        ("RELEASED", "RESUBMITTED", replace(HOLD, seen=("aml",)), "SET-19", "HELD"),
        ("HELD", "RELEASED", CheckResults(), "SET-14", "RELEASED"),
        ("HELD", "REJECTED", CheckResults(), "SET-15", "BLOCKED"),
        ("AWAITING_SETTLEMENT", "CONFIRMED", CheckResults(), "SET-16", "SETTLED"),
        ("SETTLED", "UNDONE", CheckResults(), "SET-17", "AWAITING_SETTLEMENT"),
        ("AWAITING_SETTLEMENT", "RAN_OUT", CheckResults(), "SET-18", "EXPIRED"),
    ],
)  # fmt: skip
def test_each_turn_is_taken_where_its_guard_holds(
    state: str, event: str, checks: CheckResults, code: str, to: str
) -> None:
    transition = find_transition(state, event, checks)
    assert (transition.code, transition.next) == (code, to)


@pytest.mark.parametrize("state", ["BLOCKED", "SETTLED", "EXPIRED", "AWAITING_SETTLEMENT"])
def test_what_does_not_wait_is_not_decided_again(state: str) -> None:
    for event in ("ASKED", "RESUBMITTED", "RELEASED", "REJECTED"):
        with pytest.raises(NoSuchTransition):
            find_transition(state, event, PROCEED)


def test_of_every_turn_the_row_of_its_code_is_found() -> None:
    assert all(
        transitions.transition_by_code(transition.code) is transition for transition in TRANSITIONS
    )


@pytest.mark.parametrize(
    ("source", "destination", "asset", "fx"),
    [
        ("USD", "USD", "USDC", False), ("USD", "EUR", "EURC", True), ("EUR", "EUR", "EURC", False),
        ("EUR", "USD", "USDC", True), ("GBP", "USD", "USDC", True), ("GBP", "EUR", "EURC", True),
    ],
)  # fmt: skip
def test_each_pair_of_currencies_has_its_stablecoin(
    source: str, destination: str, asset: str, fx: bool
) -> None:
    route = route_of(source, destination)
    assert route and (route.asset, route.fx) == (asset, fx)


@pytest.mark.parametrize(("source", "destination"), [("JPY", "USD"), ("USD", "GBP"), ("", "")])
def test_other_pairs_have_none(source: str, destination: str) -> None:
    assert route_of(source, destination) is None


some_checks = st.builds(
    CheckResults,
    decision=st.sampled_from(flow.DECISIONS),
    holding=st.frozensets(st.sampled_from(CHECKS)),
    not_run=st.frozensets(st.sampled_from(CHECKS), max_size=1),
    halts=st.booleans(),
    seen=st.lists(st.sampled_from(CHECKS), max_size=3),
    held_for=st.lists(st.sampled_from(CHECKS), max_size=2),
)
EVENTS = ("ASKED", "RESUBMITTED", "RELEASED", "REJECTED", "CONFIRMED", "UNDONE", "RAN_OUT")


@given(st.lists(st.tuples(st.sampled_from(EVENTS), some_checks), max_size=30))
def test_whatever_happens_nothing_is_settled_before_its_transfer_is_final(
    steps: list[tuple[str, CheckResults]],
) -> None:
    state, ended = "", False
    for event, checks in steps:
        try:
            transition = find_transition(state, event, checks)
        except NoSuchTransition:
            continue
        assert not ended, "what is blocked or expired stays so"
        if transition.next == "SETTLED":
            assert (state, event) == ("AWAITING_SETTLEMENT", "CONFIRMED")
        if transition.next == "AWAITING_SETTLEMENT" and event != "UNDONE":
            assert transition.expects and checks.clear and checks.decision != "BLOCKED"
        state, ended = transition.next, transition.next in ("BLOCKED", "EXPIRED")
