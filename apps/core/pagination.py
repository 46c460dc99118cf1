"""Pages of lists: limit and offset where the specification says so, else a keyset cursor."""

import binascii
import hashlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from django.conf import settings
from django.core.exceptions import ValidationError as BadValue
from django.db.models import QuerySet
from django.http import HttpRequest
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import BasePagination, CursorPagination, LimitOffsetPagination
from rest_framework.pagination import Cursor as Place
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

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


PADDED = 32  # characters: a cursor's length must not tell how many digits a number has


def _cipher() -> AESSIV:
    """Return what seals cursors: numbers of rows count what all tenants do, and stay with us."""
    return AESSIV(hashlib.sha512(b"cursors:" + settings.SECRET_KEY.encode()).digest())


def sealed_place(text: str) -> str:
    """Return a place as callers see it; the same place is the same text."""
    return urlsafe_b64encode(_cipher().encrypt(text.ljust(PADDED).encode(), None)).decode()


def opened_place(given: str) -> str:
    """Return the place that was sealed; NotFound for any other text than was given out."""
    try:
        found = _cipher().decrypt(urlsafe_b64decode(given.encode("ascii")), None).decode().rstrip()
    except (InvalidTag, binascii.Error, ValueError) as error:
        raise NotFound from error
    if sealed_place(found) != given:  # base64 has several spellings of the same bytes
        raise NotFound
    return found


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
        """Return the place that a cursor names; NotFound for one that was never given out."""
        given = request.query_params.get(self.cursor_query_param)
        if given is None:
            return None
        parts = dict(parse_qsl(opened_place(given)))
        position: Any = parts["p"]  # any key, not the numbers alone that the library's stubs know
        return Place(offset=0, reverse="r" in parts, position=position)

    def encode_cursor(self, cursor: Any) -> str:
        """Return the address of a page; keys are unique, so that no place has an offset."""
        parts = {"r": "1"} if cursor.reverse else {}
        sealed = sealed_place(urlencode(parts | {"p": cursor.position}))
        address: str = replace_query_param(self.base_url or "", self.cursor_query_param, sealed)
        return address

    def get_paginated_response(self, data: Any) -> Response:
        return Response(
            {"items": data, "next": self.get_next_link(), "previous": self.get_previous_link()}
        )


@dataclass(frozen=True, slots=True)
class Paged:
    """An answer that is one page of `rows`; `show` turns the rows of that page into values.

    It leaves out what may not be served; everything else of `rows` it shows.
    """

    rows: QuerySet[Any]
    show: Callable[[Sequence[Any]], list[dict[str, Any]]]
    by: type[BasePagination] = Cursor


def one_page(*, paged: Paged, request: HttpRequest) -> Mapping[str, Any]:
    """Return the page that the query asks for; 400 for a cursor or limit that is none.

    `withheld` counts the rows of the page that are not shown.
    """
    pages, asked = paged.by(), Request(request)
    rows = pages.paginate_queryset(paged.rows, asked) or []
    shown = paged.show(rows)
    values: dict[str, Any] = pages.get_paginated_response(shown).data
    withheld = len(rows) - len(shown)
    return values | ({"withheld": withheld} if withheld else {})


class PageQuery(Shape):
    """Which page: a cursor of an earlier answer, and how many rows."""

    cursor = Text(required=False, help_text="From `next` or `previous`.")
    limit = Whole(required=False, min_value=1, max_value=LARGEST_PAGE, help_text="50 by default.")
