"""Evidence in and out: figures are recorded as published, and read back one for each measure."""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.conf import settings

from apps.core.batches import chunks
from apps.core.problems import Unavailable
from apps.esg.models import Evidence
from apps.esg.rules.measures import BY_KEY, counts, plausible

logger = logging.getLogger(__name__)
SAMPLE = "SAMPLE"
_DECIMALS = Decimal("0.000001")


class EvidenceUnproved(Unavailable):
    """A figure is not as it was recorded: nothing that rests on it is told."""

    code, title = "evidence_unproved", "The evidence cannot be relied on"


class Implausible(ValueError):
    """A figure is no plausible value of its measure: nothing of its answer is used."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure as a source gives it; `subject` is an LEI or a country, `key` a measure."""

    subject: str
    key: str
    value: Decimal
    period: str
    period_end: date
    source: str
    url: str
    as_of: date
    estimated: bool = False

    @property
    def unit(self) -> str:
        """The unit of its measure."""
        return BY_KEY[self.key].unit

    @property
    def sample(self) -> bool:
        """Whether it is of the bundled sample."""
        return self.source == SAMPLE

    def stored(self) -> dict[str, Any]:
        """Return it as records keep it."""
        return asdict(self) | {"unit": self.unit}


Held = Mapping[str, Figure]


def record(*, figures: Iterable[Figure], now: datetime) -> int:
    """Keep figures; one that is known already adds nothing. Returns how many rows are new.

    Raises Implausible for a value that its measure cannot have, and keeps nothing then.
    """
    listed = [_checked(one) for one in figures]
    known = _known({one.subject for one in listed})
    fresh: dict[tuple[Any, ...], Figure] = {}
    for one in listed:
        place = (one.subject, one.key, one.period_end, one.source)
        if known.get(place) != (one.value, one.estimated):
            fresh[place] = one
    rows = [Evidence(**asdict(one), recorded_at=now) for one in fresh.values()]
    for row in rows:
        row.stamp()
    for some in chunks(rows, 500):
        Evidence.objects.bulk_create(some)
    return len(rows)


def _checked(one: Figure) -> Figure:
    if one.key not in BY_KEY or not plausible(key=one.key, value=one.value):
        raise Implausible(f"{one.value} is no plausible {one.key} of {one.subject}")
    exact = one.value.quantize(_DECIMALS)
    return Figure(**(asdict(one) | {"value": exact}))


def _known(subjects: set[str]) -> dict[tuple[Any, ...], tuple[Decimal, bool]]:
    found: dict[tuple[Any, ...], tuple[Decimal, bool]] = {}
    columns = ("subject", "key", "period_end", "source", "value", "estimated")
    for some in chunks(sorted(subjects), 500):
        rows = Evidence.objects.filter(subject__in=some).order_by("recorded_at", "pk")
        for *place, value, estimated in rows.values_list(*columns):
            found[tuple(place)] = (value, estimated)
    return found


def held(*, subjects: Iterable[str], today: date) -> dict[str, dict[str, Figure]]:
    """Return the figure that counts for each subject and measure, in one query.

    What is too old does not count, nor what is of a time after `today`; the bundled sample counts
    whatever its age, and not in production. Raises EvidenceUnproved (503) for an altered row: a
    figure that is left out may be the one that speaks against the entity.
    """
    rows = Evidence.objects.filter(subject__in=sorted(set(subjects)))
    if settings.PRODUCTION:
        rows = rows.exclude(source=SAMPLE)
    last: dict[tuple[Any, ...], Figure] = {}
    for row in rows.order_by("recorded_at", "pk"):
        if fault := row.fault():
            logger.error("figure %s of %s is not used: %s", row.pk, row.subject, fault)
            raise EvidenceUnproved(f"A figure about {row.subject} is not as it was recorded.")
        last[row.subject, row.key, row.period_end, row.source] = _figure(row)
    young = (
        one
        for one in last.values()
        if one.key in BY_KEY
        and one.period_end <= today
        and (one.sample or counts(key=one.key, period_end=one.period_end, today=today))
    )
    return chosen(young)


def chosen(figures: Iterable[Figure]) -> dict[str, dict[str, Figure]]:
    """Return the one figure that counts of several for a subject and measure, in any order.

    Published before sample, reported before estimated, then the latest period; of several
    sources for it the graver value: one may know a part of the sites alone, or only the good news.
    """
    found: dict[str, dict[str, Figure]] = {}
    for one in figures:
        mine = found.setdefault(one.subject, {})
        rival = mine.get(one.key)
        if rival is None or _rank(one) > _rank(rival):
            mine[one.key] = one
    return found


def _rank(one: Figure) -> tuple[Any, ...]:
    graver = -one.value if BY_KEY[one.key].good else one.value
    return (not one.sample, not one.estimated, one.period_end, graver, one.source, one.url)


def values(figures: Held) -> dict[str, Decimal]:
    """Return measures and their values."""
    return {key: one.value for key, one in figures.items()}


def _figure(row: Evidence) -> Figure:
    return Figure(
        subject=row.subject,
        key=row.key,
        value=row.value,
        period=row.period,
        period_end=row.period_end,
        source=row.source,
        url=row.url,
        as_of=row.as_of,
        estimated=row.estimated,
    )
