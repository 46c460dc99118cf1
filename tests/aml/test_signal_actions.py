"""Which signal may lead to which action, alone and together: only facts block."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from apps.compliance.aml.rules import scorecard
from apps.compliance.aml.rules.flagging_signals import JUST_TRIED
from apps.compliance.aml.rules.profile import EMPTY_PROFILE, Profile, apply_payment
from apps.compliance.aml.rules.scorecard import POINT, judge_signals, prior_weights
from apps.compliance.aml.rules.signal_context import (
    DAY,
    MONTH,
    FiredSignal,
    FlaggedNeighbour,
    SignalContext,
    WalletBackground,
)
from apps.compliance.aml.rules.signals import BY_ID, SIGNALS
from tests.aml.reach_table import REACH_HEAD, build_reach_rows
from tests.aml.test_rules import AT, known, moves, paid

COUNTS = (0, 1, 10, 100)
FACTS = [signal for signal in SIGNALS if signal.fact_from]
MEASURED = [signal for signal in SIGNALS if not signal.fact_from]
BEHAVIOUR = [one for one in MEASURED if not one.sanctions and not one.flags]
TAUGHT = {
    name: {key: most * 5 // 2 for key, most in row.items()} for name, row in prior_weights().items()
}


def fire(*names: str, strength: int = 100) -> list[FiredSignal]:
    return [FiredSignal(name, "", strength, "") for name in names]


def test_no_pair_of_signals_that_measure_blocks_whatever_officers_taught() -> None:
    for one, other in combinations([row.id for row in MEASURED], 2):
        for count in COUNTS:
            for young in (True, False):
                for weights in (prior_weights(), TAUGHT):
                    judgement = judge_signals(
                        signals=fire(one, other), count=count, weights=weights, young=young
                    )
                    assert judgement.action != "BLOCK" and judgement.score <= 74, (
                        one,
                        other,
                        count,
                    )


@pytest.mark.parametrize("count", COUNTS)
def test_all_signals_that_measure_come_to_74_and_to_49_in_a_first_month(count: int) -> None:
    every = fire(*(row.id for row in MEASURED if not row.flags))
    assert judge_signals(signals=every, count=count, weights=prior_weights()).points == 74 * POINT
    behaviour = fire(*(row.id for row in BEHAVIOUR))
    young = judge_signals(signals=behaviour, count=count, weights=prior_weights(), young=True)
    assert (young.points, young.action) == (49 * POINT, "PROCEED")
    # what the lists have near a wallet is no behaviour that it could not have yet
    near = judge_signals(
        signals=fire("name_near"), count=count, weights=prior_weights(), young=True
    )
    assert (near.score, near.action) == (50, "FLAG")


@pytest.mark.parametrize("fact", [row.id for row in FACTS])
def test_a_signal_is_a_fact_from_its_strength_on_and_blocks_with_all_that_is_measured(
    fact: str,
) -> None:
    every = fire(*(row.id for row in BEHAVIOUR))
    least = BY_ID[fact].fact_from
    for strength, action in ((least - 1, "FLAG"), (least, "BLOCK")):
        judgement = judge_signals(
            signals=[*every, FiredSignal(fact, "", strength, "")], count=10, weights=prior_weights()
        )
        assert (judgement.action, judgement.score >= 75) == (action, action == "BLOCK"), strength


def test_each_pair_of_a_fact_and_a_signal_adds_up() -> None:
    for fact in FACTS:
        for other in BEHAVIOUR:
            judgement = judge_signals(
                signals=fire(fact.id, other.id), count=100, weights=prior_weights()
            )
            assert judgement.points == (fact.weight + other.weight) * POINT, (fact.id, other.id)
            assert judgement.action == scorecard.tier_of_score(fact.weight + other.weight).action


def test_money_that_passes_through_is_no_fact_of_a_wallet_that_somebody_vouches_for() -> None:
    every = fire("passed_on", *(row.id for row in BEHAVIOUR))
    for vouched, action in ((False, "BLOCK"), (True, "FLAG")):
        judgement = judge_signals(signals=every, count=10, weights=prior_weights(), vouched=vouched)
        assert judgement.action == action
    circle = fire("circle", *(row.id for row in BEHAVIOUR))
    assert (
        judge_signals(signals=circle, count=10, weights=prior_weights(), vouched=True).action
        == "BLOCK"
    )


@pytest.mark.parametrize("name", [row.id for row in SIGNALS if row.flags])
def test_what_flags_by_itself_flags_whatever_it_weighs_and_adds_nothing(name: str) -> None:
    for weight in (0, 250 * POINT):
        weights = {key: row | {name: weight} for key, row in prior_weights().items()}
        for count in COUNTS:
            judgement = judge_signals(signals=fire(name), count=count, weights=weights, young=True)
            assert (judgement.score, judgement.action) == (50, "FLAG")
    with_more = judge_signals(
        signals=fire(name, "fan_out", "velocity"), count=10, weights=prior_weights()
    )
    assert with_more.points == scorecard.TOGETHER


def test_the_running_risk_hears_of_what_is_too_little_to_hold_a_payment() -> None:
    judgement = judge_signals(
        signals=fire("fan_out", "velocity"), count=10, weights=prior_weights(), young=True
    )
    assert (judgement.points, judgement.evidence) == (49 * POINT, 60 * POINT)


VOUCHED = WalletBackground(registered=True)
OLD = known(*moves(8, 400), days=200)
LISTED_TRY = WalletBackground(tried_listed_at=AT - JUST_TRIED)


def first(amount: float, own: Profile = EMPTY_PROFILE, **more: Any) -> SignalContext:
    return SignalContext(paid(amount), 1, own, EMPTY_PROFILE, **more)


def came(amount: float, *, days: int = 0) -> Profile:
    """Return a wallet that received a sum an hour ago, and lived for so many days."""
    past = moves(8, 400, gap=DAY, same="shop") if days else ()
    own = known(*past, *moves(1, amount, out=0), days=days)
    return replace(own, first_at=AT - max(days * DAY, 3600))


def equal(parts: int, amount: float) -> Profile:
    return known(*moves(parts, amount, same="B"))


CASES: list[tuple[str, SignalContext, bool]] = [
    ("tried_listed", first(0.01, standing=LISTED_TRY), True),
    (
        "tried_listed",
        first(1, standing=WalletBackground(tried_listed_at=AT - JUST_TRIED - 1)),
        False,
    ),
    ("tried_listed", first(1, standing=replace(VOUCHED, tried_listed_at=AT - 1)), True),
    ("tried_listed", first(1), False),
    (
        "tried_listed",
        SignalContext(paid(1), 0, EMPTY_PROFILE, EMPTY_PROFILE, standing=LISTED_TRY),
        False,
    ),
    ("branded", first(1, near=(FlaggedNeighbour("B", 1, False),)), True),
    ("branded", first(1, near=(FlaggedNeighbour("C", 1, False),)), False),
    ("branded", first(1, near=(FlaggedNeighbour("B", 1, True),)), False),
    ("first_large", first(49_999.99), False),
    ("first_large", first(50_000), True),
    ("first_large", first(50_000, standing=VOUCHED), False),
    ("first_large", SignalContext(paid(50_000), 0, EMPTY_PROFILE, EMPTY_PROFILE), False),
    # split in three it is the same sum, in four they are no first payments any more
    ("first_large", first(17_000, known(*moves(2, 16_500), days=1)), True),
    ("first_large", first(16_999.99, known(*moves(2, 16_500), days=1)), False),
    ("first_large", first(49_999, known(*moves(3, 16_500), days=1)), False),
    ("first_large", first(50_000, known(*moves(1, 5000, out=0), days=1)), True),
    ("first_large", first(50_000, known(*moves(2, 5000), days=30)), False),
    ("split_sum", first(8000, known(*moves(2, 8000))), True),
    ("split_sum", first(7999.99, known(*moves(2, 8000))), False),
    ("split_sum", first(8000, known(*moves(2, 7999.99))), False),
    ("split_sum", first(9999.99, known(*moves(2, 9999.99))), True),
    ("split_sum", first(10_000, known(*moves(2, 9999.99))), False),
    ("split_sum", first(9000, known(*moves(2, 10_000))), False),
    ("split_sum", first(9000, known(*moves(1, 9000))), False),
    ("split_sum", first(9000, known(*moves(2, 9000, gap=84 * 3600))), True),
    ("split_sum", first(9000, known(*moves(2, 9000, gap=85 * 3600))), False),
    ("split_sum", first(3400, equal(2, 3400)), True),
    ("split_sum", first(2999, equal(4, 2999)), False),
    ("split_sum", first(3000, equal(2, 3000)), True),
    ("split_sum", first(3000, equal(1, 3000)), False),
    ("split_sum", first(250, equal(40, 250)), False),
    ("split_sum", first(3400, known(*moves(2, 3400))), False),  # to others: wages
    ("mule", first(3000, came(3100)), True),
    ("mule", first(2999.99, came(3100)), False),
    ("mule", first(3000, came(3100), standing=VOUCHED), False),
    ("mule", first(2400, came(3100)), False),
    # of a wallet that has lived, what is more than twice what it ever moved
    ("mule", first(3000, came(3100, days=200)), True),
    (
        "mule",
        first(
            3000,
            replace(
                came(3100, days=200), recent=moves(1, 1600, gap=9 * DAY) + moves(1, 3100, out=0)
            ),
        ),
        False,
    ),
    ("outgrown", first(10_000, known(*moves(8, 2000, gap=3 * DAY), days=200)), True),
    ("outgrown", first(9999.99, known(*moves(8, 1900, gap=3 * DAY), days=200)), False),
    ("outgrown", first(10_000, known(*moves(8, 2000.01, gap=3 * DAY), days=200)), False),
    ("outgrown", first(10_000, known(*moves(8, 2000, gap=3 * DAY), days=29)), False),
    ("outgrown", first(10_000, known(*moves(8, 2000, gap=3 * DAY), days=30)), True),
    ("outgrown", first(10_000, known(*moves(8, 2000, gap=3 * DAY, same="B"), days=200)), False),
    (
        "outgrown",
        first(10_000, known(*moves(8, 2000, gap=3 * DAY), days=200), standing=VOUCHED),
        False,
    ),
    (
        "outgrown",
        SignalContext(
            paid(10_000), 0, known(*moves(8, 2000, gap=3 * DAY), days=200), EMPTY_PROFILE
        ),
        True,
    ),
    (
        "outgrown",
        SignalContext(
            paid(9999.99), 0, known(*moves(8, 1900, gap=3 * DAY), days=200), EMPTY_PROFILE
        ),
        False,
    ),
    ("woken", first(10_000, known(*moves(3, 100, gap=90 * DAY))), True),
    ("woken", first(9999.99, known(*moves(3, 100, gap=90 * DAY))), False),
    ("woken", first(10_000, known(*moves(3, 100, gap=89 * DAY))), False),
    ("woken", first(10_000, known(*moves(3, 100, gap=90 * DAY)), standing=VOUCHED), False),
]


@pytest.mark.parametrize(("name", "scene", "holds"), CASES)
def test_a_signal_that_flags_holds_from_its_bound_on(
    name: str, scene: SignalContext, holds: bool
) -> None:
    assert (BY_ID[name].measure(scene) is not None) is holds


def test_every_signal_that_flags_is_tested_on_both_sides() -> None:
    for row in SIGNALS:
        sides = {holds for name, _, holds in CASES if name == row.id}
        assert not row.flags or sides == {True, False}, row.id


@pytest.mark.parametrize(("gap", "young"), [(MONTH - 1, True), (MONTH, False)])
def test_a_wallet_is_young_for_a_month(gap: int, young: bool) -> None:
    own, _ = apply_payment(
        sender=EMPTY_PROFILE, receiver=EMPTY_PROFILE, payment=paid(5, at=AT - gap)
    )
    assert first(1, own).young is young
    assert first(1).young


def test_the_page_shows_what_each_signal_may_lead_to() -> None:
    page = (Path(__file__).parents[2] / "docs" / "aml.md").read_text(encoding="utf-8")
    shown = page.split("<!-- end of reach -->")[0].split("checked by a test -->")[1]
    rows = [REACH_HEAD, ("---",) * len(REACH_HEAD), *build_reach_rows()]
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    assert shown.strip() == table, "paste it from docs/rules.md, where it stands too"
