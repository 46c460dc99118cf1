"""The dollar's structural health: each threshold on both sides, votes, alerts."""

from decimal import Decimal
from typing import Any

import pytest

from apps.insight.stability.oracle.rules import series_names, usd_blocks, usd_outlook
from apps.insight.stability.oracle.rules.measures import MONTHLY_LATE, percent_change
from apps.insight.stability.oracle.rules.usd_signals import USD_SIGNALS
from tests.stability.oracle.sample_facts import facts, seen


def test_there_are_twelve_signals_four_of_them_from_abroad() -> None:
    assert len(USD_SIGNALS) == 12 == len({usd_signal.id for usd_signal in USD_SIGNALS})
    assert sum(usd_signal.weight for usd_signal in USD_SIGNALS) == 100
    abroad = [usd_signal for usd_signal in USD_SIGNALS if usd_signal.abroad]
    assert len(abroad) == 4
    ecb = ("fx.eur.", "fx.usd.", "euro.")
    assert all(name.startswith(ecb) for one in abroad for name in one.measure.series)


def test_every_field_of_the_specification_is_made_by_a_signal() -> None:
    assert {usd_signal.field for usd_signal in USD_SIGNALS if usd_signal.block} == {
        "trade_weighted_usd", "yield_curve", "breakeven_inflation", "fed_balance_sheet", "gold",
        "stablecoin_health", "truflation_vs_bls",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("spread", "state", "recession"),
    [("-0.01", "INVERTED", True), ("0", "FLAT", False), ("0.49", "FLAT", False),
     ("0.5", "NORMAL", False)],
)  # fmt: skip
def test_the_yield_curve(spread: str, state: str, recession: bool) -> None:
    block = usd_blocks.build_yield_curve_block(facts(CURVE=seen(spread)))
    assert block is not None
    assert (block["state"], block["recession_signal"]) == (state, recession)


@pytest.mark.parametrize(("value", "elevated"), [("2.74", False), ("2.75", False), ("2.76", True)])
def test_breakeven_inflation_is_elevated_above_2_75(value: str, elevated: bool) -> None:
    block = usd_blocks.build_breakeven_block(facts(BREAKEVEN=seen(value)))
    assert block is not None
    assert block["elevated"] is elevated and block["above_target_pp"] == Decimal(value) - 2


@pytest.mark.parametrize(
    ("price", "debased"), [("2499.99", False), ("2500", False), ("2500.01", True)]
)
def test_gold_above_2500_is_a_signal_of_debasement(price: str, debased: bool) -> None:
    block = usd_blocks.build_gold_block(facts(GOLD=seen(price)))
    assert block is not None and block["debasement_signal"] is debased


@pytest.mark.parametrize(
    ("independent", "flag", "trust"),
    [("2.9", False, "HIGH"), ("3.65", False, "HIGH"), ("3.66", False, "MODERATE"),
     ("4.4", False, "MODERATE"), ("4.41", True, "LOW"), ("1.4", False, "MODERATE"),
     ("1.39", True, "LOW")],
)  # fmt: skip
def test_inflation_diverges_beyond_one_and_a_half_points(
    independent: str, flag: bool, trust: str
) -> None:
    # the official one is 2.9
    block = usd_blocks.build_inflation_block(facts(INDEPENDENT=seen(independent)))
    assert block is not None and block["divergence_flag"] is flag
    assert usd_outlook.official_data_trust(block) == trust


def test_official_data_that_nothing_bears_out_are_not_trusted_highly() -> None:
    assert usd_blocks.build_inflation_block(facts(without=(series_names.INDEPENDENT,))) is None
    assert usd_outlook.official_data_trust(None) == "MODERATE"


@pytest.mark.parametrize(
    ("then", "trend"),
    [("6.6", "STABLE"), ("6.5346535", "STABLE"), ("6.5346", "EXPANDING"),
     ("6.6666666", "STABLE"), ("6.6667", "CONTRACTING")],
)  # fmt: skip
def test_the_balance_sheet_grows_or_shrinks_by_more_than_a_hundredth(then: str, trend: str) -> None:
    block = usd_blocks.build_fed_balance_block(facts(FED_ASSETS=seen("6.6", then={91: then})))
    assert block is not None
    assert (block["trend"], block["assets_trillions"]) == (trend, Decimal("6.6"))


