"""What would really happen: histories of wallets, and what an officer would sign of each."""

from collections.abc import Iterator

import pytest

from apps.compliance.aml.backtest.memory_engine import MemoryEngine
from apps.compliance.aml.rules.profile import Payment
from apps.compliance.aml.rules.scorecard import Judgement, prior_weights
from apps.compliance.aml.rules.signal_context import DAY, HOUR, USD

BEGIN = 1_700_000_000 // DAY * DAY + 10 * HOUR
Paid = tuple[str, str, float, float]  # sender, receiver, USD, days after the begin


def last(history: Iterator[Paid] | list[Paid]) -> tuple[Judgement, Judgement]:
    """Return how the last payment of a history is judged, for its sender and its receiver."""
    return judged(history)[-1]


def judged(history: Iterator[Paid] | list[Paid]) -> list[tuple[Judgement, Judgement]]:
    """Return how each payment of a history is judged, for its sender and its receiver."""
    engine = MemoryEngine(prior_weights())
    return [
        engine.screen(Payment(sender, receiver, round(amount * USD), BEGIN + round(day * DAY)))
        for sender, receiver, amount, day in history
    ]


def wages(months: int) -> list[Paid]:
    """Return a company's wages to forty people, each month."""
    return [
        ("firm", f"E{n}", 3000 + 37 * n, 30 * month) for month in range(months) for n in range(40)
    ]


@pytest.mark.parametrize(
    ("months", "action", "signals"),
    [
        (1, "PROCEED", {"structuring", "velocity", "fan_out"}),
        (2, "PROCEED", {"awoken"}),
        (3, "PROCEED", set()),
        (12, "PROCEED", set()),
    ],
)
def test_wages_of_a_new_company_are_never_held(months: int, action: str, signals: set[str]) -> None:
    paid, received = last(wages(months))
    assert (paid.action, {signal.fired.id for signal in paid.signals}) == (action, signals)
    assert received.action == "PROCEED"


INCOME: list[Paid] = [
    (f"C{n % 12}", "firm", 20_000 + 100 * (n % 7), 2 * n - 120) for n in range(60)
]


@pytest.mark.parametrize(
    ("before", "first"),
    [
        ([], {"PROCEED"}),
        (INCOME[:1], {"PROCEED", "FLAG"}),
        ([("C", "firm", 200_000, -2)], {"PROCEED"}),
        (INCOME, {"PROCEED", "FLAG"}),
    ],
)
def test_no_wage_is_blocked_and_who_is_paid_is_told_of_nothing(
    before: list[Paid], first: set[str]
) -> None:
    """Whether the company is new, slept since it was funded or did not, or has an income."""
    found = judged([*before, *wages(12)])[len(before) :]
    assert {paid.action for paid, _ in found[:40]} == first
    assert {paid.action for paid, _ in found[40:]} == {"PROCEED"}
    assert {received.action for _, received in found} == {"PROCEED"}


@pytest.mark.parametrize(
    ("came", "action"), [([], "FLAG"), ([("boss", "own", 96_000.0, -1.0)], "BLOCK")]
)
def test_what_is_split_is_looked_at_and_blocked_where_the_money_only_passes_through(
    came: list[Paid], action: str
) -> None:
    """Ten parts of 9,500 to ten wallets, of a wallet that paid a shop for months."""
    before: list[Paid] = [("own", "shop", 5000 + 90 * n, 9 * n - 200) for n in range(20)]
    parts: list[Paid] = [("own", f"P{n}", 9500, 0.01 * n) for n in range(10)]
    found = judged([*before, *came, *parts])
    assert found[-1][0].action == action
    assert ("BLOCK" in {paid.action for paid, _ in found}) is (action == "BLOCK")


@pytest.mark.parametrize(
    ("amounts", "action"),
    [((9500, 9400), "PROCEED"), ((9500, 9400, 9600), "FLAG"), ((3200, 3300, 3600), "PROCEED")],
)
def test_three_payments_just_under_the_threshold_are_split_whoever_pays_them(
    amounts: tuple[int, ...], action: str
) -> None:
    paid, _ = last([("new", "B", amount, day) for day, amount in enumerate(amounts)])
    assert paid.action == action


@pytest.mark.parametrize(("amount", "action"), [(49_999.99, "PROCEED"), (50_000, "FLAG")])
def test_a_wallet_that_begins_with_fifty_thousand_is_looked_at(amount: float, action: str) -> None:
    paid, received = last([("new", "newer", amount, 0)])
    assert (paid.action, received.action) == (action, "PROCEED")


SUPPLIERS: list[Paid] = [("firm", f"S{n}", 900 + 170 * n, 0.01 * n) for n in range(30)]
RENT: list[Paid] = [("firm", "home", 6500, 0.4)]
PAYROLL: list[Paid] = [("firm", f"E{n}", 2900 + 90 * n, 1 + 0.01 * n) for n in range(20)]


@pytest.mark.parametrize(
    "days",
    [
        [*SUPPLIERS, *RENT, *PAYROLL, *((a, b, c, d + 3) for a, b, c, d in SUPPLIERS)],
        [*SUPPLIERS[:20], *RENT],
        [
            *(("firm", f"C{n}", 250.0, 0.001 * n) for n in range(50)),
            *(("firm", f"W{n}", 1840.5, 0.1 + 0.001 * n) for n in range(30)),
            *(("firm", f"X{n}", 4200.0, 0.2 + 0.001 * n) for n in range(10)),
        ],
        [("developer", "test", amount, 0.01 * n) for n, amount in enumerate([1.0, 250, 100] * 4)],
        [("developer", "test", 250.0, 0.01 * n) for n in range(12)],
    ],
    ids=["suppliers, rent, wages", "rent after a batch", "equal amounts", "tests", "equal tests"],
)
def test_the_first_honest_days_of_an_institution_go_through(days: list[Paid]) -> None:
    found = judged(days)
    assert {one.action for pair in found for one in pair} == {"PROCEED"}


@pytest.mark.parametrize("amount", [0.5, 9999, 120_000])
def test_a_wallet_that_just_tried_to_pay_a_listed_one_is_looked_at(amount: float) -> None:
    engine = MemoryEngine(prior_weights(), listed=frozenset({"listed"}))
    tried, _ = engine.screen(Payment("own", "listed", 20 * USD, BEGIN))
    assert tried.action == "BLOCK"
    for days, action in ((7, "FLAG"), (7.1, "PROCEED" if amount < 50_000 else "FLAG")):
        at = BEGIN + round(days * DAY)
        paid, _ = engine.screen(Payment("own", f"B{days}", round(amount * USD), at))
        assert paid.action == action


@pytest.mark.parametrize(("share", "holds"), [(0.97, True), (0.5, False)])
def test_a_mule_that_collects_for_some_days_and_sends_it_on_is_flagged(
    share: float, holds: bool
) -> None:
    came: list[Paid] = [(f"V{n}", "mule", 900 + 13 * n, 0.3 * n) for n in range(8)]
    total = sum(amount for _, _, amount, _ in came)
    paid, _ = last([*came, ("mule", "boss", total * share, 2.6)])
    assert ("passed_on" in {signal.fired.id for signal in paid.signals}) is holds
    assert (paid.action == "FLAG") is holds


def test_a_person_who_is_paid_and_pays_rent_is_of_low_risk() -> None:
    months: list[Paid] = []
    for month in range(14):
        months += [("firm", "me", 3200, 30 * month), ("me", "home", 1210, 30 * month + 2)]
        for until in (2, len(months)):
            paid, received = last(months[:until])
            assert paid.tier.name == received.tier.name == "LOW"
