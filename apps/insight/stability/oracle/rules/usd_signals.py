"""The twelve signals of the dollar's structural health: one table. Pure.

Each has a weight in the health's score and a vote on where the dollar goes. Four come from
publishers outside the United States (`abroad`), so that no single publisher decides.
"""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from apps.insight.stability.oracle.rules import series_names, usd_blocks
from apps.insight.stability.oracle.rules.curves import Curve, build_curve
from apps.insight.stability.oracle.rules.measures import (
    MONTHLY_LATE,
    Facts,
    Measure,
    measure_gap,
    measure_largest_deviation,
    measure_level,
    measure_swing,
    percent_change,
)
from apps.insight.stability.oracle.rules.usd_blocks import QUARTER, STEADY, Block

Vote = Literal[-1, 0, 1]
AGAINST: Vote = -1
REF = "3 §2.3"


@dataclass(frozen=True, slots=True, kw_only=True)
class UsdSignal:
    """One signal. `weight` of 100; `vote` is +1 where it speaks for the dollar, -1 against it.

    `market` says that the vote is one of the dollar's strength among currencies; `block` makes the
    field of `usdHealth` that `field` names.
    """

    id: str
    title: str
    weight: int
    measure: Measure
    curve: Curve
    basis: str
    vote: Callable[[Facts], Vote | None]
    field: str = ""
    block: Callable[[Facts], Block] | None = None
    market: bool = False
    abroad: bool = False
    required: bool = False


def _vote_on_move(value: Decimal | None, *, up: Vote, by: Decimal = STEADY) -> Vote | None:
    """Return a vote for what moved by more than `by`; `up` is what rising says of the dollar."""
    if value is None:
        return None
    if abs(value) <= by:
        return 0
    return up if value > 0 else _opposite_vote(up)


def _opposite_vote(vote: Vote) -> Vote:
    return {1: -1, -1: 1, 0: 0}[vote]  # type: ignore[return-value]


def _vote_against_if(holds: bool) -> Vote:
    return AGAINST if holds else 0


def _trade_weighted_vote(facts: Facts) -> Vote | None:
    return _vote_on_move(percent_change(facts, series_names.DOLLAR, days=QUARTER), up=1)


def _curve_vote(facts: Facts) -> Vote | None:
    seen = facts.get(series_names.CURVE)
    states: dict[str, Vote] = {"INVERTED": -1, "FLAT": 0, "NORMAL": 1}
    return states[usd_blocks.state_of_yield_curve(seen.value)] if seen else None


def _breakeven_vote(facts: Facts) -> Vote | None:
    block = usd_blocks.build_breakeven_block(facts)
    return _vote_against_if(block["elevated"]) if block else None


def _fed_balance_vote(facts: Facts) -> Vote | None:
    block = usd_blocks.build_fed_balance_block(facts)
    votes: dict[str, Vote] = {"EXPANDING": -1, "STABLE": 0, "CONTRACTING": 1}
    return votes[block["trend"]] if block else None


def _gold_vote(facts: Facts) -> Vote | None:
    block = usd_blocks.build_gold_block(facts)
    return _vote_against_if(block["debasement_signal"]) if block else None


def _stablecoin_vote(facts: Facts) -> Vote | None:
    block = usd_blocks.build_stablecoin_block(facts)
    return _vote_against_if(block["stress_signal"]) if block else None


def _inflation_vote(facts: Facts) -> Vote | None:
    block = usd_blocks.build_inflation_block(facts)
    return _vote_against_if(block["divergence_flag"]) if block else None


def _euro_vote(facts: Facts) -> Vote | None:
    # dollars for a euro: a rise is a weaker dollar, unlike in the two below
    return _vote_on_move(percent_change(facts, series_names.EUR_USD, days=QUARTER), up=-1)


def _renminbi_vote(facts: Facts) -> Vote | None:
    return _vote_on_move(percent_change(facts, series_names.USD_CNY, days=QUARTER), up=1)


def _franc_vote(facts: Facts) -> Vote | None:
    return _vote_on_move(percent_change(facts, series_names.USD_CHF, days=QUARTER), up=1)


# points of the OFR index, in which 0 is the usual state; ours
STRESS_OVER = Decimal(1)


def _financial_stress_vote(facts: Facts) -> Vote | None:
    seen = facts.get(series_names.FSI)
    return _vote_against_if(seen.value > STRESS_OVER) if seen else None


# of the CISS, 0 to 1; ours
EURO_STRESS_OVER = Decimal("0.35")


def _euro_stress_vote(facts: Facts) -> Vote | None:
    """Return 1 under stress in the euro area, else 0."""
    # capital flees into the dollar from stress abroad; its end says nothing against the dollar
    seen = facts.get(series_names.CISS)
    if seen is None:
        return None
    return 1 if seen.value > EURO_STRESS_OVER else 0


_MOVES = build_curve(("2", 100), ("5", 85), ("8", 60), ("12", 30), ("20", 0))
_CROSS = build_curve(("3", 100), ("6", 80), ("10", 50), ("15", 20), ("20", 0))

