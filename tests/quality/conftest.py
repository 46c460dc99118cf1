"""Figures by which the report is tried: measured, absent, failed, and drawn in every way."""

from pathlib import Path

import pytest

from benchmarks.report.figures import (
    Bar,
    Chart,
    Figure,
    Line,
    MeasuredFigure,
    Reading,
    Report,
    Source,
    Stat,
    State,
    Table,
)

ECHOED = Source(key="echoed", words=("mutants", "--list"), quick=("mutants", "--list"))


def read(found: object) -> Reading:
    return Reading((Stat("things", 3, "3", "goal: 4", False),), Table(("a", "b"), (("x", "1"),)))


def figure(key: str, source: Source = ECHOED) -> Figure:
    return Figure(key=f"test.{key}", group="Some", title=f"Title of {key} <1>", unit="things",
                  means="What it means.", source=source, reads=read)  # fmt: skip


@pytest.fixture
def report() -> Report:
    """A report with a figure of each state and a chart of each kind."""
    curve = Chart("Curves", "recall", "precision", lines=(
        Line("ours", ((0.1, 0.9), (0.8, 0.7)), ours=True, marked=(0.8, 0.7, "here")),
        Line("peer <b>", ((0.1, 0.5), (0.9, 0.4))),
    ))  # fmt: skip
    bars = Chart("Bars", "percent", bars=(Bar("one", 3.5, 2, 5, text="3.5"), Bar("two", 0.0)))
    dots = Chart("Dots", "skill", bars=(Bar("one", -0.1, -0.2, 0.1, text="-0.1"),), dots=True)
    stats = (Stat("share", 0.5, "50.0 %", "goal: 40 %", True), Stat("number", 7, "7"))
    table = Table(("what", "value"), (("first | of all", "1"), ("second", "2")))
    rows = [
        MeasuredFigure(
            figure(f"drawn_{number}"), State.MEASURED, "./run it", Reading(stats, table, chart, "N")
        )
        for number, chart in enumerate((curve, bars, dots, None))
    ]
    rows.append(
        MeasuredFigure(figure("gone"), State.ABSENT, "./run it", why="the data is absent (x.csv)")
    )
    rows.append(MeasuredFigure(figure("slow"), State.LEFT_OUT, "./run it", why="left out"))
    rows.append(
        MeasuredFigure(figure("broken"), State.FAILED, "./run it", why="ended with 1: it <broke>")
    )
    return Report("2026-11-24T12:00:00Z", True, "abc", "3.11.7", "3.40", 2, 1.5, tuple(rows))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "report"
