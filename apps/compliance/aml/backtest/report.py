"""Static against calibrated: figures of a backtest, as JSON has them and in words."""

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from apps.compliance.aml.backtest.dataset_parser import Dataset
from apps.compliance.aml.backtest.ranking_metrics import (
    compute_auc,
    measure_ranking,
)
from apps.compliance.aml.backtest.replay import BacktestReplay, ReplayResult
from apps.compliance.aml.rules.scorecard import COHORTS, VERSION

LEAST_OF_CLASS = 50  # below, a cohort is shown and proves nothing


def compare_calibration(data: Dataset, *, progress: Callable[[str], object]) -> dict[str, Any]:
    """Replay a data set twice, without and with calibration, and return the figures.

    `static` and `calibrated` have `auc`, `average_precision` and `precision_at_100` and,
    under `intervals`, the 95 % interval of each; `cohorts` the AUC of each by both, by the cohort
    in which an account ended. Accounts are ranked by their highest running risk.
    """
    comparison: dict[str, Any] = {
        "data": {
            "name": data.name,
            "payments": len(data.payments),
            "accounts": len(data.accounts),
            "bad": len(data.bad),
        },
        "rules": VERSION,
        "cohorts": {name: {} for name in COHORTS},
    }
    for way in ("static", "calibrated"):
        progress(f"Replaying {len(data.payments)} payments, {way} …")
        result = BacktestReplay(data, learns=way == "calibrated", progress=progress).run()
        accounts = sorted(data.accounts)
        scores = np.array([result.risks[account] for account in accounts], dtype=float)
        ranked = measure_ranking(scores, np.array([account in data.bad for account in accounts]))
        comparison[way] = {
            name: _round_or_none(estimate.value) for name, estimate in ranked.items()
        } | {
            "intervals": {
                name: [_round_or_none(estimate.low), _round_or_none(estimate.high)]
                for name, estimate in ranked.items()
            },
            "alerts": result.flagged,
            "labels": result.labels,
            "versions_of_weights": result.versions,
            "changes_refused": len(result.refused),
        }
        for name, figure in _compare_cohorts(data, result):
            # accounts and classes are the same both ways: profiles do not depend on the weights
            comparison["cohorts"][name] |= figure if way == "static" else {way: figure["static"]}
    return comparison


def _compare_cohorts(data: Dataset, result: ReplayResult) -> Iterator[tuple[str, dict[str, Any]]]:
    for name in COHORTS:
        mine = sorted(
            account for account in data.accounts if result.cohorts.get(account, "UNKNOWN") == name
        )
        bad = np.array([account in data.bad for account in mine], dtype=bool)
        scores = np.array([result.risks[account] for account in mine], dtype=float)
        wrong = int(bad.sum())
        both = wrong and wrong < len(mine)
        yield (
            name,
            {
                "accounts": len(mine),
                "bad": wrong,
                "proves": min(wrong, len(mine) - wrong) >= LEAST_OF_CLASS,
                "static": _round_or_none(compute_auc(scores, bad)) if both else None,
            },
        )


def _round_or_none(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 4)


def format_report(report: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of a report for people."""
    data = report["data"]
    yield (
        f"{data['name']}: {data['payments']} payments, {data['accounts']} accounts, "
        f"{data['bad']} of them bad; rules {report['rules']}."
    )
    yield f"{'':22}{'static':>26}{'calibrated':>26}"
    for name in ("auc", "average_precision", "precision_at_100"):
        cells = "".join(
            f"{_format_cell(report[way], name):>26}" for way in ("static", "calibrated")
        )
        yield f"{name.replace('_', ' '):22}{cells}"
    for name, figures in report["cohorts"].items():
        if figures["static"] is not None:
            few = "" if figures["proves"] else "  (too few to prove anything)"
            yield (
                f"AUC {name.lower():18}{figures['static']:>26.3f}{figures['calibrated']:>26.3f}"
                f"  {figures['bad']} bad of {figures['accounts']}{few}"
            )
    learnt = report["calibrated"]
    yield (
        f"{learnt['alerts']} alerts, {learnt['labels']} decisions, "
        f"{learnt['versions_of_weights']} versions of the weights, "
        f"{learnt['changes_refused']} changes refused by the gate."
    )


def _format_cell(estimates: dict[str, Any], name: str) -> str:
    low, high = estimates["intervals"][name]
    if None in (estimates[name], low, high):
        return "not measured"
    return f"{estimates[name]:.3f} ({low:.3f}-{high:.3f})"
