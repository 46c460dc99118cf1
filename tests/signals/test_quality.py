"""How good an answer is: one judgement for every number."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.reference.signals.points import Point
from apps.reference.signals.quality import (
    SeriesInput,
    TooFewInputs,
    count_months,
    describe_short_history,
    judge_quality,
)

NOW = datetime(2026, 11, 20, tzinfo=UTC)
DAY = timedelta(days=1)


def point(days: int = 0, **options: Any) -> Point:
    told: dict[str, Any] = {
        "series": "a", "value": Decimal(1), "unit": "per cent", "source": "FED",
        "vintage": NOW, "licence": "public domain", "kind": "observed", "max_age": 6 * DAY,
    }  # fmt: skip
    return Point(day=NOW.date() - days * DAY, **told | options)


def one(name: str, weight: str, held: Point | None, required: bool = False) -> SeriesInput:
    return SeriesInput(name=name, weight=Decimal(weight), point=held, required=required)


def test_everything_observed_and_in_age_is_live() -> None:
    judgement = judge_quality([one("a", "0.5", point(1)), one("b", "0.5", point(3))], as_of=NOW)
    assert (judgement.label, judgement.coverage, judgement.reasons, judgement.missing) == (
        "LIVE",
        1,
        (),
        (),
    )
    assert judgement.as_of == NOW - 3 * DAY


@pytest.mark.parametrize(
    ("seconds", "label"), [(0, "LIVE"), (6 * 86400, "LIVE"), (6 * 86400 + 1, "PARTIAL")]
)
def test_a_moment_past_its_age_an_input_counts_no_more(seconds: int, label: str) -> None:
    old = one("a", "0.4", point())
    young = one("b", "0.6", point(max_age=900 * DAY))
    judgement = judge_quality([old, young], as_of=NOW + timedelta(seconds=seconds))
    assert judgement.label == label
    assert judgement.missing == (() if label == "LIVE" else ("a",))
    assert judgement.reasons == (() if label == "LIVE" else ("stale:a",))


@pytest.mark.parametrize(("weight", "given"), [("0.6", True), ("0.5999", False)])
def test_below_six_tenths_there_is_no_number(weight: str, given: bool) -> None:
    inputs = [one("a", weight, point()), one("b", str(1 - Decimal(weight)), None)]
    if given:
        judgement = judge_quality(inputs, as_of=NOW)
        assert (judgement.label, judgement.coverage) == ("PARTIAL", Decimal("0.6"))
        assert (judgement.missing, judgement.reasons) == (("b",), ("missing:b",))
    else:
        with pytest.raises(TooFewInputs) as refused:
            judge_quality(inputs, as_of=NOW)
        assert (refused.value.status, refused.value.code) == (503, "no_data")


def test_without_a_required_input_there_is_no_number() -> None:
    inputs = [one("a", "0.01", point(7), required=True), one("b", "0.99", point())]
    with pytest.raises(TooFewInputs, match=r"without a: its newest value, of .* is too old"):
        judge_quality(inputs, as_of=NOW)


def test_a_refusal_says_of_each_input_why_it_does_not_count() -> None:
    short = SeriesInput(
        name="c", weight=Decimal("0.4"), point=None, short=describe_short_history(42, of=120)
    )
    inputs = [one("a", "0.3", None), one("b", "0.3", point(7)), short]
    with pytest.raises(TooFewInputs) as refused:
        judge_quality(inputs, as_of=NOW)
    detail = refused.value.detail
    assert "0 % of the weight, 60 % is required" in detail
    assert "a: nothing is known of it; b: its newest value, of 2026-" in detail
    assert detail.endswith("is too old; c: history too short: 42 of 120 months.")


@pytest.mark.parametrize(
    ("first", "last", "months"),
    [
        ("2016-11-30", "2026-11-30", 120), ("2016-12-01", "2026-11-30", 119),
        ("2016-12-31", "2026-11-30", 119), ("2016-08-31", "2026-11-30", 123),
        ("2023-05-15", "2026-11-15", 42), ("2023-05-15", "2026-11-14", 41),
        ("2026-11-20", "2026-11-20", 0),
    ],
)  # fmt: skip
def test_months_of_a_history_are_whole_ones(first: str, last: str, months: int) -> None:
    past = [(date.fromisoformat(day), Decimal(1)) for day in (first, last)]
    assert count_months(past) == months
    assert count_months([]) == 0


@pytest.mark.parametrize("rough", [{"kind": "proxy"}, {"kind": "static"}, {"source": "SAMPLE"}])
@pytest.mark.parametrize(("weight", "label"), [("0.10", "LIVE"), ("0.11", "ESTIMATED")])
def test_more_than_a_tenth_of_estimates_makes_an_estimate(
    rough: dict[str, Any], weight: str, label: str
) -> None:
    inputs = [one("a", weight, point(**rough)), one("b", str(1 - Decimal(weight)), point())]
    judgement = judge_quality(inputs, as_of=NOW)
    assert judgement.label == label
    assert judgement.reasons == (("sample",) if "source" in rough else (f"{rough['kind']}:a",))


def test_an_estimate_that_is_required_is_never_live() -> None:
    inputs = [one("a", "0.05", point(kind="proxy"), required=True), one("b", "0.95", point())]
    assert judge_quality(inputs, as_of=NOW).label == "PARTIAL"


def test_the_share_of_estimates_is_of_what_counts() -> None:
    inputs = [
        one("a", "0.09", point(kind="proxy")),
        one("b", "0.6", point()),
        one("c", "0.31", None),
    ]
    assert judge_quality(inputs, as_of=NOW).label == "ESTIMATED"


def test_the_sample_counts_at_any_age_and_says_so() -> None:
    judgement = judge_quality([one("a", "1", point(4000, source="FED+SAMPLE"))], as_of=NOW)
    assert (judgement.label, judgement.coverage, judgement.reasons) == ("ESTIMATED", 1, ("sample",))


def test_the_oldest_required_observation_dates_the_answer() -> None:
    inputs = [one("a", "0.5", point(2), required=True), one("b", "0.5", point(5))]
    assert judge_quality(inputs, as_of=NOW).as_of == NOW - 2 * DAY


def test_nothing_gives_nothing() -> None:
    with pytest.raises(TooFewInputs):
        judge_quality([], as_of=NOW)


@given(
    st.lists(
        st.tuples(st.integers(1, 100), st.sampled_from(["good", "old", "none", "sample", "proxy"])),
        min_size=1,
        max_size=9,
    )
)
def test_coverage_is_the_weight_that_counts(told: list[tuple[int, str]]) -> None:
    held = {
        "good": point(), "old": point(7), "none": None,
        "sample": point(7, source="SAMPLE"), "proxy": point(kind="proxy"),
    }  # fmt: skip
    inputs = [one(str(n), str(weight), held[how]) for n, (weight, how) in enumerate(told)]
    there = sum(weight for weight, how in told if how not in ("old", "none"))
    expected = Decimal(there) / sum(weight for weight, _ in told)
    try:
        judgement = judge_quality(inputs, as_of=NOW)
    except TooFewInputs:
        assert expected < Decimal("0.6")
    else:
        assert judgement.coverage == expected >= Decimal("0.6")
        assert len(judgement.missing) == sum(how in ("old", "none") for _, how in told)
        assert (judgement.label == "LIVE") == (
            expected == 1
            and sum(w for w, how in told if how in ("sample", "proxy")) * 10
            <= sum(w for w, _ in told)
        )


def test_a_day_counts_from_its_first_moment() -> None:
    assert point().age_seconds(NOW + timedelta(hours=1)) == 3600
    assert point().at.date() == date(2026, 11, 20)
