"""Lines of imports are kept for 90 days; then they leave, and what they came to stays told."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from apps.compliance.payees.imports import retention, services
from apps.compliance.payees.models import (
    ImportLine,
    Registration,
    RegistrationEvent,
    Stage,
    WalletImport,
)
from apps.platform.common.clock import now
from tests.payees.registration.conftest import NORTHWIND
from tests.payees.registration.test_import import (  # noqa: F401
    PLACE,
    content,
    done,
    registrar,
    row,
    ruth,
    taken,
)
from tests.review.people import check_page

pytestmark = pytest.mark.django_db
Call = Callable[..., Any]
DAY = timedelta(days=1)


@pytest.mark.parametrize(("days", "left"), [(89, 2), (90, 0)])
def test_the_lines_of_an_import_leave_ninety_days_after_it_was_done(
    done: Call,  # noqa: F811
    days: int,
    left: int,
) -> None:
    batch = done(row(1), row(2, NORTHWIND | {"country": "XX"}))
    retention.delete_old_import_lines("", batch.finished_at + days * DAY)
    assert ImportLine.objects.count() == left
    assert Registration.objects.count() == 1
    assert RegistrationEvent.objects.get().data["via"] == f"import {batch.pk}, line 2"


def test_what_they_came_to_is_told_and_the_same_file_may_come_again(
    done: Call,  # noqa: F811
    registrar: Client,  # noqa: F811
    ruth: User,  # noqa: F811
) -> None:
    batch = done(row(1), row(2, NORTHWIND | {"country": "XX"}))
    page = f"{PLACE}{batch.pk}/"
    before = check_page(registrar.get(page))
    assert "Download result (CSV)" in before and "Registered</span> <strong>1</strong>" in before
    retention.delete_old_import_lines("", batch.finished_at + 90 * DAY)
    page_text = check_page(registrar.get(page))
    assert "The lines were removed on" in page_text and "Download result (CSV)" not in page_text
    assert "Registered</span> <strong>1</strong>" in page_text and "2 of 2 lines" in page_text
    again, new = services.upload_wallet_file(
        content=content(row(1), row(2, NORTHWIND | {"country": "XX"})),
        name="a.csv",
        by=ruth,
        now=now(),
    )
    assert new and again.pk != batch.pk


def test_one_that_nobody_started_loses_its_lines_too_and_is_started_no_more(
    taken: Call,  # noqa: F811
    registrar: Client,  # noqa: F811
    ruth: User,  # noqa: F811
) -> None:
    batch = taken(row(1))
    retention.delete_old_import_lines("", batch.uploaded_at + 90 * DAY)
    assert not ImportLine.objects.exists()
    assert "Start: register" not in check_page(registrar.get(f"{PLACE}{batch.pk}/"))
    for step in (services.start_import, services.retry_unchecked_lines):
        with pytest.raises(services.ImportNotReady):
            step(
                batch=WalletImport.objects.get(),
                now=now(),
                **({"by": ruth} if step is services.start_import else {}),
            )
    assert WalletImport.objects.get().stage == Stage.CHECKED


def test_one_that_is_at_work_keeps_its_lines_however_old(
    taken: Call,  # noqa: F811
    ruth: User,  # noqa: F811
) -> None:
    batch = taken(row(1))
    services.start_import(batch=batch, by=ruth, now=now())
    retention.delete_old_import_lines("", now() + 900 * DAY)
    assert ImportLine.objects.count() == 1 and WalletImport.objects.get().emptied_at is None


def test_one_that_was_gone_on_with_counts_from_then(
    taken: Call,  # noqa: F811
    ruth: User,  # noqa: F811
) -> None:
    batch = taken(row(1))
    later = batch.uploaded_at + 80 * DAY
    services.start_import(batch=batch, by=ruth, now=later)
    services.stop_import(batch=batch)
    retention.delete_old_import_lines("", batch.uploaded_at + 90 * DAY)
    assert ImportLine.objects.count() == 1
    retention.delete_old_import_lines("", later + 90 * DAY)
    assert ImportLine.objects.count() == 0