USD_SIGNALS: tuple[UsdSignal, ...] = (
    UsdSignal(
        id="trade_weighted",
        title="The dollar against 26 currencies",
        weight=12,
        measure=measure_swing(series_names.DOLLAR, days=QUARTER),
        curve=_MOVES,
        basis="quarterly changes since 2006: 2 % usual, 5 % in 2015 and 2022, more in 2008",
        vote=_trade_weighted_vote,
        field="trade_weighted_usd",
        block=usd_blocks.build_trade_weighted_block,
        market=True,
    ),
    UsdSignal(
        id="yield_curve",
        title="Treasury yields, ten-year minus two-year",
        weight=12,
        measure=measure_level(series_names.CURVE, unit="percentage points"),
        curve=build_curve(("-1.5", 25), ("-0.5", 60), ("0", 80), ("0.5", 100)),
        basis="inverted before each US recession since 1976",
        vote=_curve_vote,
        field="yield_curve",
        block=usd_blocks.build_yield_curve_block,
    ),
    UsdSignal(
        id="breakeven",
        title="Ten-year breakeven inflation",
        weight=10,
        measure=measure_level(series_names.BREAKEVEN, unit="per cent"),
        curve=build_curve(
            ("0", 40), ("1", 75), ("1.75", 100), ("2.5", 100), ("2.75", 85), ("3.5", 50), ("5", 10)
        ),
        basis="the Federal Reserve's target of 2 %; elevated above 2.75 %",
        vote=_breakeven_vote,
        field="breakeven_inflation",
        block=usd_blocks.build_breakeven_block,
    ),
    UsdSignal(
        id="fed_balance",
        title="Federal Reserve assets",
        weight=8,
        measure=measure_swing(series_names.FED_ASSETS, days=QUARTER),
        curve=build_curve(("1", 100), ("4", 85), ("10", 55), ("30", 15), ("60", 0)),
        basis="8 % a quarter was the easing of 2013, over 60 % the spring of 2020",
        vote=_fed_balance_vote,
        field="fed_balance_sheet",
        block=usd_blocks.build_fed_balance_block,
    ),
    UsdSignal(
        id="gold",
        title="Gold",
        weight=8,
        measure=measure_swing(series_names.GOLD, days=QUARTER, late=MONTHLY_LATE),
        curve=build_curve(("5", 100), ("10", 85), ("20", 55), ("35", 15), ("50", 0)),
        basis="quarterly changes since 1971: 5 % usual, over 20 % in currency crises",
        vote=_gold_vote,
        field="gold",
        block=usd_blocks.build_gold_block,
    ),
    UsdSignal(
        id="stablecoins",
        title="Pegs of the two largest stablecoins",
        weight=14,
        measure=measure_largest_deviation(
            series_names.USDT_PRICE, series_names.USDC_PRICE, target=Decimal(1)
        ),
        curve=build_curve(("10", 100), ("25", 90), ("50", 74), ("100", 40), ("300", 0)),
        basis="below 50 basis points is normal; USDC deviated by 1,200 in March 2023",
        vote=_stablecoin_vote,
        field="stablecoin_health",
        block=usd_blocks.build_stablecoin_block,
        required=True,
    ),
    UsdSignal(
        id="inflation_gap",
        title="Independent against official inflation",
        weight=8,
        measure=measure_gap(series_names.INDEPENDENT, series_names.CPI),
        curve=build_curve(("0.5", 100), ("1", 90), ("1.5", 75), ("3", 30), ("5", 0)),
        basis="more than 1.5 percentage points is a divergence",
        vote=_inflation_vote,
        field="truflation_vs_bls",
        block=usd_blocks.build_inflation_block,
    ),
    UsdSignal(
        id="euro",
        title="The dollar against the euro (ECB)",
        weight=6,
        measure=measure_swing(series_names.EUR_USD, days=QUARTER),
        curve=_CROSS,
        basis="quarterly changes of the reference rate since 1999",
        vote=_euro_vote,
        market=True,
        abroad=True,
    ),
    UsdSignal(
        id="renminbi",
        title="The dollar against the renminbi (ECB)",
        weight=5,
        measure=measure_swing(series_names.USD_CNY, days=QUARTER),
        curve=_CROSS,
        basis="quarterly changes of the reference rates since 2005",
        vote=_renminbi_vote,
        market=True,
        abroad=True,
    ),
    UsdSignal(
        id="franc",
        title="The dollar against the Swiss franc (ECB)",
        weight=5,
        measure=measure_swing(series_names.USD_CHF, days=QUARTER),
        curve=_CROSS,
        basis="quarterly changes of the reference rates since 1999",
        vote=_franc_vote,
        market=True,
        abroad=True,
    ),
    UsdSignal(
        id="financial_stress",
        title="Financial stress (OFR)",
        weight=7,
        measure=measure_level(series_names.FSI, unit="index"),
        curve=build_curve(("0", 100), ("1", 85), ("3", 60), ("5", 40), ("10", 10), ("20", 0)),
        basis="0 is the usual state; 10 was March 2020, 29 October 2008",
        vote=_financial_stress_vote,
    ),
    UsdSignal(
        id="euro_stress",
        title="Systemic stress in the euro area (ECB)",
        weight=5,
        measure=measure_level(series_names.CISS, unit="index"),
        curve=build_curve(("0.1", 100), ("0.2", 90), ("0.35", 70), ("0.6", 35), ("1", 0)),
        basis="the composite indicator's scale of 0 to 1; 0.35 was the spring of 2020",
        vote=_euro_stress_vote,
        abroad=True,
    ),
)
