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

from apps.reference.signals import row_macs, sample_origins
from apps.reference.signals.derivations import MONTHLY, OPERATIONS, WHOLE_YEARS
from apps.reference.signals.models import Observation
from apps.reference.signals.points import SAMPLE, Point
from apps.reference.signals.sample_origins import INVENTED
from apps.reference.signals.series import Series, find_feed, find_series
from apps.reference.signals.series.definitions import Kind
from apps.reference.signals.stored_values import Histories, SeriesTable, StoredValue, ValuesByDay

# days: how far back the newest values are looked for first, by how often they come; two years and
# a quarter for inputs of a figure over a year
RECENT_DAYS_BY_CADENCE = {"month": 820, "quarter": 820, "year": 3000}
RECENT_DAYS, YEARLY_INPUT_DAYS = 120, 820
LONGEST_MONTH = timedelta(days=31)
ROUGH_KINDS: tuple[Kind, ...] = ("static", "proxy")


def load_latest_points(names: Iterable[str], *, as_of: datetime) -> dict[str, Point]:
    """Return the newest point of each series as known at a time; none for a series without one.

    At most two queries. A derived series is of the last day that all of its inputs have. If a
    series has no current value, its first fallback with one is used, under the requested name.
    Raises KeyError for an undefined series.
    """
    wanted_names = list(dict.fromkeys(names))
    return _build_newest_points(
        wanted_names, _load_table(_recent_spans(wanted_names), as_of=as_of), as_of
    )


def load_points_and_histories(
    names: Iterable[str], *, as_of: datetime, since: date | None = None
) -> tuple[dict[str, Point], Histories]:
    """Return the newest points and the histories of series; see `load_latest_points` and
    `load_histories`.

    Takes at most three queries, and reads each value once.
    """
    wanted_names = list(dict.fromkeys(names))
    near, span = _recent_spans(wanted_names), _history_span(as_of, since)
    spans = {name: span and max(span, least or span) for name, least in near.items()}
    table = _load_table(spans, as_of=as_of)
    points = _build_newest_points(wanted_names, table, as_of, whole=span is None, sparing=True)
    return points, _build_histories(wanted_names, table, since)


def _build_newest_points(
    wanted_names: Sequence[str],
    table: SeriesTable,
    as_of: datetime,
    *,
    whole: bool = False,
    sparing: bool = False,
) -> dict[str, Point]:
    points = {name: _choose_point(name, table, as_of) for name in wanted_names}
    # whether anything real is older than that is looked up before a sample serves
    lost = [name for name, point in points.items() if point is None or point.sample]
    # two steps, because nearly every series has a recent value, and reading all of each is slow
    if lost and not whole:
        rest = _load_older_values(list_stored_series(lost), table, as_of, sparing=sparing)
        points |= {name: _choose_point(name, rest, as_of) for name in lost}
    return {name: point for name, point in points.items() if point is not None}


def _load_older_values(
    leaves: set[str], table: SeriesTable, as_of: datetime, *, sparing: bool
) -> SeriesTable:
    """Return a table with all that is known of series of which nothing real was read.

    `sparing` first asks of which there is anything real: a query more, and fewer rows.
    """
    known = Observation.objects.filter(series__in=leaves, vintage__lte=as_of)
    known = known.exclude(source=SAMPLE).order_by()
    real = set(known.values_list("series", flat=True).distinct()) if sparing else set(leaves)
    wanted_names = real | {name for name in leaves if name not in table}
    return table.with_whole(_load_table(dict.fromkeys(wanted_names, None), as_of=as_of))


def load_history(
    name: str, *, as_of: datetime, since: date | None = None
) -> Sequence[tuple[date, Decimal]]:
    """Return the days and values of a series, oldest first, as known at a time.

    One query. A fallback is used only if the series itself has no values. Raises KeyError for an
    undefined series.
    """
    return load_histories([name], as_of=as_of, since=since)[name]


