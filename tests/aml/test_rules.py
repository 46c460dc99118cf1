"""The rules of the engine: tables of tiers and cohorts, each signal on both sides of its bound."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.aml.rules import scoring
from apps.aml.rules.accounts import account
from apps.aml.rules.engine import View, counted, neighbours, sampled
from apps.aml.rules.profile import (
    BITS,
    DAYS,
    MEETINGS,
    NOTHING,
    RECENT,
    TRACES,
    Meeting,
    Move,
    Payment,
    Profile,
    Trace,
    after,
)
from apps.aml.rules.scene import DAY, HOUR, MONTH, USD, Fired, Near, Scene
from apps.aml.rules.scoring import COHORTS, escalated, judge, maturity, prior, tier_of
from apps.aml.rules.signals import BY_ID, SIGNALS
from apps.aml.rules.stored import read, recorded

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
    own = NOTHING
    for move in recent:
        ends = ("own", move.other) if move.out else (move.other, "own")
        sides = (own, NOTHING) if move.out else (NOTHING, own)
        gone, came = after(
            sender=sides[0], receiver=sides[1], payment=Payment(*ends, move.amount, move.at)
        )
        own = gone if move.out else came
    values = {"sent": max(count, len(recent)) - own.received, "first_at": AT - days * DAY}
    return replace(own, **(values | {"last_at": AT} | more))


def held(scene: Scene, name: str) -> bool:
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
    found = tier_of(score)
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
    assert (maturity(count).name, maturity(count).caution) == (name, caution)


def test_caution_is_of_behaviour_and_not_of_sanctions() -> None:
    for name, share in (("velocity", 1.25), ("near_listed", 1), ("name_near", 1)):
        full = [Fired(name, "", 100, "")]
        new, old = (judge(signals=full, count=n, weights=prior()).points for n in (0, 100))
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
    full = [Fired(name, "", strength, "") for name, strength in strengths.items()]
    found = judge(signals=full, count=10, weights=prior())
    brought = {one.fired.id: one.points for one in found.signals}
    assert brought == dict(zip(strengths, points, strict=True))
    assert found.points == sum(points)


@pytest.mark.parametrize(("learnt", "points"), [(59, (59_000, 1000)), (61, (61_000, 0))])
def test_a_signal_that_proved_to_be_worth_more_than_all_may_bring_is_whole(
    learnt: int, points: tuple[int, int]
) -> None:
    weights = {name: row | {"fan_in": learnt * 1000} for name, row in prior().items()}
    both = [Fired("fan_in", "", 100, ""), Fired("velocity", "", 100, "")]
    found = judge(signals=both, count=10, weights=weights)
    assert tuple(one.points for one in found.signals) == points
    nothing = {name: row | {"velocity": 0} for name, row in weights.items()}
    assert judge(signals=both, count=10, weights=nothing).points == learnt * 1000


SAME = [one.id for one in SIGNALS if one.counts_again]


@given(st.dictionaries(st.sampled_from(SAME), st.integers(1, 100)), st.sampled_from(SAME))
def test_more_evidence_never_lowers_a_score_and_one_set_of_payments_never_blocks(
    strengths: dict[str, int], another: str
) -> None:
    held = {name: strength for name, strength in strengths.items() if name != another}
    for count in (0, 10):
        scores = [
            judge(
                signals=[Fired(name, "", strength, "") for name, strength in some.items()],
                count=count,
                weights=prior(),
            )
            for some in (held, held | {another: 50})
        ]
        assert scores[0].points <= scores[1].points <= scoring.TOGETHER
        assert scores[1].action != "BLOCK"


def test_a_listed_party_blocks_whatever_the_score() -> None:
    found = judge(signals=[], count=200, weights=prior(), listed=True)
    assert (found.score, found.tier.name, found.action) == (0, "LOW", "BLOCK")
    assert found.rule is scoring.LISTED


@pytest.mark.parametrize(
    ("count", "advice", "action"),
    [(1, "ESCALATE_TO_BLOCK", "BLOCK"), (1, "PROCEED_WITH_REVIEW", "FLAG")],
)
def test_only_an_escalation_turns_a_flag(count: int, advice: str, action: str) -> None:
    flagged = judge(signals=[Fired("circle", "", 90, "")], count=10, weights=prior())
    assert flagged.action == "FLAG"
    assert escalated(flagged, recommendation=advice).action == action
    calm = judge(signals=[], count=10, weights=prior())
    assert escalated(calm, recommendation=advice).action == "PROCEED"


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


CASES: list[tuple[str, Scene, bool]] = [
    ("just_below", Scene(paid(9499.99), 1, NOTHING, NOTHING), False),
    ("just_below", Scene(paid(9500), 1, NOTHING, NOTHING), True),
    ("just_below", Scene(paid(9999.99), 1, NOTHING, NOTHING), True),
    ("just_below", Scene(paid(10000), 1, NOTHING, NOTHING), False),
    # of the thresholds of identification one payment says nothing, a third of all does
    ("just_below", Scene(paid(999), 1, NOTHING, NOTHING), False),
    ("just_below", Scene(paid(999), 1, known(*moves(1, 990)), NOTHING), True),
    # an amount that is usual of a wallet says nothing, unless a third of them lie there
    ("just_below", Scene(paid(9600), 1, known(*moves(8, 9000)), NOTHING), False),
    ("just_below", Scene(paid(9600), 1, known(*moves(6, 9000), *moves(2, 9700)), NOTHING), False),
    ("just_below", Scene(paid(9600), 1, known(*moves(4, 9000), *moves(2, 9700)), NOTHING), True),
    ("just_below", Scene(paid(9600), 1, known(*moves(4, 9000)), NOTHING), True),
    ("structuring", Scene(paid(1999), 1, NEAR, NOTHING), False),
    ("structuring", Scene(paid(2000), 1, NEAR, NOTHING), True),
    ("structuring", Scene(paid(10000), 1, NEAR, NOTHING), False),
    ("structuring", Scene(paid(9000), 1, known(*moves(1, 4000)), NOTHING), False),
    # 4,000 a week before: 6,000 would be half as much again, 16 weeks of 50,000 are its business
    ("structuring", Scene(paid(2000), 1, replace(NEAR, volume=800_000 * USD), NOTHING), False),
    # wages: 20,000 on a day of a month before; half as much again is more than that
    ("structuring", Scene(paid(9999), 1, after_wages(29_999 - 9_999), NOTHING), False),
    ("structuring", Scene(paid(9999), 1, after_wages(30_001 - 9_999), NOTHING), True),
    ("equal_parts", Scene(paid(100), 1, known(*moves(1, same="B")), NOTHING), False),
    ("equal_parts", Scene(paid(100), 1, known(*moves(2, same="B")), NOTHING), True),
    ("equal_parts", Scene(paid(100), 1, known(*moves(2, 103, same="B")), NOTHING), False),
    ("equal_parts", Scene(paid(100), 1, known(*moves(2, 102, same="B")), NOTHING), True),
    ("velocity", Scene(paid(), 1, known(*moves(2)), NOTHING), False),
    ("velocity", Scene(paid(), 1, known(*moves(3)), NOTHING), True),
    ("velocity", Scene(paid(), 1, known(*moves(3), count=1000), NOTHING), False),
    # four payments on a day of a month before: five are not half as many again, six are
    ("velocity", Scene(paid(), 1, known(*WAGES, *moves(4, gap=60)), NOTHING), False),
    ("velocity", Scene(paid(), 1, known(*WAGES, *moves(5, gap=60)), NOTHING), True),
    ("new_and_large", Scene(paid(9999.99), 1, NOTHING, NOTHING), False),
    ("new_and_large", Scene(paid(10000), 1, NOTHING, NOTHING), True),
    ("new_and_large", Scene(paid(90000), 1, known(count=9), NOTHING), True),
    ("new_and_large", Scene(paid(90000), 1, known(count=10), NOTHING), False),
    ("round_amount", Scene(paid(999), 1, NOTHING, NOTHING), False),
    ("round_amount", Scene(paid(1000), 1, NOTHING, NOTHING), True),
    ("round_amount", Scene(paid(1000.01), 1, NOTHING, NOTHING), False),
    ("name_near", Scene(paid(), 1, NOTHING, NOTHING), False),
    ("name_near", Scene(paid(), 1, NOTHING, NOTHING, name_near=45), True),
    ("near_listed", Scene(paid(), 1, NOTHING, NOTHING, (Near("C", 2, False),)), False),
    ("near_listed", Scene(paid(), 1, NOTHING, NOTHING, (Near("C", 2, True),)), True),
    ("near_flagged", Scene(paid(), 1, NOTHING, NOTHING, (Near("C", 2, True),)), False),
    ("near_flagged", Scene(paid(), 1, NOTHING, NOTHING, (Near("C", 1, False),)), True),
    ("fan_out", Scene(paid(), 1, known(*moves(1)), NOTHING), False),
    ("fan_out", Scene(paid(), 1, known(*moves(2)), NOTHING), True),
    ("fan_out", Scene(paid(), 0, known(*moves(3)), NOTHING), False),
    ("fan_out", Scene(paid(), 1, known(*moves(3), met=10), NOTHING), False),
    # of a new wallet ten within a week, however many it met before
    ("fan_out", Scene(paid(), 1, known(*moves(8), days=1), NOTHING), False),
    ("fan_out", Scene(paid(), 1, known(*moves(9), days=1), NOTHING), True),
    ("fan_out", Scene(paid(), 1, known(*moves(40, gap=60), days=1), NOTHING), True),
    ("fan_out", Scene(paid(), 1, known(*moves(9, gap=DAY), days=60), NOTHING), False),
    ("fan_out", Scene(paid(), 1, known(*moves(9, gap=DAY), days=90), NOTHING), True),
    ("fan_in", Scene(paid(), 0, known(*moves(23, out=0, gap=60), days=1), NOTHING), True),
    ("fan_in", Scene(paid(), 0, known(*moves(1, out=0)), NOTHING), False),
    ("fan_in", Scene(paid(), 0, known(*moves(2, out=0)), NOTHING), True),
    ("hub", Scene(paid(), 1, NOTHING, known(*moves(1, out=0))), False),
    ("hub", Scene(paid(), 1, NOTHING, known(*moves(2, out=0))), True),
    ("hub", Scene(paid(), 1, NOTHING, known(*moves(23, out=0, gap=60), days=1)), True),
    ("hub", Scene(paid(), 0, NOTHING, known(*moves(23, gap=60), days=1)), False),
    ("hub", Scene(paid(), 0, NOTHING, known(*moves(3), days=120)), True),
    ("passed_on", Scene(paid(79), 1, known(*moves(1, 100, out=0)), NOTHING), False),
    ("passed_on", Scene(paid(80), 1, known(*moves(1, 100, out=0)), NOTHING), True),
    ("passed_on", Scene(paid(101), 1, known(*moves(1, 100, out=0)), NOTHING), True),
    ("passed_on", Scene(paid(102), 1, known(*moves(1, 100, out=0)), NOTHING), False),
    ("passed_on", Scene(paid(100), 1, known(*moves(1, out=0, gap=3 * DAY)), NOTHING), False),
    # 990 of the 501,000 that came are no money passed on, though 1,000 were among them
    (
        "passed_on",
        Scene(paid(990), 1, known(*moves(1, 1000, out=0), *moves(1, 500_000, out=0)), NOTHING),
        False,
    ),
    # four payments of 1,000 that came since four days before, 3,200 and 3,199 of which leave
    ("passed_on", Scene(paid(3200), 1, known(*moves(4, 1000, out=0, gap=DAY)), NOTHING), True),
    ("passed_on", Scene(paid(3199), 1, known(*moves(4, 1000, out=0, gap=DAY)), NOTHING), False),
    (
        "passed_on",
        Scene(paid(2000), 1, known(*moves(2, 1000, out=0, gap=36 * HOUR)), NOTHING),
        False,
    ),
    ("passed_on", Scene(paid(3000), 1, known(*moves(3, 1000, out=0, gap=DAY)), NOTHING), True),
    ("passed_on", Scene(paid(4000), 1, known(*moves(5, 1000, out=0, gap=DAY)), NOTHING), True),
    ("passed_on", Scene(paid(5000), 1, known(*moves(5, 1000, out=0, gap=DAY)), NOTHING), False),
    (
        "passed_on",
        Scene(paid(900), 1, known(*moves(1, 1000, out=0), *moves(1, 1000, out=0)), NOTHING),
        True,
    ),
    (
        "passed_on",
        Scene(paid(900), 1, known(*moves(1, 1000, out=0), *moves(1, 1001, out=0)), NOTHING),
        True,
    ),
    # to a wallet that it has paid for a month and more, or only since then
    ("passed_on", Scene(paid(90), 1, payer_of("B", 9, 31), NOTHING), False),
    ("passed_on", Scene(paid(90), 1, payer_of("B", 9, 29), NOTHING), True),
    # who was paid less than a tenth of it is none that it knows for this
    ("passed_on", Scene(paid(90), 1, payer_of("B", 8.99, 31), NOTHING), True),
    ("awoken", Scene(paid(), 1, slept(30), NOTHING), True),
    ("awoken", Scene(paid(), 1, slept(29), NOTHING), False),
    # who pays once a month sleeps no longer than it used to
    ("awoken", Scene(paid(), 1, slept(44, before=30), NOTHING), False),
    ("awoken", Scene(paid(), 1, slept(45, before=30), NOTHING), True),
    ("newcomer", Scene(paid(), 1, NOTHING, known(count=12, met=3)), True),
    ("newcomer", Scene(paid(), 0, NOTHING, known(count=10, met=2)), True),
    ("newcomer", Scene(paid(), 1, NOTHING, known(count=11, met=3)), False),
    ("newcomer", Scene(paid(), 1, NOTHING, known(count=9, met=1)), False),
    ("newcomer", Scene(paid(), 1, NOTHING, known(*moves(1, same="A"), count=12, met=1)), False),
    ("new_counterparty", Scene(paid(), 1, known(count=5, met=2), NOTHING), True),
    ("new_counterparty", Scene(paid(), 1, known(count=5, met=3), NOTHING), False),
    ("new_counterparty", Scene(paid(), 1, known(count=4, met=1), NOTHING), False),
]


@pytest.mark.parametrize(("name", "scene", "holds"), CASES)
def test_a_signal_holds_from_its_bound_on(name: str, scene: Scene, holds: bool) -> None:
    assert held(scene, name) is holds


def test_an_unusual_amount_is_held_against_the_wallets_own() -> None:
    own = NOTHING
    for n in range(6):
        own, _ = after(sender=own, receiver=NOTHING, payment=paid(100, at=AT - (9 - n) * DAY))
    # the least spread is a quarter: two of those are e^0.5
    assert not held(Scene(paid(164), 1, own, NOTHING), "unusual_amount")
    assert held(Scene(paid(166), 1, own, NOTHING), "unusual_amount")
    assert not held(Scene(paid(166), 1, replace(own, sent=4), NOTHING), "unusual_amount")


@pytest.mark.parametrize(("near", "holds"), [(0, True), (1, True), (2, False)])
def test_an_hour_is_odd_where_the_wallet_hardly_ever_paid(near: int, holds: bool) -> None:
    hours = [0] * 24
    hours[12], hours[3] = near, 50 - near
    scene = Scene(paid(), 1, known(count=50, hours=tuple(hours)), NOTHING)
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
        given = Payment(sender, receiver, 100 * USD, AT - days * DAY)
        gone, came = after(
            sender=profiles.get(sender, NOTHING),
            receiver=profiles.get(receiver, NOTHING),
            payment=given,
        )
        profiles |= {sender: gone, receiver: came}
    last = Payment(ring[-1], "A", amount * USD, AT)
    assert held(Scene(last, 1, profiles[ring[-1]], profiles["A"]), "circle") is holds


def test_every_signal_has_a_case_and_says_its_numbers() -> None:
    told = {name for name, _, holds in CASES if holds}
    assert told | {"unusual_amount", "odd_hour", "circle"} == set(BY_ID)
    for name, scene, holds in CASES:
        if holds:
            value, strength, sentence = BY_ID[name].measure(scene) or ("", 0, "")
            assert 1 <= strength <= 100 and value and sentence.endswith(".")
            assert any(mark.isdigit() for mark in sentence) or name.startswith(("near", "new_c"))


def test_ids_of_signals_are_told_apart_and_fit_their_columns() -> None:
    assert len(BY_ID) == len(SIGNALS) and max(map(len, BY_ID)) <= 20
    assert set(prior()) == set(COHORTS)


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
        gone, came = after(
            sender=found.get(sender, NOTHING),
            receiver=found.get(receiver, NOTHING),
            payment=Payment(sender, receiver, amount, at),
        )
        found |= {sender: gone, receiver: came}
    return found


@given(payments)
def test_a_profile_stays_of_one_size_and_reads_as_it_was_written(given_: Any) -> None:
    for one in fold(given_).values():
        assert read(recorded(one)) == one
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
    found = neighbours(payment=paid(), out=1, own=busy, other=other)
    assert len(found) == 2 * RECENT + 1 and found["B"] == 1 and "A" not in found
    assert {found[f"W{n}"] for n in range(RECENT)} == {1}
    assert {found[f"V{n}"] for n in range(RECENT)} == {2}


def test_running_risk_halves_in_ninety_days_and_hears_of_more() -> None:
    view = View(paid(), 1, NOTHING, NOTHING)
    found = judge(signals=[Fired("circle", "", 100, "")], count=10, weights=prior())
    own, _ = counted(view, found, new=True)
    assert own.risk == found.points == scoring.risk_at(own, AT)
    assert scoring.risk_at(own, AT + 90 * DAY) == found.points // 2
    again, _ = counted(replace(view, own=own), found, new=False)
    assert again.risk == found.points + found.points // 4 and again.count == own.count


def test_low_scores_add_up_to_no_risk_however_many_there_are() -> None:
    low = judge(signals=[Fired("circle", "", 80, "")], count=10, weights=prior())
    assert low.action == "PROCEED"
    own = NOTHING
    for turn in range(70):
        own, _ = counted(View(paid(at=AT + turn), 1, own, NOTHING), low, new=True)
    assert own.risk // scoring.POINT == low.score


def flushed(amount: float) -> Profile:
    """A wallet that hides ten payments of 9,400 to new wallets, each behind 24 of an amount."""
    own, chance = NOTHING, 0
    for turn in range(10):
        for _ in range(24):
            chance += 1
            paid_ = Payment("own", "mine", round(amount * USD), AT + chance)
            own, _ = after(sender=own, receiver=NOTHING, payment=paid_)
        large = Payment("own", f"W{turn}", 9400 * USD, AT + chance)
        own, _ = after(sender=own, receiver=NOTHING, payment=large)
    return own


def test_dust_pushes_nothing_out_and_makes_no_wallet_mature() -> None:
    own = flushed(0.01)
    assert maturity(own.solid).name == "DEVELOPING" and own.count == 250
    assert maturity(replace(own, sent=own.sent - 1).solid).name == "NEW"
    assert sum(one.amount == 9400 * USD for one in own.recent) >= RECENT // 2
    scene = Scene(Payment("own", "W10", 9400 * USD, AT + 999), 1, own, NOTHING)
    told = {name: BY_ID[name].measure(scene) for name in ("structuring", "velocity", "fan_out")}
    assert all(told.values()), told
    sentence = (told["structuring"] or ("", 0, ""))[2]
    assert sentence.startswith("251 payments") and "come to 103,402.40 USD" in sentence
    assert "251 payments since" in (told["velocity"] or ("", 0, ""))[2]


@pytest.mark.parametrize("test", [0.01, 1])
def test_a_collector_is_seen_though_each_payer_tests_the_way_first(test: float) -> None:
    own = known(*moves(1, gap=200 * DAY, out=0), days=200)
    for n in range(6):
        for amount, at in ((test, AT + n * DAY), (500, AT + n * DAY + 5)):
            given = Payment(f"S{n}", "own", round(amount * USD), at)
            scene = Scene(given, 0, own, NOTHING)
            _, own = after(sender=NOTHING, receiver=own, payment=given)
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
        given = Payment(sender, "own", amount * USD, at)
        found = BY_ID["fan_in"].measure(Scene(given, 0, own, NOTHING))
        _, own = after(sender=NOTHING, receiver=own, payment=given)
    assert (found is not None) is fans


def test_sums_that_grow_within_a_week_make_no_acquaintance_for_the_last() -> None:
    own = NOTHING
    for amount, day in ((1, 0), (9, 8), (81, 8), (729, 9), (6561, 9)):
        own, _ = after(sender=own, receiver=NOTHING, payment=paid(amount, at=AT + day * DAY))
    assert own.met == 1 and own.knows("B")
    assert own.meetings == (Meeting(AT + 8 * DAY, 1, "B", 0, 6561 * USD),)


def test_regular_partners_are_no_fan() -> None:
    own = known(*moves(1, gap=200 * DAY, out=0), days=200)
    for week in range(4):
        for n in range(6):
            given = Payment("own", f"W{n}", 500 * USD, AT + (7 * week + n) * DAY)
            scene = Scene(given, 1, own, NOTHING)
            own, _ = after(sender=own, receiver=NOTHING, payment=given)
    assert not held(scene, "fan_out") and all(one.again for one in own.meetings)


@pytest.mark.parametrize(
    ("parts", "holds"), [((9800,), True), ((4900, 4890), True), ((4900,), False)]
)
def test_a_circle_that_closes_in_parts_is_a_circle(parts: tuple[int, ...], holds: bool) -> None:
    profiles = dict.fromkeys("ABC", NOTHING)
    legs = [("A", "B", 10_000), ("B", "C", 9900), *[("X", "C", 0.01)] * 17]
    legs += [("C", "A", one) for one in parts]
    for turn, (sender, receiver, amount) in enumerate(legs):
        given = Payment(sender, receiver, round(amount * USD), AT + turn)
        gone, came = profiles.get(sender, NOTHING), profiles[receiver]
        last = held(Scene(given, 1, gone, came), "circle")
        profiles[sender], profiles[receiver] = after(sender=gone, receiver=came, payment=given)
    assert last is holds


def test_who_trades_with_a_wallet_both_ways_moves_in_no_circle() -> None:
    own = NOTHING
    for turn in range(3):
        gone = Payment("A", "B", 100 * USD, AT - (30 - turn) * DAY)
        own, _ = after(sender=own, receiver=NOTHING, payment=gone)
    _, own = after(sender=NOTHING, receiver=own, payment=Payment("B", "A", 100 * USD, AT - DAY))
    assert not held(Scene(Payment("A", "B", 100 * USD, AT), 1, own, NOTHING), "circle")


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
    assert account(written) == "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh", "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh"),
        ("tron:TJRabPrwbZy45sbavfcjinPJC18kjpRTv8", "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8"),
        ("0x" + "1" * 24 + "a" * 40, "0x" + "1" * 24 + "a" * 40),
    ],
)
def test_what_is_no_evm_account_stays_as_it_is(written: str, plain: str) -> None:
    assert account(written) == plain


def test_one_of_five_hundred_low_scores_is_drawn() -> None:
    drawn = sum(sampled(f"{n}") for n in range(50_000))
    assert 60 <= drawn <= 140


assert MONTH == 30 * DAY
