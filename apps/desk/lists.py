"""Lists that are read page by page: what their address asks for, and where the next page begins."""

from dataclasses import dataclass, fields, replace
from typing import TypeVar
from urllib.parse import urlencode

from django.db.models import Model, QuerySet

PAGE = 50
PLACE = "after"
DIGITS = 18  # of an id that a database can hold
Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What an address asks for: each further field is a filter, `after` the place of the page."""

    after: str = ""

    @property
    def _filters(self) -> list[str]:
        return [one.name for one in fields(self) if one.name != PLACE]

    @property
    def filtered(self) -> bool:
        """Whether anything narrows the list."""
        return any(getattr(self, name) for name in self._filters)

    def address(self, **changes: str) -> str:
        """Return the query string of this page with some of it changed, from its first page."""
        changed = replace(self, **{PLACE: "", **changes})
        parts = {name: getattr(changed, name) for name in (*self._filters, PLACE)}
        return "?" + urlencode({name: value for name, value in parts.items() if value})

    def turns(self, following: str) -> dict[str, str]:
        """Return the addresses of the next page and of the first; "" where one is not needed."""
        return {
            "next_page": self.address(after=following) if following else "",
            "first_page": self.address() if self.after else "",
        }


def number_place(text: str) -> str:
    """Return a place that is the id of a row, or an empty text for what is none."""
    known = text.isascii() and text.isdigit() and len(text) <= DIGITS
    return text if known else ""


def cut(rows: QuerySet[Row]) -> tuple[list[Row], Row | None]:
    """Return the rows of a page, and the last of them where more follow; one query."""
    found = list(rows[: PAGE + 1])
    return found[:PAGE], found[PAGE - 1] if len(found) > PAGE else None
