"""What methods are given in tests: histories that a test writes, without a database."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from apps.insight.intelligence.method_inputs import MethodInputs
from apps.reference.signals.points import Point
from tests.conftest import NOON

Past = list[tuple[date, Decimal]]
DAY = timedelta(days=1)


def past(
    values: Iterable[float | str], *, step: timedelta = 30 * DAY, last: date | None = None
) -> Past:
    """Return values at equal steps, the last of them of yesterday."""
    listed = [Decimal(str(value)) for value in values]
    end = last or NOON.date() - DAY
    return [(end - n * step, one) for n, one in enumerate(reversed(listed))][::-1]


def known(histories: Mapping[str, Past], **options: Any) -> MethodInputs:
    """Return what is known where these histories are: observed, in age, of nobody's sample."""
    points = {name: point(name, held, **options) for name, held in histories.items() if held}
    return MethodInputs(as_of=NOON, points=points, past=dict(histories))


def point(name: str, held: Past, **options: Any) -> Point:
    """Return the newest point of a history."""
    day, value = held[-1]
    told: dict[str, Any] = {
        "source": "TEST", "kind": "observed", "max_age": 40 * DAY, "unit": "index",
        "vintage": NOON, "licence": "public domain",
    }  # fmt: skip
    return Point(series=name, day=day, value=value, **told | options)


def summed(components: Iterable[Mapping[str, Any]]) -> Decimal:
    """Return the sum of the contributions of components."""
    return sum((Decimal(str(component["contribution"])) for component in components), Decimal(0))
