"""Series as they are read: the newest values, and histories, as both were known at a moment.

Only vintages that were known at `as_of` are used, so that a past answer can be computed again.
Outside production the bundled sample serves a series of which nothing real was ever observed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from decimal import Decimal

from django.conf import settings
from django.db.models import Q

from apps.signals import origins
from apps.signals.deriving import OPERATIONS, WHOLE_YEARS
from apps.signals.models import Observation
from apps.signals.origins import INVENTED
from apps.signals.points import SAMPLE, Point
from apps.signals.series import Series, feed_of, row_of
from apps.signals.series.shape import Kind

# how far back the newest values are looked for first, by how often they come; of what a year goes
# into, two years
NEAR = {"month": 820, "quarter": 820, "year": 3000}
NEAREST, LONG = 120, 820
ROUGH: tuple[Kind, ...] = ("static", "proxy")


@dataclass(frozen=True, slots=True)
class Held:
    """One value as it is stored."""

    value: Decimal
    source: str
    vintage: datetime


Table = Mapping[str, Mapping[date, Held]]


def latest(names: Iterable[str], *, as_of: datetime) -> dict[str, Point]:
    """Return the newest point of each series as it was known at a moment; none, where nothing was.

    Takes at most two queries. A derived series is of the last day that all of its inputs have.
    Where a series has nothing in age, the first of its fallbacks that has stands in, under the
    name that was asked. Raises KeyError for a series that no row names.
    """
    wanted = list(dict.fromkeys(names))
    table = _table(_near(wanted), as_of=as_of)
    found = {name: _best(name, table, as_of) for name in wanted}
    # whether anything real is older than that is looked up before a sample serves
    if lost := [name for name, point in found.items() if point is None or point.sample]:
        table |= _table(dict.fromkeys(leaves_of(lost), None), as_of=as_of)
        found |= {name: _best(name, table, as_of) for name in lost}
    return {name: point for name, point in found.items() if point is not None}


def history(
    name: str, *, as_of: datetime, since: date | None = None
) -> Sequence[tuple[date, Decimal]]:
    """Return the days and values of a series, oldest first, as they were known at a moment.

    One query. A fallback stands in only where nothing of the series itself is known. Raises
    KeyError for a series that no row names.
    """
    return histories([name], as_of=as_of, since=since)[name]


def histories(
    names: Iterable[str], *, as_of: datetime, since: date | None = None
) -> dict[str, Sequence[tuple[date, Decimal]]]:
    """Return the histories of several series, in one query; see `history`."""
    wanted = list(dict.fromkeys(names))
    # what a year goes into reads that year before
    span = None if since is None else as_of.date() - since + timedelta(days=366)
    table = _table(dict.fromkeys(leaves_of(wanted), span), as_of=as_of)
    found: dict[str, Sequence[tuple[date, Decimal]]] = {}
    for name in wanted:
        row = _row(name)
        days = next(filter(None, (_days(one, table) for one in (name, *row.fallback))), {})
        found[name] = [
            (day, days[day].value) for day in sorted(days) if since is None or day >= since
        ]
    return found


def leaves_of(names: Iterable[str]) -> set[str]:
    """Return the series that are stored, of which these are, or are computed."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        row = _row(name := waiting.pop())
        if not row.inputs:
            found.add(name)
        waiting += [*row.inputs, *row.fallback]
    return found


def _row(name: str) -> Series:
    row = row_of(name)
    if row is None:
        raise KeyError(f"no row of the table of series names {name}")
    return row


def _near(names: Iterable[str]) -> dict[str, timedelta | None]:
    """Return how far back the stored series are read for the newest values of some."""
    found: dict[str, timedelta | None] = {}
    waiting = [(name, 0) for name in names]
    while waiting:
        name, needed = waiting.pop()
        row = _row(name)
        if row.op in WHOLE_YEARS:
            needed = LONG
        if not row.inputs:
            days = max(needed, NEAR.get(cadence_of(name), NEAREST))
            found[name] = max(found.get(name) or timedelta(0), timedelta(days=days))
        waiting += [(one, needed) for one in (*row.inputs, *row.fallback)]
    return found


