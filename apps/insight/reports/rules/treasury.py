"""What follows for the treasury report of a month: volume, corridors, who decided. Pure.

Document 2 section 4: volume, corridor performance, AI decision audit.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from apps.insight.reports.rules.band_findings import Band, build_band_rules
from apps.insight.reports.rules.charts import BarRow, Chart
from apps.insight.reports.rules.conditions import build_row_rule, build_value_rule
from apps.insight.reports.rules.findings import Data, Rule
from apps.insight.reports.rules.payment_flows import FEWEST_INSTITUTIONS
from apps.insight.reports.rules.report_data import (
    format_number,
    format_percent,
    list_at_path,
    value_at_path,
)
from apps.platform.common.bounds import Bounds
from apps.platform.common.counts import format_count

REPORT, PRIVACY = "2 §4", "D §4"
# median seconds
SLOW_SETTLEMENT = Bounds(least=3600)
# share of the volume on one corridor
DOMINANT_CORRIDOR = Bounds(least=0.8)
# share of decisions that an officer took
FREQUENT_OFFICERS = Bounds(least=0.1)
# share of received payments
FREQUENT_BLOCKS = Bounds(least=0.05)


def _say_settled_share(data: Data, share: float) -> str:
    settled = value_at_path(data, "flows.volume.settled")
    ended = settled + int(
        value_at_path(data, "flows.volume.blocked") + value_at_path(data, "flows.volume.failed")
    )
    return (
        f"{settled:,} of {format_count(ended, 'finished payment')} settled: "
        f"{format_number(100 * share)} per cent."
    )


def _find_frequent_blocks(data: Data) -> Iterator[str]:
    n, blocked = (
        value_at_path(data, "flows.volume.count"),
        value_at_path(data, "flows.volume.blocked"),
    )
    if n and blocked is not None and FREQUENT_BLOCKS.holds(blocked / n):
        yield f"{blocked:,} of {n:,} were blocked by compliance: {format_percent(blocked / n)}."


def _say_waiting(data: Data, waiting: int) -> str:
    return (
        f"{format_count(waiting, 'payment')} of the month had not finished when this report was "
        "made."
    )


def _find_dominant_corridor(data: Data) -> Iterator[str]:
    whole = value_at_path(data, "flows.volume.settledUsd")
    # corridors come with the largest first
    for corridor in list_at_path(data, "flows.corridors")[:1]:
        if whole and DOMINANT_CORRIDOR.holds(corridor["settledUsd"] / whole):
            yield (
                f"The corridor {corridor['corridor']} carries "
                f"{format_percent(corridor['settledUsd'] / whole)} of the "
                f"volume, {format_number(corridor['settledUsd'], 2)} USD."
            )


def _say_slow_corridor(data: Data, corridor: Any) -> str:
    hours = format_number(corridor["medianSeconds"] / 3600)
    return f"The median time to settle in the corridor {corridor['corridor']} was {hours} hours."


def _find_frequent_officers(data: Data) -> Iterator[str]:
    n, officers = (
        value_at_path(data, "decisions.decided"),
        value_at_path(data, "decisions.byOfficer"),
    )
    if n and officers is not None and FREQUENT_OFFICERS.holds(officers / n):
        yield f"Officers decided {officers:,} of {n:,} payments: {format_percent(officers / n)}."


def _say_model_blocks(data: Data, turned: int) -> str:
    advised = value_at_path(data, "decisions.advisedByModel")
    return (
        f"A language model's assessment turned {format_count(turned, 'flag')} into a block; "
        f"{format_count(advised or 0, 'held settlement')} had its advice."
    )


def _iterate_withheld(data: Data) -> Iterator[str]:
    what = value_at_path(data, "flows.withheld.what")
    if what == "RUNNING":
        if value_at_path(data, "flows.scope") != "WALLET":
            wallet_scope = ""
        else:
            wallet_scope = " This report covers settled payments from the wallet that pays for it."
        yield (
            f"The month ends on {value_at_path(data, 'flows.until')}; network figures are "
            f"published only for ended months.{wallet_scope}"
        )
    elif what:
        named = "all figures" if value_at_path(data, "flows.volume") is None else "some figures"
        yield (
            f"The network's {named} are withheld: fewer than {FEWEST_INSTITUTIONS} institutions "
            "took part, or one has more than half."
        )


def _find_all_withheld(data: Data) -> Iterator[str]:
    return _iterate_withheld(data) if value_at_path(data, "flows.volume") is None else iter(())


def _find_some_withheld(data: Data) -> Iterator[str]:
    return _iterate_withheld(data) if value_at_path(data, "flows.volume") is not None else iter(())


def _find_settled_volume(data: Data) -> Iterator[str]:
    if value_at_path(data, "flows.volume") is not None:
        yield (
            f"{format_number(value_at_path(data, 'flows.volume.settledUsd'), 2)} USD settled in "
            f"{format_count(value_at_path(data, 'flows.volume.settled'), 'payment')}, for "
            f"{format_number(value_at_path(data, 'flows.volume.feesUsd'), 2)} USD in fees."
        )


RULES: tuple[Rule, ...] = (
    *build_band_rules(
        (
            Band(
                least=0,
                code="POOR",
                level="HIGH",
                advice="Find out why payments do not settle before sending more.",
            ),
            Band(
                least=0.8,
                code="WEAK",
                level="ELEVATED",
                advice="Review blocked and failed payments by corridor.",
            ),
            Band(least=0.95, code="FAIR", level="MODERATE"),
            Band(least=0.99, code="GOOD", level="LOW"),
        ),
        code="TREAS-SETTLED",
        ref=REPORT,
        weight=95,
        path="flows.volume.settledShare",
        title="settledShare",
        say=_say_settled_share,
    ),
    Rule(
        code="TREAS-BLOCKED",
        ref=REPORT,
        level="ELEVATED",
        weight=90,
        condition=f"blocked is {FREQUENT_BLOCKS} of count",
        finds=_find_frequent_blocks,
        advice="Screen each payee before sending payments.",
    ),
    build_row_rule(
        code="TREAS-SLOW",
        ref=REPORT,
        level="MODERATE",
        weight=70,
        title="a corridor's medianSeconds",
        rows="flows.corridors",
        field="medianSeconds",
        condition=SLOW_SETTLEMENT,
        say=_say_slow_corridor,
        advice="Use another rail where settlement is slow.",
    ),
    build_value_rule(
        code="TREAS-MODELS",
        ref=REPORT,
        level="MODERATE",
        weight=65,
        title="turnedByModel",
        value="decisions.turnedByModel",
        condition=Bounds(above=0),
        say=_say_model_blocks,
        advice="Have an officer review payments that a model's assessment blocked.",
    ),
    Rule(
        code="TREAS-OFFICERS",
        ref=REPORT,
        level="MODERATE",
        weight=60,
        condition=f"byOfficer is {FREQUENT_OFFICERS} of decisions",
        finds=_find_frequent_officers,
        advice="Register payees with their LEI, so that fewer payments wait for an officer.",
    ),
    Rule(
        code="TREAS-ALONE",
        ref=REPORT,
        level="MODERATE",
        weight=55,
        condition=f"one corridor has {DOMINANT_CORRIDOR} of the volume",
        finds=_find_dominant_corridor,
        advice="Keep a second corridor open.",
    ),
    build_value_rule(
        code="TREAS-WAITING",
        ref=REPORT,
        level="MODERATE",
        weight=50,
        title="waiting",
        value="flows.volume.waiting",
        condition=Bounds(above=0),
        say=_say_waiting,
    ),
    Rule(
        code="TREAS-VOLUME",
        ref=REPORT,
        level="LOW",
        weight=40,
        condition="figures are disclosed",
        finds=_find_settled_volume,
    ),
    Rule(
        code="TREAS-UNKNOWN",
        ref=PRIVACY,
        level="MODERATE",
        weight=99,
        condition="no figure of the network may be disclosed",
        finds=_find_all_withheld,
        advice="Request the report with an institution's key for its own month.",
    ),
    Rule(
        code="TREAS-WITHHELD",
        ref=PRIVACY,
        level="LOW",
        weight=30,
        condition="some figures of the network are withheld",
        finds=_find_some_withheld,
    ),
)


def treasury_headline(data: Data) -> str:
    """Return the last sentence of the summary."""
    if value_at_path(data, "flows.volume") is None:
        return "No network figures are published, so the risk is not known."
    return (
        f"{format_number(value_at_path(data, 'flows.volume.settledUsd'), 2)} USD settled in "
        f"{format_count(value_at_path(data, 'flows.volume.settled'), 'payment')}."
    )


def describe_volume(data: Data) -> str:
    """Describe the volume of the month."""
    volume = value_at_path(data, "flows.volume")
    if volume is None:
        return next(_iterate_withheld(data))
    seconds = volume["medianSeconds"]
    took = (
        f" The median time to settle was {format_number(seconds)} seconds."
        if seconds is not None
        else ""
    )
    ends = {"settled": "settled", "blocked": "were blocked", "failed": "failed",
            "waiting": "had not finished"}  # fmt: skip
    whose = (
        "The paying wallet" if value_at_path(data, "flows.scope") == "WALLET" else "All payments"
    )
    known = [f"{volume[name]:,} {does}" for name, does in ends.items() if volume[name] is not None]
    came = (
        f"{format_count(volume['count'], 'payment')} received"
        if volume["count"] is not None
        else whose
    )
    return (
        f"{came}: {', '.join(known)}. {format_number(volume['settledUsd'], 2)} USD settled, for "
        f"{format_number(volume['feesUsd'], 2)} USD in fees.{took}"
    )


def describe_corridors(data: Data) -> str:
    """Describe the corridors with volume and settled share."""
    texts = [
        f"{corridor['corridor']} {format_number(corridor['settledUsd'], 2)} USD "
        f"in {corridor['settled']:,}"
        + (
            f", {format_number(100 * corridor['settledShare'])} % settled"
            if corridor["settledShare"]
            else ""
        )
        for corridor in list_at_path(data, "flows.corridors")
    ]
    return f"{format_count(len(texts), 'corridor')}: {'; '.join(texts)}." if texts else ""


def describe_decisions(data: Data) -> str:
    """Describe who decided: rules, officers, and the part of language models."""
    decisions = value_at_path(data, "decisions")
    if decisions is None or decisions["decided"] is None:
        return ""
    waits = f"; {decisions['undecided']:,} are undecided" if decisions["undecided"] else ""
    return (
        f"Payments decided: {decisions['decided']:,}{waits}. By rules alone: "
        f"{_format_disclosed_count(decisions, 'byRules')}, by officers: "
        f"{_format_disclosed_count(decisions, 'byOfficer')}. A language model advised on "
        f"{_format_disclosed_count(decisions, 'advisedByModel')} held settlements without effect "
        f"on the decision, and turned {_format_disclosed_count(decisions, 'turnedByModel')} flags "
        "into blocks; it never releases a payment."
    )


def _format_disclosed_count(disclosed_count: Mapping[str, Any], name: str) -> str:
    return (
        "an undisclosed number" if disclosed_count[name] is None else f"{disclosed_count[name]:,}"
    )


def corridor_bars(data: Data) -> Iterator[BarRow]:
    """Yield the volume of corridors."""
    for corridor in list_at_path(data, "flows.corridors"):
        yield (
            corridor["corridor"],
            corridor["settledUsd"],
            f"{format_number(corridor['settledUsd'], 2)} USD",
        )


def daily_volume_bars(data: Data) -> Iterator[BarRow]:
    """Yield the volume of days."""
    for day in list_at_path(data, "flows.days"):
        yield day["day"], day["settledUsd"], f"{format_number(day['settledUsd'], 2)} USD"


def outcome_bars(data: Data) -> Iterator[BarRow]:
    """Yield how payments ended."""
    volume = value_at_path(data, "flows.volume")
    for name in ("settled", "blocked", "failed", "waiting") if volume else ():
        yield name.capitalize(), volume[name], "" if volume[name] is None else f"{volume[name]:,}"


CHARTS: tuple[Chart, ...] = (
    Chart(title="How payments ended", bars=outcome_bars, low=0),
    Chart(title="Settled by corridor, USD", bars=corridor_bars, low=0),
    Chart(title="Settled by day, USD", bars=daily_volume_bars, low=0),
)
