"""pytest plugin of `./run test`: one line of progress with the time left, and what was left out."""

import sys
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

# markers of what `./run test` leaves out, and what they are for people
LEFT_OUT = {
    "browser": "in a browser",
    "processes": "with real processes and chains",
    "strict": "by generated clients",
    "journeys": "journeys through the whole product",
    "faults": "faults of servers, disks and clocks",
    "slow": "that take long: memory, real lists, whole searches",
    "nightly": "in their long form",
}
ONLY_AT_NIGHT = ("faults", "nightly")
DURATIONS = "oracle/seconds_by_file"  # in pytest's cache: what the last run took
STEP = 5  # per cent between two lines where the output is no terminal


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option by which `./run test` asks for what was left out."""
    parser.addoption("--say-left-out", action="store_true", help="say at the end what was not run")


def pytest_configure(config: pytest.Config) -> None:
    """Report what is left out on each worker, and progress where people look."""
    config.stash[left_out_key] = Counter()
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Progress(config), "oracle-progress")


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    """Count the tests that are not run, by the first marker that says why."""
    for item in items:
        if item.config.option.keyword:
            return  # somebody chose by name, not by what takes long
        marks = {mark.name for mark in item.iter_markers()}
        marker = next((name for name in (*ONLY_AT_NIGHT, *LEFT_OUT) if name in marks), "")
        item.config.stash[left_out_key][marker] += 1


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand the counts of a worker to the process that reports."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = dict(session.config.stash[left_out_key])


left_out_key = pytest.StashKey[Counter[str]]()


class Progress:
    """Counts what is done by the seconds that it took in the last run."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.known: dict[str, float] = config.cache.get(DURATIONS, {}) if config.cache else {}
        self.seconds_by_file: Counter[str] = Counter()
        self.tests_by_file: Counter[str] = Counter()
        self.skipped: Counter[str] = Counter()
        self.total = self.done = self.shown = 0
        self.weight = self.weight_done = 0.0
        self.began = time.monotonic()
        self.terminal = sys.stdout.isatty()

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Learn what will run, in one process."""
        if session.items:
            self._begin([item.nodeid for item in session.items])

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: Sequence[str]) -> None:
        """Learn what will run, in several processes: each collects the same."""
        if not self.total:
            self._begin(ids)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """Take the counts of what was left out from a worker: each left out the same."""
        left_out = getattr(node, "workeroutput", {}).get("left_out")
        if left_out:
            self.config.stash[left_out_key] = Counter(left_out)

    def pytest_report_teststatus(self, report: pytest.TestReport) -> Any:
        """Print no letter: a test that failed is named at once, the others are counted."""
        if report.failed:
            return ("failed" if report.when == "call" else "error"), "", "FAILED"
        if report.when == "call" and report.passed:
            return "passed", "", "PASSED"
        return ("skipped", "", "SKIPPED") if report.skipped else None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a phase of a test, and show how far the run is."""
        if report.failed:
            print(f"FAILED {report.nodeid} ({report.when})", flush=True)
        if report.skipped and isinstance(report.longrepr, tuple):
            self.skipped[report.longrepr[2].removeprefix("Skipped: ")] += 1
        file = report.nodeid.partition("::")[0]
        self.seconds_by_file[file] += report.duration
        if report.when != "teardown":
            return
        self.tests_by_file[file] += 1
        self.done += 1
        self.weight_done += self._weight(file)
        share = int(100 * self.weight_done / self.weight) if self.weight else 0
        if self.terminal or share >= self.shown + STEP or self.done == self.total:
            self.shown = share
            self._show(share)

    def pytest_sessionfinish(self) -> None:
        """Keep what a test of each file took, for the next run's estimate."""
        if self.config.cache and self.done:
            took = {
                file: round(self.seconds_by_file[file] / tests, 4)
                for file, tests in self.tests_by_file.items()
            }
            self.config.cache.set(DURATIONS, self.known | took)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say what was skipped and why, and what was left out and how it would be run."""
        for reason, count in self.skipped.most_common():
            terminalreporter.write_line(f"{count:,} skipped: {reason}")
        if not self.config.option.say_left_out:
            return
        for command, marks in (
            ("--all", [mark for mark in LEFT_OUT if mark not in ONLY_AT_NIGHT]),
            ("--nightly", ONLY_AT_NIGHT),
        ):
            left_out = self.config.stash[left_out_key]
            parts = [f"{left_out[mark]:,} {LEFT_OUT[mark]}" for mark in marks if left_out[mark]]
            if parts:
                terminalreporter.write_line(
                    f"Not run here: {', '.join(parts)}. `./run test {command}` adds them, and "
                    "PostgreSQL (CONTRIBUTING.md says when)."
                )

    def _begin(self, ids: Sequence[str]) -> None:
        self.total = len(ids)
        self.weight = sum(self._weight(name.partition("::")[0]) for name in ids)
        self.began = time.monotonic()

    def _weight(self, file: str) -> float:
        """Return the seconds that a test of a file is expected to take."""
        return max(self.known.get(file, 0.05), 0.002)

    def _show(self, share: int) -> None:
        elapsed = time.monotonic() - self.began
        left = elapsed * (self.weight - self.weight_done) / max(self.weight_done, 0.001)
        line = (
            f"{share:3} %  {self.done:,} of {self.total:,} tests  "
            f"{_minutes(elapsed)} elapsed, about {_minutes(left)} left"
        )
        print(
            f"\r{line}  " if self.terminal else line, end="" if self.terminal else "\n", flush=True
        )


def _minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"
