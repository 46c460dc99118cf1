"""Operators and officers read plain words; technical names stand in lines of details alone."""

import builtins
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import django.db
import pytest
from django.conf import settings

from apps.core.jobs import DEAD
from apps.core.models import Job, JobAttempt, JobState
from apps.desk import faults
from apps.sandbox.figures import NO_ANSWER
from config import env
from config.jobs import JOBS
from config.roles import ROLES
from config.words import FAULTS, TELLING, UNKNOWN
from tests import desk_table
from tests.review.people import NOON, at_desk, look, person

TECHNICAL = {*JOBS, *env.VARIABLES, "Eta", "last_error", "lease"}
DETAILS = (
    r'<(code|pre|details)\b.*?</\1>|<small class="detail">.*?</small>|<(?:script|style)\b.*?</'
)


def words_of(html: str) -> str:
    """Return what a page says outside its lines of details."""
    body = html.partition('id="content-start"')[2].partition('<dialog id="keys"')[0]
    return re.sub(r"<[^>]+>", " ", re.sub(DETAILS, " ", body, flags=re.DOTALL))


@pytest.mark.django_db
@pytest.mark.parametrize("group", ROLES)
def test_no_page_of_a_role_calls_a_job_or_a_setting_by_its_technical_name(group: str) -> None:
    things = desk_table.make_things()
    Job.objects.create(
        name="watchlists.refresh", key="un-sc", state=JobState.FAILED, eta=NOON, created_at=NOON,
        last_error=NO_ANSWER,
    )  # fmt: skip
    desk, told = at_desk(person("somebody", group)), []
    for row in desk_table.TABLE:
        if row.method != "get" or group not in row.who:
            continue
        answer: Any = desk.get(row.address(things), follow=True)
        if answer.streaming:
            continue  # a file, no page
        html = answer.content.decode(errors="replace")
        found = set(re.findall(r"[\w.]+\w", words_of(html))) & TECHNICAL
        told += [(row.address(things), name) for name in sorted(found)]
    assert not told


@pytest.mark.django_db
def test_a_job_says_what_it_does_when_it_is_due_and_what_went_wrong(db: Any) -> None:
    otto = at_desk(person("otto", "Operator"))
    job = Job.objects.create(
        name="watchlists.refresh", key="un-sc", state=JobState.FAILED, eta=NOON, created_at=NOON,
        attempts=4, lease_until=NOON + timedelta(hours=1), finished_at=NOON, last_error=NO_ANSWER,
    )  # fmt: skip
    JobAttempt.objects.create(job=job, number=1, started_at=NOON, error=DEAD)
    said = "Another server did not give what was asked. It says: un-sc: the deadline passed"
    for address in ("/admin/core/job/?standing=failed", f"/admin/core/job/{job.pk}/change/"):
        html = look(otto.get(address))
        for words in ("Refresh the official lists", "un-sc", "Failed", "20 Nov 2026 12:00 UTC",
                      said, f"<code>{NO_ANSWER}</code>"):  # fmt: skip
            assert words in html, (address, words)
    assert "<h1>Refresh the official lists un-sc</h1>" in re.sub(r"\s*\n\s*", "", html)
    assert "The process that ran it ended before it was done" in html
    assert '<small class="detail"><code>watchlists.refresh</code></small>' in html
    assert said in look(otto.get("/admin/"))


@pytest.mark.parametrize(
    ("error", "words"),
    [
        ("", ""),
        ("KeyError: 'lei'", UNKNOWN),
        ("OSError: [Errno 28] No space left on device: '/var/x'", FAULTS["OSError"]),
        ("FormatError: expected a header", f"{FAULTS['FormatError']} It says: expected a header"),
        (DEAD, FAULTS[DEAD]),
        ("old.job is not in config/jobs.py", UNKNOWN),
    ],
)
def test_a_fault_is_told_in_words_and_kept_as_it_was_written(error: str, words: str) -> None:
    assert faults.told(error) == faults.Fault(words, error)


def test_every_fault_of_the_table_is_one_that_can_come() -> None:
    apps = "\n".join(path.read_text() for path in Path(settings.BASE_DIR, "apps").rglob("*.py"))
    for name in FAULTS:
        ours = f"class {name}(" in apps or name == DEAD
        others = hasattr(builtins, name) or hasattr(django.db, name) or f"import {name}" in apps
        assert ours or others or f"{name}\n" in apps or f"{name})" in apps, name
    assert set(TELLING) <= set(FAULTS)


@pytest.mark.django_db
def test_every_moment_on_every_page_says_its_zone() -> None:
    things, root = desk_table.make_things(), at_desk(person("root", superuser=True))
    Job.objects.update(finished_at=NOON, lease_until=NOON)
    bare, moments = [], 0
    for row in desk_table.TABLE:
        if row.method != "get":
            continue
        answer: Any = root.get(row.address(things))
        if answer.streaming:
            continue  # a file, no page
        html = answer.content.decode(errors="replace")
        # a column may say it once for all of its cells
        html = re.sub(r'<td data-label="[^"]*\(UTC\)">.*?</td>', "", html, flags=re.DOTALL)
        told = " ".join(re.sub(r"<[^>]+>", " ", html).split())
        found = re.findall(r"\d\d? [A-Z][a-z]{2,8} \d{4},? \d\d:\d\d(?::\d\d)?(?: UTC)?", told)
        moments += len(found)
        bare += [(row.address(things), one) for one in found if not one.endswith("UTC")]
    assert not bare and moments > 40
