"""Build the desk's pages on runs: a chart of recent hours, and one run in full."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django.urls import reverse

from apps.insight.stability.models import StabilityRun
from apps.insight.stability.oracle import presenters
from apps.platform.desk import charts

# runs in twelve hours
CHARTED = 72
# runs in an hour; the first of each hour is labelled
LABELLED = 6
CHART = {"width": charts.WIDTH, "height": charts.HEIGHT, "base": charts.BASE}


def build_score_chart() -> dict[str, Any]:
    """Return the scores of the last twelve hours as columns; two queries at most."""
    # the payload has every value of a run, of which the chart needs none
    newest = list(StabilityRun.objects.defer("payload").order_by("-slot")[:CHARTED])
    runs = newest[::-1]
    if not runs:
        return {}
    labels = [f"{run.recorded_at:%H:%M}" for run in runs]
    scores = [int(run.points or 0) for run in runs]
    addresses = [reverse("admin:stability_stabilityrun_change", args=[run.pk]) for run in runs]
    day_chart = charts.build_day_chart(labels=labels, series=[("score", scores, addresses)])
    marks = [
        {"day": day, "status": presenters.status_at_run(run), "named": not place % LABELLED}
        for place, (day, run) in enumerate(zip(day_chart, runs, strict=True))
    ]
    return {"chart": marks, "span": (runs[0].recorded_at, runs[-1].recorded_at)} | CHART


def build_run_page(run: StabilityRun) -> dict[str, Any]:
    """Return what the page of a run draws: its layers and series, or why there is nothing."""
    fault = "" if run.purged else run.mac_fault()
    if fault or run.purged:
        return {"fault": fault, "purged": run.purged}
    moments = presenters.restore_moments(run.data)
    row = presenters.decision_at_run(run)
    if row is None:
        return {"unscored": moments["fault"], "series": _list_series(moments)}
    return {
        "row": row,
        "told": moments,
        "layers": [
            presenters.serialize_full_layer(layer) | {"length": int(Decimal(layer["value"] or 0))}
            for layer in moments["layers"]
        ],
        "usd": presenters.serialize_usd_health(moments),
        "series": _list_series(moments),
        "note": getattr(run, "note", None),
    }


def _list_series(series_of_run: dict[str, Any]) -> Sequence[dict[str, Any]]:
    """Return the series of a run; `verdict` is the oracle's own on the age of each."""
    return [
        {"name": name, "verdict": "Counts" if moment["counts"] else "Too old", **moment}
        for name, moment in sorted(series_of_run["series"].items())
    ]
