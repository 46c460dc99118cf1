"""One search over everything that a reader may see; each app declares its finders.

A finder is a function `(user, text, now) -> SearchGroup | None`: None if the reader may not see
such things or the text cannot match one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.urls import reverse

from apps.platform.common.registry import Registry

if TYPE_CHECKING:
    from django.contrib.auth.models import User

SHOWN = 5  # rows per group
LONGEST = 200  # characters of the text that are searched for


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One result; `exact` if the text is its very number or id.

    `record` is what a legal hold would apply to, if it is in a ledger: `screens:12`, or a name of
    `HELD_WHOLE` (legal_holds.py) with its number.
    """

    label: str
    detail: str
    address: str
    exact: bool = False
    record: str = ""


@dataclass(frozen=True, slots=True)
class SearchGroup:
    """The results of one finder: at most SHOWN rows, and the address of the full list.

    `model` names the data that was searched, as `review.case`, for the read log. `more` is the text
    of the link to the list at `address`; `note` says why something could not be searched for.
    """

    title: str
    model: str
    hits: Sequence[SearchHit] = ()
    more: str = ""
    address: str = ""
    note: str = ""


Finder = Callable[["User", str, datetime], SearchGroup | None]

# the finders of the search on every page, in the order in which the groups are shown
FINDERS: Registry[Finder] = Registry("finder")


@dataclass(frozen=True, slots=True)
class SearchResults:
    """All results, and which models were searched, with or without results."""

    groups: tuple[SearchGroup, ...]
    searched: tuple[str, ...]

    @property
    def only(self) -> str:
        """The address of the single thing whose number or id the text is, or an empty text."""
        exact = {hit.address for group in self.groups for hit in group.hits if hit.exact}
        return exact.pop() if len(exact) == 1 else ""


def build_search_group(
    title: str,
    model: str,
    rows: Any,
    build_hit: Callable[[Any], SearchHit],
    *,
    more: str,
    **query: str,
) -> SearchGroup:
    """Return the first SHOWN of the rows that a finder found, a query or a list of them.

    `more` is the text of the link to the full list, if there are more, and `query` its query.
    """
    first_rows = list(rows[: SHOWN + 1])
    page = reverse(f"admin:{model.replace('.', '_')}_changelist")
    return SearchGroup(
        title,
        model,
        [build_hit(row) for row in first_rows[:SHOWN]],
        more if len(first_rows) > SHOWN else "",
        f"{page}?{urlencode(query)}",
    )


def search_everything(*, user: "User", text: str, now: datetime) -> SearchResults:
    """Run every finder; an empty text runs none."""
    query = " ".join(text.split())[:LONGEST]
    if not query:
        return SearchResults((), ())
    search_groups = (find(user, query, now) for find in FINDERS.values())
    groups = [group for group in search_groups if group is not None]
    shown = tuple(group for group in groups if group.hits or group.note)
    return SearchResults(shown, tuple(dict.fromkeys(group.model for group in groups)))


def parse_row_number(text: str, *words: str) -> int | None:
    """Return the number in a text, with one of these words or `#` before it, or None.

    Numbers are ids of rows: at most 18 digits, as everywhere at the desk.
    """
    plain = text.casefold()
    for word in words:
        plain = plain.removeprefix(word).lstrip()
    plain = plain.removeprefix("#")
    known = plain.isascii() and plain.isdigit() and len(plain) <= 18
    return int(plain) if known else None
