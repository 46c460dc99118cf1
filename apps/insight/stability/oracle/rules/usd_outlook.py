"""What the twelve signals say together: outlook, consensus, trust, alerts. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from apps.insight.stability.oracle.rules.measures import Facts
from apps.insight.stability.oracle.rules.usd_blocks import Block
from apps.insight.stability.oracle.rules.usd_signals import USD_SIGNALS, Vote

Outlook = Literal["WEAKENING", "STABLE", "STRENGTHENING", "UNCERTAIN"]
Consensus = Literal["BULLISH", "BEARISH", "MIXED", "NEUTRAL"]
Trust = Literal["HIGH", "MODERATE", "LOW"]
# votes of the twelve: with fewer the outlook is UNCERTAIN
KNOWN_FROM = 8
# surplus of votes on one side for an outlook
TURNS_FROM = 3
# surplus of votes on one side for a consensus, of the four market signals
CONSENSUS_FROM = 2
# quarters of a percentage point: the gap up to which trust is HIGH
NEAR = 3
Votes = Mapping[str, Vote]


def collect_votes(facts: Facts) -> dict[str, Vote]:
    """Return the vote of each signal that has one."""
    cast = {usd_signal.id: usd_signal.vote(facts) for usd_signal in USD_SIGNALS}
    return {name: vote for name, vote in cast.items() if vote is not None}


def dollar_outlook(cast: Votes) -> Outlook:
    """Return where the dollar's structure goes: by three votes more on one side."""
    net = sum(cast.values())
    # before the minimum of votes: missing data must not end an alarm
    if net <= -TURNS_FROM:
        return "WEAKENING"
    if len(cast) < KNOWN_FROM:
        return "UNCERTAIN"
    return "STRENGTHENING" if net >= TURNS_FROM else "STABLE"


def dollar_consensus(cast: Votes) -> Consensus:
    """Return the consensus on the dollar's strength, from US and foreign sources."""
    heard = [
        cast[usd_signal.id]
        for usd_signal in USD_SIGNALS
        if usd_signal.market and usd_signal.id in cast
    ]
    up, down = heard.count(1), heard.count(-1)
    if up - down >= CONSENSUS_FROM:
        return "BULLISH"
    if down - up >= CONSENSUS_FROM:
        return "BEARISH"
    return "MIXED" if up and down else "NEUTRAL"


def official_data_trust(inflation: Block) -> Trust:
    """Return how far official data are confirmed by independent inflation.

    HIGH up to three quarters of a point, LOW beyond one and a half, MODERATE between.
    """
    # nothing to compare with: neither confirmed nor contradicted
    if inflation is None:
        return "MODERATE"
    if inflation["divergence_flag"]:
        return "LOW"
    return "HIGH" if 4 * abs(inflation["gap_pp"]) <= NEAR else "MODERATE"


@dataclass(frozen=True, slots=True)
class UsdAlert:
    """One alert sentence and its condition; `code` never changes."""

    code: str
    ref: str
    field: str
    when: str
    holds: Callable[[dict[str, Any]], bool]
    sentence: str


ALERTS: tuple[UsdAlert, ...] = (
    UsdAlert("USD-ALERT-1", "3 §2.3", "yield_curve", "the spread of T10Y2Y is below 0",
          lambda block: block["recession_signal"],
          "The yield curve is inverted ({spread} points): a recession signal."),
    UsdAlert("USD-ALERT-2", "3 §2.3", "breakeven_inflation", "above 2.75 %",
          lambda block: block["elevated"],
          "Ten-year breakeven inflation is elevated: {value_pct} %."),
    UsdAlert("USD-ALERT-3", "3 §2.3", "gold", "above 2,500 USD",
          lambda block: block["debasement_signal"],
          "Gold at {price_usd} USD is a debasement signal."),
    UsdAlert("USD-ALERT-4", "3 §2.3", "stablecoin_health",
          "50 basis points off the peg, or both market caps down 5 % in 30 days",
          lambda block: block["stress_signal"],
          "Stablecoins are under stress: {deviation_bps} basis points off the peg."),
    UsdAlert("USD-ALERT-5", "3 §2.3", "fed_balance_sheet", "up more than 1 % in a quarter",
          lambda block: block["trend"] == "EXPANDING",
          "The Federal Reserve's balance sheet is expanding: {change_pct} % in a quarter."),
)  # fmt: skip


def list_alerts(blocks: Mapping[str, Block]) -> list[str]:
    """Return a sentence for each alert that holds."""
    alerts_with_blocks = [(alert, blocks.get(alert.field)) for alert in ALERTS]
    return [
        alert.sentence.format(**{name: _format_figure(value) for name, value in block.items()})
        for alert, block in alerts_with_blocks
        if block is not None and alert.holds(block)
    ]


def _format_figure(value: Any) -> str:
    text = f"{value}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def list_divergences(*, blocks: Mapping[str, Block], cast: Votes) -> list[str]:
    """Return a sentence for each way in which sources contradict each other."""
    divergences = []
    block = blocks.get("truflation_vs_bls")
    if block is not None and block["divergence_flag"]:
        divergences.append(
            f"Independent inflation ({_format_figure(block['independent_pct'])} %) and official "
            f"inflation ({_format_figure(block['official_pct'])} %) are more than 1.5 percentage "
            "points apart."
        )
    heard = (
        cast[usd_signal.id]
        for usd_signal in USD_SIGNALS
        if usd_signal.market and usd_signal.abroad and usd_signal.id in cast
    )
    net = sum(heard)
    abroad = (net > 0) - (net < 0)
    home = cast.get("trade_weighted", 0)
    if home * abroad < 0:
        divergences.append(
            "The trade-weighted dollar and the ECB's rates point in different directions."
        )
    return divergences
