"""JSON documents: values at a path.

Parameter `path` of a series: names between dots; `name=value` picks the item of a list that has
it. What stands there is a list of items, an object whose keys are days, or a value by itself
(then of the day on which it was fetched, unless `at` is the path of its day). Options of a file:
`day`, the key (keys, joined by `+`) of an item's day, or `@` for the keys of an object; `form`;
`value`, the key of an item's value, or `#` for how many items there are; `until`, `last_year` where
later years are forecasts; `whole`, a path that must be false, because the publisher would cut an
answer. Parameter `value` of a series stands before that of its file; `box` and `kinds` say which
items of the world are counted (apps/signals/readers/places.py).
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from apps.signals.readers import places
from apps.signals.readers.days import day_of
from apps.signals.rows import Malformed, Row, param, text_of
from apps.signals.series.shape import Feed, Series


def read(body: bytes, feed: Feed, wanted: Sequence[Series]) -> Iterator[Row]:
    """Yield the values of a document; Malformed where a path leads nowhere."""
    document = _parsed(body)
    whole = feed.options.get("whole")
    if whole and _at(document, whole, default=False) is not False:
        raise Malformed("the publisher cut its answer")
    for row in wanted:
        yield from _series(document, feed, row)


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(text_of(body), parse_float=str, parse_int=str, parse_constant=_refused)
    except (ValueError, RecursionError) as error:
        raise Malformed("the file is no JSON") from error


def _refused(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def _series(document: Any, feed: Feed, row: Series) -> Iterator[Row]:
    found, options = _at(document, param(row, "path")), feed.options
    if options.get("value") == "#":
        yield Row(row.name, None, str(places.count(_list(found, row), row)))
    elif options.get("day") == "@":
        if not isinstance(found, dict):
            raise Malformed(f"{row.name} is no object of days")
        for key, item in found.items():
            yield Row(row.name, _day(key, feed), _text(_value(item, row, options)))
    elif "day" in options:
        for item in _list(found, row):
            when = " ".join(_text(_at(item, key)) for key in options["day"].split("+"))
            if not (options.get("form") == "bls" and when.endswith("M13")):
                yield Row(row.name, _day(when, feed), _text(_value(item, row, options)))
    else:
        at = row.params.get("at")
        day = _day(_text(_at(document, at)), feed) if at else None
        yield Row(row.name, day, _text(found))


def charts(body: bytes, feed: Feed, wanted: Sequence[Series]) -> Iterator[Row]:
    """Yield the last value of each chart of a list: nowcasts of one month, made day by day.

    A chart tells its month as `2026-9`, its days as `09/30` without a year, and between them
    marks (`vline`) that have no value. Parameter `column`: the name of a line of the chart.
    """
    (row,) = wanted
    document = _parsed(body)
    for chart in _list(document, row):
        month = day_of(_text(_at(chart, "chart.subcaption")).replace("-", " "), "parts")
        labels = _list(_at(chart, "categories.0.category"), row)
        days = [_text(_at(one, "label")) for one in labels if not _at(one, "vline", default="")]
        values = _list(_at(chart, f"dataset.seriesname={param(row, 'column')}.data"), row)
        made = [
            (day, _text(_at(value, "value", default="")))
            for day, value in zip(days, values, strict=False)
        ]
        told = [(day, text) for day, text in made if text]
        if told:
            day, text = told[-1]
            made_on = day_of(f"{day}/{month.year}", "american")
            # a month is nowcast until its figure comes out, which may be in the next year
            later = made_on.month < month.month
            yield Row(row.name, day_of(f"{day}/{month.year + later}", "american"), text)


def _day(text: str, feed: Feed) -> date:
    return day_of(text, feed.options.get("form", "iso"))


def _list(found: Any, row: Series) -> list[Any]:
    if not isinstance(found, list):
        raise Malformed(f"{row.name} is no list")
    return found


def _value(item: Any, row: Series, options: Mapping[str, str]) -> Any:
    key = row.params.get("value", options.get("value"))
    return item if key is None else _at(item, key)


def _at(document: Any, path: str, default: Any = None) -> Any:
    """Return what stands at a path; without a default, Malformed where it leads nowhere."""
    here = document
    for name in path.split(".") if path else ():
        key, equals, wanted = name.partition("=")
        if equals and isinstance(here, list):
            items = (one for one in here if isinstance(one, dict) and one.get(key) == wanted)
            here = next(items, _NOWHERE)
        elif isinstance(here, list) and name.isdigit() and int(name) < len(here):
            here = here[int(name)]
        else:
            here = here.get(name, _NOWHERE) if isinstance(here, dict) else _NOWHERE
        if here is _NOWHERE:
            if default is not None:
                return default
            raise Malformed(f"there is no {path[:60]}")
    return here


_NOWHERE = object()


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        raise Malformed("a value is neither a number nor a text")
    return value
