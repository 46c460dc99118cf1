"""The tables of the commodity forecasts as docs/rules.md shows them. Pure.

Regions, seasons, analogues and the eleven disclosures are in docs/forecast-method.md.
"""

from collections.abc import Iterator
from decimal import Decimal

from apps.insight.forecast.rules.crop_risk_calendar import BOUNDS, HIGH
from apps.insight.forecast.rules.markets import COMPONENTS, MARKETS
from apps.insight.forecast.rules.outlook_scores import EXPECTED_DIRECTION
from apps.insight.forecast.rules.risk_lights import MOVED, RISK_LIGHTS, UNSURE
from apps.insight.forecast.rules.scenarios import SCENARIOS, Scenario
from apps.platform.common.rule_tables import Table, build_table


def build_rule_tables() -> Iterator[Table]:
    """Yield title, head and rows of each table."""
    yield light_table()
    yield outlook_table()
    yield weight_table()
    yield scenario_table()
    yield severity_table()


def light_table() -> Table:
    """Return what scores are called."""
    return build_table(
        "Commodity forecasts: lights, the first whose bound is reached",
        ("light", "reference", "score from", "means"),
        RISK_LIGHTS,
        ("`name`", "`ref`", "least", "says"),
    )


def outlook_table() -> Table:
    """Return which way a score is said to go, and what that says of the price."""
    when = {
        "DETERIORATING": f"the score rose by {MOVED} points or more",
        "IMPROVING": f"it fell by {MOVED} points or more",
        "STABLE": "neither",
        "UNCERTAIN": f"not known, or a confidence below {UNSURE}; this comes first",
    }
    return (
        "Commodity forecasts: outlooks, by the move of a score over three months",
        ("outlook", "when", "held against the price as"),
        [(f"`{name}`", said, f"`{EXPECTED_DIRECTION[name]}`" if name in EXPECTED_DIRECTION else "–")
         for name, said in when.items()],
    )  # fmt: skip


def weight_table() -> Table:
    """Return what each market's score is made of."""
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
    """Return what counts as a scenario, and how often it came."""
    return build_table(
        "Commodity forecasts: scenarios",
        ("scenario", "a year has it when", "years", "months", "moves"),
        SCENARIOS,
        (
            "`id`",
            "criterion",
            _format_years,
            "months",
            lambda one: " ".join(f"`{name}`" for name in one.symbols),
        ),
    )


def _format_years(one: Scenario) -> str:
    if one.index:
        return f"counted in `{one.index}`"
    least = "at least " if one.floor else ""
    return f"{least}{len(one.years)} of {one.last - one.first + 1}, {one.first} to {one.last}"


def severity_table() -> Table:
    """Return how grave a month is said to be."""
    return (
        "Commodity forecasts: severity of a month, by dated disasters that began in it",
        ("disasters", "severity"),
        [*((f"below {bound}", f"`{word}`") for bound, word in BOUNDS), ("more", f"`{HIGH}`")],
    )
