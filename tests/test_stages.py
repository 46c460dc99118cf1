"""The stages of `./run test` leave no test out, and its progress says how far a run is."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from itertools import chain, combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from _pytest.mark.expression import Expression

from tests import conftest, progress
from tests.__main__ import CHANGE, NIGHTLY, REST, RUNS, Stage, main
from tests.template_databases import ROOT, imported_by_migrations

MARKERS = (
    "browser",
    "processes",
    "strict",
    "journeys",
    "faults",
    "slow",
    "nightly",
    "database",
    "postgresql",
)
SETS = [
    frozenset(names)
    for names in chain.from_iterable(combinations(MARKERS, n) for n in range(len(MARKERS) + 1))
]


def runs(stage: Stage, markers: frozenset[str]) -> bool:
    """Tell whether a stage runs a test with these markers."""
    expression = stage.arguments[stage.arguments.index("-m") + 1]
    return Expression.compile(expression).evaluate(lambda name, **_: name in markers)


def test_every_test_but_those_of_the_night_runs_for_each_change() -> None:
    left_out = [one for one in SETS if not any(runs(s, one) for s in (CHANGE, *REST))]
    assert [sorted(one) for one in left_out if not one & set(progress.ONLY_AT_NIGHT)] == []


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
    report = {
        "nodeid": "slow.py::test_one",
        "when": "teardown",
        "duration": 0.0,
        "failed": True,
        "skipped": False,
    }
    shown.pytest_runtest_logreport(SimpleNamespace(**report))  # type: ignore[arg-type]
    failed, _, line = capsys.readouterr().out.partition("\n")
    assert failed == "FAILED slow.py::test_one (teardown)"
    assert line.split("  ") == [
        " 90 %",
        "1 of 2 tests",
        "1:30 elapsed, about 0:10 left\n",
    ]


def test_a_server_that_cannot_be_reached_fails_its_stage_in_one_line(
    capfd: Any, monkeypatch: Any
) -> None:
    monkeypatch.setenv("TEST_DATABASE_URL", "postgres://nobody@127.0.0.1:9/none")
    only = (replace(REST[1], title="on PostgreSQL"),)
    monkeypatch.setitem(RUNS, ("--rest",), only)
    assert main(["--rest"]) == 1
    printed = capfd.readouterr()
    assert printed.out.rstrip().endswith("FAILED: on PostgreSQL")
    assert printed.err.startswith("PostgreSQL cannot be reached (")
    assert printed.err.count("\n") == 1 and "TEST_DATABASE_URL" in printed.err


@pytest.mark.processes
def test_ctrl_c_lets_pytest_end_its_tests_and_say_so(tmp_path: Path) -> None:
    tests = tmp_path / "test_long.py"
    tests.write_text(
        "import pathlib, time, pytest\n"
        "here = pathlib.Path(__file__).parent\n"
        "@pytest.fixture\n"
        "def tidied():\n"
        "    (here / 'began').touch()\n"
        "    yield\n"
        "    time.sleep(1)\n"
        "    (here / 'tidied').touch()\n"
        "def test_long(tidied):\n"
        "    time.sleep(60)\n"
    )
    command = [sys.executable, "-m", "tests", str(tests), "-c", str(ROOT / "pyproject.toml")]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    deadline = time.monotonic() + 120
    while not (tmp_path / "began").exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)
    said, _ = process.communicate(timeout=60)
    assert process.returncode == pytest.ExitCode.INTERRUPTED
    assert "KeyboardInterrupt" in said and (tmp_path / "tidied").exists()


def test_what_migrations_import_belongs_to_their_template() -> None:
    files = {str(file.relative_to(ROOT)) for file in imported_by_migrations()}
    assert {"apps/platform/common/money.py", "apps/platform/db/append_only.py"} <= files


def test_every_module_that_runs_on_postgresql_too_is_there() -> None:
    files = [path.relative_to(ROOT / "tests") for path in (ROOT / "tests").rglob("*.py")]
    lost = [one for one in conftest.POSTGRESQL if not any(path.match(one) for path in files)]
    assert lost == []
