"""The report as Markdown: the same figures, tables and commands, without the charts. Pure."""

import re
from collections.abc import Iterator

from benchmarks.report.figures import MeasuredFigure, Report, Stat, State, Table

INTRO = """# Quality

This page is written by `./run report --markdown docs/quality.md`: do not edit it by hand. Each
figure comes with the command that repeats it; commands of `./run manage` need a sandbox (`./run`,
or `./run manage migrate` and `./run manage setup_sandbox`). `./run report` writes the same content
as a page with charts and as JSON into `build/report/`, and CI makes a quick report of every change.
Test data that is not in this tree (lists, labelled pairs and payments) is in `../shared/data`, or
where `SHARED_DATA=…` says; where it is absent, the figure is reported as absent. Times depend on
the machine and its load; ratios depend on them less, because both sides run in turn. A ratio above
1 means that the work is too small to be seen among the variations of such a machine."""


_CODE = re.compile(r"\b[A-Z]+(?:-[A-Z0-9]+)+\b")


def text(report: Report) -> str:
    """Return the whole page."""
    lines = [INTRO, "", made(report), ""]
    group = ""
    for measured_figure in report.figures:
        if measured_figure.figure.group != group:
            group = measured_figure.figure.group
            lines += [f"## {group}", ""]
        lines += _figure(measured_figure)
    return "\n".join(lines).rstrip() + "\n"


def made(report: Report) -> str:
    """Return in words when and with what the report was made."""
    counts = ", ".join(f"{count} {state}" for state, count in report.counts().items() if count)
    kind = "A quick report" if report.quick else "A full report"
    commit = f" of commit {report.commit}" if report.commit else ""
    return (
        f"{kind}{commit}, made {report.made} with Python {report.python} and SQLite "
        f"{report.sqlite} on {report.cores} cores, load {report.load} when it began: {counts}."
    )


def _figure(measured: MeasuredFigure) -> Iterator[str]:
    figure = measured.figure
    yield f"### {figure.title}"
    yield ""
    yield f"{figure.means} Unit: {figure.unit}."
    yield ""
    if measured.reading is None or measured.state is not State.MEASURED:
        yield f"**{measured.state.capitalize()}**: {measured.why}"
    else:
        yield from (_stat(stat) for stat in measured.reading.stats)
        yield ""
        yield from table(measured.reading.table)
        if measured.reading.note:
            yield f"\n{measured.reading.note}"
    yield ""
    yield f"```sh\n{measured.command}\n```"
    yield ""


def _stat(stat: Stat) -> str:
    return f"- {stat.label}: **{stat.text}**{goal(stat)}"


def goal(one: Stat) -> str:
    """Return in words what a number should be and whether it is; empty without a goal."""
    if not one.goal:
        return ""
    reached = {True: ", reached", False: ", not reached", None: ""}[one.met]
    return f" ({one.goal}{reached})"


def table(found: Table) -> Iterator[str]:
    """Yield the lines of a table."""
    for row in (found.columns, tuple("---" for _ in found.columns), *found.rows):
        yield f"| {' | '.join(_cell(cell) for cell in row)} |"


def _cell(text: str) -> str:
    """Return a cell that ends no column, with codes of rules (`FEE-TIER-1`) as code."""
    return _CODE.sub(r"`\g<0>`", text.replace("|", "/"))
