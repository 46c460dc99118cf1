"""Money rows are what was recorded of them: whoever changes them alone is found, and stopped."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from rest_framework.test import APIClient

from apps.access.paywall import tasks
from apps.access.paywall.models import PaymentClaim, PaymentStep, Receipt, StreamSession, Tick
from apps.platform.common.clock import now
from apps.platform.ledger.table_proofs import PROJECTIONS
from tests.attacks import tables
from tests.paywall.payer import PayingClient, v1
from tests.platform.tampering import sql, without_triggers

pytestmark = pytest.mark.django_db
OPEN = "/compliance/stream/open"


def found() -> list[str]:
    def faults() -> Iterator[str]:
        for ledger in ("receipts", "payments"):
            for comparison in PROJECTIONS[ledger]:
                yield from comparison.compare(lambda _: None)

    return list(faults())


@pytest.fixture
def held(screen: Any) -> dict[str, Any]:
    """A screen that was paid for, a session that ended, and an open one that was used."""
    assert screen(v1(screen().json()["accepts"][0])).status_code == 200
    post("close", opened())
    mine = opened()
    post("tick", mine, tickId="a", unit="call", count=3)
    assert screen({"X-Stream-Session": mine["secret"]}).status_code == 200
    return mine


def opened() -> dict[str, Any]:
    body = {"amountUsdc": "1.00", "unitType": "call"}
    document: dict[str, Any] = PayingClient().post(OPEN, body, format="json").json()
    return document


def post(step: str, session: dict[str, Any], **body: Any) -> Any:
    path = f"/compliance/stream/{session['sessionId']}/{step}"
    head = {"X-Stream-Session": session["secret"]}
    return PayingClient().post(path, body, format="json", headers=head)


def test_what_the_platform_did_is_in_order(held: Any) -> None:
    assert PaymentStep.objects.filter(step="ANSWERED").count() == 3
    assert found() == []


SESSION = "UPDATE paywall_streamsession SET "
CLAIM = "UPDATE paywall_paymentclaim SET "
CHANGES = {
    "credit and balance": (
        SESSION + "credit = 9000000000, balance = 9000000000 WHERE state = 'OPEN'",
        "recorded is 0.96",
    ),
    "balance within the credit": (
        SESSION + "balance = credit WHERE state = 'OPEN'", "balance is 1, recorded is 0.96",
    ),
    "what is refundable": (SESSION + "refundable = 2 WHERE state = 'CLOSED'", "refundable is"),
    "opened again": (
        SESSION + "state = 'OPEN', refundable = NULL, closed_at = NULL WHERE state = 'CLOSED'",
        "state is OPEN, recorded is CLOSED",
    ),
    "another secret": (SESSION + "digest = 'mine'", "digest is mine"),
    "the payer": (CLAIM + "payer = '0x1'", "its payer differs from the record"),
    "the amount": (CLAIM + "amount = 1", "its amount differs from the record"),
    "the question": (CLAIM + "fingerprint = 'f'", "its fingerprint differs"),
    "not answered": (
        CLAIM + "answered_at = NULL, answer = '', status = NULL",
        "its answer is recorded, but not in its row",
    ),
    "not settled": (
        CLAIM + "state = 'FAILED', answered_at = NULL, status = NULL",
        "the receipt of money is recorded",
    ),
    "gone": (
        "DELETE FROM paywall_paymentclaim WHERE id NOT IN "
        "(SELECT claim_id FROM paywall_streamsession)",
        "it is recorded, but its row is missing",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("change", "says"), CHANGES.values(), ids=CHANGES)
def test_a_row_that_was_changed_is_found(held: Any, change: str, says: str) -> None:
    assert sql(change) > 0
    assert any(says in fault for fault in found()), found()


def test_a_tick_that_is_gone_or_smaller_is_found(held: Any) -> None:
    with without_triggers():
        sql("UPDATE paywall_tick SET amount = 1 WHERE tick_id = 'a'")
    assert any("differs from its credit less its ticks" in fault for fault in found())


def test_a_claim_of_money_that_never_came_is_found(held: Any) -> None:
    claim = PaymentClaim.objects.latest("pk")
    claim.pk, claim.nonce, claim.answered_at, claim.status = None, "0xmine", None, None
    claim.save(force_insert=True)
    session = StreamSession.objects.latest("pk")
    session.pk, session.claim, session.lookup = None, claim, "mine"
    session.session_id = "0" * 32  # type: ignore[assignment]
    session.save(force_insert=True)
    assert any("the receipt of money is not recorded" in fault for fault in found())


RAISED = "credit = 9000000000, balance = 9000000000"


@pytest.mark.parametrize("change", [RAISED, "balance = credit", "unit_price = 1"])
def test_nothing_is_owed_or_taken_on_the_word_of_an_altered_session(
    held: Any, screen: Callable[..., Any], change: str
) -> None:
    sql(f"{SESSION}{change} WHERE state = 'OPEN'")
    owed, taken = Receipt.objects.filter(kind="REFUND_DUE").count(), Tick.objects.count()
    used = {"tickId": "b", "unit": "call", "count": 1}
    called = screen({"X-Stream-Session": held["secret"]})
    for refused in (post("close", held), post("tick", held, **used), called):
        assert (refused.status_code, refused.json()["code"]) == (503, "session_unproved")
    assert Receipt.objects.filter(kind="REFUND_DUE").count() == owed
    assert Tick.objects.count() == taken


@pytest.mark.parametrize(
    "change", [RAISED, "balance = credit", "expires_at = '2030-01-01 00:00:00'"]
)
def test_an_altered_session_is_not_told_either(held: Any, change: str) -> None:
    path, secret = f"/compliance/stream/{held['sessionId']}", {"X-Stream-Session": held["secret"]}
    assert APIClient().get(path, headers=secret).status_code == 200
    sql(f"{SESSION}{change} WHERE state = 'OPEN'")
    told = APIClient().get(path, headers=secret)
    assert (told.status_code, told.json()["code"]) == (503, "session_unproved")


def test_no_step_of_a_session_is_written_twice(held: Any) -> None:
    """A copy of an earlier step would bear out how the session stood before it was used."""
    step = PaymentStep.objects.filter(step="USED").latest("pk")
    step.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        step.save(force_insert=True)


def test_what_is_owed_is_what_was_paid_less_the_ticks(held: Any) -> None:
    """Who also copies a record cannot raise the rest: receipt and ticks bound it."""
    with without_triggers():
        sql("DELETE FROM paywall_paymentstep WHERE step = 'USED'")
    sql(f"{SESSION}balance = credit WHERE state = 'OPEN'")
    refused = post("close", held)
    assert (refused.status_code, refused.json()["code"]) == (503, "session_unproved")


def test_an_altered_session_does_not_keep_the_others_from_ending(held: Any) -> None:
    other = opened()
    sessions = StreamSession.objects.all()
    sessions.filter(session_id=held["sessionId"]).update(credit=9000, balance=9000)
    tasks.sweep_payments("", now() + timedelta(days=400))
    states = {str(name): state for name, state in sessions.values_list("session_id", "state")}
    assert (states[held["sessionId"]], states[other["sessionId"]]) == ("OPEN", "EXPIRED")


def test_a_payment_whose_answer_was_taken_back_is_not_answered_again(screen: Any) -> None:
    paid = v1(screen().json()["accepts"][0])
    assert screen(paid).status_code == 200
    PaymentClaim.objects.update(answered_at=None, answer="", status=None, lease_until=now())
    again = screen(paid)
    assert (again.status_code, again.json()["code"]) == (409, "payment_used")


def test_the_rest_of_an_ended_session_is_recorded_once(held: Any) -> None:
    assert post("close", held).json()["refundableUsdc"] == "0.96"
    assert Receipt.objects.filter(kind="REFUND_DUE", amount=Decimal("0.96")).count() == 1
    assert found() == []


def test_no_column_can_be_changed_unseen(held: Any) -> None:
    labels = ("paywall.PaymentClaim", "paywall.StreamSession", "paywall.Tick")
    assert tables.undetected(*labels) == []
