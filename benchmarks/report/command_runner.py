"""Runs the commands of figures, each in a process of its own, and reads what they say."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from signal import SIGKILL
from tempfile import TemporaryDirectory, gettempdir
from threading import Lock
from typing import Any

from benchmarks.report.figures import DATA, OUT, Figure, MeasuredFigure, Source, State

ROOT = Path(__file__).resolve().parents[2]
SANDBOX = (("manage", "migrate", "--verbosity", "0"), ("manage", "setup_sandbox", "--quiet"))
# a report is about the code: what the machine's own platform is set to says nothing of it
UNSET = ("DATABASE_URL", "BENCH_DATABASE_URL", "REDIS_URL", "DJANGO_ENV", "DJANGO_SETTINGS_MODULE")
AT_ONCE = 2
RUNNING: "set[subprocess.Popen[str]]" = set()


@dataclass(frozen=True, slots=True)
class CommandResult:
    """What came of a command: its JSON (lines of text as `lines`), or why there is none."""

    state: State
    found: Mapping[str, Any] = field(default_factory=dict)
    why: str = ""
    seconds: float = 0.0


def data_folder() -> Path:
    """Return where the labelled sets lie: SHARED_DATA, or beside the checkout."""
    return Path(os.environ.get("SHARED_DATA") or ROOT.parent / "shared" / "data")


def lacking(source: Source, data: Path) -> str:
    """Return which file a command lacks here, in words; an empty text where it lacks none."""
    for name in source.needs:
        if not (data / name).exists():
            return f"not measured here: the data is absent ({name} of the labelled sets)"
    for name in source.pages:
        if not (ROOT / name).exists():
            return f"not measured here: {name} is absent"
    return ""


def measure_figures(
    figures: Sequence[Figure], *, quick: bool, data: Path, say: Callable[[str], None]
) -> list[MeasuredFigure]:
    """Run the command of each figure once and return how every figure came out, in their order."""
    sources = list({figure.source.key: figure.source for figure in figures}.values())
    results: dict[str, CommandResult] = {}
    due = []
    for source in sources:
        why = lacking(source, data)
        if source.asked(quick) is None:
            results[source.key] = CommandResult(
                State.LEFT_OUT, why="a quick report does not measure it"
            )
        elif why:
            results[source.key] = CommandResult(State.ABSENT, why=why)
        else:
            due.append(source)
    with TemporaryDirectory(prefix="report-") as folder:
        runner = Runner(quick=quick, data=data, folder=Path(folder), say=say, of=len(due))
        results |= runner.all(due)
    return [read_figure(figure, results[figure.source.key], quick=quick) for figure in figures]


def read_figure(figure: Figure, result: CommandResult, *, quick: bool) -> MeasuredFigure:
    """Return how a figure came out; a command whose words are not understood has failed too."""
    command = figure.command(quick)
    if result.state is not State.MEASURED:
        return MeasuredFigure(figure, result.state, command, why=result.why, seconds=result.seconds)
    try:
        reading = figure.reads(result.found)
    except (KeyError, TypeError, ValueError, IndexError, StopIteration) as error:
        why = f"the output of the command could not be read: {type(error).__name__} {error}"
        return MeasuredFigure(figure, State.FAILED, command, why=why, seconds=result.seconds)
    return MeasuredFigure(figure, State.MEASURED, command, reading, seconds=result.seconds)


class Runner:
    """Runs commands in a folder of their own: two at once, and what is timed alone."""

    def __init__(
        self, *, quick: bool, data: Path, folder: Path, say: Callable[[str], None], of: int
    ) -> None:
        self.quick, self.data, self.folder, self.say = quick, data, folder, say
        self.of, self.done, self.lock = of, 0, Lock()
        self.env = {key: value for key, value in os.environ.items() if key not in UNSET}
        self.env |= {"VAR_DIR": str(folder / "var"), "SHARED_DATA": str(data), "MCP_PORT": "0"}
        self.env |= {"BENCH_SANDBOX": str(folder / "var")}

    def all(self, sources: Sequence[Source]) -> dict[str, CommandResult]:
        """Run every command and return what came of each, by the key of its source."""
        with ThreadPoolExecutor(AT_ONCE) as pool, ended_with_this(pool):
            made = pool.submit(self._sandbox) if any(source.sandbox for source in sources) else None
            beside = [source for source in sources if not source.sandbox and not source.timed]
            found = dict(zip([one.key for one in beside], pool.map(self.one, beside), strict=True))
            broken = made.result() if made else ""
        for source in sources:
            if source.key not in found:
                failed = source.sandbox and broken
                found[source.key] = (
                    CommandResult(State.FAILED, why=broken) if failed else self.one(source)
                )
        return found

    def _sandbox(self) -> str:
        """Make the database with the samples; returns why that failed, or an empty text."""
        (self.folder / "var").mkdir()
        for words in SANDBOX:
            self.say("./run " + " ".join(words))
            status, _, err = run(words, env=self.env, seconds=600)
            if status != 0:
                return f"the sandbox was not made: {last_line(err)}"
        return ""

    def one(self, source: Source) -> CommandResult:
        """Run a command and return its result."""
        words = source.asked(self.quick) or ()
        out = self.folder / f"{source.key}.json"
        began = time.monotonic()
        self.say(f"… ./run {' '.join(words)}")
        status, stdout, err = run(
            [str(out) if word == OUT else word.replace(DATA, str(self.data)) for word in words],
            env=self.env,
            seconds=source.seconds,
        )
        took = time.monotonic() - began
        result = _understood(source, status, stdout, err, out, took)
        with self.lock:
            self.done += 1
            self.say(
                f"{self.done}/{self.of} {result.state} in {took:.0f} s: {source.key} {result.why}"
            )
        return result


def _understood(
    source: Source, status: int | None, stdout: str, err: str, out: Path, took: float
) -> CommandResult:
    """Return the result of a command: its status, its output and the file that it wrote."""
    if status is None:
        why = f"given up after {source.seconds} s"
        # a slow machine is no fault of what is timed
        return CommandResult(
            State.LEFT_OUT if source.timed else State.FAILED, why=why, seconds=took
        )
    if status != 0:
        why = f"ended with {status}: {last_line(err or stdout)}"
        return CommandResult(State.FAILED, why=why, seconds=took)
    if OUT not in source.words:
        return CommandResult(State.MEASURED, {"lines": stdout.splitlines()}, seconds=took)
    try:
        return CommandResult(
            State.MEASURED, json.loads(out.read_text(encoding="utf-8")), seconds=took
        )
    except (OSError, ValueError) as error:
        why = f"wrote no JSON: {type(error).__name__}"
        return CommandResult(State.FAILED, why=why, seconds=took)


def last_line(text: str) -> str:
    """Return the last line of an output, without where things lie on this machine."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    last = lines[-1] if lines else "it printed nothing"
    places = {ROOT: ".", data_folder().resolve(): DATA, Path(gettempdir()): "…", Path.home(): "~"}
    for place, word in places.items():
        last = last.replace(f"{place}/", f"{word}/")
    return last[:300]


def run(
    words: Sequence[str], *, env: Mapping[str, str], seconds: int
) -> tuple[int | None, str, str]:
    """Run `./run` with words; returns status (None where it took too long), output and errors."""
    with _begun(words, env) as process:
        try:
            stdout, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, SIGKILL)
            return None, *process.communicate()
    return process.returncode, stdout, err


@contextmanager
def ended_with_this(pool: ThreadPoolExecutor) -> Iterator[None]:
    """End every command of a pool when this is interrupted: threads that wait for one are not."""
    try:
        yield
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in list(RUNNING):
            os.killpg(process.pid, SIGKILL)
        raise


@contextmanager
def _begun(words: Sequence[str], env: Mapping[str, str]) -> "Iterator[subprocess.Popen[str]]":
    """Start a command in a group of its own, which is ended with whoever waits for it."""
    process = subprocess.Popen(
        ["./run", *words], cwd=ROOT, env=dict(env), text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    RUNNING.add(process)
    try:
        yield process
    except BaseException:
        os.killpg(process.pid, SIGKILL)
        process.wait()
        raise
    finally:
        RUNNING.discard(process)


def print_progress(text: str) -> None:
    """Print progress where it does not mix with what a command prints."""
    print(text, file=sys.stderr, flush=True)
