"""Intervals, thresholds and axes by hand; and what a command says becomes the figure it should."""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.reference.names.payee.evaluation import LabelledPair
from benchmarks import curves, payee, rate_report
from benchmarks.intervals import drawn, wilson
from benchmarks.load_generator import Result
from benchmarks.report import (
    readings,
    readings_of_names,
    readings_of_speed,
    readings_of_tests,
    svg_charts,
)

TRUTH = np.array([True, True, True, True, False, False])
SCORES = np.array([0.9, 0.8, 0.6, 0.2, 0.7, 0.1])


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [(8, 10, 0.49016, 0.94332), (0, 10, 0.0, 0.27753), (10, 10, 0.72247, 1.0)],
)
def test_the_interval_of_a_share_is_wilsons(hits: int, of: int, low: float, high: float) -> None:
    assert wilson(hits, of) == (low, high)


def test_a_drawn_interval_holds_the_figure_and_is_the_same_each_time() -> None:
    values = np.arange(100, dtype=float)
    low, high = drawn(100, 200, lambda picked: float(values[picked].mean()))
    assert low < values.mean() < high and high - low < 15
    assert (low, high) == drawn(100, 200, lambda picked: float(values[picked].mean()))


def test_precision_and_recall_at_a_threshold() -> None:
    assert curves.at(TRUTH, SCORES, 0.6) == {
        "threshold": 0.6, "precision": 0.75, "recall": 0.75, "f1": 0.75,
    }  # fmt: skip


@pytest.mark.parametrize(("recall", "threshold"), [(0.25, 0.9), (0.75, 0.6), (1.0, 0.2)])
def test_a_peer_is_held_to_the_threshold_at_which_it_finds_as_many(
    recall: float, threshold: float
) -> None:
    found = curves._finds(TRUTH, SCORES, recall)
    assert found == threshold and curves.at(TRUTH, SCORES, found)["recall"] == recall


def test_the_peer_of_payees_has_the_thresholds_that_do_best() -> None:
    pairs = [
        LabelledPair("Acme Ltd", "Acme Ltd", "MATCH", "", ""),
        LabelledPair("Acme Ltd", "Acne Ltd", "CLOSE", "", ""),
        LabelledPair("Acme Ltd", "Zebra Holdings", "NO", "", ""),
    ]
    scorer, low, high = payee.fitted(pairs)
    told = [payee.banded(payee.likeness(pair, scorer), low, high) for pair in pairs]
    assert told == ["MATCH", "CLOSE", "NO"]


@given(st.floats(-1000, 1000), st.floats(0.001, 5000))
def test_an_axis_holds_its_values_in_few_round_steps(low: float, span: float) -> None:
    places = svg_charts.nice(low, low + span)
    assert places[0] <= low + 1e-6 and places[-1] >= low + span - 1e-6
    assert 2 <= len(places) <= 9


def test_the_json_of_a_driven_endpoint_has_its_ratios_and_becomes_a_figure(tmp_path: Path) -> None:
    runs = {
        "/quote": [Result([0.01] * 50, 1.0, 0), Result([0.01] * 60, 1.0, 0)],
        "/ceiling": [Result([0.01] * 100, 1.0, 0), Result([0.01] * 80, 1.0, 0)],
    }
    rate_report._told.clear()
    assert "/quote / /ceiling: 0.62 (rounds: 0.50, 0.75)" in rate_report.table(
        "SQLite", runs, (("/quote", "/ceiling"),)
    )
    rate_report.write_json(argparse.Namespace(json=tmp_path / "out.json"))
    document = json.loads((tmp_path / "out.json").read_text())
    figure = readings_of_speed.ratio(0.85)(document)
    assert (figure.stats[0].value, figure.stats[0].met) == (0.625, False)
    assert figure.table.rows[0] == ("/quote", "55", "10.0", "10.0", "10.0")
    assert readings_of_speed.ratio()(document).stats[0].met is None


def aml(value: float) -> dict[str, Any]:
    measures = {"auc": value, "average_precision": value, "precision_at_100": value}
    within = {name: [value - 0.1, value + 0.1] for name in measures}
    return measures | {"intervals": within}


