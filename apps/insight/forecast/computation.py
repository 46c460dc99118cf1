"""Compute each market and each region from known data: score, light, outlook, signals. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

from apps.insight.forecast import component_strains, market_presenter
from apps.insight.forecast.component_strains import ComponentStrain, Months
from apps.insight.forecast.rules.lights_and_outlooks import (
    compute_confidence,
    light_of_score,
    outlook_of_change,
)
from apps.insight.forecast.rules.markets import (
    COLD,
    DROUGHT,
    FIRE,
    FLOOD,
    HEAT,
    MARKETS,
    STORM,
    Market,
)
from apps.insight.forecast.rules.regions import (
    GROWTHS,
    REGIONS,
    THREATS,
    Growth,
    growths_of_symbol,
    symbols_of_region,
)
from apps.insight.forecast.series_snapshot import SeriesSnapshot
from apps.reference.signals import carried_forward_labels
from apps.reference.signals.carried_forward_inputs import choose_carried_forward_inputs
from apps.reference.signals.composition import split_score
from apps.reference.signals.points import Point
from apps.reference.signals.quality import Quality, TooFewInputs, judge_quality

VERSION = "forecast-2"
TENTH = Decimal("0.1")
NOTHING = Decimal(0)
# weights of a region's own score: those of a crop without its price
REGION_WEIGHTS: Mapping[str, Decimal] = {
    HEAT: Decimal("0.25"), DROUGHT: Decimal("0.35"), FLOOD: Decimal("0.15"),
    STORM: Decimal("0.15"), FIRE: Decimal("0.10"),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketOutlook:
    """A market at a moment: its body with the names of CommodityOut, and what books use of it."""

    symbol: str
    score: Decimal
    status: str
    outlook: str
    price: Point
    quality: str
    body: dict[str, Any]


def list_forecast_series() -> tuple[str, ...]:
    """Return every series that is read."""
    prices = [name for market in MARKETS for name in (*market.prices, market.months)]
    weather = [
        name
        for growth in GROWTHS
        for component in REGION_WEIGHTS
        if (name := component_strains.series_of_component(growth.region, component))
    ]
    return tuple(dict.fromkeys([*prices, *weather, "sea.enso"]))


def compute_market(known: SeriesSnapshot, row: Market) -> MarketOutlook:
    """Return a market; raises TooFewInputs without its price, or below a coverage of 0.6."""
    month = known.as_of.month
    point = next((price_point for name in row.prices if (price_point := known.point(name))), None)
    if point is None:
        raise TooFewInputs(f"There is no current price of {row.title}, which an outlook requires.")
    # missing data must turn no light greener: last figures are held where they raise the score
    last = component_strains.strains_of_market(known.ageless, row, known.ageless.month)
    strains = component_strains.hold_lapsed(
        component_strains.strains_of_market(known, row, known.month), last
    )
    figures, held_names = compute_signals(known, row)
    quality = _include_held_inputs(
        judge_quality(_weigh_inputs(known, last), as_of=known.as_of), strains, held_names
    )
    adds = split_contributions(strains)
    score = sum(adds, NOTHING)
    moved = component_strains.score_change(
        strains,
        # months of now, so that both moments are in the same season
        component_strains.strains_of_market(known.before(component_strains.BACK), row, known.month),
    )
    sure = compute_confidence(quality.coverage, quality.label)
    assessment = market_presenter.MarketAssessment(
        market=row,
        price=point,
        score=score,
        light=light_of_score(score),
        outlook=outlook_of_change(moved, confidence=sure),
        moved=None if moved is None else moved.quantize(TENTH, ROUND_HALF_EVEN),
        parts=market_presenter.serialize_parts(strains, adds),
    )
    body = {
        **market_presenter.build_market_body(assessment),
        "signals": figures,
        "confidence": sure,
        "production_regions": _serialize_production(row, month, adds, strains),
        **market_presenter.serialize_quality(quality, version=VERSION),
        "sources": market_presenter.serialize_sources(
            known,
            [point.series, *(strain.series for strain in strains)],
            held=carried_forward_labels.held_input_names(quality.reasons),
        ),
    }
    return MarketOutlook(
        symbol=row.symbol,
        score=score,
        status=assessment.light.name,
        outlook=assessment.outlook,
        price=point,
        quality=quality.label,
        body=body,
    )


def split_contributions(strains: Sequence[ComponentStrain]) -> list[Decimal]:
    """Return the contribution of each strain in steps of 0.0001; they sum to the score exactly.

    An unknown strain adds nothing, and its weight goes to the rest; a held one counts as known.
    """
    held_weight = sum(
        (
            component_strain.weight
            for component_strain in strains
            if component_strain.score is not None
        ),
        NOTHING,
    )
    if not held_weight:
        return [NOTHING] * len(strains)
    weighed = [
        component_strain.weight * component_strain.season * (component_strain.score or NOTHING)
        for component_strain in strains
    ]
    return split_score(weighed, held=held_weight)


def _weigh_inputs(series_snapshot: SeriesSnapshot, last: Sequence[ComponentStrain]) -> list[Any]:
    """Return the series as they are judged, each with the sum of the weights that rest on it.

    `last` are the strains by the last figures, however old.
    """
    weights: dict[str, Decimal] = {}
    for strain in last:
        weights[strain.series] = weights.get(strain.series, NOTHING) + strain.weight
    # a point with too short a history makes no strain, so it must not count as covered
    lacking = {
        component_strain.series for component_strain in last if component_strain.score is None
    }
    inputs = [series_snapshot.input(name, weight) for name, weight in weights.items()]
    return [replace(input_, point=None) if input_.name in lacking else input_ for input_ in inputs]


def _include_held_inputs(
    quality: Quality, strains: Sequence[ComponentStrain], also: Iterable[str] = ()
) -> Quality:
    """Return the quality with the held series; those of `also` have no weight in the score."""
    counted = sum(
        (
            component_strain.weight
            for component_strain in strains
            if component_strain.score is not None
        ),
        NOTHING,
    )
    held_strains = [component_strain for component_strain in strains if component_strain.held]
    share = sum((strain.weight for strain in held_strains), NOTHING) / (counted or 1)
    names = dict.fromkeys([*(strain.series for strain in held_strains), *also])
    return carried_forward_labels.label_carried_forward_inputs(quality, names, share=share)


def compute_signals(known: SeriesSnapshot, row: Market) -> tuple[dict[str, Any], list[str]]:
    """Return the four figures of the specification, and the series that they hold.

    Heat and drought are means over regions, weighted by output; fires, storms and floods are sums.
    Null without any current figure. Figures that are too old are held: in a mean if higher than the
    mean of the rest, in a sum always.
    """
    heat, drought, fires, storms = (
        _collect_region_figures(known, row, kind) for kind in (HEAT, DROUGHT, FIRE, STORM)
    )
    signals = {
        "temperature_anomaly": heat.mean(Decimal("0.01")),
        "drought_index": drought.mean(TENTH),
        "wildfire_activity": fires.total(),
        "extreme_weather_events": storms.total(),
    }
    held_names = [
        *heat.held,
        *drought.held,
        # a sum has no mean to compare with: all counts that are too old stay in it
        *(name for figure_set in (fires, storms) for name in figure_set.lapsed),
    ]
    return signals, held_names


@dataclass(frozen=True, slots=True, kw_only=True)
class _RegionFigures:
    """One figure of a market's regions, each with its output share: the current ones, and by series
    those that are too old.
    """

    counted: Sequence[tuple[Decimal, Decimal]]
    lapsed: Mapping[str, tuple[Decimal, Decimal]]

    @property
    def held(self) -> list[str]:
        """The series whose last figures raise the mean."""
        return choose_carried_forward_inputs(self.counted, self.lapsed) if self.counted else []

    def mean(self, step: Decimal) -> Decimal | None:
        if not self.counted:
            return None
        scores = [*self.counted, *(self.lapsed[name] for name in self.held)]
        whole = sum((share for share, _ in scores), NOTHING)
        mean = sum((share * value for share, value in scores), NOTHING) / whole
        # + 0 turns a negative zero into 0
        return mean.quantize(step, ROUND_HALF_EVEN) + 0

    def total(self) -> int | None:
        scores = [*self.counted, *self.lapsed.values()]
        return int(sum(value for _, value in scores)) if self.counted else None


def _collect_region_figures(
    series_snapshot: SeriesSnapshot, row: Market, component: str
) -> _RegionFigures:
    """Return a figure of all regions of a market: the strain of drought, the value of others."""
    # score_component() returns value and strain; drought is measured in two units, so only its
    # strain can be averaged
    strain, ageless = component == DROUGHT, series_snapshot.ageless
    counted, lapsed = [], {}
    for growth in growths_of_symbol(row.symbol):
        if score := component_strains.score_component(series_snapshot, growth.region, component):
            counted.append((growth.share, score[strain]))
        elif score := component_strains.score_component(ageless, growth.region, component):
            series = component_strains.series_of_component(growth.region, component)
            lapsed[series] = (growth.share, score[strain])
    return _RegionFigures(counted=counted, lapsed=lapsed)


def _serialize_production(
    row: Market, month: int, adds: Sequence[Decimal], strains: Sequence[ComponentStrain]
) -> list[dict[str, Any]]:
    return [
        {
            "region": REGIONS[growth.region].name,
            "country": REGIONS[growth.region].country,
            "share_pct": 100 * growth.share,
            "source": growth.source,
            "in_season": growth.decides(month),
            "contribution": sum(
                (
                    add
                    for add, strain in zip(adds, strains, strict=True)
                    if strain.region == growth.region
                ),
                NOTHING,
            ),
        }
        for growth in growths_of_symbol(row.symbol)
    ]


def compute_regions(known: SeriesSnapshot) -> list[dict[str, Any]]:
    """Return the regions of which enough is known, the most severe first; see RegionOut."""
    regions = [region for name in REGIONS if (region := compute_region(known, name))]
    return sorted(
        regions, key=lambda region_row: (-region_row["climate_risk_score"], region_row["region"])
    )


def compute_region(known: SeriesSnapshot, name: str) -> dict[str, Any] | None:
    """Return a region; None below a coverage of 0.6."""
    growths = [growth for growth in GROWTHS if growth.region == name]
    last = list(_iter_region_strains(known.ageless, name, growths, known.ageless.month))
    now = component_strains.hold_lapsed(
        list(_iter_region_strains(known, name, growths, known.month)), last
    )
    alarming = [
        strain
        for strain in component_strains.with_last_alarms(now, last)
        # an alert stays while its series is silent, even where its strain does not raise the score
        if not strain.held or market_presenter.list_alerts([strain])
    ]
    try:
        quality = _include_held_inputs(
            judge_quality(_weigh_inputs(known, last), as_of=known.as_of),
            now,
            (strain.series for strain in alarming if strain.held),
        )
    except TooFewInputs:
        return None
    adds = split_contributions(now)
    moved = component_strains.score_change(
        now,
        list(
            _iter_region_strains(known.before(component_strains.BACK), name, growths, known.month)
        ),
    )
    sure = compute_confidence(quality.coverage, quality.label)
    worst = max(zip(adds, now, strict=True), key=lambda pair: pair[0])
    return {
        "region": REGIONS[name].name,
        "country": REGIONS[name].country,
        "commodities": list(symbols_of_region(name)),
        "climate_risk_score": sum(adds, NOTHING),
        "active_alerts": market_presenter.list_alerts(alarming),
        "primary_threat": THREATS[worst[1].component if worst[0] else REGIONS[name].usual],
        "outlook": outlook_of_change(moved, confidence=sure),
        "in_season": any(growth.decides(known.as_of.month) for growth in growths),
        "contributions": market_presenter.serialize_parts(now, adds),
        **market_presenter.serialize_quality(quality, version=VERSION),
    }


def _iter_region_strains(
    series_snapshot: SeriesSnapshot, name: str, growths: Sequence[Growth], months: Months
) -> Iterable[ComponentStrain]:
    having = {
        component_name: weight
        for component_name, weight in REGION_WEIGHTS.items()
        if component_strains.series_of_component(name, component_name)
    }
    whole = sum(having.values(), NOTHING)
    for component, weight in having.items():
        series = component_strains.series_of_component(name, component)
        month = months(series)
        cold = component == HEAT and component_strains.is_frost_month(growths, month)
        score = component_strains.score_component(
            series_snapshot, name, COLD if cold else component
        )
        yield ComponentStrain(
            component=COLD if cold else component,
            series=series,
            weight=weight / whole,
            region=name,
            season=max(growth.season(month, cold=cold) for growth in growths),
            at=component_strains.moment_of_series(series_snapshot, series),
            value=score[0] if score else None,
            score=score[1] if score else None,
        )
