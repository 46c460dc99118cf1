"""A recorded score comes out again, byte for byte, from its record alone."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from apps.insight.esg.computation import replay_score
from apps.insight.esg.models import EsgScore
from apps.platform.common.clock import now
from apps.platform.ledger import sealer
from tests.esg.conftest import APPLE, FRAPORT, figure, keep

pytestmark = pytest.mark.django_db


def test_every_recorded_score_comes_out_again_byte_for_byte(ask: Callable[..., Any]) -> None:
    ask()
    ask(APPLE, name="Apple Inc.")
    keep(figure("ghg_scope1", "12345.678901"), figure("revenue_usd", "3"))
    ask(FRAPORT)
    kept = [replay_score(esg_score.data) for esg_score in EsgScore.objects.all()]
    assert len(kept) == 3
    assert all(then == anew for then, anew in kept)


def test_a_record_of_a_score_is_sealed(ask: Callable[..., Any]) -> None:
    ask()
    sealer.seal_all_ledgers(now=now() + timedelta(minutes=1))
    record = EsgScore.objects.get()
    assert record.mac_fault() == ""
    assert record.data["versions"]["reference"] == record.reference
