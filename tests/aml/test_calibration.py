"""What decisions teach: frozen, shrunk, bounded, never below the prior where sanctions are near."""

import pytest

from apps.compliance.aml.rules import calibration
from apps.compliance.aml.rules.calibration import (
    CohortCounts,
    CohortMeasurement,
    apply_weight_moves,
    compute_weight_moves,
    find_refusal,
    learned_weight,
)
from apps.compliance.aml.rules.rank_auc import compute_rank_auc
from apps.compliance.aml.rules.scorecard import POINT, prior_weights
from apps.compliance.aml.rules.signals import BY_ID

STRONG = CohortCounts(bad=100, good=400, held_bad={"velocity": 80}, held_good={"velocity": 8})
WEAK = CohortCounts(bad=100, good=400, held_bad={"velocity": 10}, held_good={"velocity": 200})


def moved(counts: CohortCounts, signal: str = "velocity", **current: int) -> calibration.WeightMove:
    weights = prior_weights()
    weights["NEW"] |= current
    weight_moves = compute_weight_moves(counts={"NEW": counts}, current=weights)
    return next(
        weight_move
        for weight_move in weight_moves
        if (weight_move.cohort, weight_move.signal) == ("NEW", signal)
    )


def test_what_proves_itself_gains_and_what_does_not_loses() -> None:
    first = BY_ID["velocity"].weight * POINT
    step = first * 30 // 100
    assert moved(STRONG).becomes <= first + step and moved(WEAK).becomes == first - step
    assert learned_weight(STRONG, "velocity") > learned_weight(WEAK, "velocity") == 0


@pytest.mark.parametrize(
    ("bad", "good", "why"),
    [(24, 25, "frozen: 49 labels"), (49, 50, "50 of each"), (50, 49, "50 of each"), (50, 50, "")],
)
def test_a_cohort_is_frozen_below_fifty_labels_of_each_class(bad: int, good: int, why: str) -> None:
    counts = CohortCounts(bad=bad, good=good, held_good={"velocity": good})
    weight_move = moved(counts)
    assert (weight_move.becomes == weight_move.was) is bool(why) and (
        why in weight_move.why if why else True
    )


def test_a_weight_is_shrunk_to_its_prior_by_how_often_it_was_seen() -> None:
    # 100 labels with the signal: half of what they teach
    counts = CohortCounts(bad=60, good=60, held_bad={"velocity": 50}, held_good={"velocity": 50})
    weight_move = moved(counts)
    first = BY_ID["velocity"].weight * POINT
    assert weight_move.learned == 0 and weight_move.becomes == max(
        first // 2, first - first * 30 // 100
    )


@pytest.mark.parametrize(("bad", "good", "bound"), [(9000, 90, 250), (90, 9000, 25)])
def test_no_step_goes_beyond_the_range(bad: int, good: int, bound: int) -> None:
    held = {"held_bad": {"round_amount": bad}, "held_good": {"round_amount": good}}
    edge = BY_ID["round_amount"].weight * POINT * bound // 100
    weight_move = moved(
        CohortCounts(bad=10_000, good=10_000, **held), "round_amount", round_amount=edge
    )
    assert weight_move.becomes == edge


@pytest.mark.parametrize("signal", ["near_listed", "name_near"])
def test_what_correlates_with_sanctions_never_weighs_less(signal: str) -> None:
    counts = CohortCounts(bad=100, good=400, held_bad={signal: 1}, held_good={signal: 390})
    weight_move = moved(counts, signal)
    assert weight_move.becomes == BY_ID[signal].weight * POINT and "sanctions" in weight_move.why


def test_other_cohorts_stay_as_they_are() -> None:
    after = apply_weight_moves(compute_weight_moves(counts={"NEW": WEAK}, current=prior_weights()))
    assert after["NEW"] != prior_weights()["NEW"]
    assert {name: held for name, held in after.items() if name != "NEW"} == {
        name: held for name, held in prior_weights().items() if name != "NEW"
    }


@pytest.mark.parametrize(
    ("bad", "good", "after", "why"),
    [
        (50, 50, 0.70, ""),
        (50, 50, 0.69, "would rank worse"),
        (49, 50, 0.30, "No cohort"),
        (50, 49, 0.30, "No cohort"),
    ],
)
def test_the_gate_refuses_what_ranks_a_measured_cohort_worse(
    bad: int, good: int, after: float, why: str
) -> None:
    found = [
        CohortMeasurement("NEW", bad, good, 0.72, after),
        CohortMeasurement("UNKNOWN", 3, 9, 0.9, 0.1),
    ]
    assert why in find_refusal(found) if why else not find_refusal(found)


@pytest.mark.parametrize(
    ("points", "bad", "auc"),
    [
        ([1, 2, 3, 4], [False, False, True, True], 1.0),
        ([4, 3, 2, 1], [False, False, True, True], 0.0),
        ([1, 1, 1, 1], [False, True, False, True], 0.5),
        ([1, 2, 3, 4], [True, False, True, False], 0.25),
        ([1, 2], [False, False], 0.5),
    ],
)
def test_ranking_is_the_chance_that_the_bad_is_above(
    points: list[int], bad: list[bool], auc: float
) -> None:
    assert compute_rank_auc(points, bad) == auc
