"""Every finding of every report on both sides of its bound: data with it, and data just short."""

from typing import Any

import pytest

from apps.insight.reports.rules.conditions import AnyOf, Equals, NoneOf
from apps.insight.reports.rules.docs import RULES
from apps.insight.reports.rules.findings import evaluate_rules
from apps.platform.common.bounds import Bounds

Data = dict[str, Any]
MADE = "2026-11-20T12:00:00.000Z"


def put(path: str, value: Any) -> Data:
    """Return data with a value at a path of names parted by dots."""
    *parents, name = path.split(".")
    data: Data = {name: value}
    for parent in reversed(parents):
        data = {parent: data}
    return data


def rain(score: float) -> Data:
    zone = {"name": "Punjab", "precipitationShiftPct": None, "commodities": ["wheat"]}
    return {"rain": {"climateScore": score, "regions": [zone]}}


def dried(percent: float | None) -> Data:
    zone = {"name": "Punjab", "precipitationShiftPct": percent, "commodities": ["wheat"]}
    return put("rain.regions", [zone])


def pulse(index: float) -> Data:
    return put("pulse.pulseIndex", index)


def drought(severity: float | None) -> Data:
    return put("pulse.regions", [{"name": "Plains", "droughtSeverity": severity}])


def goods(index: float) -> Data:
    return {"commodities": {"stressIndex": index, "regime": "CALM", "asOf": MADE}}


def price(score: float | None) -> Data:
    copper = {"title": "Copper", "value": 9000, "unit": "USD/t", "score": score}
    return put("commodities.commodities", {"copper": copper})


def inflation(signal: str) -> Data:
    lead = {"signal": signal, "leadMonths": 6, "correlation": 0.5, "pairs": 120}
    return put("commodities.inflationLead", lead)


def market(status: str) -> Data:
    wheat = {"title": "Wheat", "status": status, "climateRiskScore": 50, "outlook": "STABLE"}
    return put("markets.commodities", [wheat])


def tipping(*risks: str) -> Data:
    rows = [
        {"name": f"Element {number}", "proximityRisk": risk, "distanceToCentralC": number}
        for number, risk in enumerate(risks)
    ]
    return put("outlook.tippingPoints", rows)


def paris(left: float | None) -> Data:
    temperature = {"distanceToParisC": left, "currentAnomalyC": 1.3}
    return {"outlook": {"asOf": MADE, "atmosphere": {"temperature": temperature}}}


def water(score: float | None) -> Data:
    return {"water": {"waterRiskScore": score, "regime": "HIGH"}}


def peg(basis_points: float | None) -> Data:
    return put("stability.peg.deviationBps", basis_points)


def stability(score: float) -> Data:
    return {
        "stability": {
            "status": "SAFE",
            "decidedBy": {"when": "x"},
            "stability": {"currentScore": score},
        }
    }


def layer(value: float | None) -> Data:
    return put("stability.stability.layers", [{"title": "Dollar", "value": value, "asOf": MADE}])


def stress(index: float) -> Data:
    return {"stress": {"stressIndex": index, "regime": "EXPANSION", "asOf": MADE}}


def regime(name: str) -> Data:
    outlook = {"currentRegime": name, "currentScore": 50, "asOf": MADE}
    return {"outlook": outlook, "stability": {"oracle": {"computedAt": MADE}}}


def worse(chance: float) -> Data:
    probabilities = {"STABLE": 1 - chance, "ELEVATED": chance, "STRESSED": 0}
    probabilities |= {"CRITICAL": 0, "CRISIS": 0}
    h90 = {"probabilities": probabilities, "mostLikely": "STABLE", "confidence": 0.5}
    return {"outlook": {"currentRegime": "STABLE", "horizons": {"h90": h90}}}


def turning(signal: str) -> Data:
    h60 = {"mostLikely": "STABLE", "confidence": 0.5}
    return {"outlook": {"transitionSignal": signal, "horizons": {"h60": h60}}}


def debt(index: float | None) -> Data:
    return {"debt": {"debtStressIndex": index, "asOf": MADE}}


def curve(inverted: bool) -> Data:
    curve = {"recessionSignal": inverted, "spread": -0.4, "asOf": MADE}
    oracle = {"computedAt": MADE}
    return {"stability": {"oracle": oracle, "usdHealth": {"yieldCurve": curve}}}


