"""The report as JSON, by schema.json beside this file. Pure."""

from dataclasses import asdict
from typing import Any

from benchmarks.report.figures import MeasuredFigure, Reading, Report

VERSION = 1


def as_json(report: Report) -> dict[str, Any]:
    """Return the report as plain values."""
    return {
        "version": VERSION,
        "made": report.made,
        "quick": report.quick,
        "commit": report.commit or None,
        "python": report.python,
        "databases": {"sqlite": report.sqlite},
        "machine": {"cores": report.cores, "load": report.load},
        "counts": report.counts(),
        "figures": [_figure(measured_figure) for measured_figure in report.figures],
    }


def _figure(measured: MeasuredFigure) -> dict[str, Any]:
    figure = measured.figure
    return {
        "key": figure.key,
        "group": figure.group,
        "title": figure.title,
        "unit": figure.unit,
        "means": figure.means,
        "command": measured.command,
        "state": measured.state,
        "why": measured.why or None,
        "seconds": round(measured.seconds, 1),
        **_reading(measured.reading),
    }


def _reading(reading: Reading | None) -> dict[str, Any]:
    if reading is None:
        return {"stats": [], "table": None, "chart": None, "note": None}
    return {
        "stats": [asdict(stat) for stat in reading.stats],
        "table": asdict(reading.table),
        "chart": asdict(reading.chart) if reading.chart else None,
        "note": reading.note or None,
    }
