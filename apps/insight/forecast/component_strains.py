"""Compute the strains of each region and market: one row per component. Pure.

A component of a region rests on one series. Its weight in a market is the market's weight of the
component, divided among the regions that have it by their output; so the weights of a market sum to
1, and the contributions sum to the score.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from decimal import Decimal

from apps.insight.forecast.rules import strain
from apps.insight.forecast.rules.markets import (
    COLD,
    DROUGHT,
    FIRE,
    FLOOD,
    HEAT,
    PRICE,
    STORM,
    Market,
)
from apps.insight.forecast.rules.regions import REGIONS, Growth, growths_of_symbol
from apps.insight.forecast.series_snapshot import SeriesSnapshot
from apps.reference.signals.carried_forward_inputs import choose_carried_forward_inputs
from apps.reference.signals.composition import LONG_ENOUGH, History
from apps.reference.signals.series.growing_regions import LAND_REGIONS, region_series_name

# months over which changes of prices are measured
QUARTER = 3
# returns the month that the newest figure of a series is of
Months = Callable[[str], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentStrain:
    """One thing that counts: `score` is 0 to 100, None where it is not known; `season` how much
    of it counts in the month of its figure, which is of `at`. `region` is empty for prices. `held`
    where the figure has grown too old and counts all the same.
    """

    component: str
    series: str
    weight: Decimal
    region: str = ""
    season: Decimal = Decimal(1)
    score: Decimal | None = None
    value: Decimal | None = None
    at: datetime | None = None
    held: bool = False


def hold_lapsed(
    now: Sequence[ComponentStrain], last: Sequence[ComponentStrain]
) -> list[ComponentStrain]:
    """Return strains, in which figures that are too old are held if they raise the score.

    `last` are the same strains by the last figures, however old.
    """
    counted = [
        (component_strain.weight, component_strain.season * component_strain.score)
        for component_strain in now
        if component_strain.score is not None
    ]
    lapsed = {
        str(place): (component_strain.weight, component_strain.season * component_strain.score)
        for place, component_strain in enumerate(last)
        if now[place].score is None and component_strain.score is not None
    }
    held_names = choose_carried_forward_inputs(counted, lapsed)
    return [
        replace(last[place], held=True) if str(place) in held_names else component_strain
        for place, component_strain in enumerate(now)
    ]


def with_last_alarms(
    now: Sequence[ComponentStrain], last: Sequence[ComponentStrain]
) -> list[ComponentStrain]:
    """Return strains in which all that are too old use their last figures."""
    return [
        replace(then, held=True)
        if component_strain.score is None and then.score is not None
        else component_strain
        for component_strain, then in zip(now, last, strict=True)
    ]


def series_of_component(region: str, component: str) -> str:
    """Return the series of a component of a region; empty where it has none."""
    # at sea only storms are measured
    if region not in LAND_REGIONS:
        return region_series_name(region, "storms") if component == STORM else ""
    names = {
        HEAT: region_series_name(region, "heat"),
        COLD: region_series_name(region, "heat"),
        DROUGHT: REGIONS[region].drought or region_series_name(region, "rain"),
        FLOOD: region_series_name(region, "rain"),
        STORM: region_series_name(region, "storms"),
        FIRE: region_series_name(region, "fires"),
    }
    return names[component]


def score_component(
    known: SeriesSnapshot, region: str, component: str
) -> tuple[Decimal, Decimal] | None:
    """Return the value and the strain of a component of a region; None where it is not known."""
    name = series_of_component(region, component)
    point = known.point(name) if name else None
    if point is None:
        return None
    if component == STORM:
        worst = strain.STORMS if region in LAND_REGIONS else strain.AT_SEA
        return point.value, strain.strain_of_count(point.value, worst)
    if component == FIRE:
        return point.value, strain.strain_of_count(point.value, strain.FIRES)
    if component == DROUGHT and REGIONS[region].drought:
        return point.value, strain.strain_of_count(point.value, strain.SEVERE)
    past = known.history(name)
    # a percentile needs a history: counts above have fixed bounds instead
    if not past or past[-1][0] - past[0][0] < LONG_ENOUGH:
        return None
    high = component in (HEAT, FLOOD)
    values = sorted(value for _, value in past)
    score = (
        strain.strain_of_high_value(point.value, values)
        if high
        else strain.strain_of_low_value(point.value, values)
    )
    return point.value, score


def strains_of_market(
    known: SeriesSnapshot, market: Market, months: Months
) -> list[ComponentStrain]:
    """Return everything that counts for a market, known or not; weights sum to 1."""
    region_strains = [
        region_strain
        for component, weight in market.weights.items()
        if component != PRICE
        for region_strain in _iter_region_strains(
            known, _list_exposed_growths(market, component), component, weight, months
        )
    ]
    return [*region_strains, price_strain(known, market)]


def _list_exposed_growths(market: Market, component: str) -> list[Growth]:
    """Return the regions of a market that a component affects."""
    return [
        growth
        for growth in growths_of_symbol(market.symbol)
        if series_of_component(growth.region, component)
        # storms stop output only where it is at sea or on the coast (Market.storms)
        and (component != STORM or not market.storms or growth.region in market.storms)
    ]


def score_of_largest_grower(market: Market) -> Decimal:
    """Return the score where nothing but the largest grower is under strain, of all its weather at
    its worst and in season, with the price at its record.
    """
    largest = growths_of_symbol(market.symbol)[0].region
    price_weight = market.weights[PRICE]
    for component, weight in market.weights.items():
        having = _list_exposed_growths(market, component) if component != PRICE else []
        whole = sum((growth.share for growth in having), Decimal(0))
        price_weight += sum(
            (weight * growth.share / whole for growth in having if growth.region == largest), 0
        )
    return 100 * price_weight


def is_frost_month(growths: Iterable[Growth], month: int) -> bool:
    """Tell whether in a month frost decides one of these harvests, and other weather none."""
    rows = list(growths)
    return any(month in row.cold for row in rows) and not any(month in row.months for row in rows)


def _iter_region_strains(
    series_snapshot: SeriesSnapshot,
    having: Sequence[Growth],
    component: str,
    weight: Decimal,
    months: Months,
) -> Iterator[ComponentStrain]:
    whole = sum((growth.share for growth in having), Decimal(0))
    for region_growth in having:
        # the season of a figure is that of its own month: otherwise a new calendar month would
        # change the score without any new figure
        month = months(series_of_component(region_growth.region, component))
        cold = component == HEAT and is_frost_month([region_growth], month)
        score = score_component(series_snapshot, region_growth.region, COLD if cold else component)
        yield ComponentStrain(
            component=COLD if cold else component,
            series=series_of_component(region_growth.region, component),
            weight=weight * region_growth.share / whole,
            region=region_growth.region,
            season=region_growth.season(month, cold=cold),
            at=moment_of_series(
                series_snapshot, series_of_component(region_growth.region, component)
            ),
            value=score[0] if score else None,
            score=score[1] if score else None,
        )


def moment_of_series(known: SeriesSnapshot, name: str) -> datetime | None:
    """Return the day of the newest figure of a series; None if it does not count."""
    point = known.point(name)
    return point.at if point else None


def price_strain(known: SeriesSnapshot, market: Market) -> ComponentStrain:
    """Return the strain of a price: the percentile of its three-month rise among all such rises."""
    weight = market.weights[PRICE]
    moves = quarterly_moves(known.history(market.months))
    at = moment_of_series(known, market.months)
    component_strain = ComponentStrain(component=PRICE, series=market.months, weight=weight, at=at)
    if not moves or moves[-1][0] - moves[0][0] < LONG_ENOUGH:
        return component_strain
    last = moves[-1][1]
    score = strain.strain_of_high_value(last, sorted(value for _, value in moves))
    return replace(component_strain, score=score, value=100 * last)


def quarterly_moves(past: History) -> list[tuple[date, Decimal]]:
    """Return the move of each month over the third month before it, as a share."""
    levels = last_values_by_month(past)
    return [
        (day, value / base - 1)
        for at, (day, value) in levels.items()
        # a month without a price three months before, or with one of 0, has no change
        if (level := levels.get(at - QUARTER)) and (base := level[1])
    ]


def last_values_by_month(past: History) -> Mapping[int, tuple[date, Decimal]]:
    """Return the last value of each month, months counted since the year 0."""
    return {day.year * 12 + day.month - 1: (day, value) for day, value in past}


# three months, over which outlooks give the direction of a score
BACK = timedelta(days=92)


def score_change(now: Sequence[ComponentStrain], then: Sequence[ComponentStrain]) -> Decimal | None:
    """Return by how many points a score moved; None if too little weight counts at both moments."""
    both = [
        (component_strain, other)
        for component_strain, other in zip(now, then, strict=True)
        if component_strain.score is not None and other.score is not None
    ]
    held_weight = sum((component_strain.weight for component_strain, _ in both), Decimal(0))
    if held_weight < Decimal("0.6") * sum(
        (component_strain.weight for component_strain in now), Decimal(0)
    ):
        return None
    # the season of now on both sides: the calendar alone must not move a score
    moved = (
        component_strain.weight * component_strain.season * (component_strain.score - other.score)
        for component_strain, other in both
        if component_strain.score is not None and other.score is not None
    )
    return sum(moved, Decimal(0)) / held_weight
