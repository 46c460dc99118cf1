"""./run report: one page and one JSON file of quality figures, each with its command.

Writes build/report/index.html and build/report/report.json, and with --markdown the same as
Markdown. Ends with 1 when a command failed; a figure whose data is absent is reported as absent.
"""

import argparse
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from platform import python_version

from benchmarks.report import json_report, markdown, page
from benchmarks.report.catalogue import FIGURES
from benchmarks.report.command_runner import ROOT, data_folder, measure_figures, print_progress
from benchmarks.report.figures import Figure, MeasuredFigure, Report


def main(words: Sequence[str] | None = None) -> int:
    """Measure the chosen figures and write them; return the exit status."""
    asked = arguments(words)
    figures = [with_faults(one) if asked.faults else one for one in chosen(asked.only)]
    if asked.list:
        for figure in figures:
            print(f"{figure.key:22} {figure.command(asked.quick)}")
        return 0
    load = os.getloadavg()[0]
    measured_figures = measure_figures(
        figures, quick=asked.quick, data=asked.data, say=print_progress
    )
    made = report(measured_figures, now=datetime.now(UTC), quick=asked.quick, load=load)
    write(made, folder=asked.out, beside=asked.markdown)
    return 1 if made.failed else 0


def arguments(words: Sequence[str] | None) -> argparse.Namespace:
    """Return the chosen figures; an unknown key exits with 2."""
    parser = argparse.ArgumentParser(prog="./run report", description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="small counts, and not what is slow")
    parser.add_argument("--faults", action="store_true", help="run the tests of every fault too")
    parser.add_argument("--only", nargs="+", default=[], metavar="KEY", help="these figures alone")
    parser.add_argument("--list", action="store_true", help="name the figures and their commands")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write it as Markdown too")
    parser.add_argument("--data", type=Path, default=data_folder(), help="the labelled sets")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "report")
    args = parser.parse_args(words)
    args.data = args.data.resolve()
    keys = {figure.key for figure in FIGURES}
    if unknown := [key for key in args.only if key not in keys]:
        parser.error(f"no such figure: {', '.join(unknown)} (--list names them)")
    return args


def chosen(keys: Sequence[str]) -> list[Figure]:
    """Return the figures of these keys, all without any."""
    return [figure for figure in FIGURES if not keys or figure.key in keys]


def with_faults(figure: Figure) -> Figure:
    """Return a figure of faults as one whose tests are run, any other as it is."""
    source = figure.source
    if source.key != "faults":
        return figure
    words = (*source.words, "--run")
    return replace(figure, source=replace(source, words=words, quick=words))


def report(
    measured_figures: Sequence[MeasuredFigure], *, now: datetime, quick: bool, load: float
) -> Report:
    """Return figures with what they were measured with; nothing of it names the machine."""
    return Report(
        made=now.isoformat(timespec="seconds").replace("+00:00", "Z"),
        quick=quick,
        commit=commit(),
        python=python_version(),
        sqlite=sqlite3.sqlite_version,
        cores=os.cpu_count() or 0,
        load=round(load, 1),
        figures=tuple(measured_figures),
    )


def commit() -> str:
    """Return the git hash of the tree, `+` behind it where files differ; empty without git."""
    command = ["git", "describe", "--always", "--abbrev=12", "--exclude=*", "--dirty=+"]
    try:
        process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return process.stdout.strip() if process.returncode == 0 else ""


def write(made: Report, *, folder: Path, beside: Path | None) -> None:
    """Write the page, the JSON and, where a file is named, the Markdown; print the counts."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(json_report.as_json(made), indent=2, ensure_ascii=False)
    (folder / "report.json").write_text(text + "\n", encoding="utf-8")
    (folder / "index.html").write_text(page.html(made), encoding="utf-8")
    if beside:
        beside.write_text(markdown.text(made), encoding="utf-8")
    counts = ", ".join(f"{count} {state}" for state, count in made.counts().items() if count)
    print(f"{counts}: {os.path.relpath(folder / 'index.html')}")
    for one in made.failed:
        print(f"failed: {one.figure.key}: {one.why}")


if __name__ == "__main__":
    sys.exit(main())