def test_a_ranking_is_told_with_its_intervals_and_small_cohorts_as_such() -> None:
    data = {"payments": 9, "accounts": 5, "bad": 2}
    cohort = {"accounts": 4, "bad": 1, "proves": False, "static": 0.5, "calibrated": 0.6}
    empty = {"accounts": 0, "bad": 0, "proves": False, "static": None}
    found = readings.aml({"data": data, "rules": "1", "static": aml(0.7), "calibrated": aml(0.8),
                          "cohorts": {"NEW": cohort, "OLD": empty}})  # fmt: skip
    assert found.stats[0].text == "0.700 (0.600 to 0.800)"
    assert ("AUC of new accounts, static", "0.500", "1 bad of 4: too few to prove anything") in (
        found.table.rows
    )
    assert found.chart is not None and len(found.chart.bars) == 6
    assert not any("old" in row[0] for row in found.table.rows)


@pytest.mark.parametrize(
    ("interval", "met", "proved"),
    [([0.1, 0.3], True, "yes"), ([-0.1, 0.3], False, "no"), (None, None, "–")],
)
def test_a_skill_is_proved_by_its_interval_alone(
    interval: list[float] | None, met: bool | None, proved: str
) -> None:
    skill = {"persistence": {"skill": 0.2, "interval": interval}}
    horizon = {"methods": {"ours": {"brier": 0.4, "skill": skill}}}
    reading = readings.regimes({"months": 9, "from": "a", "to": "b", "horizons": {"h30": horizon}})
    assert reading.stats[0].met is met
    assert reading.table.rows[0][-1] == proved


def test_a_list_without_bugs_is_not_understood() -> None:
    assert readings_of_tests.mutants(
        {"lines": ["aml-x  what", "aml-y  else", "lei-z  more"]}
    ).stats[0].text == ("3 in 2 rooms")
    with pytest.raises(ValueError, match="no bug"):
        readings_of_tests.mutants({"lines": [""]})


def test_names_that_agree_wholly_are_read_from_the_half_held_out() -> None:
    def half(value: float) -> dict[str, Any]:
        titles = ("name alone", "all facts", "WRatio")
        rows = {
            title: {"value": value + at / 10, "interval": (0.1, 0.9)}
            for at, title in enumerate(titles)
        }
        return {"one_person": 3, "two_people": 4, "auc": rows}

    halves = {"in view": half(0.8), "held out": half(0.7)}
    reading = readings_of_names.namesakes({"goal": 0.85, "peers": ["WRatio"], "halves": halves})
    best, alone = reading.stats
    assert (best.text, best.met, alone.text) == ("0.800 (0.100 to 0.900)", False, "0.700")
    assert reading.table.rows[1] == ("all facts", "0.800", "0.100 to 0.900", "0.900")
    assert reading.chart and [bar.ours for bar in reading.chart.bars] == [True, True, False]
    assert "3 pairs that are one person and 4 that are two" in reading.note


def test_names_of_cultures_are_told_by_script_and_culture() -> None:
    one = {"names": 200, "match": 0.0, "match_interval": [0.0, 0.02], "look": 0.1,
           "look_interval": [0.07, 0.15], "unread": 20, "failed": False}  # fmt: skip
    worst = one | {"group": ["Korean", "Hangul", "people", "no type given"]}
    calm = worst | {"group": ["Greek", "Greek", "people", "type given"], "look": 0.01}
    reading = readings_of_names.cultures({
        "goal": {"match": 0.008, "look": 0.05}, "groups": [worst, calm], "listed_parties": 9,
        "scripts": [one | {"group": ["Hangul", "people", "no type given"]}],
    })  # fmt: skip
    assert [(stat.text, stat.met) for stat in reading.stats] == [("1 of 2", False), ("0", True)]
    assert reading.table.rows[1] == (
        "Korean, Hangul, people, no type given", "200", "0.00 %", "0.0 % to 2.0 %", "10.00 %",
        "7.0 % to 15.0 %", "10 %",
    )  # fmt: skip
    assert len(reading.table.rows) == 2  # of those asked with a type only what misses the goal


def test_forms_of_listed_names_are_summed_by_their_number() -> None:
    form = {"match_interval": [0, 1], "look_interval": [0, 1], "hits": 1.5}
    reading = readings_of_names.listed_forms({"forms": {
        "a": form | {"sought": 30, "match": 1.0, "look": 1.0},
        "b": form | {"sought": 10, "match": 0.0, "look": 0.6},
    }})  # fmt: skip
    assert [stat.text for stat in reading.stats] == ["75.0 %", "90.0 %"]
    assert reading.chart is not None and reading.chart.bars[0].name == "b"