def confidence(score: float | None) -> Data:
    return put("stability.confidence.score", score)


def pillars(*covered: float, composite: float = 45) -> Data:
    rows = [{"pillar": "social", "restsOn": "OWN", "coveredPercent": share} for share in covered]
    return {"entity": {"pillars": rows, "score": {"composite": composite, "feeTier": "STANDARD"}}}


def composite(score: float) -> Data:
    return pillars(100, 0, 0, composite=score)


def pillar(score: float | None, rests_on: str = "OWN") -> Data:
    rows = [{"pillar": "social", "restsOn": rests_on}]
    return {"entity": {"pillars": rows, "score": {"social": score}}}


def indicator(status: str) -> Data:
    row = {"id": 4, "name": "Fossil fuels", "value": 1, "unit": "share", "status": status}
    return put("entity.sfdr.paiIndicators", [row])


def lei_status(status: str) -> Data:
    return {"entity": {"leiStatus": status, "leiPoints": -10}}


def failing(article: int) -> Data:
    return put("entity.sfdr.failing", [{"article": article, "condition": "The composite is 80."}])


def csrd(*values: float | None) -> Data:
    return put("entity.csrd", [{"disclosure": "E1-6", "value": value} for value in values])


def screen_rule(decision: str | None) -> Data:
    rule = {"decision": decision, "reason": "Why.", "risk": 70, "reference": "3"}
    return put("screen.rules", [rule])


def sanctions(score: int, partial_from: int, *unread: str) -> Data:
    told = {"score": score, "partialFrom": partial_from, "unread": list(unread)}
    return put("screen.sanctions", told)


def pep(checked: bool, score: int | None = None) -> Data:
    return put("screen.pep", {"checked": checked, "score": score, "matchesFrom": 85})


def owners(identified: bool, *roles: str) -> Data:
    nodes = [{"role": role, "countryLabel": "STANDARD"} for role in roles]
    gaps = [{"role": "ULTIMATE_PARENT", "reason": "NO_LEI"}]
    return put("screen.ownership", {"nodes": nodes, "identified": identified, "gaps": gaps})


def place(label: str) -> Data:
    node = {"name": "Acme", "country": "IR", "countryLabel": label, "score": 0}
    return put("screen.ownership.nodes", [node])


def travel_rule(basis: str, *, lei_given: bool) -> Data:
    lei = {"given": lei_given, "note": ""}
    subject = {"lei": "5493001KJTIIGC8Y1R12"}
    return {"screen": {"travelRule": {"basis": basis, "lei": lei}, "subject": subject}}


def missing_lists(*names: str) -> Data:
    return put("screen.lists.missing", [*names])


def volume(**figures: Any) -> Data:
    exact = {"count": 100, "settled": 100, "blocked": 0, "failed": 0, "waiting": 0}
    exact |= {"settledUsd": 100, "feesUsd": 1}
    return put("flows.volume", exact | figures)


def corridor(usd: float, of_all: float, seconds: float | None = None) -> Data:
    row = {"corridor": "DE-US", "settledUsd": usd, "medianSeconds": seconds}
    return {"flows": {"volume": {"settledUsd": of_all}, "corridors": [row]}}


def decisions(**figures: int) -> Data:
    return {"decisions": figures}


def withheld(what: str | None, *, volume: Data | None) -> Data:
    flows = {"volume": volume, "withheld": {"what": what} if what else None}
    return {"flows": flows | {"until": "2026-12-01"}}