def test_a_balance_of_which_the_move_is_not_known_is_not_called_stable() -> None:
    bare = seen("6.6")
    new_facts = facts(FED_ASSETS=type(bare)(bare.day, bare.value, bare.past[-1:]))
    assert usd_blocks.build_fed_balance_block(new_facts) is None
    assert "fed_balance" not in usd_outlook.collect_votes(new_facts)


@pytest.mark.parametrize(
    ("change", "trend"),
    [(None, "UNKNOWN"), ("1", "FLAT"), ("1.01", "RISING"), ("-1", "FLAT"), ("-1.01", "FALLING")],
)
def test_what_a_change_over_a_quarter_is_called(change: str | None, trend: str) -> None:
    assert usd_blocks.trend_of_change(None if change is None else Decimal(change)) == trend


def test_the_trade_weighted_dollar_is_an_index_of_26_currencies() -> None:
    block = usd_blocks.build_trade_weighted_block(facts(DOLLAR=seen("121.5", then={91: "110"})))
    assert block is not None
    assert (block["currencies"], block["index"], block["trend"]) == (26, Decimal("121.5"), "RISING")


@pytest.mark.parametrize(
    ("deviation", "change", "stressed"),
    [("49.99", None, False), ("50", None, True), ("0", "-4.99", False), ("0", "-5", True),
     ("0", "5", False)],
)  # fmt: skip
def test_when_stablecoins_are_under_stress(
    deviation: str, change: str | None, stressed: bool
) -> None:
    moved = None if change is None else Decimal(change)
    assert usd_blocks.is_under_stress(deviation=Decimal(deviation), change=moved) is stressed


def test_the_dominance_is_the_share_of_the_larger_coin() -> None:
    block = usd_blocks.build_stablecoin_block(facts())
    assert block is not None
    assert block["dominance_ratio"] == Decimal("0.72") and block["market_cap_change_pct"] == 0
    bare = usd_blocks.build_stablecoin_block(facts(without=(series_names.USDC_CAP,)))
    assert bare is not None and bare["dominance_ratio"] is None
    assert bare["market_cap_change_pct"] is None and bare["deviation_bps"] == Decimal(2)


@pytest.mark.parametrize("one", USD_SIGNALS, ids=lambda one: one.id)
def test_a_signal_of_which_nothing_is_known_has_no_value_no_block_and_no_vote(one: Any) -> None:
    new_facts = facts(without=one.measure.series)
    assert one.measure.of(new_facts) is None and one.vote(new_facts) is None
    assert one.block is None or one.block(new_facts) is None


STRONG = {
    "DOLLAR": seen("121.5", then={91: "115"}), "EUR_USD": seen("1.10", then={91: "1.16"}),
    "USD_CNY": seen("7.2", then={91: "7"}), "USD_CHF": seen("0.84", then={91: "0.8"}),
}  # fmt: skip


@pytest.mark.parametrize(
    ("cast", "outlook"),
    [({}, "UNCERTAIN"), (dict.fromkeys("abcdefg", 1), "UNCERTAIN"),
     (dict.fromkeys("abcde", 0) | dict.fromkeys("xyz", 1), "STRENGTHENING"),
     (dict.fromkeys("abcdef", 0) | dict.fromkeys("xy", 1), "STABLE"),
     (dict.fromkeys("abcdef", 0) | dict.fromkeys("xy", -1), "STABLE"),
     (dict.fromkeys("abcde", 0) | dict.fromkeys("xyz", -1), "WEAKENING")],
)  # fmt: skip
def test_the_outlook_turns_by_three_votes_and_needs_eight(cast: Any, outlook: str) -> None:
    assert usd_outlook.dollar_outlook(cast) == outlook


