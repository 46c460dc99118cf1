"""Silence of a publisher calms no word, shortens no list and lowers no count of any product.

The tables say of each product's answer which words have an order, gravest last, which lists name
what is at risk, and which numbers count it. A word may become UNKNOWN; a summary may not.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from apps.insight.intelligence.catalogue import Product, product_of
from apps.insight.intelligence.rules import currency_web, layers, price_breadth, regimes
from apps.insight.intelligence.rules.bands import labels_of_bands
from apps.insight.intelligence.services import paid_answers
from tests.intelligence.test_missing_inputs import (
    PLAIN,
    WEBS,
    extremes,
    observed,
    observed_answer,
    observed_answer_or_none,
)

Words = tuple[str, ...]
UNKNOWN = "UNKNOWN"
SIGNAL: Words = ("NORMAL", "ELEVATED", "HIGH", "EXTREME")
CALM: Words = ("CALM", "MODERATE", "STRESSED", "CRISIS")
LOW: Words = ("NONE", "LOW", "MODERATE", "HIGH", "SEVERE")
ADVICE: Words = ("PROCEED", "CAUTION", "HOLD")
CLASSES: Words = ("STRONG_WETTING", "WETTING", "STABLE", "DRYING", "SEVERE_DRYING")
LEAD: Words = ("FALLING", "STEADY", "RISING")
INTENSITY: Words = ("NONE", "LOW", "MODERATE", "ELEVATED", "HIGH", "ACUTE")
# path with [] for each row of a list or mapping -> the words, gravest last
ORDERS: Mapping[str, Mapping[str, Words]] = {
    "macro-stress": {"regime": ("EXPANSION", "LATE_CYCLE", "STRESS", "CRISIS")},
    "commodity": {
        "regime": CALM,
        "crossCommoditySignal": price_breadth.ORDER[1:],
    },
    "sovereign-debt": {
        "systemicSignals.globalDebtRegime": CALM,
        "systemicSignals.contagionRisk": LOW,
        "systemicSignals.settlementImpact": ("NONE", "WATCH", "ELEVATED", "SEVERE"),
    },
    "48h-call": {},
    "supply-chain": {"regime": CALM},
    "currency-stress": {
        "regime": CALM,
        "dollarTrend": ("WEAKENING", "MIXED", "STRENGTHENING"),
    },
    "shipping-stress": {"regime": CALM},
    "fx-settlement": {"regime": CALM},
    "climate": {
        "summary.globalFoodSystemRisk": LOW,
        "transmission.foodInflationPressure": LOW,
        "transmission.migrationPressure": LOW,
    },
    "climate-pulse": {
        "summary.overallSignal": CALM,
        "summary.commoditySignal": ("CALM", "WATCH", "SUPPLY_AT_RISK"),
        "summary.laborProductivityImpact": ("NONE", "LOCAL", "BROAD"),
        "regions[].signal": SIGNAL,
    },
    "earth-systems": {},
    "water-risk": {"regime": CALM},
    "biodiversity": {"regime": CALM},
    "gender-risk": {"regime": CALM},
    "cascade": {"nervousSystem.overallStatus": layers.WHOLE_WORDS},
    "instability": {"overallIntensity": INTENSITY, "origins[].intensity": INTENSITY},
    "tectonic": {"regime": labels_of_bands(currency_web.TECTONIC_BANDS)},
    "transition-risk": {
        "currentRegime": regimes.REGIMES,
        "transitionSignal": ("IMPROVING", "STEADY", "DETERIORATING"),
        "horizons.h30.mostLikely": regimes.REGIMES,
        "horizons.h60.mostLikely": regimes.REGIMES,
        "horizons.h90.mostLikely": regimes.REGIMES,
    },
    "mycelium": {"regime": labels_of_bands(currency_web.STRAIN_BANDS)},
    "resonance": {"regime": labels_of_bands(currency_web.RESONANCE_BANDS)},
    "contagion": {"regime": labels_of_bands(currency_web.CONTAGION_BANDS)},
    "butterfly": {"regime": labels_of_bands(currency_web.CONTAGION_BANDS)},
    "aftershock": {"regime": labels_of_bands(currency_web.AFTERSHOCK_BANDS)},
}
# words of one input or place, which may be UNKNOWN instead, wherever they stand
ROWS: Mapping[str, Words] = {
    "signal": SIGNAL,
    "debtSignal": SIGNAL,
    "balanceSignal": SIGNAL,
    "volatilitySignal": SIGNAL,
    "heatSignal": SIGNAL,
    "droughtSignal": SIGNAL,
    "gscpiSignal": SIGNAL,
    "advice": ADVICE,
    "classification": CLASSES,
    "bottleneckRisk": ("NORMAL", "LOW", "ELEVATED", "HIGH", "SEVERE"),
    "statusAfter": layers.STATE_WORDS[:-1],
    "inflationLeadSignal": LEAD,
    "goodsInflationLeadSignal": LEAD,
}
# lists of what is at risk -> by which fields a row is known; a list of plain words by itself
LISTS: Mapping[str, Mapping[str, Words]] = {
    "currency-stress": {"pressured": ()},
    "climate": {
        "summary.regionsAtRisk": (),
        "summary.criticalCommodities": (),
        "summary.cascadeSignals": (),
    },
    "climate-pulse": {
        "summary.regionsWithHeatAnomaly": (),
        "summary.regionsWithDrought": (),
    },
    "cascade": {
        "activeCascades": ("type",),
        "earlyWarningSignals": ("type", "series", "measure"),
        "unpricedRisks": (),
    },
    "instability": {
        "origins": ("actor",),
        "scenarios": ("type",),
        "watchList": (),
    },
}
COUNTS: Mapping[str, Words] = {"cascade": ("nervousSystem.activeCascadeCount",)}
products = pytest.mark.parametrize("product", PLAIN, ids=lambda one: one.name)


def rows(body: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield what stands at a path, rows by their names."""
    first, _, rest = path.partition("[].")
    found = body
    for name in first.split("."):
        found = found[name]
    if not rest:
        yield path, found
        return
    for row in found:
        name = next(row[key] for key in ("name", "actor") if key in row)
        yield from ((f"{first}[{name}].{at}", one) for at, one in rows(row, rest))