def load_histories(
    names: Iterable[str], *, as_of: datetime, since: date | None = None
) -> Histories:
    """Return the histories of several series, in one query; see `load_history`."""
    wanted_names = list(dict.fromkeys(names))
    table = _load_table(
        dict.fromkeys(list_stored_series(wanted_names), _history_span(as_of, since)), as_of=as_of
    )
    return _build_histories(wanted_names, table, since)


def _history_span(as_of: datetime, since: date | None) -> timedelta | None:
    # what a year goes into reads that year before
    return None if since is None else as_of.date() - since + timedelta(days=366)


def _build_histories(
    wanted_names: Iterable[str], table: SeriesTable, since: date | None
) -> Histories:
    histories: Histories = {}
    for name in wanted_names:
        row = _require_series(name)
        days: ValuesByDay = next(
            filter(
                None, (_values_by_day(source_name, table) for source_name in (name, *row.fallback))
            ),
            {},
        )
        histories[name] = [
            (day, days[day].value) for day in sorted(days) if since is None or day >= since
        ]
    return histories


def last_observation_number() -> int:
    """Return the number of the last observation that was kept; 0 where there is none."""
    return Observation.objects.aggregate(last=Max("pk"))["last"] or 0


def list_stored_series(names: Iterable[str]) -> set[str]:
    """Return the series that are stored, of which these are, or are computed."""
    stored_series: set[str] = set()
    waiting = list(names)
    while waiting:
        row = _require_series(name := waiting.pop())
        if not row.inputs:
            stored_series.add(name)
        waiting += [*row.inputs, *row.fallback]
    return stored_series


def _require_series(name: str) -> Series:
    row = find_series(name)
    if row is None:
        raise KeyError(f"no row of the series table defines {name}")
    return row


def _recent_spans(names: Iterable[str]) -> dict[str, timedelta | None]:
    """Return how far back the stored series are read for the newest values of some."""
    durations: dict[str, timedelta | None] = {}
    waiting = [(name, 0) for name in names]
    while waiting:
        name, needed = waiting.pop()
        row = _require_series(name)
        if row.op in WHOLE_YEARS:
            needed = YEARLY_INPUT_DAYS
        if not row.inputs:
            days = max(needed, RECENT_DAYS_BY_CADENCE.get(series_cadence(name), RECENT_DAYS))
            durations[name] = max(durations.get(name) or timedelta(0), timedelta(days=days))
        waiting += [(input_name, needed) for input_name in (*row.inputs, *row.fallback)]
    return durations


def _load_table(spans: Mapping[str, timedelta | None], *, as_of: datetime) -> SeriesTable:
    """Return what was known of stored series: by day the last vintage, real before sample.

    Rows without a valid MAC count as missing.
    """
    known = Q(pk__in=[])
    for span in set(spans.values()):
        named = Q(series__in=[name for name, duration in spans.items() if duration == span])
        since = Q(observed_on__gte=as_of.date() - span) if span is not None else Q()
        known |= named & since
    known &= Q(vintage__lte=as_of, observed_on__lte=as_of.date())
    if settings.PRODUCTION:
        known &= ~Q(source=SAMPLE)
    real: dict[str, dict[date, StoredValue]] = {}
    sample: dict[str, dict[date, StoredValue]] = {}
    # in the order of vintages, so that the last one of each day stays
    rows = Observation.objects.filter(known).order_by("vintage").values_list(*row_macs.COLUMNS)
    names = {name for name in spans if sample_origins.is_invented_series(name)}
    for name, day, value, source, vintage, _ in row_macs.filter_proven_rows(
        rows.iterator(chunk_size=5000)
    ):
        values_of_series = (sample if source == SAMPLE else real).setdefault(name, {})
        if value is None:  # its publisher took it back
            values_of_series.pop(day, None)
        else:
            invented = source == SAMPLE and name in names
            values_of_series[day] = StoredValue(
                value, f"{SAMPLE}+{INVENTED}" if invented else source, vintage
            )
    # a series with any real value is real as a whole: the two are never mixed
    return SeriesTable(sample | real)


