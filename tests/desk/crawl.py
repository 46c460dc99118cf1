"""Every page of the desk as each role sees it: drawn once by a process, read by many tests."""

from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import urljoin

from django.db import transaction

from apps.entry.sandbox.sample_usage import NO_ANSWER
from apps.platform.jobs.models import Job, JobState
from config.desk_roles import ROLES
from tests import desk_table
from tests.review.people import NOON, at_desk, check_page, person

ROOT = "superuser"


@dataclass(frozen=True, slots=True)
class Page:
    """A page: who asked for it, at which address, and what was answered in the end."""

    group: str
    route: str
    address: str
    status: int
    html: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """An address that its table lets a group open, and that did not let it in."""

    group: str
    address: str
    status: int


def pages(*groups: str) -> list[Page]:
    """Return every page that these groups may open (none: all of them), streamed files left out."""
    return [page for page in _crawl()[0] if not groups or page.group in groups]


def refusals() -> list[Refusal]:
    """Return what refused a group that may open it."""
    return _crawl()[1]


@cache
def _crawl() -> tuple[list[Page], list[Refusal]]:
    """Open every address for every group, in a transaction that is rolled back."""
    with transaction.atomic():
        try:
            return _open_every_address()
        finally:
            transaction.set_rollback(True)


def _open_every_address() -> tuple[list[Page], list[Refusal]]:
    opened: list[Page] = []
    refused: list[Refusal] = []
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
            answer: Any = desk.get(address, row.form(things))
            if row.who and not reached(answer):
                refused.append(Refusal(group, address, answer.status_code))
                continue
            if answer.status_code == 302 and urljoin(address, answer.url) in listed:
                continue  # leads to a page that is drawn for itself
            if answer.status_code == 302:
                answer = desk.get(urljoin(address, answer.url), follow=True)
            if answer["Content-Type"].startswith("text/html"):
                html = check_page(answer, answer.status_code)
                opened.append(Page(group, row.route, address, answer.status_code, html))
    return opened, refused


def reached(answer: Any) -> bool:
    """Tell whether an address let somebody in; some of Django's refusals lead to the home page."""
    if answer.status_code == 302:
        return answer["Location"] != "/admin/" and "/login/" not in answer["Location"]
    return answer.status_code not in (403, 404)
