"""A clock that moves past the age of an input takes that input, and no other, out of the answer."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

import pytest

from apps.signals import reading
from apps.signals.composing import composed
from apps.signals.composites import COMPOSITES, Composite
from apps.signals.points import Point
from apps.signals.quality import Unavailable
from apps.signals.series import SERIES, row_of

DAY = date(2026, 11, 20)
START = datetime.combine(DAY, time(), UTC)
TICK = timedelta(seconds=1)


def point(name: str) -> Point:
    row = row_of(name)
    assert row is not None
    return Point(
        series=name, day=DAY, value=Decimal(1), unit=row.unit, source="REAL", vintage=START,
        licence=reading.licence_of(name), kind=reading.kind_of(name),
        max_age=reading.max_age_of(name),
    )  # fmt: skip


@pytest.mark.parametrize("row", COMPOSITES, ids=lambda row: row.name)
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
            if left < row.coverage:
                with pytest.raises(Unavailable):
                    composed(row, points=points, histories=past, as_of=moment)
                continue
            found = composed(row, points=points, histories=past, as_of=moment)
            assert set(found.quality.missing) == out
            assert found.quality.reasons == tuple(
                f"stale:{part.series}" for part in row.parts if part.series in out
            )
            assert found.quality.coverage == left
            assert found.quality.label == ("PARTIAL" if out else "LIVE")


@pytest.mark.parametrize("row", SERIES, ids=lambda row: row.name)
def test_every_series_has_an_age_terms_and_a_rhythm(row: object) -> None:
    name = row.leader or row.name  # type: ignore[attr-defined]
    assert timedelta(days=1) < reading.max_age_of(name) < timedelta(days=1600)
    assert reading.licence_of(name) and reading.cadence_of(name)
