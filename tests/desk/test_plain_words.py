"""Operators and officers read plain words; technical names stand in lines of details alone."""

import builtins
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import django.db
import pytest
from django.conf import settings

from apps.entry.sandbox.sample_usage import NO_ANSWER
from apps.platform.desk import error_messages
from apps.platform.jobs.job_queue import RUNNER_DIED
from apps.platform.jobs.models import Job, JobAttempt, JobState
from config.error_messages import FAULTS, SELF_EXPLANATORY, UNKNOWN_FAULT
from tests.review.people import NOON, at_desk, check_page, person


@pytest.mark.django_db
def test_a_job_says_what_it_does_when_it_is_due_and_what_went_wrong(db: Any) -> None:
    otto = at_desk(person("otto", "Operator"))
    job = Job.objects.create(
        name="watchlists.refresh", key="un-sc", state=JobState.FAILED, eta=NOON, created_at=NOON,
        attempts=4, lease_until=NOON + timedelta(hours=1), finished_at=NOON, last_error=NO_ANSWER,
    )  # fmt: skip
    JobAttempt.objects.create(job=job, number=1, started_at=NOON, error=RUNNER_DIED)
    said = "Another server did not return what was requested. It says: un-sc: the deadline passed"
    for address in ("/admin/core/job/?standing=failed", f"/admin/core/job/{job.pk}/change/"):
        html = check_page(otto.get(address))
        for words in ("Refresh the official lists", "un-sc", "Failed", "20 Nov 2026 12:00 UTC",
                      said, f"<code>{NO_ANSWER}</code>"):  # fmt: skip
            assert words in html, (address, words)
    assert "<h1>Refresh the official lists un-sc</h1>" in re.sub(r"\s*\n\s*", "", html)
    assert "The process that ran it ended before it finished" in html
    assert '<small class="detail"><code>watchlists.refresh</code></small>' in html
    assert said in check_page(otto.get("/admin/"))


@pytest.mark.parametrize(
    ("error", "words"),
    [
        ("", ""),
        ("KeyError: 'lei'", UNKNOWN_FAULT),
        ("OSError: [Errno 28] No space left on device: '/var/x'", FAULTS["OSError"]),
        ("FormatError: expected a header", f"{FAULTS['FormatError']} It says: expected a header"),
        (RUNNER_DIED, FAULTS[RUNNER_DIED]),
        ("no app registers the job old.job", UNKNOWN_FAULT),
    ],
)
def test_a_fault_is_told_in_words_and_kept_as_it_was_written(error: str, words: str) -> None:
    assert error_messages.explain_error(error) == error_messages.ErrorMessage(words, error)


def test_every_fault_of_the_table_is_one_that_can_come() -> None:
    apps = "\n".join(path.read_text() for path in Path(settings.BASE_DIR, "apps").rglob("*.py"))
    for name in FAULTS:
        ours = f"class {name}(" in apps or name == RUNNER_DIED
        others = hasattr(builtins, name) or hasattr(django.db, name) or f"import {name}" in apps
        assert ours or others or f"{name}\n" in apps or f"{name})" in apps, name
    assert set(SELF_EXPLANATORY) <= set(FAULTS)
