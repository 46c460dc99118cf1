"""JSON documents: values at a path.

Parameter `path` of a series: names between dots; `name=value` picks the item of a list that has
it. The path leads to a list of items, an object whose keys are days, or a single value
(of the day on which it was fetched, unless `at` is the path of its day). Options of a file:
`day`, the key (keys, joined by `+`) of an item's day, or `@` for the keys of an object; `form`;
`value`, the key of an item's value, or `#` for how many items there are; `until`, `last_year` where
later years are forecasts; `whole`, a path that must be false, because the publisher would truncate
the answer; `status`, `path=text` in a valid answer; `error`, a path that a valid answer lacks;
`says`, the path of the publisher's message, and `cut`, a part of it that means a truncated answer.
Errors include the publisher's message. Parameter `value` of a series overrides that of its file;
`box` and `kinds` say which items of the world are counted
(apps/reference/signals/readers/event_counts.py).
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from apps.platform.common.strict_json import reject_constant
from apps.reference.signals.readers import event_counts
from apps.reference.signals.readers.day_formats import parse_day
from apps.reference.signals.row_parsing import FileRow, Malformed, decode_text, require_param
from apps.reference.signals.series.definitions import Feed, Series


def read_json_document(body: bytes, feed: Feed, wanted: Sequence[Series]) -> Iterator[FileRow]:
    """Yield the values of a document.

    Malformed if a path leads nowhere, or if the publisher says that its answer is an error or not
    complete.
    """
    document = _parse_document(body)
    publisher_message = read_publisher_message(document, feed)
    try:
        # an answer that is cut off or is an error often comes with status 200
        whole = feed.options.get("whole")
        at, _, good = feed.options.get("status", "").partition("=")
        if whole and _value_at(document, whole, default=False) is not False:
            raise Malformed("the publisher cut its answer")
        if at and _value_at(document, at, default="") != good:
            raise Malformed("the publisher did not answer the request")
        if "error" in feed.options and _value_at(document, feed.options["error"], default="") != "":
            raise Malformed("the publisher answers with an error")
        if "cut" in feed.options and feed.options["cut"] in publisher_message:
            raise Malformed("the publisher cut its answer")
        for row in wanted:
            yield from _read_series(document, feed, row)
    except Malformed as error:
        if not publisher_message:
            raise
        raise Malformed(f"{error}; the publisher says: {publisher_message}") from error


def read_publisher_message(document: Any, feed: Feed) -> str:
    """Return the publisher's message about its answer; empty if there is none."""
    message = (
        _value_at(document, feed.options["says"], default="") if "says" in feed.options else ""
    )
    texts = message if isinstance(message, list) else [message]
    return " ".join(_message_text(text) for text in texts if text)[:LONGEST_WORDS]


def _message_text(message: Any) -> str:
    if isinstance(message, dict):
        return " ".join(str(text) for text in message.values() if isinstance(text, str))
    return str(message)


def _parse_document(body: bytes) -> Any:
    try:
        return json.loads(
            # numbers stay text: a float would change their digits before they become Decimal
            decode_text(body),
            parse_float=str,
            parse_int=str,
            parse_constant=reject_constant,
        )
    except (ValueError, RecursionError) as error:
        raise Malformed("the file is not JSON") from error


def _read_series(document: Any, feed: Feed, row: Series) -> Iterator[FileRow]:
    point_list, options = _value_at(document, require_param(row, "path")), feed.options
    if options.get("value") == "#":
        yield FileRow(
            row.name, None, str(event_counts.count_events(_require_list(point_list, row), row))
        )
    elif options.get("day") == "@":
        if not isinstance(point_list, dict):
            raise Malformed(f"{row.name} is not an object of days")
        for key, item in point_list.items():
            yield FileRow(
                row.name, _parse_feed_day(key, feed), _require_text(_item_value(item, row, options))
            )
    elif "day" in options:
        for item in _require_list(point_list, row):
            when = " ".join(
                _require_text(_value_at(item, key)) for key in options["day"].split("+")
            )
            # M13 is the annual average
            if not (options.get("form") == "bls" and when.endswith("M13")):
                yield FileRow(
                    row.name,
                    _parse_feed_day(when, feed),
                    _require_text(_item_value(item, row, options)),
                )
    else:
        at = row.params.get("at")
        day = _parse_feed_day(_require_text(_value_at(document, at)), feed) if at else None
        yield FileRow(row.name, day, _require_text(point_list))


def read_nowcast_charts(body: bytes, feed: Feed, wanted: Sequence[Series]) -> Iterator[FileRow]:
    """Yield the last value of each chart of a list: nowcasts of one month, made day by day.

    A chart tells its month as `2026-9`, its days as `09/30` without a year, and between them
    marks (`vline`) that have no value. Parameter `column`: the name of a line of the chart. Until
    the figure of a month is out two months are nowcast each day: then the value of the day is that
    of the earlier one, whose figure comes next.
    """
    (row,) = wanted
    document = _parse_document(body)
    values_by_day: dict[date, tuple[date, str]] = {}
    for chart in _require_list(document, row):
        month = parse_day(
            _require_text(_value_at(chart, "chart.subcaption")).replace("-", " "), "parts"
        )
        # a mark on the axis (`vline`) has a label, and no value in the data
        labels = _require_list(_value_at(chart, "categories.0.category"), row)
        days = [
            _require_text(_value_at(label, "label"))
            for label in labels
            if not _value_at(label, "vline", default="")
        ]
        values = _require_list(
            _value_at(chart, f"dataset.seriesname={require_param(row, 'column')}.data"), row
        )
        texts_by_day = [
            (day, _require_text(_value_at(value, "value", default="")))
            for day, value in zip(days, values, strict=False)
        ]
        # the last value of a chart is the newest nowcast of its month
        nonempty = [(day, text) for day, text in texts_by_day if text]
        if nonempty:
            day, text = nonempty[-1]
            made_on = parse_day(f"{day}/{month.year}", "american")
            # a month is nowcast until its figure comes out, which may be in the next year
            later = made_on.month < month.month
            when = parse_day(f"{day}/{month.year + later}", "american")
            values_by_day[when] = min(values_by_day.get(when, (month, text)), (month, text))
    for when, (_, text) in sorted(values_by_day.items()):
        yield FileRow(row.name, when, text)


def _parse_feed_day(text: str, feed: Feed) -> date:
    return parse_day(text, feed.options.get("form", "iso"))


def _require_list(value: Any, row: Series) -> list[Any]:
    if not isinstance(value, list):
        raise Malformed(f"{row.name} is not a list")
    return value


def _item_value(item: Any, row: Series, options: Mapping[str, str]) -> Any:
    key = row.params.get("value", options.get("value"))
    return item if key is None else _value_at(item, key)


def _value_at(document: Any, path: str, default: Any = None) -> Any:
    """Return the value at a path; without a default, Malformed if there is none."""
    here = document
    for name in path.split(".") if path else ():
        key, equals, expected = name.partition("=")
        if equals and isinstance(here, list):
            items = (item for item in here if isinstance(item, dict) and item.get(key) == expected)
            here = next(items, _NOWHERE)
        elif isinstance(here, list) and name.isdigit() and int(name) < len(here):
            here = here[int(name)]
        else:
            here = here.get(name, _NOWHERE) if isinstance(here, dict) else _NOWHERE
        if here is _NOWHERE:
            if default is not None:
                return default
            raise Malformed(f"{path[:60]} is missing")
    return here


_NOWHERE = object()
LONGEST_WORDS = 300  # of what a publisher says


def _require_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        raise Malformed("a value is neither a number nor a text")
    return value