# code, data with the finding, data that are just short of it; a code may have several rows
CASES: tuple[tuple[str, Data, Data], ...] = (
    ("CLIM-RAIN-LOW", rain(24.9), rain(25)),
    ("CLIM-RAIN-LOW", rain(0), rain(-0.1)),
    ("CLIM-RAIN-MODERATE", rain(25), rain(24.9)),
    ("CLIM-RAIN-MODERATE", rain(49.9), rain(50)),
    ("CLIM-RAIN-HIGH", rain(50), rain(49.9)),
    ("CLIM-RAIN-HIGH", rain(74.9), rain(75)),
    ("CLIM-RAIN-SEVERE", rain(75), rain(74.9)),
    ("CLIM-PULSE-CALM", pulse(24.9), pulse(25)),
    ("CLIM-PULSE-MODERATE", pulse(25), pulse(24.9)),
    ("CLIM-PULSE-MODERATE", pulse(49.9), pulse(50)),
    ("CLIM-PULSE-STRESSED", pulse(50), pulse(49.9)),
    ("CLIM-PULSE-STRESSED", pulse(74.9), pulse(75)),
    ("CLIM-PULSE-CRISIS", pulse(75), pulse(74.9)),
    ("CLIM-GOODS-CALM", goods(24.9), goods(25)),
    ("CLIM-GOODS-MODERATE", goods(25), goods(24.9)),
    ("CLIM-GOODS-MODERATE", goods(49.9), goods(50)),
    ("CLIM-GOODS-STRESSED", goods(50), goods(49.9)),
    ("CLIM-GOODS-STRESSED", goods(74.9), goods(75)),
    ("CLIM-GOODS-CRISIS", goods(75), goods(74.9)),
    ("CLIM-MARKET-RED", market("RED"), market("YELLOW")),
    ("CLIM-MARKET-YELLOW", market("YELLOW"), market("GREEN")),
    ("CLIM-MARKET-YELLOW", market("YELLOW"), market("RED")),
    ("CLIM-DRIED", dried(-20), dried(-19.9)),
    ("CLIM-DRIED", dried(-20), dried(None)),
    ("CLIM-DROUGHT", drought(200), drought(199)),
    ("CLIM-DROUGHT", drought(200), drought(None)),
    ("CLIM-PRICE", price(95), price(94.9)),
    ("CLIM-PRICE", price(95), price(None)),
    ("CLIM-INFLATION", inflation("RISING"), inflation("FALLING")),
    ("CLIM-TIPPING", tipping("HIGH"), tipping("MODERATE")),
    ("CLIM-TIPPING", tipping("MODERATE", "CRITICAL"), tipping("MODERATE", "LOW")),
    ("CLIM-TIPPING", tipping("EXTREME"), tipping()),
    ("CLIM-PARIS", paris(0.3), paris(0.31)),
    ("CLIM-PARIS", paris(-0.1), paris(None)),
    ("CLIM-WATER", water(50), water(49.9)),
    ("CLIM-WATER", water(50), water(None)),
    ("MACRO-PEG", peg(50), peg(49.9)),
    ("MACRO-PEG", peg(50), peg(None)),
    ("MACRO-SCORE-UNSTABLE", stability(74.9), stability(75)),
    ("MACRO-SCORE-CAUTION", stability(75), stability(74.9)),
    ("MACRO-SCORE-CAUTION", stability(89.9), stability(90)),
    ("MACRO-SCORE-STABLE", stability(90), stability(89.9)),
    ("MACRO-STRESS-EXPANSION", stress(24.9), stress(25)),
    ("MACRO-STRESS-LATE", stress(25), stress(24.9)),
    ("MACRO-STRESS-LATE", stress(59.9), stress(60)),
    ("MACRO-STRESS-STRESS", stress(60), stress(59.9)),
    ("MACRO-STRESS-STRESS", stress(84.9), stress(85)),
    ("MACRO-STRESS-CRISIS", stress(85), stress(84.9)),
    ("MACRO-REGIME-STRESSED", regime("STRESSED"), regime("ELEVATED")),
    ("MACRO-REGIME-CRITICAL", regime("CRITICAL"), regime("STRESSED")),
    ("MACRO-REGIME-CRISIS", regime("CRISIS"), regime("CRITICAL")),
    ("MACRO-WORSE-LIKELY", worse(0.5), worse(0.49)),
    ("MACRO-WORSE-POSSIBLE", worse(0.25), worse(0.24)),
    ("MACRO-WORSE-POSSIBLE", worse(0.49), worse(0.5)),
    ("MACRO-WORSE-UNLIKELY", worse(0.24), worse(0.25)),
    ("MACRO-WORSE-UNLIKELY", worse(0), regime("STABLE")),
    ("MACRO-TURNING", turning("DETERIORATING"), turning("STABLE")),
    ("MACRO-DEBT", debt(75), debt(74.9)),
    ("MACRO-DEBT", debt(75), debt(None)),
    ("MACRO-LAYER", layer(74.9), layer(75)),
    ("MACRO-LAYER", layer(0), layer(None)),
    ("MACRO-CURVE", curve(True), curve(False)),
    ("MACRO-CONFIDENCE", confidence(49.9), confidence(50)),
    ("MACRO-CONFIDENCE", confidence(0), confidence(None)),
    ("ESG-SCORE-POOR", composite(29.9), composite(30)),
    ("ESG-SCORE-POOR", composite(20), pillars(99.9, 0, 0, composite=20)),
    ("ESG-SCORE-BELOW", composite(30), composite(29.9)),
    ("ESG-SCORE-BELOW", composite(49.9), composite(50)),
    ("ESG-SCORE-AVERAGE", composite(50), composite(49.9)),
    ("ESG-SCORE-AVERAGE", composite(69.9), composite(70)),
    ("ESG-SCORE-GOOD", composite(70), composite(69.9)),
    ("ESG-UNASSESSED", pillars(99.9, 0, 0), pillars(100, 0, 0)),
    ("ESG-PAI-ELEVATED", indicator("ELEVATED_RISK"), indicator("REVIEW")),
    ("ESG-LEI", lei_status("LAPSED"), lei_status("ISSUED")),
    ("ESG-PAI-REVIEW", indicator("REVIEW"), indicator("WITHIN_THRESHOLD")),
    ("ESG-PILLAR", pillar(39), pillar(40)),
    ("ESG-PILLAR", pillar(39), pillar(39, "COUNTRY")),
    ("ESG-PILLAR", pillar(0), pillar(None)),
    ("ESG-ARTICLES", failing(8), failing(6)),
    ("ESG-ARTICLES", failing(9), put("entity.sfdr.failing", [])),
    ("ESG-PAI-LACKING", indicator("DATA_REQUIRED"), indicator("NOT_APPLICABLE")),
    ("ESG-COUNTRY", pillar(50, "COUNTRY"), pillar(50)),
    ("ESG-CSRD", csrd(1, None), csrd(1, 0)),
    ("COMP-BLOCKED", screen_rule("BLOCKED"), screen_rule("FLAGGED")),
    ("COMP-FLAGGED", screen_rule("FLAGGED"), screen_rule("BLOCKED")),
    ("COMP-TOLD", screen_rule(None), screen_rule("FLAGGED")),
    ("COMP-COUNTRY", place("SANCTIONED"), place("STANDARD")),
    ("COMP-COUNTRY", place("SANCTIONED"), place("NOT_PROVIDED")),
    ("COMP-LISTS", missing_lists("un"), missing_lists()),
    ("COMP-NO-OFFICES", pep(False), pep(True, 10)),
    ("COMP-OWNERS", owners(False, "SUBJECT"), owners(True, "SUBJECT")),
    ("COMP-OWNERS", owners(False, "SUBJECT", "DIRECT_PARENT"), owners(False)),
    ("COMP-NAME-ONLY", travel_rule("NAME_ONLY", lei_given=False),
     travel_rule("NAME_ONLY", lei_given=True)),
    ("COMP-NAME-ONLY", travel_rule("NAME_ONLY", lei_given=False),
     travel_rule("LEI_VERIFIED", lei_given=False)),
    ("COMP-LEI-NOT", travel_rule("NAME_ONLY", lei_given=True),
     travel_rule("NAME_ONLY", lei_given=False)),
    ("COMP-LEI-NOT", travel_rule("NAME_ONLY", lei_given=True),
     travel_rule("LEI_VERIFIED", lei_given=True)),
    ("COMP-CLEAR", sanctions(44, 45), sanctions(45, 45)),
    ("COMP-CLEAR", sanctions(0, 45), sanctions(0, 45, "The name was not compared whole.")),
    ("COMP-OFFICES", pep(True, 0),
     {"screen": pep(True, 0)["screen"] | sanctions(0, 45, "Cut.")["screen"]}),
    ("COMP-OFFICES", pep(True, 84), pep(True, 85)),
    ("COMP-OFFICES", pep(True, 0), pep(False)),
    ("COMP-LEI", travel_rule("LEI_VERIFIED", lei_given=True),
     travel_rule("NAME_ONLY", lei_given=True)),
    ("TREAS-SETTLED-POOR", volume(settledShare=0.7999), volume(settledShare=0.8)),
    ("TREAS-SETTLED-WEAK", volume(settledShare=0.8), volume(settledShare=0.7999)),
    ("TREAS-SETTLED-WEAK", volume(settledShare=0.9499), volume(settledShare=0.95)),
    ("TREAS-SETTLED-FAIR", volume(settledShare=0.95), volume(settledShare=0.9499)),
    ("TREAS-SETTLED-FAIR", volume(settledShare=0.9899), volume(settledShare=0.99)),
    ("TREAS-SETTLED-GOOD", volume(settledShare=0.99), volume(settledShare=0.9899)),
    ("TREAS-BLOCKED", volume(blocked=5), volume(blocked=4)),
    ("TREAS-BLOCKED", volume(blocked=5), volume(count=0)),
    ("TREAS-BLOCKED", volume(blocked=5), volume(blocked=None)),
    ("TREAS-SLOW", corridor(1, 1, 3600), corridor(1, 1, 3599)),
    ("TREAS-SLOW", corridor(1, 1, 3600), corridor(1, 1, None)),
    ("TREAS-MODELS", decisions(turnedByModel=1), decisions(turnedByModel=0)),
    ("TREAS-OFFICERS", decisions(decided=10, byOfficer=1), decisions(decided=11, byOfficer=1)),
    ("TREAS-OFFICERS", decisions(decided=10, byOfficer=1), decisions(decided=0, byOfficer=0)),
    ("TREAS-ALONE", corridor(80, 100), corridor(79, 100)),
    ("TREAS-ALONE", corridor(80, 100), corridor(0, 0)),
    ("TREAS-WAITING", volume(waiting=1), volume(waiting=0)),
    ("TREAS-VOLUME", volume(), withheld("ALL", volume=None)),
    ("TREAS-UNKNOWN", withheld("ALL", volume=None), withheld(None, volume=None)),
    ("TREAS-UNKNOWN", withheld("RUNNING", volume=None), withheld("SOME", volume={})),
    ("TREAS-WITHHELD", withheld("SOME", volume={}), withheld(None, volume={})),
    ("TREAS-WITHHELD", withheld("SOME", volume={}), withheld("ALL", volume=None)),
)  # fmt: skip
RULE = {rule.code: rule for rules in RULES.values() for rule in rules}


