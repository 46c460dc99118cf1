"""A clock that moves past the age of an input takes that input, and no other, out of the answer."""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.insight.esg.oracle.composites import OWN_COMPOSITES
from apps.reference.signals import services
from apps.reference.signals.composites import COMPOSITES, Composite
from apps.reference.signals.composition import compose_score
from apps.reference.signals.points import Point
from apps.reference.signals.quality import TooFewInputs
from apps.reference.signals.selectors import series_values
from apps.reference.signals.series import SERIES, Reading, Series, find_series

DAY = date(2026, 11, 20)
START = datetime.combine(DAY, time(), UTC)
TICK = timedelta(seconds=1)


def point(name: str) -> Point:
    row = find_series(name)
    assert row is not None
    return Point(
        series=name, day=DAY, value=Decimal(1), unit=row.unit, source="REAL", vintage=START,
        licence=series_values.series_licence(name), kind=series_values.series_kind(name),
        max_age=series_values.series_max_age(name),
    )  # fmt: skip


ALL = (*COMPOSITES, *OWN_COMPOSITES.values())


@pytest.mark.parametrize("row", ALL, ids=lambda row: row.name)
def test_each_age_takes_exactly_its_inputs_out(row: Composite) -> None:
    points = {part.series: point(part.series) for part in row.parts}
    past = {name: [(date(2000, 1, 1), Decimal(0)), (DAY, Decimal(1))] for name in points}
    for limit in sorted({one.max_age for one in points.values()}):
        for moment, over in ((START + limit, False), (START + limit + TICK, True)):
            out = {
                name
                for name, one in points.items()
                if one.max_age < limit or (over and one.max_age == limit)
            }
            left = sum((p.weight for p in row.parts if p.series not in out), Decimal(0))
            if left < row.coverage or out & {part.series for part in row.parts if part.required}:
                with pytest.raises(TooFewInputs):
                    compose_score(row, points=points, histories=past, as_of=moment)
                continue
            composed_score = compose_score(row, points=points, histories=past, as_of=moment)
            assert set(composed_score.quality.missing) == out
            assert composed_score.quality.reasons == tuple(
                f"stale:{part.series}" for part in row.parts if part.series in out
            )
            assert composed_score.quality.coverage == left
            assert composed_score.quality.label == ("PARTIAL" if out else "LIVE")


@pytest.mark.django_db
def test_each_series_is_too_old_a_second_after_its_age_and_no_other_is() -> None:
    """Every series of the table, through the database: fallbacks serve while they are in age."""
    names = [row.leader or row.name for row in SERIES]
    leaves = series_values.list_stored_series(names)
    days = [DAY - n * timedelta(days=28) for n in range(13)] + [DAY.replace(year=DAY.year - 1)]
    daily = [DAY - n * timedelta(days=1) for n in range(1, 20)]  # of which means are made
    readings = [
        Reading(name, day, Decimal(1))
        for name in leaves
        for day in (*days, *(daily if name == "us.epu" else ()))
    ]
    services.record_readings(readings=readings, source="REAL", now=START)
    ages = {
        name: max(series_values.series_max_age(one) for one in (name, *row_at(name).fallback))
        for name in names
    }
    assert len(ages) > 80
    for limit in sorted(set(ages.values())):
        for moment, over in ((START + limit, False), (START + limit + TICK, True)):
            points = series_values.load_latest_points(names, as_of=moment)
            assert points.keys() == set(names)
            assert {name for name, one in points.items() if one.stale(moment)} == {
                name for name, age in ages.items() if age < limit or (over and age == limit)
            }


@pytest.mark.parametrize("row", ALL, ids=lambda row: row.name)
@given(data=st.data())
def test_any_inputs_that_are_too_old_lower_the_coverage_by_their_weights(
    row: Composite, data: st.DataObject
) -> None:
    names = [part.series for part in row.parts]
    old = data.draw(st.sets(st.sampled_from(names)))
    points = {name: point(name) for name in names}
    points |= {name: replace(points[name], max_age=timedelta(0)) for name in old}
    past = {name: [(date(2000, 1, 1), Decimal(0)), (DAY, Decimal(1))] for name in names}
    left = sum((part.weight for part in row.parts if part.series not in old), Decimal(0))
    needed = {part.series for part in row.parts if part.required}
    if left < row.coverage or old & needed:
        with pytest.raises(TooFewInputs):
            compose_score(row, points=points, histories=past, as_of=START + TICK)
        return
    composed_score = compose_score(row, points=points, histories=past, as_of=START + TICK)
    assert (composed_score.quality.coverage, set(composed_score.quality.missing)) == (left, old)
    weight_by_series = {
        contribution.series: contribution.weight
        for contribution in composed_score.contributions
        if contribution.series in old
    }
    kept = sum(weight_by_series.values(), Decimal(0))
    rough = kept > Decimal("0.1") * (left + kept)
    assert composed_score.quality.label == ("ESTIMATED" if rough else "PARTIAL" if old else "LIVE")
    assert {f"held:{name}" for name in weight_by_series} <= {*composed_score.quality.reasons}
    assert (
        sum((contribution.share for contribution in composed_score.contributions), Decimal(0))
        == composed_score.score
    )


def row_at(name: str) -> Series:
    row = find_series(name)
    assert row is not None
    return row


@pytest.mark.parametrize("row", SERIES, ids=lambda row: row.name)
def test_every_series_has_an_age_terms_and_a_rhythm(row: object) -> None:
    name = row.leader or row.name  # type: ignore[attr-defined]
    assert timedelta(days=1) < series_values.series_max_age(name) < timedelta(days=3700)
    assert series_values.series_licence(name) and series_values.series_cadence(name)