def _values_by_day(name: str, table: SeriesTable) -> ValuesByDay:
    """Return the values of a series by day; those of a derived one are computed."""
    row = _require_series(name)
    if not row.inputs:
        return table.get(name, {})
    # computed once for all that ask for it
    if name not in table.derived:
        inputs = [_values_by_day(input_, table) for input_ in row.inputs]
        values = [
            {day: stored_value.value for day, stored_value in days.items()} for days in inputs
        ]
        _, operation = OPERATIONS[row.op]
        table.derived[name] = {
            day: _join_parts(value, [days[day] for days in inputs if day in days])
            for day, value in operation(values).items()
        }
    return table.derived[name]


def _join_parts(value: Decimal, parts: Sequence[StoredValue]) -> StoredValue:
    sources = dict.fromkeys(source for part in parts for source in part.source.split("+"))
    return StoredValue(value, "+".join(sources), max(part.vintage for part in parts))


def _choose_point(name: str, table: SeriesTable, as_of: datetime) -> Point | None:
    # first its own current value, then a fallback's, then whatever is there, however old
    own = _build_point(name, table)
    if own is not None and not own.sample and not own.stale(as_of):
        return own
    others = (
        _build_point(fallback_name, table) for fallback_name in _require_series(name).fallback
    )
    for other in others:
        if other is not None and not other.sample and not other.stale(as_of):
            # under the requested name, with the source and licence of what was used
            return replace(other, series=name)
    if own is not None:
        return own
    spare = (_build_point(fallback_name, table) for fallback_name in _require_series(name).fallback)
    return next((replace(point, series=name) for point in spare if point is not None), None)


def _build_point(name: str, table: SeriesTable) -> Point | None:
    days = _values_by_day(name, table)
    if not days:
        return None
    row, day = _require_series(name), max(days)
    stored_value = days[day]
    return Point(
        series=name,
        day=day,
        value=stored_value.value,
        unit=row.unit_of(name),
        source=stored_value.source,
        vintage=stored_value.vintage,
        licence=_licence_terms(name, table),
        kind=series_kind(name),
        max_age=series_max_age(name),
        cadence=series_cadence(name),
    )


def _licence_terms(name: str, table: SeriesTable) -> str:
    """Return the terms of what was read: of its publishers, or of the sample's own files."""
    row = _require_series(name)
    if row.inputs:
        return "; ".join(dict.fromkeys(_licence_terms(input_, table) for input_ in row.inputs))
    stored_value = next(iter(table.get(name, {}).values()), None)
    of_sample = stored_value is not None and SAMPLE in stored_value.source.split("+")
    return sample_origins.sample_terms(name) if of_sample else series_licence(name)


def series_kind(name: str) -> Kind:
    """Return what a series is: a derived one is as rough as the roughest of its inputs."""
    row = _require_series(name)
    below = {series_kind(input_) for input_ in row.inputs}
    return next((kind for kind in ROUGH_KINDS if kind in below), row.kind)


def series_licence(name: str) -> str:
    """Return the publisher's terms of a series, or those of all series that it is computed from."""
    row = _require_series(name)
    feed = find_feed(row)
    if feed is not None:
        return feed.licence
    return "; ".join(dict.fromkeys(series_licence(input_) for input_ in row.inputs))


def series_max_age(name: str) -> timedelta:
    """Return how old the newest value may be.

    A derived series may be as old as its inputs, one of whole months a month older.
    """
    row = _require_series(name)
    feed = find_feed(row)
    if row.max_age is not None:
        return row.max_age
    if feed:
        return feed.max_age
    age = max(series_max_age(input_) for input_ in row.inputs)
    return age + LONGEST_MONTH if _is_monthly_derived(row) else age


def _is_monthly_derived(row: Series) -> bool:
    """Return whether a derived series makes months of what comes more often."""
    return row.op in MONTHLY and series_cadence(row.inputs[0]) not in RECENT_DAYS_BY_CADENCE


def series_cadence(name: str) -> str:
    """Return how often a series has values: a derived one as its first input, or monthly."""
    row = _require_series(name)
    feed = find_feed(row)
    if feed:
        return feed.cadence
    return "month" if _is_monthly_derived(row) else series_cadence(row.inputs[0])
