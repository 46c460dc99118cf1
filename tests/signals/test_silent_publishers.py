"""No publisher's silence calms a score: every composite that is served is walked.

A module that reads figures, and a composite, must be named here with the walk that proves it: a new
one fails until it has one.
"""

import ast
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import apps
from apps.insight.esg.oracle.composites import LIVING_COSTS
from apps.insight.esg.oracle.rules.live_score import PILLARS, average_score, score_of_strain
from apps.insight.forecast import computation as forecasts
from apps.insight.forecast.rules.lights_and_outlooks import LIGHTS
from apps.insight.forecast.rules.markets import MARKETS, Market
from apps.insight.forecast.rules.regions import REGIONS
from apps.insight.forecast.series_snapshot import SeriesSnapshot as ForecastKnown
from apps.insight.intelligence.feeds.catalogue import FISCAL_DOMINANCE
from apps.insight.intelligence.rules.calls_48h_subjects import OIL_PRICE
from apps.insight.intelligence.rules.sovereigns import SOVEREIGN_DEBT as SOVEREIGN
from apps.reference.signals.composites import COMPOSITES, Composite
from apps.reference.signals.composition import compose_score
from apps.reference.signals.points import Point
from apps.reference.signals.quality import TooFewInputs
from tests.conftest import NOON
from tests.forecast.worlds import world

APPS = Path(apps.__file__).parent
# what reads figures, a module or all of a folder -> the walk that finds a score which silence calms
WALKED = {
    "signals/composition.py": "every composite, below",
    "esg/oracle/services/oracle_runs.py": "the mean of composites, below",
    "forecast/": "every market and region, below",
    "stability/oracle/computation.py": "tests/stability/oracle/test_silent_series.py",
    "stability/oracle/series_snapshot.py": "tests/stability/oracle/test_silent_series.py",
    "intelligence/": (
        "every product, tests/intelligence/test_silent_publishers.py and test_missing_inputs.py"
    ),
}
# what reads figures and makes no score of them
UNSCORED = {
    "signals/admin.py",
    "signals/management/commands/show_series.py",
    "signals/selectors/series_board.py",
    "signals/series_snapshot.py",
    "stability/oracle/services/outcomes.py",
}
READS = {
    "series_values",
    "series_snapshot",
    "composition",
    "compute_composite",
    "compose_score",
    "judge_quality",
}
ROWS = (*COMPOSITES, LIVING_COSTS, FISCAL_DOMINANCE, SOVEREIGN, OIL_PRICE)


