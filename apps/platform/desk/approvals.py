"""What waits for a second person: one list over all that takes two, each app's part its own.

An app registers what waits of its own, with the permission of those who approve. What a reader
asked for themselves is never among what they may approve.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.text import slugify

from apps.platform.common.registry import Registry
from apps.platform.desk.home import Panel, Tile

if TYPE_CHECKING:
    from django.contrib.auth.models import User

PAGE = 25
FIRST = 5  # rows on the home page
DEEPEST = 20  # pages: each source is asked for all the rows up to a page's last


@dataclass(frozen=True, slots=True)
class PendingApproval:
    """One thing that somebody asked for and another must approve.

    `changes` are what exactly changes, as (what, was, becomes); `was` may be empty. `why` is the
    reason and note of who asked, `address` the page on which it is decided.
    """

    kind: str
    title: str
    changes: tuple[tuple[str, str, str], ...]
    by: str
    at: datetime
    why: str
    address: str


@dataclass(frozen=True, slots=True)
class Approvals:
    """What waits of one source: how much, and at most so many rows, the oldest first."""

    count: Callable[[], int]
    rows: Callable[[int], list[PendingApproval]]


@dataclass(frozen=True, slots=True)
class ApprovalQueue:
    """What waits of an app: the permission of those who approve, and what finds it.

    `find(user, now)` returns None where this reader approves nothing of it.
    """

    permission: str
    find: Callable[["User", datetime], Approvals | None]


# By title
APPROVALS: Registry[ApprovalQueue] = Registry("source of approvals")


@dataclass(frozen=True, slots=True)
class ApprovalSource:
    """A source that has something for a reader to approve, or will have."""

    title: str
    slug: str
    count: int
    found: Approvals


@dataclass(frozen=True, slots=True)
class ApprovalPage:
    """One page of what waits; `chosen` is the slug of the only source shown, or empty.

    `cut` says that more waits than is paged through.
    """

    sources: list[ApprovalSource]
    chosen: str
    rows: list[PendingApproval]
    number: int
    before: int
    following: int
    total: int
    cut: bool


def can_approve_anything(user: "User") -> bool:
    """Tell whether a user approves anything at all; no query beyond their permissions."""
    return any(user.has_perm(queue.permission) for queue in APPROVALS.values())


def list_approval_sources(user: "User", now: datetime) -> list[ApprovalSource]:
    """Return every source for a reader, each counted."""
    return [
        ApprovalSource(title, slugify(title), found.count(), found)
        for title, found in _approvals_by_title(user, now)
    ]


def _approvals_by_title(user: "User", now: datetime) -> Iterator[tuple[str, Approvals]]:
    for title, queue in APPROVALS.items():
        found = queue.find(user, now) if user.has_perm(queue.permission) else None
        if found is not None:
            yield title, found


def build_approval_page(
    *, user: "User", kind: str, number: int, now: datetime
) -> ApprovalPage | None:
    """Return one page, the oldest first, of all sources or of one; None for an unknown kind."""
    approval_sources = list_approval_sources(user, now)
    asked = [
        approval_source
        for approval_source in approval_sources
        if kind in ("", approval_source.slug)
    ]
    if kind and not asked:
        return None
    total = sum(approval_source.count for approval_source in approval_sources)
    here = sum(one.count for one in asked)
    last = min(max(-(-here // PAGE), 1), DEEPEST)
    number = min(max(number, 1), last)
    found = [row for one in asked if one.count for row in one.found.rows(number * PAGE)]
    found.sort(key=lambda row: row.at)
    shown = found[(number - 1) * PAGE : number * PAGE]
    following = number + 1 if number < last else 0
    return ApprovalPage(
        approval_sources, kind, shown, number, number - 1, following, total, here > DEEPEST * PAGE
    )


def approval_tiles(user: "User", now: datetime) -> list[Tile]:
    """Return the home page's figure of what waits; none for who approves nothing."""
    approval_sources = list_approval_sources(user, now)
    if not approval_sources:
        return []
    count = sum(approval_source.count for approval_source in approval_sources)
    tone = "warn" if count else ""
    return [Tile("Needs my approval", count, reverse("admin:desk_approvals"), tone)]  # type: ignore[arg-type]


def approval_panel(user: "User", now: datetime) -> Panel | None:
    """Return what of it the home page shows: what has waited longest; None where nothing waits."""
    rows = [row for _, found in _approvals_by_title(user, now) for row in found.rows(FIRST)]
    rows.sort(key=lambda row: row.at)
    return Panel("desk/approvals_panel.html", rows[:FIRST]) if rows else None
