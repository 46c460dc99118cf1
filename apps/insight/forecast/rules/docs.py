"""The tables of the commodity forecasts as docs/rules.md shows them. Pure.

Regions, seasons, analogues and the eleven disclosures are in docs/forecast-method.md.
"""

from collections.abc import Iterator
from decimal import Decimal

from apps.insight.forecast.rules.crop_risk_calendar import BOUNDS, HIGH
from apps.insight.forecast.rules.lights_and_outlooks import MOVED, RISK_LIGHTS, UNSURE
from apps.insight.forecast.rules.markets import COMPONENTS, MARKETS
from apps.insight.forecast.rules.outlook_outcomes import EXPECTED_DIRECTION
from apps.insight.forecast.rules.scenarios import SCENARIOS, Scenario
from apps.platform.common.rule_docs import Table, build_table


def build_rule_tables() -> Iterator[Table]:
    """Yield title, head and rows of each table."""
    yield light_table()
    yield outlook_table()
    yield weight_table()
    yield scenario_table()
    yield severity_table()


def light_table() -> Table:
    """Return the table of lights."""
    return build_table(
        "Commodity forecasts: lights, by the first bound reached",
        ("light", "reference", "score from", "means"),
        RISK_LIGHTS,
        ("`name`", "`ref`", "least", "says"),
    )


def outlook_table() -> Table:
    """Return the table of outlooks: the direction of a score, and its meaning for the price."""
    when = {
        "DETERIORATING": f"the score rose by {MOVED} points or more",
        "IMPROVING": f"the score fell by {MOVED} points or more",
        "STABLE": "neither",
        "UNCERTAIN": f"not known, or confidence below {UNSURE}; checked first",
    }
    return (
        "Commodity forecasts: outlooks, by the change of a score over three months",
        ("outlook", "when", "expected price move"),
        [(f"`{name}`", condition,
          f"`{EXPECTED_DIRECTION[name]}`" if name in EXPECTED_DIRECTION else "–")
         for name, condition in when.items()],
    )  # fmt: skip


def weight_table() -> Table:
    """Return the table of component weights by market."""
    return (
        "Commodity forecasts: weights of a score, per cent",
        ("market", *COMPONENTS),
        [
            (
                f"`{market.symbol}`",
                *(_format_percent(market.weights.get(name)) for name in COMPONENTS),
            )
            for market in MARKETS
        ],
    )


def _format_percent(weight: Decimal | None) -> str:
    return f"{100 * weight:.0f}" if weight else "–"


def scenario_table() -> Table:
    """Return the table of scenario criteria and frequencies."""
    return build_table(
        "Commodity forecasts: scenarios",
        ("scenario", "criterion for a year", "years", "months", "moves"),
        SCENARIOS,
        (
            "`id`",
            "criterion",
            _format_years,
            "months",
            lambda scenario: " ".join(f"`{name}`" for name in scenario.symbols),
        ),
    )


def _format_years(scenario: Scenario) -> str:
    if scenario.index:
        return f"counted in `{scenario.index}`"
    least = "at least " if scenario.floor else ""
    span = scenario.last - scenario.first + 1
    return f"{least}{len(scenario.years)} of {span}, {scenario.first} to {scenario.last}"


def severity_table() -> Table:
    """Return the table of severities of a month."""
    return (
        "Commodity forecasts: severity of a month, by the past disasters that began in it",
        ("disasters", "severity"),
        [*((f"below {bound}", f"`{word}`") for bound, word in BOUNDS), ("more", f"`{HIGH}`")],
    )
