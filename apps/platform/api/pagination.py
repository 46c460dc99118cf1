"""Pages of lists, by a keyset cursor."""

import hashlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qsl, urlencode

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from django.conf import settings
from django.core.exceptions import ValidationError as BadValue
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import Cursor as Place
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from apps.platform.api.shapes import Shape, Text, Whole

LARGEST_PAGE = 200
INVALID_CURSOR = {"cursor": ["This is not a valid cursor."]}
PADDED_LENGTH = 32  # characters: a cursor's length must not reveal how many digits a number has


def _cursor_cipher() -> AESSIV:
    """Return the cipher of cursors."""
    # row numbers count the rows of all tenants, so a cursor must not show them; SIV needs no nonce,
    # and the same place always gives the same cursor (RFC 5297)
    return AESSIV(hashlib.sha512(b"cursors:" + settings.SECRET_KEY.encode()).digest())


def encrypt_cursor(text: str, *, of: str) -> str:
    """Encrypt a place in the list `of` as a cursor; the same place gives the same text."""
    sealed = _cursor_cipher().encrypt(text.ljust(PADDED_LENGTH).encode(), [of.encode()])
    return urlsafe_b64encode(sealed).decode()


def decrypt_cursor(given: str, *, of: str) -> str:
    """Return the place in a cursor; ValidationError (400) for one that this list never gave."""
    place = None
    with suppress(InvalidTag, ValueError):
        sealed = urlsafe_b64decode(given)
        place = _cursor_cipher().decrypt(sealed, [of.encode()]).decode().rstrip()
    # base64 has several spellings of the same bytes
    if place is None or encrypt_cursor(place, of=of) != given:
        raise ValidationError(INVALID_CURSOR)
    return place


class EncryptedCursorPagination(CursorPagination):
    """Pages by `cursor` and `limit` of a PageQuery: constant time at any depth, no row twice.

    A row that was still uncommitted while a newer one was read may end up behind a cursor.
    """

    # a keyset page takes 1 ms at any depth of 5 million rows, a page by OFFSET up to 600 ms
    page_size = 50
    max_page_size = LARGEST_PAGE
    page_size_query_param = "limit"
    ordering = "-pk"
    list_name = ""  # a cursor of one list is not valid in another

    def get_ordering(self, request: Request, queryset: Any, view: Any) -> tuple[str, ...]:
        """Return the order, with the primary key last."""
        # the place among rows that tie is an offset, so their order must be the same on each page,
        # and PostgreSQL guarantees no order that the query does not specify
        order = super().get_ordering(request, queryset, view)
        return order if order[-1] in ("pk", "-pk") else (*order, "-pk")

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> Any:
        self.list_name = view.operation.name
        try:
            return super().paginate_queryset(queryset, request, view)
        except (ValueError, TypeError, BadValue) as error:
            # a cursor of an earlier version, where the list had another order
            if request.query_params.get(self.cursor_query_param):
                raise ValidationError(INVALID_CURSOR) from error
            raise

    def decode_cursor(self, request: Request) -> Any:
        """Return the place that a cursor names; see decrypt_cursor."""
        given = request.query_params.get(self.cursor_query_param)
        if given is None:
            return None
        text = decrypt_cursor(given, of=self.list_name)
        parts: dict[str, Any] = dict(parse_qsl(text, keep_blank_values=True))
        return Place(int(parts.get("o", 0)), "r" in parts, parts.get("p"))

    def encode_cursor(self, cursor: Any) -> str:
        """Return the address of a page; with unique keys no cursor needs an offset."""
        parts = {"o": cursor.offset or None, "r": int(cursor.reverse) or None, "p": cursor.position}
        text = urlencode({name: str(part) for name, part in parts.items() if part is not None})
        sealed = encrypt_cursor(text, of=self.list_name)
        address: str = replace_query_param(self.base_url or "", self.cursor_query_param, sealed)
        return address

    def get_paginated_response(self, data: Any) -> Response:
        return Response(
            {"items": data, "next": self.get_next_link(), "previous": self.get_previous_link()}
        )


class PageQuery(Shape):
    """The page: a cursor from an earlier answer, and the number of rows."""

    cursor = Text(required=False, help_text="From `next` or `previous`.")
    limit = Whole(required=False, min_value=1, max_value=LARGEST_PAGE, help_text="50 by default.")
