"""Titles of the desk's pages, and links to pages in the read log that the reader may open."""

from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import parse_qsl

from django.apps import apps
from django.contrib import admin
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html

from apps.platform.common.registry import Registry
from apps.platform.desk.time_formats import format_days_in_text

# Titles of pages with personal data, by label: one of them, and their list. The read log uses them
PAGES: Registry[tuple[str, str]] = Registry("page with personal data")

# Opening any page of the desk is recorded unless its model is listed here: it holds no personal
# data
IMPERSONAL: set[str] = set()

# Lists that people work from all day: opening one is not recorded, searching it is
WORK_LISTS: set[str] = set()

# Names of parameters in addresses, in words; one without is shown by its own name
PARAMETER_LABELS: dict[str, str] = {
    "account": "account",
    "after": "page after",
    "applies": "whether the rule applies",
    "by__id__exact": "by whom",
    "case": "case",
    "come": "result of each line",
    "direction": "direction",
    "e": "refused",
    "entity": "listed parties",
    "find": "searched for",
    "kind": "kind",
    "least": "USD at least",
    "listed": "listed party",
    "most": "USD at most",
    "name": "name",
    "o": "order",
    "owner": "client",
    "p": "page",
    "page": "page",
    "q": "searched for",
    "recorded_at__day": "day",
    "recorded_at__month": "month",
    "recorded_at__year": "year",
    "reason": "reason",
    "role": "side",
    "rule": "rule",
    "result": "result",
    "review": "under review",
    "since": "from",
    "sort": "order",
    "stands": "standing",
    "state": "state",
    "status": "status",
    "together": "flagged day",
    "took": "time to decision",
    "until": "until",
    "view": "view",
    "wallet": "wallet",
    "what": "page",
}
BOUNDS = {"exact": "is", "gte": "from", "gt": "after", "lt": "before", "lte": "to"}


def format_page_title(what: str, ref: str = "") -> str:
    """Return the title of a page by its label (`review.case`): one thing by its id, or their list.

    An unknown label is returned unchanged.
    """
    text, several = PAGES.get(what, (what, what))
    return text if ref else several


def describe_query(query: str) -> str:
    """Describe what an address requested, given its query string."""
    return ", ".join(_describe_parameters(query))


def _describe_parameters(query: str) -> Iterator[str]:
    for name, value in parse_qsl(query):
        label = PARAMETER_LABELS.get(name) or _describe_column(name)
        yield f"{label}: {format_days_in_text(value)}"


def _describe_column(name: str) -> str:
    """Describe a filter on a column: `recorded_at__gte` is `recorded at, from`."""
    column, _, bound = name.rpartition("__")
    if column and bound in BOUNDS:
        return f"{column.replace('__', ' ').replace('_', ' ')}, {BOUNDS[bound]}"
    return name.replace("__", " ").replace("_", " ")


def find_page_url(request: HttpRequest, what: str, ref: str = "") -> str:
    """Return the address of a page by label and id if this reader may open it; else ""."""
    app, _, name = what.partition(".")
    model = apps.all_models.get(app, {}).get(name)
    page = admin.site._registry.get(model) if model else None
    if page is None or not page.has_view_permission(request):
        return ""
    try:
        if ref:
            return reverse(f"admin:{app}_{name}_change", args=[ref])
        return reverse(f"admin:{app}_{name}_changelist")
    except NoReverseMatch:  # a page of another release, or a model without a page
        return ""


def link_opened_pages(request: HttpRequest, columns: Iterable[Any]) -> tuple[Any, ...]:
    """Return columns of a log of reads: `what` links the page if this reader may open it."""

    @admin.display(description="Page")
    def page(event: Any) -> str:
        words = format_page_title(event.what, event.ref)
        address = find_page_url(request, event.what, event.ref)
        return format_html('<a href="{}">{}</a>', address, words) if address else words

    return tuple(page if name == "what" else name for name in columns)
