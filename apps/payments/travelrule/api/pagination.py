"""Pages of travel-rule records."""

from typing import Any

from rest_framework.pagination import LimitOffsetPagination
from rest_framework.request import Request
from rest_framework.response import Response

from apps.payments.travelrule.models import RecordRow
from apps.payments.travelrule.selectors.records import (
    record_cursor,
    select_after_cursor,
    select_record_window,
)

# document 2 section 4: limit, default 100, maximum 500
PAGE = 100
LARGEST_PAGE = 500


class TravelRecordPagination(LimitOffsetPagination):
    """Pages by `limit` and `offset`, or by `cursor`, which costs the same at any depth."""

    default_limit = PAGE
    max_limit = LARGEST_PAGE

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        self.limit: int = self.get_limit(request) or PAGE
        self.offset: int = self.get_offset(request)
        self.generated_at = view.now
        rows = select_after_cursor(queryset, request.query_params.get("cursor"))
        rows = select_record_window(rows, self.offset, self.limit + 1) if self.offset else rows
        # one row more than the page, instead of counting millions
        columns = rows[: self.limit + 1].values_list(*RecordRow._fields)
        record_rows = [RecordRow._make(row) for row in columns]
        self.page, self.has_more = record_rows[: self.limit], len(record_rows) > self.limit
        return self.page

    def get_paginated_response(self, data: Any) -> Response:
        values = {
            "records": data,
            "limit": self.limit,
            "offset": self.offset,
            "generated_at": self.generated_at,
        }
        if self.has_more:
            values["next_cursor"] = record_cursor(self.page[-1])
        return Response(values)
