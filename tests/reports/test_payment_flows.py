"""What of many may be told: crowds, dominance, and differences that give nobody away. Pure."""

from collections import Counter
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.insight.reports.rules.payment_flows import (
    FEWEST_INSTITUTIONS,
    PaymentFlow,
    disclose_decisions,
    round_amount,
    split_corridors,
    summarize_network,
    tally_flows,
)


def moved(
    owner: int,
    corridor: str = "EUR to USDC",
    usd: int = 100,
    *,
    state: str = "SETTLED",
    fee: int = 1,
) -> PaymentFlow:
    return PaymentFlow(
        owner=f"account:{owner}",
        corridor=corridor,
        state=state,
        usd=Decimal(usd),
        fee=Decimal(fee),
        seconds=30.0,
        day="2026-10-05",
        sandbox=False,
        mark=f"{owner}",
    )


@pytest.mark.parametrize(
    ("institutions", "told"), [(FEWEST_INSTITUTIONS - 1, False), (FEWEST_INSTITUTIONS, True)]
)
def test_five_are_a_crowd_and_four_are_none(institutions: int, told: bool) -> None:
    network = summarize_network([moved(index) for index in range(institutions)])
    assert (network["volume"] is not None) is told


@pytest.mark.parametrize(("most", "told"), [(400, True), (401, False)])
def test_half_of_the_sum_may_be_one_institution_s_and_more_may_not(most: int, told: bool) -> None:
    rows = [moved(index) for index in range(4)] + [moved(9, usd=most)]
    assert (summarize_network(rows)["volume"] is not None) is told


def test_a_sum_of_two_is_not_told_because_others_were_blocked() -> None:
    rows = [moved(index) for index in range(2)] + [
        moved(index, state="BLOCKED") for index in range(2, 5)
    ]
    assert summarize_network(rows)["volume"] is None


@pytest.mark.parametrize(("most", "told"), [(4, True), (5, False)])
def test_fees_are_of_a_crowd_as_well(most: int, told: bool) -> None:
    rows = [moved(index) for index in range(4)] + [moved(9, fee=most)]
    assert (summarize_network(rows)["volume"] is not None) is told


@pytest.mark.parametrize("state", ["BLOCKED", "FAILED", "EXPIRED", "HELD"])
def test_what_one_alone_had_unsettled_is_told_neither_itself_nor_by_the_whole(state: str) -> None:
    rows = [moved(index) for index in range(5) for _ in range(2)]
    network = summarize_network(rows + [moved(0, state=state) for _ in range(10)])
    volume = network["volume"]
    assert (volume["settled"], volume["settledUsd"]) == (10, 1000)
    hidden = ("count", "blocked", "failed", "waiting", "settledShare")
    assert {volume[name] for name in hidden} == {None}
    assert network["withheld"]["what"] == "SOME"


def test_what_a_crowd_had_blocked_is_told_with_its_share() -> None:
    rows = [moved(index) for index in range(5)] + [
        moved(index, state="BLOCKED") for index in range(5)
    ]
    network = summarize_network(rows)
    volume = network["volume"]
    assert (volume["count"], volume["blocked"], volume["failed"]) == (10, 5, 0)
    assert volume["settledShare"] == 0.5 and network["withheld"] is None


def test_an_outcome_that_the_others_would_give_away_takes_another_with_it() -> None:
    rows = [moved(index) for index in range(5)] + [moved(index, state="HELD") for index in range(5)]
    volume = summarize_network([*rows, moved(0, state="BLOCKED")])["volume"]
    assert (volume["count"], volume["failed"]) == (10, 0)
    assert volume["blocked"] is None and volume["waiting"] is None


def test_corridors_are_told_of_what_settled_alone() -> None:
    rows = [moved(index) for index in range(5)] + [moved(0, "GBP to USDC", state="BLOCKED")]
    [told] = summarize_network(rows)["corridors"]
    assert (told["corridor"], told["settled"], told["count"], told["blocked"]) == (
        "EUR to USDC", 5, None, None,
    )  # fmt: skip


def test_a_median_of_a_crowd_has_two_digits() -> None:
    rows = [replace(moved(index), seconds=1234.0) for index in range(5)]
    assert summarize_network(rows)["volume"]["medianSeconds"] == 1200


@pytest.mark.parametrize(
    ("officers", "told"),
    [({}, 0), ({"a": 25}, None), (dict.fromkeys("abcde", 5), 25)],
)
def test_decisions_of_officers_are_told_of_a_crowd(officers: dict[str, int], told: int) -> None:
    rules = Counter(dict.fromkeys("abcde", 20))
    found = disclose_decisions(
        {"byRules": rules, "byOfficer": Counter(officers)}, {"advisedByModel": Counter()}
    )
    assert found["byOfficer"] == told and found["advisedByModel"] == 0
    if told is None:
        assert found["byRules"] is None  # the whole less it would tell


def test_decisions_of_which_one_has_more_than_half_are_not_told() -> None:
    rules = Counter({"a": 46} | dict.fromkeys("bcde", 1))
    assert set(disclose_decisions({"byRules": rules}, {}).values()) == {None}


def test_what_the_whole_less_the_told_would_give_away_is_not_told() -> None:
    rows = [moved(index) for index in range(6)] + [moved(1, "GBP to USDC", 7)]
    network = summarize_network(rows)
    assert [corridor["corridor"] for corridor in network["corridors"]] == ["others"]
    assert network["withheld"] is None


def test_small_corridors_are_told_together_where_they_are_a_crowd() -> None:
    rows = [moved(index) for index in range(6)]
    rows += [moved(index, f"{index} to USDC") for index in range(5)]
    names = [corridor["corridor"] for corridor in summarize_network(rows)["corridors"]]
    assert names == ["EUR to USDC", "others"]


@given(
    st.lists(
        st.tuples(st.integers(0, 7), st.sampled_from("ABCD"), st.integers(1, 10_000)), max_size=60
    )
)
def test_every_figure_that_is_told_is_of_a_crowd_and_so_is_what_is_left(
    told: list[tuple[int, str, int]],
) -> None:
    rows = [moved(owner, corridor, usd) for owner, corridor, usd in told]
    _, corridors, _ = tally_flows(rows)
    shown, rest = split_corridors(corridors)
    assert all(corridors[name].disclosable for name in shown)
    assert rest is None or rest.disclosable or not shown


@pytest.mark.parametrize(
    ("value", "told"),
    [("0", "0"), ("7", "7"), ("94", "94"), ("995", "1000"), ("1234", "1200"), ("1250.4", "1300")],
)
def test_sums_of_a_crowd_have_two_digits(value: str, told: str) -> None:
    assert round_amount(Decimal(value)) == Decimal(told)
