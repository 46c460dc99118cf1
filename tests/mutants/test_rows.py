"""Every deliberate bug still fits the tree, so that the table cannot rot."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mutants import mutant_runner
from tests.mutants.table import ROOT, Mutant, mutants

ROOMS = {path.parent.name for path in (ROOT / "apps").glob("*/*/__init__.py")} - {
    "management",
    "migrations",
}


def test_each_applies_to_the_tree_as_it_is_and_its_tests_are_there() -> None:
    faults = []
    for mutant in mutants():
        try:
            mutant.applied()
        except ValueError as error:
            faults.append(str(error))
        faults.append(mutant.tests_fault())
        if not mutant.breaks.endswith("."):
            faults.append(f"{mutant.name}: what it breaks is no sentence")
    assert [fault for fault in faults if fault] == []


def test_names_are_unique_and_there_are_at_least_forty() -> None:
    names = [mutant.name for mutant in mutants()]
    assert len(names) == len(set(names)) >= 40


def test_every_app_has_some() -> None:
    assert {mutant.app for mutant in mutants()} >= ROOMS


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    (tmp_path / "apps").mkdir()
    (tmp_path / "apps" / "sums.py").write_text("def add(a, b):\n    return a + b\n")
    (tmp_path / "test_sums.py").write_text(
        "from apps.sums import add\n\n\ndef test_two():\n    assert add(1, 2) == 3\n\n\n"
        "def test_none():\n    assert add(0, 0) == 0\n\n\ndef test_bad():\n    assert not add\n"
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\npythonpath = .\n\n")
    return tmp_path


@pytest.fixture(scope="module")
def forker() -> Iterator[mutant_runner.Forker]:
    started = mutant_runner.Forker(["pytest"])
    yield started
    started.end()


def row(**change: object) -> Mutant:
    values = {
        "name": "minus",
        "file": "apps/sums.py",
        "before": "a + b",
        "after": "a - b",
        "breaks": "Sums are differences.",
        "tests": ("test_sums.py::test_two",),
    }
    return Mutant(**{**values, **change})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"file": "apps/none.py"}, "no file"),
        ({"before": "a * b"}, "0 times"),
        ({"before": "a"}, "times"),
        ({"after": "a + b"}, "changes nothing"),
        ({"after": "a +"}, "no Python"),
    ],
)
def test_a_row_that_does_not_fit_fails_loudly(
    tree: Path, change: dict[str, object], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        row(**change).applied(tree)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({}, mutant_runner.CAUGHT),
        ({"tests": ("test_sums.py::test_none",)}, mutant_runner.MISSED),
        ({"tests": ("test_sums.py::test_bad",)}, mutant_runner.BROKEN),  # fails without the bug too
        ({"after": "a + c", "tests": ("test_none.py",)}, mutant_runner.BROKEN),
        (
            {"before": "def add(", "after": "def plus("},
            mutant_runner.BROKEN,
        ),  # could not even be read
    ],
)
def test_only_a_test_that_passes_without_the_bug_and_fails_with_it_catches(
    tree: Path, forker: mutant_runner.Forker, change: dict[str, object], word: str
) -> None:
    verdict = mutant_runner.judge(row(**change), tree, 60, forker=forker, sound=False)
    assert (verdict.word, (tree / "apps" / "sums.py").read_text().count("a + b")) == (word, 1)


def test_a_run_that_does_not_end_is_stopped_and_says_nothing(
    tree: Path, forker: mutant_runner.Forker
) -> None:
    (tree / "test_sums.py").write_text(
        "import os, time\nfrom pathlib import Path\n\n\ndef test_two():\n"
        "    Path('run').write_text(str(os.getpid()))\n    time.sleep(60)\n"
    )
    assert (
        mutant_runner.judge(row(), tree, 2, forker=forker, sound=True).word == mutant_runner.BROKEN
    )
    with pytest.raises(ProcessLookupError):
        os.kill(int((tree / "run").read_text()), 0)


def test_no_run_sees_what_another_imported_or_set(tree: Path, forker: mutant_runner.Forker) -> None:
    (tree / "test_sums.py").write_text(
        "import os, sys\n\n\ndef test_two():\n    assert 'apps.sums' not in sys.modules\n"
        "    import apps.sums\n    assert os.environ.setdefault('SET', '1') == '1'\n"
        "    assert os.environ.pop('SET') and not os.environ.get('LEFT')\n"
        "    os.environ['LEFT'] = '1'\n"
    )
    for _ in range(2):
        assert forker.pytest(tree, ["test_sums.py"], 60)[0] == 0


def test_ending_the_process_that_forks_ends_the_run(tree: Path) -> None:
    (tree / "test_sums.py").write_text(
        "import os, signal\nfrom pathlib import Path\n\n\ndef test_two():\n"
        "    Path('run').write_text(str(os.getpid()))\n    os.kill(os.getppid(), signal.SIGTERM)\n"
        "    signal.pause()\n"
    )
    started = mutant_runner.Forker(["pytest"])
    with pytest.raises(OSError, match="has ended"):
        started.pytest(tree, ["test_sums.py"], 60)
    started.end()
    with pytest.raises(ProcessLookupError):
        os.kill(int((tree / "run").read_text()), 0)


def test_the_tree_itself_is_never_changed(
    tree: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    before = (tree / "apps" / "sums.py").stat().st_mtime_ns
    heard: list[mutant_runner.Verdict] = []
    mutant_runner.run([row()], seconds=60, at_once=1, report=heard.append, root=tree)
    assert [verdict.word for verdict in heard] == [mutant_runner.CAUGHT]
    assert (tree / "apps" / "sums.py").stat().st_mtime_ns == before