@pytest.mark.parametrize(
    ("home", "euro", "renminbi", "franc", "consensus"),
    [(1, 1, 0, 0, "BULLISH"), (1, 0, 0, 0, "NEUTRAL"), (0, 0, 0, 0, "NEUTRAL"),
     (1, -1, 0, 0, "MIXED"), (1, 1, 1, -1, "BULLISH"), (1, 1, -1, 0, "MIXED"),
     (-1, -1, 0, 0, "BEARISH"), (-1, -1, -1, 1, "BEARISH"), (-1, 0, 0, 0, "NEUTRAL")],
)  # fmt: skip
def test_the_consensus_is_that_of_the_four_that_are_of_the_market(
    home: Any, euro: Any, renminbi: Any, franc: Any, consensus: str
) -> None:
    cast = {"trade_weighted": home, "euro": euro, "renminbi": renminbi, "franc": franc, "gold": -1}
    assert usd_outlook.dollar_consensus(cast) == consensus


def test_a_rising_dollar_is_told_so_by_home_and_abroad() -> None:
    cast = usd_outlook.collect_votes(facts(**STRONG))
    assert [cast[one] for one in ("trade_weighted", "euro", "renminbi", "franc")] == [1, 1, 1, 1]
    assert usd_outlook.dollar_consensus(cast) == "BULLISH"
    blocks = {
        usd_signal.field: usd_signal.block(facts(**STRONG))
        for usd_signal in USD_SIGNALS
        if usd_signal.block
    }
    assert usd_outlook.list_divergences(blocks=blocks, cast=cast) == []


def test_home_and_abroad_that_contradict_each_other_are_an_alert() -> None:
    split = facts(**(STRONG | {"DOLLAR": seen("121.5", then={91: "130"})}))
    cast = usd_outlook.collect_votes(split)
    [told] = usd_outlook.list_divergences(blocks={}, cast=cast)
    assert "point in different directions" in told


def test_a_calm_day_has_no_alert_and_a_bad_one_names_each() -> None:
    def told(known: Any) -> list[str]:
        return usd_outlook.list_alerts({s.field: s.block(known) for s in USD_SIGNALS if s.block})

    assert told(facts()) == []
    bad = facts(
        CURVE=seen("-0.3"), BREAKEVEN=seen("2.9"), GOLD=seen("4228"), USDC_PRICE=seen("0.98"),
        FED_ASSETS=seen("6.6", then={91: "6"}),
    )  # fmt: skip
    assert told(bad) == [
        "The yield curve is inverted (-0.3 points): a recession signal.",
        "Ten-year breakeven inflation is elevated: 2.9 %.",
        "Gold at 4228 USD is a debasement signal.",
        "Stablecoins are under stress: 200 basis points off the peg.",
        "The Federal Reserve's balance sheet is expanding: 10 % in a quarter.",
    ]


@pytest.mark.parametrize(
    ("named", "signal", "vote"),
    [({"CURVE": seen("0.5")}, "yield_curve", 1), ({"CURVE": seen("0.49")}, "yield_curve", 0),
     ({"CURVE": seen("-0.01")}, "yield_curve", -1), ({"FSI": seen("1")}, "financial_stress", 0),
     ({"FSI": seen("1.01")}, "financial_stress", -1), ({"CISS": seen("0.35")}, "euro_stress", 0),
     ({"CISS": seen("0.351")}, "euro_stress", 1),
     ({"FED_ASSETS": seen("101", then={91: "100"})}, "fed_balance", 0),
     ({"FED_ASSETS": seen("102", then={91: "100"})}, "fed_balance", -1),
     ({"FED_ASSETS": seen("98", then={91: "100"})}, "fed_balance", 1),
     ({"EUR_USD": seen("1.02", then={91: "1"})}, "euro", -1),
     ({"EUR_USD": seen("1.01", then={91: "1"})}, "euro", 0),
     ({"DOLLAR": seen("98", then={91: "100"})}, "trade_weighted", -1)],
)  # fmt: skip
def test_how_signals_vote(named: Any, signal: str, vote: int) -> None:
    assert usd_outlook.collect_votes(facts(**named))[signal] == vote


def test_gold_comes_once_a_month_and_its_base_may_be_older() -> None:
    monthly = seen("4228", then={130: "4000"})
    bare = type(monthly)(monthly.day, monthly.value, (monthly.past[1], monthly.past[-1]))
    assert bare.past[0][1] == Decimal(4000)
    new_facts = facts(GOLD=bare)
    assert percent_change(new_facts, series_names.GOLD, days=91) is None
    assert percent_change(new_facts, series_names.GOLD, days=91, late=MONTHLY_LATE) == Decimal(
        "5.7"
    )
