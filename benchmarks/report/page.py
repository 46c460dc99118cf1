"""The report as one HTML page: no script, nothing fetched, its style allowed by its digest."""

import base64
import hashlib
import re
from html import escape
from pathlib import Path
from typing import Any

from django.template import Context, Engine
from django.utils.safestring import mark_safe

from benchmarks.report import markdown, svg_charts
from benchmarks.report.figures import MeasuredFigure, Report, Stat, State

FOLDER = Path(__file__).parent


def html(report: Report) -> str:
    """Return the whole page."""
    style = (FOLDER / "page.css").read_text(encoding="utf-8").strip()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    # without Django's settings: the page is made where no platform is set up
    template = Engine(autoescape=True).from_string(
        (FOLDER / "page.html").read_text(encoding="utf-8")
    )
    groups: dict[str, list[dict[str, Any]]] = {}
    for measured_figure in report.figures:
        groups.setdefault(measured_figure.figure.group, []).append(_figure(measured_figure))
    return template.render(
        Context(
            {
                "style": mark_safe(style),  # ours, from the file beside this one
                "digest": digest,
                "made": markdown.made(report),
                "groups": [
                    {"name": name, "id": f"group-{number}", "figures": figures}
                    for number, (name, figures) in enumerate(groups.items(), start=1)
                ],
            }
        )
    )


def _figure(measured: MeasuredFigure) -> dict[str, Any]:
    """Return the template's context of a figure."""
    reading = measured.reading
    key = measured.figure.key.replace(".", "-")
    return {
        "figure": measured.figure,
        "id": key,
        "state": measured.state,
        "measured": measured.state is State.MEASURED,
        "why": measured.why,
        "command": measured.command,
        "seconds": f"{measured.seconds:.0f}" if measured.seconds >= 1 else "",
        "stats": [_stat(stat) for stat in reading.stats] if reading else [],
        "table": reading.table if reading else None,
        "note": mark_safe(_coded(reading.note)) if reading else "",
        # every word in it is escaped where it is drawn
        "chart": mark_safe(svg_charts.svg(reading.chart, key=key))
        if reading and reading.chart
        else "",
    }


def _coded(text: str) -> str:
    """Return a text escaped, with the parts between backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _stat(stat: Stat) -> dict[str, Any]:
    met = stat.met
    word = {True: "reached", False: "not reached", None: ""}[met]
    kind = {True: "met", False: "unmet", None: ""}[met]
    return {"stat": stat, "goal": {"text": stat.goal, "word": word, "kind": kind}}
