"""A figure is measured, absent, left out or failed; only what failed ends with 1."""

import json
from pathlib import Path

import pytest

from benchmarks.report import __main__ as program
from benchmarks.report.figures import OUT, Figure, Source
from tests.quality.conftest import ECHOED, figure

pytestmark = pytest.mark.processes

ABSENT = Source(key="gone", words=("mutants", "--list"), quick=("mutants",), needs=("no/such.csv",))
BROKEN = Source(key="broken", words=("bench", "nothing"), quick=("bench", "nothing"))
SILENT = Source(key="silent", words=("help", OUT), quick=("help", OUT))
SLOW = Source(key="slow", words=("help",), quick=None)


def run(
    monkeypatch: pytest.MonkeyPatch, folder: Path, figures: list[Figure], *words: str
) -> tuple[int, dict[str, dict[str, str]]]:
    """Run the report of these figures; returns its exit status and what it says of each."""
    monkeypatch.setattr(program, "FIGURES", tuple(figures))
    status = program.main([*words, "--out", str(folder)])
    document = json.loads((folder / "report.json").read_text())
    return status, {one["key"]: one for one in document["figures"]}


def test_a_command_that_fails_is_told_and_ends_with_one(
    monkeypatch: pytest.MonkeyPatch, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = [figure("fine"), figure("broken", BROKEN)]
    status, told = run(monkeypatch, folder, figures)
    assert status == 1
    assert (told["test.fine"]["state"], told["test.broken"]["state"]) == ("measured", "failed")
    assert "ended with 2: nothing is no benchmark" in told["test.broken"]["why"]
    assert "nothing is no benchmark" in (folder / "index.html").read_text()
    assert "failed: test.broken" in capsys.readouterr().out


def test_absent_data_is_told_and_ends_with_nought(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    status, told = run(monkeypatch, folder, [figure("gone", ABSENT)], "--data", str(folder))
    assert status == 0
    assert told["test.gone"]["state"] == "absent"
    assert "the data is absent (no/such.csv" in told["test.gone"]["why"]
    assert told["test.gone"]["stats"] == []
    assert "not measured here" in (folder / "index.html").read_text()


def test_a_command_that_writes_no_json_has_failed(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    status, told = run(monkeypatch, folder, [figure("silent", SILENT)])
    assert (status, told["test.silent"]["why"]) == (1, "wrote no JSON: FileNotFoundError")


def test_what_a_command_says_and_nobody_understands_has_failed(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    strange = figure("strange")
    object.__setattr__(strange, "reads", lambda found: found["nothing of that name"])
    status, told = run(monkeypatch, folder, [strange])
    assert status == 1
    assert "could not be read: KeyError" in told["test.strange"]["why"]


def test_a_quick_report_leaves_out_what_is_slow_and_says_so(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    status, told = run(monkeypatch, folder, [figure("slow", SLOW), figure("fine")], "--quick")
    assert status == 0
    assert told["test.slow"]["state"] == "left out"
    assert told["test.fine"]["state"] == "measured"


@pytest.mark.parametrize(("timed", "state", "ends"), [(False, "failed", 1), (True, "left out", 0)])
def test_what_takes_too_long_is_given_up_and_what_is_timed_never_fails_by_it(
    monkeypatch: pytest.MonkeyPatch, folder: Path, timed: bool, state: str, ends: int
) -> None:
    source = Source(key="endless", words=("mutants", "--list"), timed=timed, seconds=0)
    status, told = run(monkeypatch, folder, [figure("endless", source)])
    assert (status, told["test.endless"]["state"]) == (ends, state)
    assert told["test.endless"]["why"] == "given up after 0 s"


def test_a_command_runs_once_for_all_its_figures(
    monkeypatch: pytest.MonkeyPatch, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(monkeypatch, folder, [figure("one", ECHOED), figure("two", ECHOED)])
    assert capsys.readouterr().err.count("… ./run mutants --list") == 1


def test_an_unknown_figure_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        program.main(["--only", "no.such"])
    assert ended.value.code == 2
    assert "no such figure: no.such" in capsys.readouterr().err
