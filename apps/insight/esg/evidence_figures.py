"""Record figures of ESG evidence as published, and load the one in force of each measure."""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.conf import settings

from apps.insight.esg.models import Evidence
from apps.insight.esg.rules.measures import MEASURES_BY_KEY, is_current_figure, is_plausible_value
from apps.platform.common.batches import iter_chunks
from apps.platform.common.problems import Unavailable

logger = logging.getLogger(__name__)
SAMPLE = "SAMPLE"
# decimal places of the column Evidence.value, over which the MAC is computed
_DECIMALS = Decimal("0.000001")


class EvidenceIntegrityError(Unavailable):
    """Integrity check failed for a figure: nothing that rests on it is returned."""

    code, title = "evidence_unproved", "Evidence integrity check failed"


class ImplausibleFigure(ValueError):
    """A figure is not a plausible value of its measure; the whole answer is refused."""


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
        return MEASURES_BY_KEY[self.key].unit

    @property
    def sample(self) -> bool:
        """Whether it is of the bundled sample."""
        return self.source == SAMPLE

    def stored(self) -> dict[str, Any]:
        """Return the figure as stored in records."""
        return asdict(self) | {"unit": self.unit}


FiguresByMeasure = Mapping[str, Figure]


def record_figures(*, figures: Iterable[Figure], now: datetime) -> int:
    """Record figures, skipping known ones; returns the number of new rows.

    Raises ImplausibleFigure for a value that its measure cannot have, and then records none.
    """
    listed = [_validate_figure(figure) for figure in figures]
    recorded_values = _load_recorded_values({figure.subject for figure in listed})
    fresh: dict[tuple[Any, ...], Figure] = {}
    for each_figure in listed:
        place = (each_figure.subject, each_figure.key, each_figure.period_end, each_figure.source)
        # what the row says last is what counts, so an unchanged figure adds no row
        if recorded_values.get(place) != (each_figure.value, each_figure.estimated):
            fresh[place] = each_figure
    rows = [Evidence(**asdict(figure), recorded_at=now) for figure in fresh.values()]
    for row in rows:
        row.stamp()
    for chunk in iter_chunks(rows, 500):
        Evidence.objects.bulk_create(chunk)
    return len(rows)


def _validate_figure(figure: Figure) -> Figure:
    if figure.key not in MEASURES_BY_KEY or not is_plausible_value(
        key=figure.key, value=figure.value
    ):
        raise ImplausibleFigure(
            f"{figure.value} is not a plausible {figure.key} for {figure.subject}"
        )
    # as the database will return it: otherwise the MAC would fail when the row is read, and a known
    # figure would look new
    exact = figure.value.quantize(_DECIMALS)
    return Figure(**(asdict(figure) | {"value": exact}))


def _load_recorded_values(subjects: set[str]) -> dict[tuple[Any, ...], tuple[Decimal, bool]]:
    recorded_values: dict[tuple[Any, ...], tuple[Decimal, bool]] = {}
    columns = ("subject", "key", "period_end", "source", "value", "estimated")
    # an import may name thousands of subjects, and a database bounds the parameters of a statement
    for chunk in iter_chunks(sorted(subjects), 500):
        # oldest first, so that the assignment below leaves the newest row of each place
        rows = Evidence.objects.filter(subject__in=chunk).order_by("recorded_at", "pk")
        for *place, value, estimated in rows.values_list(*columns):
            recorded_values[tuple(place)] = (value, estimated)
    return recorded_values


def load_current_figures(*, subjects: Iterable[str], today: date) -> dict[str, dict[str, Figure]]:
    """Return the figure that counts for each subject and measure, in one query.

    Figures that are too old or later than `today` do not count; the bundled sample counts at any
    age, but not in production. Raises EvidenceIntegrityError (503) for an altered row.
    """
    rows = Evidence.objects.filter(subject__in=sorted(set(subjects)))
    if settings.PRODUCTION:
        rows = rows.exclude(source=SAMPLE)
    last: dict[tuple[Any, ...], Figure] = {}
    for row in rows.order_by("recorded_at", "pk"):
        # refuse rather than skip: the omitted figure may be the unfavourable one, so tampering with
        # a row could otherwise raise a score
        if fault := row.fault():
            logger.error("figure %s of %s is not used: %s", row.pk, row.subject, fault)
            raise EvidenceIntegrityError(
                f"Integrity check failed for a figure about {row.subject}."
            )
        # rows come in order of recording: a correction replaces what the source said before
        last[row.subject, row.key, row.period_end, row.source] = Figure(
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
    young = (
        figure
        for figure in last.values()
        if figure.key in MEASURES_BY_KEY
        and figure.period_end <= today
        and (
            figure.sample
            or is_current_figure(key=figure.key, period_end=figure.period_end, today=today)
        )
    )
    return select_current_figures(young)


def select_current_figures(figures: Iterable[Figure]) -> dict[str, dict[str, Figure]]:
    """Return the one figure that counts of several for a subject and measure, in any order.

    Published before sample, reported before estimated, then the latest period, then the less
    favourable value.
    """
    current_figures: dict[str, dict[str, Figure]] = {}
    for figure in figures:
        mine = current_figures.setdefault(figure.subject, {})
        rival = mine.get(figure.key)
        if rival is None or _figure_precedence(figure) > _figure_precedence(rival):
            mine[figure.key] = figure
    return current_figures


def _figure_precedence(figure: Figure) -> tuple[Any, ...]:
    # of two sources for one period the less favourable value counts: a source may know only some of
    # the sites, or only the good news
    graver = -figure.value if MEASURES_BY_KEY[figure.key].good else figure.value
    return (
        not figure.sample,
        not figure.estimated,
        figure.period_end,
        graver,
        figure.source,
        figure.url,
    )


def values_by_measure(figures: FiguresByMeasure) -> dict[str, Decimal]:
    """Return measures and their values."""
    return {key: figure.value for key, figure in figures.items()}
