"""One search over everything that a reader may see: each app declares what it finds.

A finder is a function `(user, text, now) -> SearchGroup | None`: None where the reader may not see
such things or the text cannot be one of them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from apps.platform.common.registry import Registry

if TYPE_CHECKING:
    from django.contrib.auth.models import User

SHOWN = 5  # rows of a group
LONGEST = 200  # characters that are looked for


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One thing that was found; `exact` if the text is its very number or id.

    `record` is what a legal hold on it would stand on, if that is in a ledger: `screens:12`, or a
    name of `HELD_WHOLE` (legal_holds.py) with its number.
    """

    label: str
    detail: str
    address: str
    exact: bool = False
    record: str = ""


@dataclass(frozen=True, slots=True)
class SearchGroup:
    """What one finder found: at most SHOWN rows, and where all of them are listed.

    `model` is whose data was searched, as `review.case`: the read log asks. `more` names the
    link to the list at `address`; `note` says why something could not be looked for.
    """

    title: str
    model: str
    hits: Sequence[SearchHit] = ()
    more: str = ""
    address: str = ""
    note: str = ""


Finder = Callable[["User", str, datetime], SearchGroup | None]

# What the search of every page looks for, in the order in which the groups are shown
FINDERS: Registry[Finder] = Registry("finder")


@dataclass(frozen=True, slots=True)
class SearchResults:
    """All that was found, and which models were searched, found in them or not."""

    groups: tuple[SearchGroup, ...]
    searched: tuple[str, ...]

    @property
    def only(self) -> str:
        """The address of the one thing whose number or id the text is, or an empty text."""
        exact = {hit.address for group in self.groups for hit in group.hits if hit.exact}
        return exact.pop() if len(exact) == 1 else ""


def search_everything(*, user: "User", text: str, now: datetime) -> SearchResults:
    """Ask every finder; nothing is asked for an empty text."""
    wanted = " ".join(text.split())[:LONGEST]
    if not wanted:
        return SearchResults((), ())
    asked = (find(user, wanted, now) for find in FINDERS.values())
    groups = [group for group in asked if group is not None]
    shown = tuple(group for group in groups if group.hits or group.note)
    return SearchResults(shown, tuple(dict.fromkeys(group.model for group in groups)))


def parse_row_number(text: str, *words: str) -> int | None:
    """Return the number that a text is, with one of these words or `#` before it, or None.

    Numbers are ids of rows: at most 18 digits, as everywhere at the desk.
    """
    plain = text.casefold()
    for word in words:
        plain = plain.removeprefix(word).lstrip()
    plain = plain.removeprefix("#")
    known = plain.isascii() and plain.isdigit() and len(plain) <= 18
    return int(plain) if known else None
