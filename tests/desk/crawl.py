"""Every page of the desk as each role sees it: drawn once by a process, read by many tests."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

from django.db import transaction

from apps.core.models import Job, JobState
from apps.sandbox.figures import NO_ANSWER
from config.roles import ROLES
from tests import desk_table
from tests.review.people import NOON, at_desk, person

ROOT = "superuser"


@dataclass(frozen=True, slots=True)
class Page:
    """A page: who asked for it, at which address, and what was answered in the end."""

    group: str
    route: str
    address: str
    status: int
    html: str


_pages: list[Page] = []


def pages(*groups: str) -> list[Page]:
    """Return every page that these groups may open (none: all of them), streamed files left out.

    The first call draws them, in a transaction that is rolled back; it needs a database.
    """
    if not _pages:
        with transaction.atomic():
            _draw()
            transaction.set_rollback(True)
    return [page for page in _pages if not groups or page.group in groups]


def _draw() -> None:
    things = desk_table.make_things()
    Job.objects.create(
        name="watchlists.refresh", key="un-sc", state=JobState.FAILED, eta=NOON, created_at=NOON,
        last_error=NO_ANSWER,
    )  # fmt: skip
    Job.objects.update(finished_at=NOON, lease_until=NOON)
    desks = {group: at_desk(person(group.lower().replace(" ", "-"), group)) for group in ROLES}
    desks[ROOT] = at_desk(person("root", superuser=True))
    listed = {row.address(things) for row in desk_table.TABLE if row.method == "get"}
    for group, desk in desks.items():
        for row in desk_table.TABLE:
            if row.method != "get" or (group != ROOT and group not in row.who):
                continue
            address = row.address(things)
            answer: Any = desk.get(address)
            if answer.status_code == 302 and urljoin(address, answer.url) in listed:
                continue  # leads to a page that is drawn for itself
            if answer.status_code == 302:
                answer = desk.get(urljoin(address, answer.url), follow=True)
            if not answer.streaming:
                html = answer.content.decode(errors="replace")
                _pages.append(Page(group, row.route, address, answer.status_code, html))
