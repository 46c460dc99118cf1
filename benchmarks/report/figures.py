"""A figure: a command, its output, and how that is reported and drawn. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

OUT = "OUT.json"  # in the words of a command: the file that it writes
DATA = "../shared/data"  # in the words of a command: the folder of the labelled sets


class State(StrEnum):
    """Whether a figure was measured."""

    MEASURED = "measured"
    ABSENT = "absent"  # what it is measured on is not here
    LEFT_OUT = "left out"  # not asked for in this run
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Stat:
    """One number with its label; `met` is whether it reaches its goal, None without one."""

    label: str
    value: float | int | None
    text: str
    goal: str = ""
    met: bool | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text under their columns; the first column names the row."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A curve of (x, y) points; `ours` is drawn strongest, and `marked` is a point with words."""

    name: str
    points: tuple[tuple[float, float], ...]
    ours: bool = False
    marked: tuple[float, float, str] | None = None


@dataclass(frozen=True, slots=True)
class Bar:
    """A value with, where it is known, the interval in which it lies with 95 %."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    ours: bool = True
    text: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """Lines over two axes, or bars from `zero` on; `unit` is written at the values."""

    title: str
    x: str
    y: str = ""
    lines: tuple[Line, ...] = ()
    bars: tuple[Bar, ...] = ()
    zero: float = 0.0
    dots: bool = False  # values with intervals, where a bar from zero would say nothing


@dataclass(frozen=True, slots=True)
class Reading:
    """What a figure says: some numbers, a table, and a chart where one helps."""

    stats: tuple[Stat, ...]
    table: Table
    chart: Chart | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A command of `./run`, and what it needs.

    `words` may hold OUT and DATA; without OUT its standard output is what is read. `quick` are the
    words of a quick report, None where it is left out of one. `needs` are files of the labelled
    sets, `pages` files of this tree. `sandbox` is one whose database holds the samples. What is
    `timed` runs by itself, after the others, as does what needs the sandbox. `seconds` is when it
    is given up.
    """

    key: str
    words: tuple[str, ...]
    quick: tuple[str, ...] | None = None
    needs: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    sandbox: bool = False
    timed: bool = False
    seconds: int = 900

    def asked(self, quick: bool) -> tuple[str, ...] | None:
        """Return the words of a full or a quick report, None where it is left out."""
        return self.quick if quick else self.words


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A row of the catalogue: `means` is one sentence, `reads` turns the output into figures."""

    key: str
    group: str
    title: str
    unit: str
    means: str
    source: Source
    reads: Callable[[Mapping[str, Any]], Reading]

    def command(self, quick: bool) -> str:
        """Return the command that repeats the figure, as it is typed."""
        words = self.source.asked(quick) or self.source.words
        return " ".join(("./run", *words))


@dataclass(frozen=True, slots=True)
class MeasuredFigure:
    """A figure as it came out of one run; `why` says why there is no reading."""

    figure: Figure
    state: State
    command: str
    reading: Reading | None = None
    why: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Report:
    """All figures of one run, and what they were measured with."""

    made: str
    quick: bool
    commit: str
    python: str
    sqlite: str
    cores: int
    load: float
    figures: tuple[MeasuredFigure, ...]

    @property
    def failed(self) -> tuple[MeasuredFigure, ...]:
        """The figures whose command failed."""
        return tuple(one for one in self.figures if one.state is State.FAILED)

    def counts(self) -> dict[str, int]:
        """Return the number of figures in each state."""
        return {state: sum(one.state is state for one in self.figures) for state in State}
