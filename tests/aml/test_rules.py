"""The rules of the engine: tables of tiers and cohorts, each signal on both sides of its bound."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.compliance.aml.rules import scorecard
from apps.compliance.aml.rules.accounts import normalize_account
from apps.compliance.aml.rules.payment_judgement import (
    PaymentView,
    find_neighbours,
    is_sampled,
    update_profiles,
)
from apps.compliance.aml.rules.profile import (
    BITS,
    DAYS,
    EMPTY_PROFILE,
    MEETINGS,
    RECENT,
    TRACES,
    Meeting,
    Move,
    Payment,
    Profile,
    Trace,
    apply_payment,
)
from apps.compliance.aml.rules.profile_codec import parse_stored_profile, profile_to_list
from apps.compliance.aml.rules.scorecard import (
    COHORTS,
    escalate_judgement,
    judge_signals,
    maturity_of_count,
    prior_weights,
    tier_of_score,
)
from apps.compliance.aml.rules.signal_context import (
    DAY,
    HOUR,
    MONTH,
    USD,
    FiredSignal,
    FlaggedNeighbour,
    SignalContext,
)
from apps.compliance.aml.rules.signals import BY_ID, SIGNALS

AT = 1_700_000_000 // DAY * DAY + 12 * HOUR


def paid(amount: int | float = 100, *, at: int = AT) -> Payment:
    return Payment("A", "B", round(amount * USD), at)


def moves(count: int, amount: float = 100, *, out: int = 1, gap: int = HOUR, same: str = "") -> Any:
    """Return movements before AT, `gap` seconds apart, each with another wallet."""
    return tuple(
        Move(AT - gap * (count - n), out, round(amount * USD), same or f"W{n}")
        for n in range(count)
    )


def known(*recent: Move, count: int = 0, days: int = 150, **more: Any) -> Profile:
    """Return a profile of these movements, and of `count` before them."""
    own = EMPTY_PROFILE
    for move in recent:
        ends = ("own", move.other) if move.out else (move.other, "own")
        sides = (own, EMPTY_PROFILE) if move.out else (EMPTY_PROFILE, own)
        gone, came = apply_payment(
            sender=sides[0], receiver=sides[1], payment=Payment(*ends, move.amount, move.at)
        )
        own = gone if move.out else came
    values = {"sent": max(count, len(recent)) - own.received, "first_at": AT - days * DAY}
    return replace(own, **(values | {"last_at": AT} | more))


def held(scene: SignalContext, name: str) -> bool:
    return BY_ID[name].measure(scene) is not None


@pytest.mark.parametrize(
    ("score", "tier", "action"),
    [
        (0, "LOW", "PROCEED"),
        (24, "LOW", "PROCEED"),
        (25, "MEDIUM", "PROCEED"),
        (49, "MEDIUM", "PROCEED"),
        (50, "HIGH", "FLAG"),
        (74, "HIGH", "FLAG"),
        (75, "CRITICAL", "BLOCK"),
        (100, "CRITICAL", "BLOCK"),
    ],
)
def test_a_score_has_its_tier_and_action(score: int, tier: str, action: str) -> None:
    found = tier_of_score(score)
    assert (found.name, found.action) == (tier, action)


@pytest.mark.parametrize(
    ("count", "name", "caution"),
    [
        (0, "UNKNOWN", 125),
        (1, "NEW", 125),
        (9, "NEW", 125),
        (10, "DEVELOPING", 100),
        (99, "DEVELOPING", 100),
        (100, "ESTABLISHED", 100),
    ],
)
def test_a_count_has_its_cohort_and_caution(count: int, name: str, caution: int) -> None:
    assert (maturity_of_count(count).name, maturity_of_count(count).caution) == (name, caution)


def test_caution_is_of_behaviour_and_not_of_sanctions() -> None:
    for name, share in (("velocity", 1.25), ("near_listed", 1), ("name_near", 1)):
        full = [FiredSignal(name, "", 100, "")]
        new, old = (
            judge_signals(signals=full, count=n, weights=prior_weights()).points for n in (0, 100)
        )
        assert new == old * share


@pytest.mark.parametrize(
    ("strengths", "points"),
    [
        ({"fan_out": 100, "structuring": 45}, (42_000, 18_000)),
        ({"fan_out": 100, "structuring": 46}, (42_000, 18_000)),
        ({"fan_out": 100, "structuring": 44}, (42_000, 17_600)),
        ({"velocity": 100, "fan_out": 100, "structuring": 100}, (8400, 42_000, 9600)),
        ({"velocity": 100, "fan_out": 61, "structuring": 97}, (12_240, 8960, 38_800)),
        ({"new_and_large": 100, "fan_in": 100}, (18_000, 42_000)),
        ({"equal_parts": 100, "fan_in": 100, "circle": 100}, (45_000, 15_000, 60_000)),
        ({"hub": 100, "passed_on": 100, "circle": 100}, (30_000, 18_000, 60_000)),
    ],
)
def test_signals_that_count_the_same_payments_bring_sixty_points_together(
    strengths: dict[str, int], points: tuple[int, ...]
) -> None:
    full = [FiredSignal(name, "", strength, "") for name, strength in strengths.items()]
    judgement = judge_signals(signals=full, count=10, weights=prior_weights())
    brought = {signal.fired.id: signal.points for signal in judgement.signals}
    assert brought == dict(zip(strengths, points, strict=True))
    assert judgement.points == sum(points)


@pytest.mark.parametrize(("learnt", "points"), [(59, (59_000, 1000)), (61, (61_000, 0))])
def test_a_signal_that_proved_to_be_worth_more_than_all_may_bring_is_whole(
    learnt: int, points: tuple[int, int]
) -> None:
    weights = {name: row | {"fan_in": learnt * 1000} for name, row in prior_weights().items()}
    both = [FiredSignal("fan_in", "", 100, ""), FiredSignal("velocity", "", 100, "")]
    judgement = judge_signals(signals=both, count=10, weights=weights)
    assert tuple(signal.points for signal in judgement.signals) == points
    nothing = {name: row | {"velocity": 0} for name, row in weights.items()}
    assert judge_signals(signals=both, count=10, weights=nothing).points == learnt * 1000


SAME = [signal.id for signal in SIGNALS if signal.counts_again]


@given(st.dictionaries(st.sampled_from(SAME), st.integers(1, 100)), st.sampled_from(SAME))
def test_more_evidence_never_lowers_a_score_and_one_set_of_payments_never_blocks(
    strengths: dict[str, int], another: str
) -> None:
    held = {name: strength for name, strength in strengths.items() if name != another}
    for count in (0, 10):
        scores = [
            judge_signals(
                signals=[FiredSignal(name, "", strength, "") for name, strength in some.items()],
                count=count,
                weights=prior_weights(),
            )
            for some in (held, held | {another: 50})
        ]
        assert scores[0].points <= scores[1].points <= scorecard.TOGETHER
        assert scores[1].action != "BLOCK"


@pytest.mark.parametrize("fired", [[], [FiredSignal("circle", "", 90, "")]])
def test_a_listed_party_blocks_and_score_and_tier_say_so(fired: list[FiredSignal]) -> None:
    judgement = judge_signals(signals=fired, count=200, weights=prior_weights(), listed=True)
    assert (judgement.score, judgement.tier.name, judgement.action) == (100, "CRITICAL", "BLOCK")
    assert judgement.rule is scorecard.LISTED
    same = judge_signals(signals=fired, count=200, weights=prior_weights())
    assert judgement.evidence == same.evidence and same.score < 75 and same.action != "BLOCK"


@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize("strength", [1, 30, 60, 90, 100])
def test_action_and_tier_are_those_of_the_score(strength: int, *, listed: bool) -> None:
    one = [FiredSignal("circle", "", strength, "")]
    judgement = judge_signals(signals=one, count=200, weights=prior_weights(), listed=listed)
    assert (
        judgement.tier is scorecard.tier_of_score(judgement.score)
        and judgement.action == judgement.tier.action
    )


@pytest.mark.parametrize(
    ("count", "advice", "action"),
    [(1, "ESCALATE_TO_BLOCK", "BLOCK"), (1, "PROCEED_WITH_REVIEW", "FLAG")],
)
def test_only_an_escalation_turns_a_flag(count: int, advice: str, action: str) -> None:
    flagged = judge_signals(
        signals=[FiredSignal("circle", "", 90, "")], count=10, weights=prior_weights()
    )
    assert flagged.action == "FLAG"
    assert escalate_judgement(flagged, recommendation=advice).action == action
    calm = judge_signals(signals=[], count=10, weights=prior_weights())
    assert escalate_judgement(calm, recommendation=advice).action == "PROCEED"


NEAR = known(*moves(2, 4000))
WAGES = tuple(Move(AT - 40 * DAY + n, 1, 5000 * USD, f"E{n}") for n in range(4))


def payer_of(other: str, amount: float, days: int) -> Profile:
    """Return a wallet that paid another so many days ago, and received 100 an hour ago."""
    paid_ = Move(AT - days * DAY, 1, round(amount * USD), other)
    return known(paid_, *moves(1, 100, out=0))


def slept(days: int, *, before: int = 1) -> Profile:
    """Return a wallet that paid with so many days between, then slept, and paid an hour ago."""
    last = AT - HOUR - days * DAY
    paid_ = [Move(at, 1, USD, "W") for at in (last - before * DAY, last, AT - HOUR)]
    return known(*paid_)


def after_wages(amount: int) -> Profile:
    """Return a wallet that paid 20,000 in wages forty days ago, and now a sum in four parts."""
    return known(*WAGES, *moves(4, amount / 4, gap=60))


CASES: list[tuple[str, SignalContext, bool]] = [
    ("just_below", SignalContext(paid(9499.99), 1, EMPTY_PROFILE, EMPTY_PROFILE), False),
    ("just_below", SignalContext(paid(9500), 1, EMPTY_PROFILE, EMPTY_PROFILE), True),
    ("just_below", SignalContext(paid(9999.99), 1, EMPTY_PROFILE, EMPTY_PROFILE), True),
    ("just_below", SignalContext(paid(10000), 1, EMPTY_PROFILE, EMPTY_PROFILE), False),
    # of the thresholds of identification one payment says nothing, a third of all does
    ("just_below", SignalContext(paid(999), 1, EMPTY_PROFILE, EMPTY_PROFILE), False),
    ("just_below", SignalContext(paid(999), 1, known(*moves(1, 990)), EMPTY_PROFILE), True),
    # an amount that is usual of a wallet says nothing, unless a third of them lie there
    ("just_below", SignalContext(paid(9600), 1, known(*moves(8, 9000)), EMPTY_PROFILE), False),
    (
        "just_below",
        SignalContext(paid(9600), 1, known(*moves(6, 9000), *moves(2, 9700)), EMPTY_PROFILE),
        False,
    ),
    (
        "just_below",
        SignalContext(paid(9600), 1, known(*moves(4, 9000), *moves(2, 9700)), EMPTY_PROFILE),
        True,
    ),
    ("just_below", SignalContext(paid(9600), 1, known(*moves(4, 9000)), EMPTY_PROFILE), True),
    ("structuring", SignalContext(paid(1999), 1, NEAR, EMPTY_PROFILE), False),
    ("structuring", SignalContext(paid(2000), 1, NEAR, EMPTY_PROFILE), True),
    ("structuring", SignalContext(paid(10000), 1, NEAR, EMPTY_PROFILE), False),
    ("structuring", SignalContext(paid(9000), 1, known(*moves(1, 4000)), EMPTY_PROFILE), False),
    # 4,000 a week before: 6,000 would be half as much again, 16 weeks of 50,000 are its business
    (
        "structuring",
        SignalContext(paid(2000), 1, replace(NEAR, volume=800_000 * USD), EMPTY_PROFILE),
        False,
    ),
    # wages: 20,000 on a day of a month before; half as much again is more than that
    (
        "structuring",
        SignalContext(paid(9999), 1, after_wages(29_999 - 9_999), EMPTY_PROFILE),
        False,
    ),
    ("structuring", SignalContext(paid(9999), 1, after_wages(30_001 - 9_999), EMPTY_PROFILE), True),
    ("equal_parts", SignalContext(paid(100), 1, known(*moves(1, same="B")), EMPTY_PROFILE), False),
    ("equal_parts", SignalContext(paid(100), 1, known(*moves(2, same="B")), EMPTY_PROFILE), True),
    (
        "equal_parts",
        SignalContext(paid(100), 1, known(*moves(2, 103, same="B")), EMPTY_PROFILE),
        False,
    ),
    (
        "equal_parts",
        SignalContext(paid(100), 1, known(*moves(2, 102, same="B")), EMPTY_PROFILE),
        True,
    ),
    ("velocity", SignalContext(paid(), 1, known(*moves(2)), EMPTY_PROFILE), False),
    ("velocity", SignalContext(paid(), 1, known(*moves(3)), EMPTY_PROFILE), True),
    ("velocity", SignalContext(paid(), 1, known(*moves(3), count=1000), EMPTY_PROFILE), False),
    # four payments on a day of a month before: five are not half as many again, six are
    ("velocity", SignalContext(paid(), 1, known(*WAGES, *moves(4, gap=60)), EMPTY_PROFILE), False),
    ("velocity", SignalContext(paid(), 1, known(*WAGES, *moves(5, gap=60)), EMPTY_PROFILE), True),
    ("new_and_large", SignalContext(paid(9999.99), 1, EMPTY_PROFILE, EMPTY_PROFILE), False),
    ("new_and_large", SignalContext(paid(10000), 1, EMPTY_PROFILE, EMPTY_PROFILE), True),
    ("new_and_large", SignalContext(paid(90000), 1, known(count=9), EMPTY_PROFILE), True),
    ("new_and_large", SignalContext(paid(90000), 1, known(count=10), EMPTY_PROFILE), False),
    ("round_amount", SignalContext(paid(999), 1, EMPTY_PROFILE, EMPTY_PROFILE), False),
    ("round_amount", SignalContext(paid(1000), 1, EMPTY_PROFILE, EMPTY_PROFILE), True),
    ("round_amount", SignalContext(paid(1000.01), 1, EMPTY_PROFILE, EMPTY_PROFILE), False),
    ("name_near", SignalContext(paid(), 1, EMPTY_PROFILE, EMPTY_PROFILE), False),
    ("name_near", SignalContext(paid(), 1, EMPTY_PROFILE, EMPTY_PROFILE, name_near=45), True),
    (
        "near_listed",
        SignalContext(paid(), 1, EMPTY_PROFILE, EMPTY_PROFILE, (FlaggedNeighbour("C", 2, False),)),
        False,
    ),
    (
        "near_listed",
        SignalContext(paid(), 1, EMPTY_PROFILE, EMPTY_PROFILE, (FlaggedNeighbour("C", 2, True),)),
        True,
    ),
    (
        "near_flagged",
        SignalContext(paid(), 1, EMPTY_PROFILE, EMPTY_PROFILE, (FlaggedNeighbour("C", 2, True),)),
        False,
    ),
    (
        "near_flagged",
        SignalContext(paid(), 1, EMPTY_PROFILE, EMPTY_PROFILE, (FlaggedNeighbour("C", 1, False),)),
        True,
    ),
    ("fan_out", SignalContext(paid(), 1, known(*moves(1)), EMPTY_PROFILE), False),
    ("fan_out", SignalContext(paid(), 1, known(*moves(2)), EMPTY_PROFILE), True),
    ("fan_out", SignalContext(paid(), 0, known(*moves(3)), EMPTY_PROFILE), False),
    ("fan_out", SignalContext(paid(), 1, known(*moves(3), met=10), EMPTY_PROFILE), False),
    # of a new wallet ten within a week, however many it met before
    ("fan_out", SignalContext(paid(), 1, known(*moves(8), days=1), EMPTY_PROFILE), False),
    ("fan_out", SignalContext(paid(), 1, known(*moves(9), days=1), EMPTY_PROFILE), True),
    ("fan_out", SignalContext(paid(), 1, known(*moves(40, gap=60), days=1), EMPTY_PROFILE), True),
    ("fan_out", SignalContext(paid(), 1, known(*moves(9, gap=DAY), days=60), EMPTY_PROFILE), False),
    ("fan_out", SignalContext(paid(), 1, known(*moves(9, gap=DAY), days=90), EMPTY_PROFILE), True),
    (
        "fan_in",
        SignalContext(paid(), 0, known(*moves(23, out=0, gap=60), days=1), EMPTY_PROFILE),
        True,
    ),
    ("fan_in", SignalContext(paid(), 0, known(*moves(1, out=0)), EMPTY_PROFILE), False),
    ("fan_in", SignalContext(paid(), 0, known(*moves(2, out=0)), EMPTY_PROFILE), True),
    ("hub", SignalContext(paid(), 1, EMPTY_PROFILE, known(*moves(1, out=0))), False),
    ("hub", SignalContext(paid(), 1, EMPTY_PROFILE, known(*moves(2, out=0))), True),
    (
        "hub",
        SignalContext(paid(), 1, EMPTY_PROFILE, known(*moves(23, out=0, gap=60), days=1)),
        True,
    ),
    ("hub", SignalContext(paid(), 0, EMPTY_PROFILE, known(*moves(23, gap=60), days=1)), False),
    ("hub", SignalContext(paid(), 0, EMPTY_PROFILE, known(*moves(3), days=120)), True),
    ("passed_on", SignalContext(paid(79), 1, known(*moves(1, 100, out=0)), EMPTY_PROFILE), False),
    ("passed_on", SignalContext(paid(80), 1, known(*moves(1, 100, out=0)), EMPTY_PROFILE), True),
    ("passed_on", SignalContext(paid(101), 1, known(*moves(1, 100, out=0)), EMPTY_PROFILE), True),
    ("passed_on", SignalContext(paid(102), 1, known(*moves(1, 100, out=0)), EMPTY_PROFILE), False),
    (
        "passed_on",
        SignalContext(paid(100), 1, known(*moves(1, out=0, gap=3 * DAY)), EMPTY_PROFILE),
        False,
    ),
    # 990 of the 501,000 that came are no money passed on, though 1,000 were among them
    (
        "passed_on",
        SignalContext(
            paid(990), 1, known(*moves(1, 1000, out=0), *moves(1, 500_000, out=0)), EMPTY_PROFILE
        ),
        False,
    ),
    # four payments of 1,000 that came since four days before, 3,200 and 3,199 of which leave
    (
        "passed_on",
        SignalContext(paid(3200), 1, known(*moves(4, 1000, out=0, gap=DAY)), EMPTY_PROFILE),
        True,
    ),
    (
        "passed_on",
        SignalContext(paid(3199), 1, known(*moves(4, 1000, out=0, gap=DAY)), EMPTY_PROFILE),
        False,
    ),
    (
        "passed_on",
        SignalContext(paid(2000), 1, known(*moves(2, 1000, out=0, gap=36 * HOUR)), EMPTY_PROFILE),
        False,
    ),
    (
        "passed_on",
        SignalContext(paid(3000), 1, known(*moves(3, 1000, out=0, gap=DAY)), EMPTY_PROFILE),
        True,
    ),
    (
        "passed_on",
        SignalContext(paid(4000), 1, known(*moves(5, 1000, out=0, gap=DAY)), EMPTY_PROFILE),
        True,
    ),
    (
        "passed_on",
        SignalContext(paid(5000), 1, known(*moves(5, 1000, out=0, gap=DAY)), EMPTY_PROFILE),
        False,
    ),
    (
        "passed_on",
        SignalContext(
            paid(900), 1, known(*moves(1, 1000, out=0), *moves(1, 1000, out=0)), EMPTY_PROFILE
        ),
        True,
    ),
    (
        "passed_on",
        SignalContext(
            paid(900), 1, known(*moves(1, 1000, out=0), *moves(1, 1001, out=0)), EMPTY_PROFILE
        ),
        True,
    ),
    # to a wallet that it has paid for a month and more, or only since then
    ("passed_on", SignalContext(paid(90), 1, payer_of("B", 9, 31), EMPTY_PROFILE), False),
    ("passed_on", SignalContext(paid(90), 1, payer_of("B", 9, 29), EMPTY_PROFILE), True),
    # who was paid less than a tenth of it is none that it knows for this
    ("passed_on", SignalContext(paid(90), 1, payer_of("B", 8.99, 31), EMPTY_PROFILE), True),
    ("awoken", SignalContext(paid(), 1, slept(30), EMPTY_PROFILE), True),
    ("awoken", SignalContext(paid(), 1, slept(29), EMPTY_PROFILE), False),
    # who pays once a month sleeps no longer than it used to
    ("awoken", SignalContext(paid(), 1, slept(44, before=30), EMPTY_PROFILE), False),
    ("awoken", SignalContext(paid(), 1, slept(45, before=30), EMPTY_PROFILE), True),
    ("newcomer", SignalContext(paid(), 1, EMPTY_PROFILE, known(count=12, met=3)), True),
    ("newcomer", SignalContext(paid(), 0, EMPTY_PROFILE, known(count=10, met=2)), True),
    ("newcomer", SignalContext(paid(), 1, EMPTY_PROFILE, known(count=11, met=3)), False),
    ("newcomer", SignalContext(paid(), 1, EMPTY_PROFILE, known(count=9, met=1)), False),
    (
        "newcomer",
        SignalContext(paid(), 1, EMPTY_PROFILE, known(*moves(1, same="A"), count=12, met=1)),
        False,
    ),
    ("new_counterparty", SignalContext(paid(), 1, known(count=5, met=2), EMPTY_PROFILE), True),
    ("new_counterparty", SignalContext(paid(), 1, known(count=5, met=3), EMPTY_PROFILE), False),
    ("new_counterparty", SignalContext(paid(), 1, known(count=4, met=1), EMPTY_PROFILE), False),
]


@pytest.mark.parametrize(("name", "scene", "holds"), CASES)
def test_a_signal_holds_from_its_bound_on(name: str, scene: SignalContext, holds: bool) -> None:
    assert held(scene, name) is holds


def test_an_unusual_amount_is_held_against_the_wallets_own() -> None:
    own = EMPTY_PROFILE
    for n in range(6):
        own, _ = apply_payment(
            sender=own, receiver=EMPTY_PROFILE, payment=paid(100, at=AT - (9 - n) * DAY)
        )
    # the least spread is a quarter: two of those are e^0.5
    assert not held(SignalContext(paid(164), 1, own, EMPTY_PROFILE), "unusual_amount")
    assert held(SignalContext(paid(166), 1, own, EMPTY_PROFILE), "unusual_amount")
    assert not held(
        SignalContext(paid(166), 1, replace(own, sent=4), EMPTY_PROFILE), "unusual_amount"
    )


@pytest.mark.parametrize(("near", "holds"), [(0, True), (1, True), (2, False)])
def test_an_hour_is_odd_where_the_wallet_hardly_ever_paid(near: int, holds: bool) -> None:
    hours = [0] * 24
    hours[12], hours[3] = near, 50 - near
    scene = SignalContext(paid(), 1, known(count=50, hours=tuple(hours)), EMPTY_PROFILE)
    assert held(scene, "odd_hour") is holds


@pytest.mark.parametrize(
    ("back", "amount", "days", "holds"),
    [(3, 100, 1, True), (3, 79, 1, False), (3, 100, 91, False), (2, 100, 1, True)],
)
def test_money_that_comes_back_is_a_circle(back: int, amount: int, days: int, holds: bool) -> None:
    """A pays B, B pays C, and C pays A: over as many wallets as are told."""
    profiles: dict[str, Profile] = {}
    ring = ["A", "B", "C"][:back]
    for sender, receiver in pairwise(ring):
        payment = Payment(sender, receiver, 100 * USD, AT - days * DAY)
        gone, came = apply_payment(
            sender=profiles.get(sender, EMPTY_PROFILE),
            receiver=profiles.get(receiver, EMPTY_PROFILE),
            payment=payment,
        )
        profiles |= {sender: gone, receiver: came}
    last = Payment(ring[-1], "A", amount * USD, AT)
    assert held(SignalContext(last, 1, profiles[ring[-1]], profiles["A"]), "circle") is holds


def test_every_signal_has_a_case_and_says_its_numbers() -> None:
    names = {name for name, _, holds in CASES if holds}
    flags = {signal.id for signal in SIGNALS if signal.flags}  # tests/aml/test_signal_actions.py
    assert names | flags | {"unusual_amount", "odd_hour", "circle"} == set(BY_ID)
    for name, scene, holds in CASES:
        if holds:
            value, strength, sentence = BY_ID[name].measure(scene) or ("", 0, "")
            assert 1 <= strength <= 100 and value and sentence.endswith(".")
            assert any(mark.isdigit() for mark in sentence) or name.startswith(("near", "new_c"))


def test_ids_of_signals_are_told_apart_and_fit_their_columns() -> None:
    assert len(BY_ID) == len(SIGNALS) and max(map(len, BY_ID)) <= 20
    assert set(prior_weights()) == set(COHORTS)


payments = st.lists(
    st.tuples(
        st.sampled_from("ABCDE"),
        st.sampled_from("VWXYZ"),
        st.integers(1, 10**13),
        st.integers(AT, AT + 400 * DAY),
    ),
    max_size=60,
)


def fold(given_: list[tuple[str, str, int, int]]) -> dict[str, Profile]:
    found: dict[str, Profile] = {}
    for sender, receiver, amount, at in given_:
        gone, came = apply_payment(
            sender=found.get(sender, EMPTY_PROFILE),
            receiver=found.get(receiver, EMPTY_PROFILE),
            payment=Payment(sender, receiver, amount, at),
        )
        found |= {sender: gone, receiver: came}
    return found


@given(payments)
def test_a_profile_stays_of_one_size_and_reads_as_it_was_written(given_: Any) -> None:
    for one in fold(given_).values():
        assert parse_stored_profile(profile_to_list(one)) == one
        assert len(one.recent) <= RECENT and len(one.traces) <= TRACES and one.known < 1 << BITS
        assert len(one.days) <= DAYS and len(one.meetings) <= MEETINGS
        assert all(isinstance(trace, Trace) for trace in one.traces)


@given(payments)
def test_sums_do_not_depend_on_the_order_and_lose_nothing(given_: Any) -> None:
    forth, back = fold(given_), fold(given_[::-1])
    for wallet, one in forth.items():
        names = ("sent", "received", "volume", "ln", "ln2", "first_at", "last_at", "hours", "known")
        names += ("dust", "days")
        assert all(getattr(one, name) == getattr(back[wallet], name) for name in names)
    assert sum(one.sent for one in forth.values()) == len(given_)
    total = sum(amount for _, _, amount, _ in given_)
    assert sum(one.volume for one in forth.values()) == 2 * total


def test_neighbours_are_bounded_whatever_the_degree() -> None:
    busy = known(*moves(RECENT))
    other = known(*(Move(AT, 0, 1, f"V{n}") for n in range(RECENT)))
    neighbours = find_neighbours(payment=paid(), out=1, own=busy, other=other)
    assert len(neighbours) == 2 * RECENT + 1 and neighbours["B"] == 1 and "A" not in neighbours
    assert {neighbours[f"W{n}"] for n in range(RECENT)} == {1}
    assert {neighbours[f"V{n}"] for n in range(RECENT)} == {2}


def test_running_risk_halves_in_ninety_days_and_hears_of_more() -> None:
    view = PaymentView(paid(), 1, EMPTY_PROFILE, EMPTY_PROFILE)
    judgement = judge_signals(
        signals=[FiredSignal("circle", "", 100, "")], count=10, weights=prior_weights()
    )
    own, _ = update_profiles(view, judgement, new=True)
    assert own.risk == judgement.points == scorecard.risk_at(own, AT)
    assert scorecard.risk_at(own, AT + 90 * DAY) == judgement.points // 2
    again, _ = update_profiles(replace(view, own=own), judgement, new=False)
    assert again.risk == judgement.points + judgement.points // 4 and again.count == own.count


def test_low_scores_add_up_to_no_risk_however_many_there_are() -> None:
    low = judge_signals(
        signals=[FiredSignal("circle", "", 80, "")], count=10, weights=prior_weights()
    )
    assert low.action == "PROCEED"
    own = EMPTY_PROFILE
    for turn in range(70):
        own, _ = update_profiles(
            PaymentView(paid(at=AT + turn), 1, own, EMPTY_PROFILE), low, new=True
        )
    assert own.risk // scorecard.POINT == low.score


def flushed(amount: float) -> Profile:
    """A wallet that hides ten payments of 9,400 to new wallets, each behind 24 of an amount."""
    own, chance = EMPTY_PROFILE, 0
    for turn in range(10):
        for _ in range(24):
            chance += 1
            paid_ = Payment("own", "mine", round(amount * USD), AT + chance)
            own, _ = apply_payment(sender=own, receiver=EMPTY_PROFILE, payment=paid_)
        large = Payment("own", f"W{turn}", 9400 * USD, AT + chance)
        own, _ = apply_payment(sender=own, receiver=EMPTY_PROFILE, payment=large)
    return own


def test_dust_pushes_nothing_out_and_makes_no_wallet_mature() -> None:
    own = flushed(0.01)
    assert maturity_of_count(own.solid).name == "DEVELOPING" and own.count == 250
    assert maturity_of_count(replace(own, sent=own.sent - 1).solid).name == "NEW"
    assert sum(one.amount == 9400 * USD for one in own.recent) >= RECENT // 2
    scene = SignalContext(Payment("own", "W10", 9400 * USD, AT + 999), 1, own, EMPTY_PROFILE)
    told = {name: BY_ID[name].measure(scene) for name in ("structuring", "velocity", "fan_out")}
    assert all(told.values()), told
    sentence = (told["structuring"] or ("", 0, ""))[2]
    assert sentence.startswith("251 payments") and "total 103,402.40 USD" in sentence
    assert "251 payments since" in (told["velocity"] or ("", 0, ""))[2]


@pytest.mark.parametrize("test", [0.01, 1])
def test_a_collector_is_seen_though_each_payer_tests_the_way_first(test: float) -> None:
    own = known(*moves(1, gap=200 * DAY, out=0), days=200)
    for n in range(6):
        for amount, at in ((test, AT + n * DAY), (500, AT + n * DAY + 5)):
            payment = Payment(f"S{n}", "own", round(amount * USD), at)
            scene = SignalContext(payment, 0, own, EMPTY_PROFILE)
            _, own = apply_payment(sender=EMPTY_PROFILE, receiver=own, payment=payment)
        assert held(scene, "fan_in") is (n >= 2), n


@pytest.mark.parametrize(
    ("test", "others", "fans"),
    [
        (1, 0, True),
        (449, 0, True),
        (450, 0, False),
        (1, 16, True),
        (99, 16, True),
        (450, 16, False),
    ],
)
def test_a_test_long_before_makes_no_acquaintance_for_a_far_larger_sum(
    test: int, others: int, fans: bool
) -> None:
    """The collector of sums of 4,500 was sent a test by each payer nine days before.

    Where it met sixteen others since, none of these meetings is kept: what remains of them is how
    many digits the test had.
    """
    own = known(*moves(1, gap=200 * DAY, out=0), days=200)
    came = [(f"S{n}", test, AT + n) for n in range(6)]
    came += [(f"V{n}", 10, AT + DAY + n) for n in range(others)]
    came += [(f"S{n}", 4500, AT + 9 * DAY + n) for n in range(6)]
    for sender, amount, at in came:
        payment = Payment(sender, "own", amount * USD, at)
        found = BY_ID["fan_in"].measure(SignalContext(payment, 0, own, EMPTY_PROFILE))
        _, own = apply_payment(sender=EMPTY_PROFILE, receiver=own, payment=payment)
    assert (found is not None) is fans


def test_sums_that_grow_within_a_week_make_no_acquaintance_for_the_last() -> None:
    own = EMPTY_PROFILE
    for amount, day in ((1, 0), (9, 8), (81, 8), (729, 9), (6561, 9)):
        own, _ = apply_payment(
            sender=own, receiver=EMPTY_PROFILE, payment=paid(amount, at=AT + day * DAY)
        )
    assert own.met == 1 and own.knows("B")
    assert own.meetings == (Meeting(AT + 8 * DAY, 1, "B", 0, 6561 * USD),)


def test_regular_partners_are_no_fan() -> None:
    own = known(*moves(1, gap=200 * DAY, out=0), days=200)
    for week in range(4):
        for n in range(6):
            payment = Payment("own", f"W{n}", 500 * USD, AT + (7 * week + n) * DAY)
            scene = SignalContext(payment, 1, own, EMPTY_PROFILE)
            own, _ = apply_payment(sender=own, receiver=EMPTY_PROFILE, payment=payment)
    assert not held(scene, "fan_out") and all(meeting.again for meeting in own.meetings)


@pytest.mark.parametrize(
    ("parts", "holds"), [((9800,), True), ((4900, 4890), True), ((4900,), False)]
)
def test_a_circle_that_closes_in_parts_is_a_circle(parts: tuple[int, ...], holds: bool) -> None:
    profiles = dict.fromkeys("ABC", EMPTY_PROFILE)
    legs = [("A", "B", 10_000), ("B", "C", 9900), *[("X", "C", 0.01)] * 17]
    legs += [("C", "A", part) for part in parts]
    for turn, (sender, receiver, amount) in enumerate(legs):
        payment = Payment(sender, receiver, round(amount * USD), AT + turn)
        gone, came = profiles.get(sender, EMPTY_PROFILE), profiles[receiver]
        last = held(SignalContext(payment, 1, gone, came), "circle")
        profiles[sender], profiles[receiver] = apply_payment(
            sender=gone, receiver=came, payment=payment
        )
    assert last is holds


def test_who_trades_with_a_wallet_both_ways_moves_in_no_circle() -> None:
    own = EMPTY_PROFILE
    for turn in range(3):
        payment = Payment("A", "B", 100 * USD, AT - (30 - turn) * DAY)
        own, _ = apply_payment(sender=own, receiver=EMPTY_PROFILE, payment=payment)
    _, own = apply_payment(
        sender=EMPTY_PROFILE, receiver=own, payment=Payment("B", "A", 100 * USD, AT - DAY)
    )
    assert not held(
        SignalContext(Payment("A", "B", 100 * USD, AT), 1, own, EMPTY_PROFILE), "circle"
    )


@pytest.mark.parametrize(
    "written",
    [
        "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
        "5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
        "xdc5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
        "eip155:1:0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
        "EIP155:10:0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
        "eth:0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
        "base:5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
        "0x0000000000000000000000005aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
    ],
)
def test_an_account_has_one_form_however_it_is_written(written: str) -> None:
    assert normalize_account(written) == "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh", "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh"),
        ("tron:TJRabPrwbZy45sbavfcjinPJC18kjpRTv8", "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8"),
        ("0x" + "1" * 24 + "a" * 40, "0x" + "1" * 24 + "a" * 40),
    ],
)
def test_what_is_no_evm_account_stays_as_it_is(written: str, plain: str) -> None:
    assert normalize_account(written) == plain


def test_one_of_five_hundred_low_scores_is_drawn() -> None:
    drawn = sum(is_sampled(f"{n}") for n in range(50_000))
    assert 60 <= drawn <= 140


assert MONTH == 30 * DAY
