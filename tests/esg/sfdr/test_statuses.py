"""Statuses: both sides of every threshold, coverage, and the report as a whole."""

import hashlib
from decimal import Decimal
from typing import Any

import pytest

from apps.insight.esg.sfdr.rules.formulas import IndicatorOutcome
from apps.insight.esg.sfdr.rules.indicators import (
    ENOUGH,
    INDICATORS,
    STATUS_RULES,
    VERSION,
    JudgedIndicator,
    overall_status,
    status_rule_of_outcome,
)
from tests.esg.sfdr.conftest import holding, judge_holdings, row

STEP = Decimal("0.0001")
ALL = Decimal(100)


def outcome(value: Decimal | None, covered: Decimal = ALL) -> IndicatorOutcome:
    return IndicatorOutcome(value, covered, Decimal(0))


@pytest.mark.parametrize("one", INDICATORS, ids=lambda one: str(one.id))
def test_each_threshold_has_two_sides(one: Any) -> None:
    worse = -STEP if one.low else STEP
    within = status_rule_of_outcome(one, outcome(one.review)).status
    assert within == ("WITHIN_THRESHOLD" if one.review != one.elevated or not one.low else within)
    beyond = status_rule_of_outcome(one, outcome(one.review + worse)).status
    assert beyond == ("REVIEW" if one.review != one.elevated else "ELEVATED_RISK")
    at = status_rule_of_outcome(one, outcome(one.elevated)).status
    assert at == ("REVIEW" if one.review != one.elevated else "WITHIN_THRESHOLD")
    assert status_rule_of_outcome(one, outcome(one.elevated + worse)).status == "ELEVATED_RISK"


@pytest.mark.parametrize(
    ("covered", "status"),
    [("0", "DATA_REQUIRED"), ("49.99", "DATA_REQUIRED"), ("50", "REVIEW"), ("99.99", "REVIEW"),
     ("100", "WITHIN_THRESHOLD")],
)  # fmt: skip
def test_what_is_not_covered_is_never_within(covered: str, status: str) -> None:
    assert status_rule_of_outcome(row(5), outcome(Decimal(1), Decimal(covered))).status == status


def test_no_value_needs_data_and_a_kind_that_is_not_held_does_not_apply() -> None:
    assert status_rule_of_outcome(row(5), outcome(None)).code == "PAI-2"
    statuses = [judged_indicator.status for judged_indicator in judge_holdings((holding("A"),))]
    assert statuses[14:] == ["NOT_APPLICABLE"] * 4
    assert "NOT_APPLICABLE" not in statuses[:14]


def test_a_missing_input_never_makes_an_indicator_stand_within() -> None:
    whole = judge_holdings((holding("A"), holding("B")))
    for number in range(1, 15):
        for name in holding("A").inputs:
            less = judge_holdings((holding("A", **{name: None}), holding("B")))[number - 1]
            assert less.status != "WITHIN_THRESHOLD" or less.outcome.covered == 100
            assert whole[number - 1].computed


@pytest.mark.parametrize(
    ("statuses", "whole"),
    [
        (("WITHIN_THRESHOLD", "NOT_APPLICABLE"), "WITHIN_THRESHOLD"),
        (("WITHIN_THRESHOLD", "REVIEW"), "REVIEW"),
        (("WITHIN_THRESHOLD", "DATA_REQUIRED"), "REVIEW"),
        (("REVIEW", "DATA_REQUIRED", "ELEVATED_RISK"), "ELEVATED_RISK"),
        (("NOT_APPLICABLE",), "WITHIN_THRESHOLD"),
    ],
)
def test_the_gravest_indicator_decides_the_report(statuses: tuple[str, ...], whole: str) -> None:
    rules = [next(r for r in STATUS_RULES if r.status == status) for status in statuses]
    assert overall_status([JudgedIndicator(row(1), outcome(None), rule) for rule in rules]) == whole


def test_what_a_version_of_the_thresholds_says_never_changes() -> None:
    """Another threshold is another VERSION: give its digest beside it."""
    frozen = [
        [indicator.id, indicator.block, indicator.review, indicator.elevated, indicator.low]
        for indicator in INDICATORS
    ]
    rules = [(status_rule.code, status_rule.status) for status_rule in STATUS_RULES]
    said = hashlib.sha256(repr((frozen, rules, ENOUGH)).encode()).hexdigest()[:16]
    assert {VERSION: said} == {"2026-11.3": "fab6ba4bbbbedbad"}


def test_every_rule_is_reached() -> None:
    codes = {status_rule_of_outcome(row(5), outcome(Decimal(v), Decimal(c))).code
             for v, c in ((1, 0), (95, 100), (70, 100), (1, 60), (1, 100))}  # fmt: skip
    certain = status_rule_of_outcome(
        row(14), IndicatorOutcome(ALL, Decimal(1), Decimal(0), least=Decimal(1))
    )
    assert codes | {judge_holdings(())[0].rule.code, certain.code} == {
        status_rule.code for status_rule in STATUS_RULES
    }
