"""Legal holds and purges at the desk: only on ledgers that the reader may know of."""

from typing import Any

import pytest
from django.test import Client

from apps.core import retention, sealing
from apps.core.models import LegalHold, PurgeReason
from apps.review.models import DecisionEvent
from apps.sar.models import SarEntry
from tests.review.people import NOON, SENIOR, at_desk, case, look, person

pytestmark = pytest.mark.django_db
HOLDS, PURGES = "/admin/core/legalhold/", "/admin/core/purgeevent/"


@pytest.fixture
def samir() -> Client:
    return at_desk(person("samir", SENIOR))


@pytest.fixture
def edgar() -> Client:
    return at_desk(person("edgar", "Examiner"))


def event() -> int:
    case(evidence={})
    return DecisionEvent.objects.get().pk


def place(client: Client, record: int, ledger: str = "decisions", reason: str = "") -> Any:
    given = {"ledger": ledger, "record": str(record), "reason": reason or "Court order 12/26"}
    return client.post(f"{HOLDS}place/", given)


def test_a_hold_is_placed_shown_and_lifted(samir: Client) -> None:
    assert place(samir, event()).status_code == 302
    hold = LegalHold.objects.get()
    assert (hold.placed_by, hold.reason) == ("samir", "Court order 12/26")
    assert "Court order 12/26" in look(samir.get(HOLDS))
    lift = f"{HOLDS}{hold.pk}/lift/"
    for short in ("", "too short"):
        assert "Say why the hold is lifted" in look(samir.post(lift, {"reason": short}), 400)
    assert samir.post(lift, {"reason": "The case was closed"}).status_code == 302
    hold.refresh_from_db()
    assert (hold.lifted_by, hold.lifted_why) == ("samir", "The case was closed")
    html = look(samir.get(HOLDS))
    assert "No hold stands" in html and "The case was closed" in html
    samir.post(lift, {"reason": "The case was closed"})
    assert "was lifted before" in look(samir.get(HOLDS))


@pytest.mark.parametrize(
    ("record", "ledger", "reason", "told"),
    [
        (999_999, "decisions", "", "There is no record 999999"),
        (0, "decisions", "", "greater than or equal to 1"),
        (1, "purges", "", "Select a valid choice"),
        (1, "nothing", "", "Select a valid choice"),
        (1, "decisions", "too short", "at least 10 characters"),
    ],
)
def test_a_hold_on_what_is_not_there_is_refused(
    samir: Client, record: int, ledger: str, reason: str, told: str
) -> None:
    answer = place(samir, record, ledger, reason)
    assert told in look(answer, answer.status_code)
    assert answer.status_code in (400, 404) and not LegalHold.objects.exists()


def test_an_examiner_sees_holds_and_places_none(edgar: Client) -> None:
    record = event()
    retention.place_hold(ledger="decisions", record_id=record, reason="Court", by="x", now=NOON)
    html = look(edgar.get(HOLDS))
    assert "Court" in html and "Hold the record" not in html and ">Lift<" not in html
    assert place(edgar, record).status_code == 403


def test_holds_and_purges_of_the_sar_log_are_seen_by_those_who_may_know_of_it(
    samir: Client, edgar: Client
) -> None:
    entry = SarEntry.write(payload={"party": "Boris"}, now=NOON, kind="screen", ref="1")
    other = SarEntry.write(payload={"party": "Igor"}, now=NOON, kind="screen", ref="2")
    sealing.seal_all(now=NOON)
    assert place(samir, entry.pk, "sar").status_code == 302
    given = {"reason": PurgeReason.ERASURE, "by": "samir", "why": "7/26"}
    retention.purge(ledger="sar", record_id=other.pk, now=NOON, **given)
    hold = LegalHold.objects.get()
    assert f"sar {entry.pk}" in look(samir.get(HOLDS))
    for address in (HOLDS, PURGES):
        html = look(edgar.get(address))
        assert "Court order" not in html and ">sar<" not in html and f"sar {entry.pk}" not in html
    vera = at_desk(_lifter())
    assert vera.post(f"{HOLDS}{hold.pk}/lift/").status_code == 404


def _lifter() -> Any:
    """Somebody who may lift holds, and knows nothing of the log."""
    from django.contrib.auth.models import Permission

    vera = person("vera")
    found = Permission.objects.filter(codename__in=("lift_legalhold", "view_legalhold"))
    vera.user_permissions.set(found)
    return vera
