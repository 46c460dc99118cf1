"""The stages of `./run test` leave no test out, and its progress says how far a run is."""

from itertools import chain, combinations
from types import SimpleNamespace
from typing import Any

import pytest
from _pytest.mark.expression import Expression

from tests import progress
from tests.__main__ import CHANGE, NIGHTLY, REST, RUNS, Stage

MARKERS = ("browser", "processes", "strict", "journeys", "faults", "slow", "database", "postgresql")
SETS = [
    frozenset(names)
    for names in chain.from_iterable(combinations(MARKERS, n) for n in range(len(MARKERS) + 1))
]


def runs(stage: Stage, markers: frozenset[str]) -> bool:
    """Tell whether a stage runs a test with these markers."""
    expression = stage.arguments[stage.arguments.index("-m") + 1]
    return Expression.compile(expression).evaluate(lambda name, **_: name in markers)


def test_every_test_but_journeys_and_faults_runs_for_each_change() -> None:
    left_out = [one for one in SETS if not any(runs(s, one) for s in (CHANGE, *REST))]
    assert [sorted(one) for one in left_out if not one & {"journeys", "faults"}] == []


def test_every_test_runs_in_the_night() -> None:
    stages = RUNS["--nightly",]
    assert [sorted(one) for one in SETS if not any(runs(stage, one) for stage in stages)] == []
    assert [stage for stage in NIGHTLY if stage not in stages] == []


@pytest.mark.parametrize("marker", sorted(progress.LEFT_OUT))
def test_what_takes_long_is_left_out_of_the_tests_of_a_change(marker: str) -> None:
    assert not runs(CHANGE, frozenset({marker, "database"}))


def test_a_plain_test_runs_once_for_a_change_and_again_only_on_postgresql() -> None:
    assert [stage.postgresql for stage in (CHANGE, *REST) if runs(stage, frozenset())] == [False]
    both = [
        stage for stage in (CHANGE, *REST) if runs(stage, frozenset({"database", "postgresql"}))
    ]
    assert [stage.postgresql for stage in both] == [False, True]


def test_progress_counts_by_the_seconds_of_the_last_run(capsys: Any, monkeypatch: Any) -> None:
    cache = SimpleNamespace(get=lambda key, default: {"slow.py": 9.0, "quick.py": 1.0})
    shown = progress.Progress(SimpleNamespace(cache=cache))  # type: ignore[arg-type]
    shown.terminal = False
    shown.pytest_xdist_node_collection_finished(None, ["slow.py::test_one", "quick.py::test_two"])
    moments = iter((100.0, 190.0))
    shown.began = next(moments)
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(moments))
    report = {"nodeid": "slow.py::test_one", "when": "teardown", "duration": 0.0, "failed": True}
    shown.pytest_runtest_logreport(SimpleNamespace(**report))  # type: ignore[arg-type]
    failed, _, line = capsys.readouterr().out.partition("\n")
    assert failed == "FAILED slow.py::test_one (teardown)"
    assert line.split("  ") == [
        " 90 %",
        "1 of 2 tests",
        "1:30 elapsed, about 0:10 left\n",
    ]
