"""A recorded score comes out again, byte for byte, from its record alone."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from apps.core import sealing
from apps.core.clock import now
from apps.esg.computing import replay
from apps.esg.models import EsgScore
from tests.esg.conftest import APPLE, FRAPORT, figure, keep

pytestmark = pytest.mark.django_db


def test_every_recorded_score_comes_out_again_byte_for_byte(ask: Callable[..., Any]) -> None:
    ask()
    ask(APPLE, name="Apple Inc.")
    keep(figure("ghg_scope1", "12345.678901"), figure("revenue_usd", "3"))
    ask(FRAPORT)
    kept = [replay(one.data) for one in EsgScore.objects.all()]
    assert len(kept) == 3
    assert all(then == anew for then, anew in kept)


def test_a_record_of_a_score_is_sealed(ask: Callable[..., Any]) -> None:
    ask()
    sealing.seal_all(now=now() + timedelta(minutes=1))
    record = EsgScore.objects.get()
    assert record.mac_fault() == ""
    assert record.data["versions"]["reference"] == record.reference