def words(body: Any, at: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield the words of inputs and places: where, which field, the word."""
    if isinstance(body, Mapping):
        for name, one in body.items():
            if name in ROWS and isinstance(one, str):
                yield f"{at}.{name}", name, one
            yield from words(one, f"{at}.{name}")
    elif isinstance(body, list):
        for number, one in enumerate(body):
            keys = ("name", "code", "pair", "symbol", "sovereign", "layer", "actor", "series")
            found = [one[key] for key in keys if isinstance(one, Mapping) and key in one]
            yield from words(one, f"{at}[{found[0] if found else number}]")


def grade(order: Words, word: str) -> int:
    return order.index(word)


def no_calmer(product: Product, whole: Mapping[str, Any], left: Mapping[str, Any] | None) -> None:
    """Hold an answer after a silence against the one before it."""
    if left is None:
        return
    for path, order in ORDERS[product.name].items():
        after = dict(rows(left, path))
        for at, word in rows(whole, path):
            assert word == UNKNOWN or grade(order, after[at]) >= grade(order, word), at
    for path, keys in LISTS.get(product.name, {}).items():
        before, now = (named(body, path, keys) for body in (whole, left))
        assert before <= now, (path, before - now)
    for path in COUNTS.get(product.name, ()):
        [(_, before)], [(_, now)] = rows(whole, path), rows(left, path)
        assert now >= before, path
    after = {at: word for at, _, word in words(left)}
    for at, name, word in words(whole):
        if word in ROWS[name] and after.get(at, UNKNOWN) != UNKNOWN:
            order = ROWS[name]
            assert after[at] in order and grade(order, after[at]) >= grade(order, word), at


def named(body: Mapping[str, Any], path: str, keys: Words) -> set[Any]:
    [(_, listed)] = rows(body, path)
    return {tuple(one[key] for key in keys) if keys else one for one in listed}


def test_every_product_stands_in_the_table() -> None:
    assert {*ORDERS} == {one.name for one in PLAIN}
    assert {*LISTS} | {*COUNTS} <= {*ORDERS}


@products
def test_every_summary_word_of_an_answer_is_one_of_its_order(product: Product) -> None:
    body = observed_answer(product)
    for path, order in ORDERS[product.name].items():
        for at, word in rows(body, path):
            assert word in (*order, UNKNOWN), at


@products
def test_silence_calms_no_word_and_shortens_no_list(product: Product) -> None:
    for series, point in observed(product.name).points.items():
        # as it is, and where the series was at its worst or at its best
        for newest in (None, *(() if product.name in WEBS else extremes(product, series))):
            whole = observed_answer(product, newest=newest)
            left = observed_answer_or_none(product, newest=newest, silent=[series])
            try:
                no_calmer(product, whole, left)
            except AssertionError as found:
                value = newest[1] if newest else point.value
                raise AssertionError(f"{series} at {value}: {found}") from found


TOGETHER = [
    ("cascade", ("copper", "oil.brent.month", "us.cpi.yoy")),
    ("climate", ("rain.civ", "rain.eth")),
    ("climate-pulse", ("heat.us.plains", "heat.us.south")),
    ("currency-stress", ("fx.usd.INR", "fx.usd.SEK")),
    ("instability", ("gas.europe", "us.cpi.yoy", "debt.us")),
]


@pytest.mark.parametrize(("name", "chosen"), TOGETHER)
def test_nor_does_silence_of_several_together(name: str, chosen: Words) -> None:
    product = product_of(name)
    assert product is not None
    whole, left = observed_answer(product), observed_answer(product, silent=chosen)
    no_calmer(product, whole, left)
    before, after = (paid_answers.build_answer_headers(product, one) for one in (whole, left))
    counts = [one for one in before if str(before[one]).isdigit()]
    assert all(int(after[count]) >= int(before[count]) for count in counts)


def test_what_a_word_rests_on_is_told_as_held_and_has_its_source() -> None:
    for name, chosen in TOGETHER:
        product = product_of(name)
        assert product is not None
        left = observed_answer(product, silent=chosen[:1])
        assert {f"held:{chosen[0]}", f"stale:{chosen[0]}"} <= {*left["reasons"]}, name
        assert chosen[0] in left["missing"] and left["dataQuality"] != "LIVE", name
        assert chosen[0] in {source["series"] for source in left["sources"]}, name


def test_a_calm_month_that_is_too_old_is_no_word() -> None:
    product = product_of("climate-pulse")
    assert product is not None
    left = observed_answer(product, silent=["drought.northeast"])
    [row] = [region for region in left["regions"] if region["name"] == "Northeast"]
    assert (row["droughtSeverity"], row["droughtSignal"]) == (None, UNKNOWN)
    assert "held:drought.northeast" not in left["reasons"]
