"""The history page of a record says what it holds, and never that nobody administered it."""

from typing import Any

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.urls import reverse

from apps.access.keys.models import Account
from tests.review.people import NOON, at_desk, check_page, person

pytestmark = pytest.mark.django_db


def _history() -> tuple[Any, str]:
    account = Account.objects.create(name="Alice Treasury", created_at=NOON)
    return account, reverse("admin:access_account_history", args=[account.pk])


def test_a_record_without_logged_actions_leads_to_its_page() -> None:
    held, address = _history()
    html = check_page(at_desk(person("root", superuser=True)).get(address))
    assert "No staff actions are logged" in html and "admin site" not in html
    assert reverse("admin:access_account_change", args=[held.pk]) in html


def test_logged_actions_are_told_with_who_and_what() -> None:
    held, address = _history()
    root = person("root", superuser=True)
    LogEntry.objects.log_actions(root.pk, [held], CHANGE, "Looked at it.", single_object=True)
    html = check_page(at_desk(root).get(address))
    assert "Looked at it." in html and ">root<" in html
