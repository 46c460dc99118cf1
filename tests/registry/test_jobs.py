"""The daily look at LEIs: what lapsed is marked, once, and what is in use stays so."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from apps.core.clock import now
from apps.lei.models import LeiRecord, LeiUse
from apps.registry.jobs import look_again
from apps.registry.models import Registration
from apps.registry.projection import compare
from tests.registry.conftest import MICROSOFT

pytestmark = pytest.mark.django_db
Call = Callable[..., Any]


def test_an_lei_that_lapsed_is_marked_once_and_recorded(register: Call) -> None:
    register(1, **MICROSOFT)
    register(2)
    moment = now() + timedelta(days=1)
    look_again("", moment)
    row = Registration.objects.get(lei=MICROSOFT["lei"])
    assert row.lei_status == "ACTIVE" and row.events.count() == 1
    LeiRecord.objects.filter(lei=row.lei).update(next_renewal=now().date() - timedelta(days=1))
    for _ in range(2):
        look_again("", moment)
    row.refresh_from_db()
    assert (row.lei_status, row.lei_seen_at) == ("LAPSED", moment)
    assert [one.action for one in row.events.order_by("pk")] == ["REGISTERED", "LEI_SEEN"]
    assert LeiUse.objects.get(lei=row.lei).used_on == moment.date()
    assert list(compare(lambda done: None)) == []
