"""The SAR log: a ledger of its own, one entry for each outcome, seen by its permission alone."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.db import IntegrityError, transaction

from apps.core.ledger import ledgers
from apps.sar.models import SarEntry

pytestmark = pytest.mark.django_db


def test_it_is_a_ledger_of_its_own(noon: Any) -> None:
    assert ledgers()["sar"] is SarEntry
    entry = SarEntry.write(payload={"who": "Boris"}, now=noon, kind="screen", ref="abc")
    assert str(entry) == "screen abc" and entry.data == {"who": "Boris"}


def test_an_outcome_is_entered_once(noon: Any) -> None:
    SarEntry.write(payload={}, now=noon, kind="screen", ref="abc")
    SarEntry.write(payload={}, now=noon, kind="payment", ref="abc")
    with pytest.raises(IntegrityError), transaction.atomic():
        SarEntry.write(payload={}, now=noon, kind="screen", ref="abc")


def test_who_is_in_the_log_is_in_the_payload_alone(noon: Any) -> None:
    entry = SarEntry.write(payload={"who": "Boris"}, now=noon, kind="screen", ref="abc")
    assert set(entry.envelope()) == {"id", "recorded_at", "kind", "ref"}


def test_it_can_be_looked_at_and_nothing_else() -> None:
    known = Permission.objects.filter(content_type__app_label="sar")
    assert [p.codename for p in known] == ["view_sarentry"]
