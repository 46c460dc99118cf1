"""Legal holds are recorded: verifying finds one that came, went, changed or was passed over."""

from typing import Any

import pytest

from apps.backoffice.sar.models import SarEntry
from apps.platform.ledger import retention, sealer
from apps.platform.ledger.models import HoldEvent, LegalHold, PurgeReason
from apps.platform.ledger.verification import verifier
from tests.platform.tampering import sql, without_triggers

pytestmark = pytest.mark.django_db
TABLE = LegalHold._meta.db_table


@pytest.fixture
def hold(chain: list[SarEntry], noon: Any) -> LegalHold:
    """A hold that stands on a sealed record."""
    placed = {"ledger": "sar", "record_id": chain[0].pk, "reason": "court order"}
    return retention.place_hold(**placed, by="ann", now=noon)


def faults(now: Any) -> list[str]:
    sealer.seal_all_ledgers(now=now)
    return verifier.verify_ledger(ledger="holds").faults


def test_placing_and_lifting_are_recorded_with_their_reasons(hold: LegalHold, noon: Any) -> None:
    assert retention.lift_hold(hold_id=hold.pk, reason="case closed", by="bob", now=noon)
    events = HoldEvent.objects.order_by("pk")
    said = [(event.action, event.by, event.data["reason"], str(event)) for event in events]
    of = f"sar {hold.record_id}"
    assert said == [("PLACED", "ann", "court order", of), ("LIFTED", "bob", "case closed", of)]
    assert faults(noon) == []


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        (f"DELETE FROM {TABLE}", "hold 1: it is recorded, but its row is missing"),
        (f"UPDATE {TABLE} SET reason = 'none'", "its placer, time or reason differs"),
        (f"UPDATE {TABLE} SET record_id = record_id + 1", "it names another record"),
        (
            f"UPDATE {TABLE} SET lifted_at = placed_at, lifted_by = 'eve'",
            "its lifting is not recorded",
        ),
    ],
)
def test_a_hold_that_is_not_as_recorded_is_found(
    hold: LegalHold, noon: Any, statement: str, told: str
) -> None:
    assert faults(noon) == []
    sql(statement)
    [fault] = faults(noon)
    assert told.replace("hold 1", f"hold {hold.pk}") in fault


def test_a_lifted_hold_that_says_it_stands_is_found(hold: LegalHold, noon: Any) -> None:
    retention.lift_hold(hold_id=hold.pk, reason="case closed", by="bob", now=noon)
    sql(f"UPDATE {TABLE} SET lifted_at = NULL, lifted_by = '', lifted_why = ''")
    [fault] = faults(noon)
    assert "who lifted it, when or why differs" in fault


def test_a_hold_that_nobody_recorded_is_found(noon: Any) -> None:
    LegalHold.objects.create(ledger="sar", record_id=1, reason="r", placed_by="eve", placed_at=noon)
    [fault] = faults(noon)
    assert "its placing is not recorded" in fault


def test_a_payload_that_was_purged_while_it_was_held_is_found(
    hold: LegalHold, chain: list[SarEntry], noon: Any
) -> None:
    sql(f"DELETE FROM {TABLE}")
    given = {"reason": PurgeReason.ERASURE, "by": "eve", "why": "said so"}
    retention.purge_payload(ledger="sar", record_id=chain[0].pk, now=noon, **given)
    assert f"hold {hold.pk}: the payload was purged while the hold was in force" in faults(noon)


def test_a_payload_that_was_purged_once_its_hold_was_lifted_is_none(
    hold: LegalHold, chain: list[SarEntry], noon: Any
) -> None:
    retention.lift_hold(hold_id=hold.pk, reason="case closed", by="bob", now=noon)
    given = {"reason": PurgeReason.ERASURE, "by": "ann", "why": "Court order 7"}
    retention.purge_payload(ledger="sar", record_id=chain[0].pk, now=noon, **given)
    assert faults(noon) == []


def test_a_record_of_a_hold_cannot_be_changed(hold: LegalHold, noon: Any) -> None:
    faults(noon)
    with without_triggers():
        sql(f"UPDATE {HoldEvent._meta.db_table} SET by = 'eve'".replace(" by ", ' "by" '))
    assert faults(noon) != []
