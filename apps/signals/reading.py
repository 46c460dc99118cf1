"""Series as they are read: the newest values, and histories, as both were known at a moment.

Only vintages that were known at `as_of` are used, so that a past answer can be computed again.
Outside production the bundled sample serves a series of which nothing real was ever observed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal

from django.conf import settings
from django.db.models import Max, Q

from apps.signals import origins, proofs
from apps.signals.deriving import OPERATIONS, WHOLE_YEARS
from apps.signals.models import Observation
from apps.signals.origins import INVENTED
from apps.signals.points import SAMPLE, Point
from apps.signals.series import Series, feed_of, row_of
from apps.signals.series.shape import Kind
from apps.signals.tables import Days, Held, Past, Table

# how far back the newest values are looked for first, by how often they come; of what a year goes
# into, two years
NEAR = {"month": 820, "quarter": 820, "year": 3000}
NEAREST, LONG = 120, 820
ROUGH: tuple[Kind, ...] = ("static", "proxy")


def latest(names: Iterable[str], *, as_of: datetime) -> dict[str, Point]:
    """Return the newest point of each series as it was known at a moment; none, where nothing was.

    Takes at most two queries. A derived series is of the last day that all of its inputs have.
    Where a series has nothing in age, the first of its fallbacks that has stands in, under the
    name that was asked. Raises KeyError for a series that no row names.
    """
    wanted = list(dict.fromkeys(names))
    return _newest(wanted, _table(_near(wanted), as_of=as_of), as_of)


def both(
    names: Iterable[str], *, as_of: datetime, since: date | None = None
) -> tuple[dict[str, Point], Past]:
    """Return the newest points and the histories of series; see `latest` and `histories`.

    Takes at most three queries, and reads each value once.
    """
    wanted = list(dict.fromkeys(names))
    near, span = _near(wanted), _span(as_of, since)
    spans = {name: span and max(span, least or span) for name, least in near.items()}
    table = _table(spans, as_of=as_of)
    points = _newest(wanted, table, as_of, whole=span is None, sparing=True)
    return points, _past(wanted, table, since)


def _newest(
    wanted: Sequence[str],
    table: Table,
    as_of: datetime,
    *,
    whole: bool = False,
    sparing: bool = False,
) -> dict[str, Point]:
    found = {name: _best(name, table, as_of) for name in wanted}
    # whether anything real is older than that is looked up before a sample serves
    lost = [name for name, point in found.items() if point is None or point.sample]
    if lost and not whole:
        rest = _older(leaves_of(lost), table, as_of, sparing=sparing)
        found |= {name: _best(name, rest, as_of) for name in lost}
    return {name: point for name, point in found.items() if point is not None}


def _older(leaves: set[str], table: Table, as_of: datetime, *, sparing: bool) -> Table:
    """Return a table with all that is known of series of which nothing real was read.

    `sparing` first asks of which there is anything real: a query more, and fewer rows.
    """
    known = Observation.objects.filter(series__in=leaves, vintage__lte=as_of)
    known = known.exclude(source=SAMPLE).order_by()
    real = set(known.values_list("series", flat=True).distinct()) if sparing else set(leaves)
    wanted = real | {name for name in leaves if name not in table}
    return table.with_whole(_table(dict.fromkeys(wanted, None), as_of=as_of))


def history(
    name: str, *, as_of: datetime, since: date | None = None
) -> Sequence[tuple[date, Decimal]]:
    """Return the days and values of a series, oldest first, as they were known at a moment.

    One query. A fallback stands in only where nothing of the series itself is known. Raises
    KeyError for a series that no row names.
    """
    return histories([name], as_of=as_of, since=since)[name]


def histories(names: Iterable[str], *, as_of: datetime, since: date | None = None) -> Past:
    """Return the histories of several series, in one query; see `history`."""
    wanted = list(dict.fromkeys(names))
    table = _table(dict.fromkeys(leaves_of(wanted), _span(as_of, since)), as_of=as_of)
    return _past(wanted, table, since)


def _span(as_of: datetime, since: date | None) -> timedelta | None:
    # what a year goes into reads that year before
    return None if since is None else as_of.date() - since + timedelta(days=366)


def _past(wanted: Iterable[str], table: Table, since: date | None) -> Past:
    found: Past = {}
    for name in wanted:
        row = _row(name)
        days: Days = next(filter(None, (_days(one, table) for one in (name, *row.fallback))), {})
        found[name] = [
            (day, days[day].value) for day in sorted(days) if since is None or day >= since
        ]
    return found


def newest_row() -> int:
    """Return the number of the last observation that was kept; 0 where there is none."""
    return Observation.objects.aggregate(last=Max("pk"))["last"] or 0


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


def _table(spans: Mapping[str, timedelta | None], *, as_of: datetime) -> Table:
    """Return what was known of stored series: by day the last vintage, real before sample.

    What does not prove that it was kept here is as if it were not there.
    """
    known = Q(pk__in=[])
    for span in set(spans.values()):
        named = Q(series__in=[name for name, one in spans.items() if one == span])
        since = Q(observed_on__gte=as_of.date() - span) if span is not None else Q()
        known |= named & since
    known &= Q(vintage__lte=as_of, observed_on__lte=as_of.date())
    if settings.PRODUCTION:
        known &= ~Q(source=SAMPLE)
    real: dict[str, dict[date, Held]] = {}
    sample: dict[str, dict[date, Held]] = {}
    rows = Observation.objects.filter(known).order_by("vintage").values_list(*proofs.COLUMNS)
    made = {name for name in spans if origins.is_invented(name)}
    for name, day, value, source, vintage, _ in proofs.proven(rows.iterator(chunk_size=5000)):
        kept = (sample if source == SAMPLE else real).setdefault(name, {})
        if value is None:  # its publisher took it back
            kept.pop(day, None)
        else:
            invented = source == SAMPLE and name in made
            kept[day] = Held(value, f"{SAMPLE}+{INVENTED}" if invented else source, vintage)
    return Table(sample | real)


def _days(name: str, table: Table) -> Days:
    """Return the values of a series by day; those of a derived one are computed."""
    row = _row(name)
    if not row.inputs:
        return table.get(name, {})
    if name not in table.derived:
        table.derived[name] = _derived(row, table)
    return table.derived[name]


def _derived(row: Series, table: Table) -> Days:
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
