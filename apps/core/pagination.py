"""Pages of lists: limit and offset where the specification says so, else a keyset cursor."""

from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import ValidationError as BadValue
from django.db.models import QuerySet
from django.http import HttpRequest
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import BasePagination, CursorPagination, LimitOffsetPagination
from rest_framework.request import Request
from rest_framework.response import Response

from apps.core.shapes import Shape, Text, Whole

LARGEST_PAGE = 200
# deeper than this, an offset costs more than any reader gains; the cursor has no such end
LARGEST_OFFSET = 100_000


def whole(request: Request, name: str, *, default: int, least: int, most: int) -> int:
    """Return a whole number from the query; ValidationError for anything else."""
    given = request.query_params.get(name)
    if given is None:
        return default
    plain = given.isascii() and given.isdigit() and len(given) <= 9
    if not plain or not least <= int(given) <= most:
        raise ValidationError({name: [f"This must be {least} to {most}."]})
    return int(given)


class LimitOffset(LimitOffsetPagination):
    """`limit` (at most 200) and `offset`; good for the first thousands of rows."""

    default_limit = 50
    max_limit = LARGEST_PAGE

    def get_limit(self, request: Request) -> int:
        return whole(request, "limit", default=self.default_limit, least=1, most=self.max_limit)

    def get_offset(self, request: Request) -> int:
        return whole(request, "offset", default=0, least=0, most=LARGEST_OFFSET)

    def get_paginated_response(self, data: Any) -> Response:
        page = {"items": data, "total": self.count, "limit": self.limit, "offset": self.offset}
        return Response(page)


class Cursor(CursorPagination):
    """`cursor` and `limit`: the same time for any depth, and no row seen twice.

    A row that was being written while a newer one was read may come to stand behind a cursor.
    """

    page_size = 50
    max_page_size = LARGEST_PAGE
    page_size_query_param = "limit"
    ordering = "-pk"

    def get_page_size(self, request: Request) -> int:
        return whole(request, "limit", default=self.page_size, least=1, most=self.max_page_size)

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> Any:
        try:
            return super().paginate_queryset(queryset, request, view)
        except (NotFound, ValueError, TypeError, OverflowError, BadValue) as error:
            # a cursor is opaque to callers, but they can send any text as one
            if request.query_params.get(self.cursor_query_param):
                raise ValidationError({"cursor": ["This is not a cursor of ours."]}) from error
            raise

    def decode_cursor(self, request: Request) -> Any:
        """Return the place that a cursor names; NotFound for one that was never given out.

        The library takes what merely begins like one. Keys are unique: ours have no offset.
        """
        found = super().decode_cursor(request)
        if found is not None:
            parts = {"r": "1"} if found.reverse else {}
            text = urlencode(parts | {"p": found.position})
            given = request.query_params[self.cursor_query_param]
            if found.offset or b64encode(text.encode()).decode() != given:
                raise NotFound
        return found

    def get_paginated_response(self, data: Any) -> Response:
        return Response(
            {"items": data, "next": self.get_next_link(), "previous": self.get_previous_link()}
        )


@dataclass(frozen=True, slots=True)
class Paged:
    """An answer that is one page of `rows`; `show` turns the rows of that page into values."""

    rows: QuerySet[Any]
    show: Callable[[Sequence[Any]], list[dict[str, Any]]]
    by: type[BasePagination] = Cursor


def one_page(*, paged: Paged, request: HttpRequest) -> Mapping[str, Any]:
    """Return the page that the query asks for; 400 for a cursor or limit that is none."""
    pages, asked = paged.by(), Request(request)
    rows = pages.paginate_queryset(paged.rows, asked) or []
    values: Mapping[str, Any] = pages.get_paginated_response(paged.show(rows)).data
    return values


class PageQuery(Shape):
    """Which page: a cursor of an earlier answer, and how many rows."""

    cursor = Text(required=False, help_text="From `next` or `previous`.")
    limit = Whole(required=False, min_value=1, max_value=LARGEST_PAGE, help_text="50 by default.")
