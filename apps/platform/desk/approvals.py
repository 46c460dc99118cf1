"""All proposals that wait for a second person in one list, to which each app adds its own.

An app registers its proposals with the permission that approvers need. A reader never approves
their own proposals.
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

PAGE = 25  # rows
FIRST = 5  # rows on the home page
DEEPEST = 20  # pages: each source is queried for all rows up to the last row of the page


@dataclass(frozen=True, slots=True)
class PendingApproval:
    """One proposal that another person must approve.

    `changes` are the exact changes, as (what, was, becomes); `was` may be empty. `why` is the
    reason and note of the proposer, `address` the page on which it is decided.
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
    """The pending proposals of one source: their number, and the oldest up to a limit."""

    count: Callable[[], int]
    rows: Callable[[int], list[PendingApproval]]


@dataclass(frozen=True, slots=True)
class ApprovalQueue:
    """The pending proposals of an app: the approvers' permission, and the function that finds them.

    `find(user, now)` returns None if this reader may approve none of them.
    """

    permission: str
    find: Callable[["User", datetime], Approvals | None]


# By title
APPROVALS: Registry[ApprovalQueue] = Registry("source of approvals")


@dataclass(frozen=True, slots=True)
class ApprovalSource:
    """A source whose proposals a reader may approve, even if none is pending."""

    title: str
    slug: str
    count: int
    found: Approvals


@dataclass(frozen=True, slots=True)
class ApprovalPage:
    """One page of pending proposals; `chosen` is the slug of the only source shown, or empty.

    `cut` says that there are more proposals than the pages show.
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
    """Tell whether a user approves anything at all; needs no query beyond their permissions."""
    return any(user.has_perm(queue.permission) for queue in APPROVALS.values())


def list_approval_sources(user: "User", now: datetime) -> list[ApprovalSource]:
    """Return every source for a reader, with counts."""
    return [
        ApprovalSource(title, slugify(title), approvals.count(), approvals)
        for title, approvals in _approvals_by_title(user, now)
    ]


def _approvals_by_title(user: "User", now: datetime) -> Iterator[tuple[str, Approvals]]:
    for title, queue in APPROVALS.items():
        approvals = queue.find(user, now) if user.has_perm(queue.permission) else None
        if approvals is not None:
            yield title, approvals


def build_approval_page(
    *, user: "User", kind: str, number: int, now: datetime
) -> ApprovalPage | None:
    """Return one page, the oldest first, of all sources or of one; None for an unknown source."""
    approval_sources = list_approval_sources(user, now)
    sources_shown = [
        approval_source
        for approval_source in approval_sources
        if kind in ("", approval_source.slug)
    ]
    if kind and not sources_shown:
        return None
    total = sum(approval_source.count for approval_source in approval_sources)
    here = sum(source.count for source in sources_shown)
    # division rounded up
    last = min(max(-(-here // PAGE), 1), DEEPEST)
    number = min(max(number, 1), last)
    # sources have no common order in the database: each gives its oldest, and they are merged here
    pending_approvals = [
        row for source in sources_shown if source.count for row in source.found.rows(number * PAGE)
    ]
    pending_approvals.sort(key=lambda row: row.at)
    shown = pending_approvals[(number - 1) * PAGE : number * PAGE]
    following = number + 1 if number < last else 0
    return ApprovalPage(
        approval_sources, kind, shown, number, number - 1, following, total, here > DEEPEST * PAGE
    )


def approval_tiles(user: "User", now: datetime) -> list[Tile]:
    """Return the home page's count of pending proposals; none for readers who approve nothing."""
    approval_sources = list_approval_sources(user, now)
    if not approval_sources:
        return []
    count = sum(approval_source.count for approval_source in approval_sources)
    tone = "warn" if count else ""
    return [Tile("Needs my approval", count, reverse("admin:desk_approvals"), tone)]  # type: ignore[arg-type]


def approval_panel(user: "User", now: datetime) -> Panel | None:
    """Return the home page's panel of the oldest pending proposals; None if there are none."""
    rows = [row for _, approvals in _approvals_by_title(user, now) for row in approvals.rows(FIRST)]
    rows.sort(key=lambda row: row.at)
    return Panel("desk/approvals_panel.html", rows[:FIRST]) if rows else None
