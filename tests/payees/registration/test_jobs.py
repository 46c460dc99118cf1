"""The daily look at LEIs: what lapsed is marked, once, and what is in use stays so."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from apps.compliance.payees.integrity import verify_all_registrations
from apps.compliance.payees.models import Registration
from apps.compliance.payees.tasks import refresh_lei_statuses
from apps.platform.common.clock import now
from apps.reference.lei.models import LeiRecord, LeiUse
from tests.lei.changed_entities import restate
from tests.payees.registration.conftest import MICROSOFT

pytestmark = pytest.mark.django_db
Call = Callable[..., Any]


def test_an_lei_that_lapsed_is_marked_once_and_recorded(register: Call) -> None:
    register(1, **MICROSOFT)
    register(2)
    moment = now() + timedelta(days=1)
    refresh_lei_statuses("", moment)
    row = Registration.objects.get(lei=MICROSOFT["lei"])
    assert row.lei_status == "ACTIVE" and row.events.count() == 1
    restate(LeiRecord.objects.filter(lei=row.lei), next_renewal=now().date() - timedelta(days=1))
    for _ in range(2):
        refresh_lei_statuses("", moment)
    row.refresh_from_db()
    assert (row.lei_status, row.lei_seen_at) == ("LAPSED", moment)
    assert [event.action for event in row.events.order_by("pk")] == ["REGISTERED", "LEI_SEEN"]
    assert LeiUse.objects.get(lei=row.lei).used_on == moment.date()
    assert list(verify_all_registrations(lambda done: None)) == []
