"""Paged lists: parse what their address requests, and compute where the next page begins."""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date, timedelta
from typing import Any, Self, TypeVar
from urllib.parse import urlencode

from django.db.models import F, Model, QuerySet

from apps.platform.common.days import parse_day, start_of_day
from apps.platform.desk.view_guards import FIRST_YEAR, LAST_YEAR

PAGE = 50  # rows
PLACE_PARAMETER = "after"
DIGITS = 18  # digits of an id that a database can hold
# how many of the newest rows are searched first: common values fill a page from them
NEWEST_RANGE = 20_000
Row = TypeVar("Row", bound=Model)


def parse_row_number_place(text: str) -> str:
    """Return a place that is the id of a row, or an empty text for any other."""
    known = text.isascii() and text.isdigit() and len(text) <= DIGITS
    return text if known else ""


def parse_day_filter(text: str) -> str:
    """Return a valid day of an address as written, or an empty text."""
    day = parse_day(text)
    return text if day and FIRST_YEAR <= day.year <= LAST_YEAR else ""


def filter_field(parse: Callable[[str], str]) -> Any:
    """Declare a filter of a ListQuery: the function parses the value from an address."""
    return field(default="", metadata={"parse": parse})


def text_field(most: int) -> Any:
    """Declare a filter that is a text, stripped and cut to a number of characters."""
    return filter_field(lambda text: text.strip()[:most])


def value_field(most: int) -> Any:
    """Declare a filter that is a value as sent, cut to a number of characters."""
    return filter_field(lambda text: text[:most])


def choice_field(choices: Container[str]) -> Any:
    """Declare a filter that is one of some choices; an unknown value filters nothing."""
    return filter_field(lambda text: text if text in choices else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListQuery:
    """What an address requests: each further field is a filter, `after` the place of the page."""

    after: str = filter_field(parse_row_number_place)

    @classmethod
    def read(cls, query: Any) -> Self:
        """Read a query string."""
        return cls(
            **{
                query_field.name: query_field.metadata["parse"](query.get(query_field.name, ""))
                for query_field in fields(cls)
            }
        )

    def behind(self, rows: QuerySet[Row]) -> QuerySet[Row]:
        """Return rows by their ids, the newest first, after the position in the address."""
        return (rows.filter(pk__lt=int(self.after)) if self.after else rows).order_by("-pk")

    def narrow(self, rows: QuerySet[Row], *columns: str) -> QuerySet[Row]:
        """Return the rows that have the requested values in some columns; "" matches any."""
        return rows.filter(**{name: self.chosen[name] for name in columns if name in self.chosen})

    @property
    def _filters(self) -> list[str]:
        return [
            query_field.name for query_field in fields(self) if query_field.name != PLACE_PARAMETER
        ]

    @property
    def chosen(self) -> dict[str, Any]:
        """The filters that have a value, by name, as a FilterSet expects them."""
        return {name: value for name in self._filters if (value := getattr(self, name))}

    @property
    def filtered(self) -> bool:
        """Whether any filter is set."""
        return bool(self.chosen)

    def address(self, **changes: str) -> str:
        """Return the query string of this page with some values changed, from its first page."""
        changed = replace(self, **{PLACE_PARAMETER: "", **changes})
        parts = {name: getattr(changed, name) for name in (*self._filters, PLACE_PARAMETER)}
        return "?" + urlencode({name: value for name, value in parts.items() if value})

    def turns(self, following: str) -> dict[str, str]:
        """Return the addresses of the next page and of the first; "" if one is not needed."""
        return {
            "next_page": self.address(after=following) if following else "",
            "first_page": self.address() if self.after else "",
        }


@dataclass(frozen=True, slots=True)
class ListPage:
    """One page of a list; `following` is the place of the next one, "" on the last."""

    rows: Sequence[Any]
    following: str


def build_list_page(rows: Sequence[Any], last: Model | None) -> ListPage:
    """Return rendered rows as a page; the next one begins behind the row `last`, if any."""
    return ListPage(rows, str(last.pk) if last else "")


def take_page(rows: QuerySet[Row]) -> tuple[list[Row], Row | None]:
    """Return the rows of a page, and the last of them if more follow; one query."""
    # one row more than a page shows whether another page follows, without counting
    page_rows = list(rows[: PAGE + 1])
    return page_rows[:PAGE], page_rows[PAGE - 1] if len(page_rows) > PAGE else None


def filter_by_days(rows: QuerySet[Row], *, since: str, until: str, after: str) -> QuerySet[Row]:
    """Return records after a position, the newest first; limited to a range of days if given."""
    if not (since or until):
        return (rows.filter(pk__lt=int(after)) if after else rows).order_by("-pk")
    # by the index of their time: in the order of ids the database would read all later ones first
    if since:
        rows = rows.filter(recorded_at__gte=start_of_day(date.fromisoformat(since)))
    if until:
        rows = rows.filter(
            recorded_at__lt=start_of_day(date.fromisoformat(until)) + timedelta(days=1)
        )
    if after:
        place = rows.model._default_manager.filter(pk=int(after))
        # the place is an id, but the order is by time: look up where it stands in that
        at = place.values_list("recorded_at", flat=True).first()
        if at is None:
            return rows.none()
        rows = rows.filter(recorded_at__lte=at).exclude(recorded_at=at, pk__gte=int(after))
    return rows.order_by("-recorded_at", "-pk")


def merge_pages(
    parts: Sequence[tuple[list[Row], Row | None]], *, by: Callable[[Row], Any]
) -> tuple[list[Row], Row | None]:
    """Merge pages of several lists into one, in descending order of `by`."""
    if len(parts) == 1:
        return parts[0]
    merged = sorted((row for rows, _ in parts for row in rows), key=by, reverse=True)
    more = len(merged) > PAGE or any(last for _, last in parts)
    return merged[:PAGE], merged[:PAGE][-1] if more else None


def take_page_of_rare(rows: QuerySet[Row], *, after: str) -> tuple[list[Row], Row | None]:
    """Return the same as `take_page` for rows that may be rare: two or three queries.

    Common values fill a page from the newest rows; rare ones are found by their own index.
    """
    newest = rows.model._default_manager.order_by("-pk").values_list("pk", flat=True).first() or 0
    top = min(newest, int(after)) if after else newest
    newest_rows, last = take_page(rows.filter(pk__gte=top - NEWEST_RANGE))
    # `+ 0` keeps the planner from walking the index of the primary key and filtering each row
    return (newest_rows, last) if last else take_page(rows.order_by((F("pk") + 0).desc()))
