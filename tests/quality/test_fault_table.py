"""Faults are read from their table; what shows each is looked for, and run only when asked."""

import json
from pathlib import Path

import pytest

from benchmarks import faults
from benchmarks.report import readings_of_tests
from benchmarks.report.__main__ import with_faults
from benchmarks.report.catalogue import FIGURES

TESTS = "`tests/quality/test_figure_states.py`, `tests/quality/test_fault_table.py::test_x`"
PAGE = f"""# Reliability

| what | else |
| --- | --- |
| not | this |

| fault | what a client sees | what is lost | how it was shown |
| --- | --- | --- | --- |
| a worker is killed | [503](x.md) and `Retry-After` | nothing | {TESTS} |
| a disk is full | 507 | nothing | `./run bench faults` |
| a test is gone | ? | ? | `tests/quality/gone.py` |
| nobody tried | ? | ? | by hand |

Text after it.
| fault | again | it | is not read |
"""


def test_rows_have_their_words_their_tests_and_their_command() -> None:
    killed, full, gone, none = faults.faults(PAGE)
    assert (killed["fault"], killed["client"]) == ("a worker is killed", "503 and Retry-After")
    assert killed["command"] == (
        "./run test tests/quality/test_figure_states.py tests/quality/test_fault_table.py::test_x"
    )
    assert (full["command"], full["lacks"], full["tests"]) == ("./run bench faults", "", [])
    assert gone["lacks"] == "tests/quality/gone.py is not there"
    assert none["lacks"] == "nothing shows it"
    assert {one["result"] for one in (killed, full, gone, none)} == {"not run"}


def test_the_figure_counts_what_is_shown_and_says_that_nothing_was_run() -> None:
    found = readings_of_tests.faults({"faults": faults.faults(PAGE)})
    assert [stat.text for stat in found.stats] == ["2 of 4", "4 not run"]
    assert found.stats[0].met is False
    assert found.table.rows[2][3:] == ("tests/quality/gone.py is not there", "not run")


def test_they_are_run_only_when_that_is_asked() -> None:
    [figure] = [one for one in FIGURES if one.key == "faults.survived"]
    assert "--run" not in figure.source.words and "--run" not in (figure.source.quick or ())
    source = with_faults(figure).source
    assert source.words[-1] == "--run" and source.quick == source.words


@pytest.mark.processes
@pytest.mark.parametrize(
    ("body", "ends", "result"),
    [
        ("assert True", 0, "survived"),
        ("assert False", 1, "failed"),
        ("import pytest; pytest.skip('no chain here')", 0, "skipped"),
    ],
)
def test_a_fault_that_is_not_survived_ends_with_one(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    body: str,
    ends: int,
    result: str,
) -> None:
    monkeypatch.setattr(faults, "ROOT", tmp_path)
    monkeypatch.delenv("DJANGO_SETTINGS_MODULE")
    page, out = tmp_path / "page.md", tmp_path / "out.json"
    page.write_text(
        "| fault | client | lost | shown |\n| --- |\n| F | c | l | `tests/test_made.py` |\n"
    )
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_made.py").write_text(f"def test_it():\n    {body}\n")
    assert faults.main(["--run", "--page", str(page), "--json", str(out)]) == ends
    assert json.loads(out.read_text())["faults"][0]["result"] == result
    assert ("not survived: F" in capsys.readouterr().err) is bool(ends)
