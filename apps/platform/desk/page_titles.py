"""Pages of the desk in words, and where a reader can open what somebody else opened."""

from collections.abc import Iterator
from urllib.parse import parse_qsl

from django.apps import apps
from django.contrib import admin
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse

from apps.platform.common.registry import Registry
from apps.platform.desk.time_formats import format_days_in_text

# Pages with somebody's data, by their label: one of them, and their list. What the read log calls
# a page
PAGES: Registry[tuple[str, str]] = Registry("page with somebody's data")

# Opening any page of the desk is recorded unless its model stands here: it holds nobody's data
IMPERSONAL: set[str] = set()

# Lists that people work from all day: opening one is no news, searching in it is
WORK_LISTS: set[str] = set()

# What addresses ask of lists, in words, by the name in the address; others by that name
ASKED: dict[str, str] = {
    "account": "account",
    "after": "behind the place",
    "applies": "whether the rule applies",
    "by__id__exact": "by whom",
    "case": "case",
    "come": "what lines come to",
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
    """Return a page by its label (`review.case`) in words: one thing by its id, or their list.

    A label that the table does not have stands for itself.
    """
    one, several = PAGES.get(what, (what, what))
    return one if ref else several


def describe_query(query: str) -> str:
    """Return what an address asked for, given its query string, in words."""
    return ", ".join(_describe_parameters(query))


def _describe_parameters(query: str) -> Iterator[str]:
    for name, value in parse_qsl(query):
        yield f"{ASKED.get(name) or _describe_column(name)}: {format_days_in_text(value)}"


def _describe_column(name: str) -> str:
    """Return a column that was narrowed in words: `recorded_at__gte` is `recorded at, from`."""
    column, _, bound = name.rpartition("__")
    if column and bound in BOUNDS:
        return f"{column.replace('__', ' ').replace('_', ' ')}, {BOUNDS[bound]}"
    return name.replace("__", " ").replace("_", " ")


def find_page_url(request: HttpRequest, what: str, ref: str = "") -> str:
    """Return where this reader may open a page by its label and id; "" if they may not."""
    app, _, name = what.partition(".")
    model = apps.all_models.get(app, {}).get(name)
    page = admin.site._registry.get(model) if model else None
    if page is None or not page.has_view_permission(request):
        return ""
    try:
        if ref:
            return reverse(f"admin:{app}_{name}_change", args=[ref])
        return reverse(f"admin:{app}_{name}_changelist")
    except NoReverseMatch:  # a page of another release, or one without a page of its own
        return ""