@pytest.mark.parametrize(("code", "with_it", "short_of_it"), CASES)
def test_a_finding_is_made_from_its_bound_on_and_not_just_short_of_it(
    code: str, with_it: Data, short_of_it: Data
) -> None:
    assert [finding.code for finding in evaluate_rules([RULE[code]], with_it)] == [code]
    assert evaluate_rules([RULE[code]], short_of_it) == ()


def test_every_finding_has_a_case_on_both_sides() -> None:
    assert len(RULE) == sum(len(rules) for rules in RULES.values())
    assert {code for code, *_ in CASES} == set(RULE)


def test_of_data_without_a_part_nothing_is_found_but_what_is_missing() -> None:
    found = {
        name: [finding.code for finding in evaluate_rules(rules, {})]
        for name, rules in RULES.items()
        if name not in ("compliance", "ESG")  # these are never made without their one part
    }
    assert found == {"climate": [], "macro": [], "treasury": []}


@pytest.mark.parametrize(
    ("condition", "printed", "inside", "outside"),
    [
        (Bounds(least=3600), "3600 or more", 3600, 3599),
        (Bounds(most=-20), "-20 or less", -20, -19),
        (Bounds(above=0), "more than 0", 1, 0),
        (Bounds(below=75), "below 75", 74, 75),
        (Bounds(least=0.25, below=0.5), "0.25 or more, below 0.5", 0.25, 0.5),
        (Bounds(least=0), "0 or more", 0, None),
        (Equals("RISING"), "RISING", "RISING", None),
        (Equals(True), "true", True, None),
        (NoneOf(("ISSUED", "LAPSED")), "none of ISSUED, LAPSED", None, "ISSUED"),
        (NoneOf(("ISSUED", "LAPSED")), "none of ISSUED, LAPSED", "RETIRED", "LAPSED"),
        (AnyOf(("HIGH", "CRITICAL", "EXTREME")), "HIGH, CRITICAL or EXTREME", "EXTREME", "LOW"),
    ],
)
def test_a_condition_holds_as_it_is_printed(
    condition: Bounds | Equals | NoneOf | AnyOf, printed: str, inside: Any, outside: Any
) -> None:
    assert str(condition) == printed
    assert condition.holds(inside) and not condition.holds(outside)