def imported(tree: ast.AST) -> Iterator[str]:
    """Yield the names that a module imports of signals."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
            "apps.reference.signals"
        ):
            yield from (name.name for name in node.names)
            yield (node.module or "").rpartition(".")[2]


@cache
def parsed() -> Mapping[str, ast.AST]:
    return {
        # by the path below its group
        "/".join(path.relative_to(APPS).parts[1:]): ast.parse(path.read_text(encoding="utf-8"))
        for path in APPS.rglob("*.py")
    }


def test_whatever_reads_figures_is_walked() -> None:
    readers = {name for name, tree in parsed().items() if READS & {*imported(tree)}}
    walked = {name for name in readers if name.startswith(tuple(WALKED))}
    assert readers - walked == UNSCORED
    assert all(any(name.startswith(one) for name in walked) for one in WALKED)


def test_every_composite_is_walked() -> None:
    made = {
        str(keyword.value.value)
        for tree in parsed().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Composite"
        for keyword in node.keywords
        if keyword.arg == "name" and isinstance(keyword.value, ast.Constant)
    }
    assert made == {row.name for row in ROWS}


MONTHS = [date(2012, 1, 31) + timedelta(days=30 * n) for n in range(180)]


def measured(row: Composite, newest: Mapping[str, int], silent: Iterable[str]) -> Decimal | None:
    """Return the score of a composite whose inputs have these places of 0 to 100."""
    past = {
        part.series: [(day, Decimal(at * 37 % 101)) for at, day in enumerate(MONTHS)]
        for part in row.parts
    }
    points = {
        name: Point(
            series=name, day=MONTHS[-1], value=Decimal(newest[name]), unit="", source="TEST",
            vintage=NOON, licence="", kind="observed",
            max_age=timedelta(0) if name in silent else timedelta(days=9999),
        )
        for name in past
    }  # fmt: skip
    try:
        return compose_score(row, points=points, histories=past, as_of=NOON).score
    except TooFewInputs:
        return None


@pytest.mark.parametrize("row", ROWS, ids=lambda one: one.name)
def test_silence_calms_no_composite(row: Composite) -> None:
    chance = random.Random(row.name)
    for _ in range(20):
        newest = {part.series: chance.randrange(101) for part in row.parts}
        silent: list[str] = []
        before = measured(row, newest, silent)
        for name in chance.sample([part.series for part in row.parts], len(row.parts)):
            silent.append(name)
            after = measured(row, newest, silent)
            if after is None:
                break
            assert before is not None and after >= before, (newest, silent)
            before = after


def test_strain_that_stays_makes_no_better_esg_score() -> None:
    """The live score is the mean of what its composites leave of 100: it falls as they rise."""
    before = {pillar.pillar: score_of_strain(Decimal(40)) for pillar in PILLARS}
    for pillar in PILLARS:
        assert average_score(
            before | {pillar.pillar: score_of_strain(Decimal(41))}
        ) < average_score(before)


def silenced(known: ForecastKnown, names: Iterable[str]) -> ForecastKnown:
    aged = {name: replace(known.points[name], max_age=timedelta(0)) for name in names}
    return replace(known, points={**known.points, **aged})


WORST = {"grow.heat.": "6", "grow.rain.": "6", "grow.fires.": "9", "grow.storms.": "2",
         "drought.": "250"}  # fmt: skip


@cache
def strained() -> ForecastKnown:
    """Return a world in which something strains each second place."""
    chance = random.Random(7)
    changed = {
        name: Decimal(value)
        for name in forecasts.list_forecast_series()
        for begins, value in WORST.items()
        if name.startswith(begins) and chance.random() < 0.5
    }
    return world(changed)


def outlook(known: ForecastKnown, market: Market) -> Any:
    try:
        return forecasts.compute_market(known, market)
    except TooFewInputs:
        return None


@pytest.mark.parametrize("market", MARKETS, ids=lambda one: one.symbol)
def test_silence_calms_no_light_and_no_figure_of_a_market(market: Market) -> None:
    whole = outlook(strained(), market)
    rests_on = [contribution["series"] for contribution in whole.body["contributions"]]
    chance = random.Random(market.symbol)
    for names in [*([one] for one in dict.fromkeys(rests_on)), chance.sample(rests_on, 3)]:
        left = outlook(silenced(strained(), names), market)
        if left is None:
            continue
        assert left.score >= whole.score, names
        assert LIGHTS.index(left.status) >= LIGHTS.index(whole.status), names
        for name, before in whole.body["signals"].items():
            after = left.body["signals"][name]
            assert after is None or after >= before, (names, name)
        held = {reason.removeprefix("held:") for reason in left.body["reasons"]
                if reason.startswith("held:")}  # fmt: skip
        assert held <= {*names} and held <= {source["series"] for source in left.body["sources"]}
        assert {f"stale:{one}" for one in names} <= {*left.body["reasons"]}
        assert left.body["coverage"] < whole.body["coverage"]


@pytest.mark.parametrize("name", REGIONS)
def test_silence_calms_no_region_and_ends_none_of_its_alerts(name: str) -> None:
    whole = forecasts.compute_region(strained(), name)
    assert whole is not None
    for series in dict.fromkeys(contribution["series"] for contribution in whole["contributions"]):
        region = forecasts.compute_region(silenced(strained(), [series]), name)
        if region is None:
            continue
        assert region["climate_risk_score"] >= whole["climate_risk_score"], series
        assert len(region["active_alerts"]) >= len(whole["active_alerts"]), series


def test_an_alert_that_is_held_says_of_when_it_is() -> None:
    storms = "grow.storms.us-corn-belt"
    series_snapshot = world({storms: Decimal(3)})
    region = forecasts.compute_region(silenced(series_snapshot, [storms]), "us-corn-belt")
    assert region is not None
    [alert] = [active_alert for active_alert in region["active_alerts"] if "storms" in active_alert]
    assert alert == "3 storms or floods under way, as last published on 20 November 2026"
