"""Runs mutants, each in a copy of the tree, and says which its tests noticed."""

import contextlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory

from tests.mutants.preloaded import LIBRARIES, OUT_OF_TIME
from tests.mutants.table import ROOT, Mutant
from tests.shared_data import folder

CAUGHT, MISSED, BROKEN = "caught", "missed", "broken"
MOST_AT_ONCE = 2
KEPT_OUT = ("var", "node_modules", "__pycache__", "staticfiles")
CHAINS = Path("tests/paywall/clients/node_modules")
# databases and servers of whoever calls: a copy has its own, a file of each run
NOT_PASSED_ON = (
    "DATABASE_URL",
    "REDIS_URL",
    "LEDGER_KEYS",
    "TRAVEL_RULE_KEYS",
    "DJANGO_ENV",
    "VAR_DIR",
    "PYTEST_ADDOPTS",
    "PYTHONDONTWRITEBYTECODE",  # a copy keeps its bytecode from one run to the next
)
TAIL = 15  # lines of a run that did not go as it must
# no plugin that takes long to load and that no test here needs; and no warning that libraries with
# plugins of their own, imported before a run is forked, cannot be rewritten any more
QUICKLY = (
    "-x", "--tb=line", "-p", "no:cacheprovider", "-p", "no:schemathesis", "-p", "no:xdist",
    "-W", "ignore::pytest.PytestAssertRewriteWarning",
)  # fmt: skip
FORKING = Path(__file__).with_name("preloaded.py")
_RUNNING: set[subprocess.Popen[str]] = set()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one mutant: `caught` when a test failed, `missed` when all passed.

    `broken`: it says nothing, because the row does not apply, the tests fail without it too, were
    skipped, could not start or did not end. `said` is the end of what pytest printed.
    """

    mutant: Mutant
    word: str
    seconds: float
    said: str = ""


def copy_of(root: Path, into: Path) -> Path:
    """Copy the tree, without what is hidden, built or running, and return where it is."""

    def left_out(_: str, names: list[str]) -> list[str]:
        return [name for name in names if name.startswith(".") or name in KEPT_OUT]

    target = into / "tree"
    shutil.copytree(root, target, ignore=left_out)
    if (root / CHAINS).exists():  # without them the tests of real chains would be skipped
        (target / CHAINS).symlink_to((root / CHAINS).resolve())
    return target


class Forker:
    """A process that has the libraries imported and forks each run of pytest."""

    def __init__(self, libraries: Sequence[str] = LIBRARIES) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(FORKING), *libraries],
            env=_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        _RUNNING.add(self._process)

    def pytest(self, tree: Path, tests: Sequence[str], seconds: float) -> tuple[int, str]:
        """Run tests in a copy; returns pytest's exit status (-1: out of time), what it printed."""
        output = tree.parent / f"{tree.name}.output"
        request = {
            "folder": str(tree),
            "arguments": [*QUICKLY, *tests],
            # a bug in what migrating writes has a template of its own
            "environment": _environment() | {"TEST_TEMPLATES": str(tree.parent / "templates")},
            "output": str(output),
            "seconds": seconds,
        }
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise OSError("the process that forks runs has ended")
        status = json.loads(answer)["status"]
        if status == OUT_OF_TIME:
            return status, f"not done after {seconds:.0f} seconds"
        return status, output.read_text(encoding="utf-8", errors="replace")

    def end(self) -> None:
        """End it, and what it runs."""
        _end(self._process)
        self._process.communicate()
        _RUNNING.discard(self._process)


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in NOT_PASSED_ON}
    return kept | {"SHARED_DATA": str(folder())}  # a copy lies elsewhere


def word(status: int, said: str) -> str:
    """Tell what an exit status of pytest means: only a test that failed has caught anything.

    Tests that were all skipped have missed nothing, and say nothing.
    """
    if status == 0:
        return MISSED if re.search(r"\b[1-9]\d* passed\b", said) else BROKEN
    if status == 1 and re.search(r"\b[1-9]\d* failed\b", said):
        return CAUGHT
    return BROKEN


@contextlib.contextmanager
def mutated(tree: Path, mutant: Mutant) -> Iterator[None]:
    """Put the bug into a copy, and take it out again; ValueError when the row does not fit."""
    path = tree / mutant.file
    changed = mutant.applied(tree)
    as_it_was = path.read_text(encoding="utf-8")
    try:
        _write(path, changed)
        yield
    finally:
        _write(path, as_it_was)


def _write(path: Path, text: str) -> None:
    """Bytecode is known by size and second: an old one would run in place of the new text."""
    path.write_text(text, encoding="utf-8")
    Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)


def judge(mutant: Mutant, tree: Path, seconds: float, *, forker: Forker, sound: bool) -> Verdict:
    """Try one mutant in a copy that nobody else uses; never raises.

    Unless its tests are known to be `sound`, they must first pass without the bug.
    """
    began = time.monotonic()

    def verdict(found: str, said: str) -> Verdict:
        return Verdict(mutant, found, time.monotonic() - began, _tail(said))

    try:
        if not sound:
            status, said = forker.pytest(tree, mutant.tests, seconds)
            if status != 0:
                return verdict(BROKEN, f"its tests do not pass without it\n{said}")
        with mutated(tree, mutant):
            status, said = forker.pytest(tree, mutant.tests, seconds)
        return verdict(word(status, said), said)
    except (OSError, ValueError) as error:
        return verdict(BROKEN, str(error))


def _tail(said: str) -> str:
    return "\n".join(said.strip().splitlines()[-TAIL:])


def run(
    mutants: Sequence[Mutant],
    *,
    seconds: float,
    at_once: int,
    report: Callable[[Verdict], None],
    root: Path = ROOT,
    sound: bool = False,
) -> list[Verdict]:
    """Judge mutants, `at_once` of them in copies of their own; `report` hears of each.

    `sound`: that their tests pass without a bug is known, and not tried first.
    """
    with TemporaryDirectory(prefix="oracle-mutants-") as place:
        copies: SimpleQueue[tuple[Path, Forker]] = SimpleQueue()
        with contextlib.ExitStack() as stack:
            for number in range(at_once):
                tree, forker = copy_of(root, Path(place) / str(number)), Forker()
                stack.callback(forker.end)
                copies.put((tree, forker))
            if not sound:
                tests = sorted({test for mutant in mutants for test in mutant.tests})
                tree, forker = copies.get()
                sound = forker.pytest(tree, tests, seconds * len(mutants))[0] == 0
                copies.put((tree, forker))

            def one(mutant: Mutant) -> Verdict:
                tree, forker = copies.get()
                try:
                    return judge(mutant, tree, seconds, forker=forker, sound=sound)
                finally:
                    copies.put((tree, forker))

            found = []
            with ThreadPoolExecutor(at_once) as pool, _stopped_with(pool):
                for done in as_completed([pool.submit(one, mutant) for mutant in mutants]):
                    found.append(done.result())
                    report(found[-1])
            return found


@contextlib.contextmanager
def _stopped_with(pool: ThreadPoolExecutor) -> Iterator[None]:
    """End what runs when somebody stops us; none of it would be of use to anybody."""
    try:
        yield
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for running in list(_RUNNING):
            _end(running)
        raise


def _end(forking: subprocess.Popen[str]) -> None:
    """End a process that forks runs; it ends the one that it waits for, which has its own group."""
    forking.terminate()