def _table(
    spans: Mapping[str, timedelta | None], *, as_of: datetime
) -> dict[str, dict[date, Held]]:
    """Return what was known of stored series: by day the last vintage, real before sample."""
    known = Q(pk__in=[])
    for span in set(spans.values()):
        named = Q(series__in=[name for name, one in spans.items() if one == span])
        since = Q(observed_on__gte=as_of.date() - span) if span is not None else Q()
        known |= named & since
    known &= Q(vintage__lte=as_of, observed_on__lte=as_of.date())
    if settings.PRODUCTION:
        known &= ~Q(source=SAMPLE)
    columns = ("series", "observed_on", "value", "source", "vintage")
    real: dict[str, dict[date, Held]] = {}
    sample: dict[str, dict[date, Held]] = {}
    rows = Observation.objects.filter(known).order_by("vintage").values_list(*columns)
    made = {name for name in spans if origins.is_invented(name)}
    for name, day, value, source, vintage in rows.iterator(chunk_size=5000):
        kept = (sample if source == SAMPLE else real).setdefault(name, {})
        if value is None:  # its publisher took it back
            kept.pop(day, None)
        else:
            invented = source == SAMPLE and name in made
            kept[day] = Held(value, f"{SAMPLE}+{INVENTED}" if invented else source, vintage)
    return sample | real


def _days(name: str, table: Table) -> dict[date, Held]:
    """Return the values of a series by day; those of a derived one are computed."""
    row = _row(name)
    if not row.inputs:
        return dict(table.get(name, {}))
    inputs = [_days(one, table) for one in row.inputs]
    values = [{day: one.value for day, one in days.items()} for days in inputs]
    _, operation = OPERATIONS[row.op]
    return {
        day: _joined(value, [days[day] for days in inputs if day in days])
        for day, value in operation(values).items()
    }


def _joined(value: Decimal, parts: Sequence[Held]) -> Held:
    sources = dict.fromkeys(source for part in parts for source in part.source.split("+"))
    return Held(value, "+".join(sources), max(part.vintage for part in parts))


def _best(name: str, table: Table, as_of: datetime) -> Point | None:
    own = _point(name, table)
    if own is not None and not own.sample and not own.stale(as_of):
        return own
    others = (_point(one, table) for one in _row(name).fallback)
    for other in others:
        if other is not None and not other.sample and not other.stale(as_of):
            return replace(other, series=name)
    if own is not None:
        return own
    spare = (_point(one, table) for one in _row(name).fallback)
    return next((replace(one, series=name) for one in spare if one is not None), None)


def _point(name: str, table: Table) -> Point | None:
    days = _days(name, table)
    if not days:
        return None
    row, day = _row(name), max(days)
    held = days[day]
    return Point(
        series=name,
        day=day,
        value=held.value,
        unit=row.unit_of(name),
        source=held.source,
        vintage=held.vintage,
        licence=_terms(name, table),
        kind=kind_of(name),
        max_age=max_age_of(name),
        cadence=cadence_of(name),
    )


def _terms(name: str, table: Table) -> str:
    """Return the terms of what was read: of its publishers, or of the sample's own files."""
    row = _row(name)
    if row.inputs:
        return "; ".join(dict.fromkeys(_terms(one, table) for one in row.inputs))
    held = next(iter(table.get(name, {}).values()), None)
    of_sample = held is not None and SAMPLE in held.source.split("+")
    return origins.terms_of(name) if of_sample else licence_of(name)


def kind_of(name: str) -> Kind:
    """Return what a series is: a derived one is as rough as the roughest of its inputs."""
    row = _row(name)
    below = {kind_of(one) for one in row.inputs}
    return next((kind for kind in ROUGH if kind in below), row.kind)


def licence_of(name: str) -> str:
    """Return its publisher's terms of a series, or those of all that it is computed from."""
    row = _row(name)
    feed = feed_of(row)
    if feed is not None:
        return feed.licence
    return "; ".join(dict.fromkeys(licence_of(one) for one in row.inputs))


def max_age_of(name: str) -> timedelta:
    """Return how old the newest value may be: a derived series may be as old as its inputs."""
    row = _row(name)
    feed = feed_of(row)
    if row.max_age is not None:
        return row.max_age
    return feed.max_age if feed else max(max_age_of(one) for one in row.inputs)


def cadence_of(name: str) -> str:
    """Return how often a series comes: a derived one as seldom as its first input."""
    row = _row(name)
    feed = feed_of(row)
    return feed.cadence if feed else cadence_of(row.inputs[0])
