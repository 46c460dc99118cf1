"""Money that came and bought nothing: told to operators, counted apart, owed back after a day."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from apps.access.keys.metering import get_month
from apps.access.paywall import health, revenue, tasks
from apps.access.paywall.integrity import verify_payment_steps, verify_payments
from apps.access.paywall.models import PaymentClaim, Receipt, State, StreamSession
from apps.platform.common.clock import now
from tests.paywall.payer import ALICE, BOB, v1

pytestmark = pytest.mark.django_db
OPEN, BODY = "/compliance/stream/open", {"amountUsdc": "1.00", "unitType": "call"}


@pytest.fixture
def lost(screen: Callable[..., Any]) -> dict[str, str]:
    """A payment that was settled by a call that then failed."""
    paid = v1(screen().json()["accepts"][0])
    with pytest.MonkeyPatch.context() as broken:
        broken.setattr("apps.compliance.screening.combined.services.Screen.write", None)
        assert screen(paid).status_code == 500
    assert PaymentClaim.objects.get().state == State.SETTLED
    return paid


def test_operators_are_told_after_an_hour(lost: Any) -> None:
    at = PaymentClaim.objects.get().settled_at
    assert at is not None
    on_time = health.check_payments(at + timedelta(hours=1))
    assert (on_time["status"], on_time["unanswered"]) == ("ok", 1)
    late = health.check_payments(at + timedelta(hours=1, seconds=1))
    assert (late["status"], late["oldestSeconds"]) == ("degraded", 3601)
    assert "Paid and not answered: 1." in health.describe_payments_health(late)[0]


def test_the_health_address_has_the_check(client: Any, lost: Any) -> None:
    assert client.get("/compliance/health").json()["checks"]["payments"]["unanswered"] == 1


def test_takings_count_it_apart(lost: Any) -> None:
    assert revenue.load_monthly_revenue(get_month(now())).unanswered == Decimal("0.01")


def test_it_is_answered_as_long_as_it_is_not_owed_back(lost: Any, screen: Any) -> None:
    tasks.sweep_payments("", now() + timedelta(hours=23))
    assert screen(lost).status_code == 200
    tasks.sweep_payments("", now() + timedelta(days=2))
    assert not Receipt.objects.filter(kind="REFUND_DUE").exists()
    assert health.check_payments(now() + timedelta(days=2))["unanswered"] == 0


def test_after_a_day_it_is_owed_back_once_and_buys_nothing_more(lost: Any, screen: Any) -> None:
    for days in (2, 3):
        tasks.sweep_payments("", now() + timedelta(days=days))
    owed = Receipt.objects.get(kind="REFUND_DUE")
    assert (owed.amount, owed.data["unanswered"]) == (Decimal("0.01"), True)
    again = screen(lost)
    assert (again.status_code, again.json()["code"]) == (409, "payment_used")
    assert "owed back" in again.json()["detail"]
    assert revenue.load_monthly_revenue(get_month(now())).unanswered == 0
    assert [*verify_payments(lambda _: None), *verify_payment_steps(lambda _: None)] == []
    PaymentClaim.objects.update(state=State.SETTLED)
    assert any("a refund due is recorded" in fault for fault in verify_payments(lambda _: None))


@pytest.mark.parametrize(
    "changes", [{"amount": Decimal(5)}, {"resource": "ubo-chain"}, {"fingerprint": "0" * 64}]
)
def test_a_payment_that_its_receipt_does_not_bear_out_buys_nothing(
    lost: Any, screen: Any, changes: dict[str, Any]
) -> None:
    fingerprint = PaymentClaim.objects.get().fingerprint
    PaymentClaim.objects.update(**changes)
    refused = screen(lost)
    if changes.get("fingerprint", fingerprint) != fingerprint:  # another question than was paid for
        assert (refused.status_code, refused.json()["code"]) == (409, "payment_used")
    else:
        assert (refused.status_code, refused.json()["code"]) == (503, "payment_unproved")


@pytest.mark.parametrize(
    "changes", [{"amount": Decimal(9000)}, {"payer": "0x" + "9" * 40}, {"chain_id": 1}]
)
def test_a_payment_that_its_receipt_does_not_bear_out_is_not_owed_back(
    lost: Any, changes: dict[str, Any]
) -> None:
    """A refund receipt on such a row would confirm what somebody wrote into the database."""
    PaymentClaim.objects.update(**changes)
    tasks.sweep_payments("", now() + timedelta(days=2))
    assert not Receipt.objects.filter(kind="REFUND_DUE").exists()
    assert PaymentClaim.objects.get().state == State.SETTLED


def test_an_answer_that_was_taken_back_is_not_owed_back(screen: Any) -> None:
    assert screen(v1(screen().json()["accepts"][0])).status_code == 200
    PaymentClaim.objects.update(answered_at=None, answer="", status=None)
    tasks.sweep_payments("", now() + timedelta(days=2))
    assert not Receipt.objects.filter(kind="REFUND_DUE").exists()


def test_an_altered_payment_does_not_keep_the_others_from_being_owed_back(
    lost: Any, screen: Any
) -> None:
    claim = PaymentClaim.objects.get()
    claim.pk, claim.nonce, claim.settled_at = None, "0xmine", now() - timedelta(days=1)
    claim.save(force_insert=True)
    tasks.sweep_payments("", now() + timedelta(days=2))
    assert Receipt.objects.get(kind="REFUND_DUE").claim_id != claim.pk


def test_no_query_of_the_sweep_scans_the_payments(lost: Any) -> None:
    with CaptureQueriesContext(connection) as queries:
        tasks.sweep_payments("", now() + timedelta(days=2))
    if connection.vendor != "sqlite":
        return  # few rows: PostgreSQL scans them whatever the indexes
    for query in queries:
        if query["sql"].startswith(("SELECT", "UPDATE", "DELETE")) and "paywall" in query["sql"]:
            with connection.cursor() as cursor:
                cursor.execute(f"EXPLAIN QUERY PLAN {query['sql']}")
                plan = " ".join(str(row[-1]) for row in cursor.fetchall())
            assert "SCAN paywall_paymentclaim" not in plan, query["sql"]


def test_a_payment_that_the_database_alone_says_came_buys_nothing(screen: Any) -> None:
    """Who can write the database can say that money came, and not write its receipt."""
    paid = v1(screen().json()["accepts"][0])
    with pytest.MonkeyPatch.context() as dead:
        dead.setattr("apps.access.paywall.services.payment_claims.forget_claim", lambda claim: None)
        dead.setattr("apps.access.paywall.services.payment_claims.mark_settling", None)
        assert screen(paid).status_code == 500
    at = now()
    PaymentClaim.objects.update(state=State.SETTLED, settled_at=at, lease_until=at)
    refused = screen(paid)
    assert (refused.status_code, refused.json()["code"]) == (503, "payment_unproved")
    assert refused["Retry-After"] and not Receipt.objects.exists()


def opened() -> tuple[dict[str, str], dict[str, Any]]:
    client = APIClient()
    paid = v1(client.post(OPEN, BODY, format="json").json()["accepts"][0])
    return paid, client.post(OPEN, BODY, format="json", headers=paid).json()


def fresh(payer: Any = ALICE, **changes: Any) -> dict[str, str]:
    """A payment that a wallet signs now, of whatever price."""
    return v1(APIClient().post(OPEN, BODY, format="json").json()["accepts"][0], payer, **changes)


def close(made: dict[str, Any], headers: dict[str, str]) -> Any:
    path = f"/compliance/stream/{made['sessionId']}/close"
    return APIClient().post(path, headers=headers)


def test_a_session_is_not_closed_by_who_sends_its_settled_payment_again() -> None:
    """The chain tells it to anybody, and a client that retries may have the secret by now."""
    paid, made = opened()
    again = APIClient().post(OPEN, BODY, format="json", headers=paid)
    assert (again.status_code, again.json()["code"]) == (409, "payment_used")
    assert f"{made['sessionId']}/close" in again.json()["detail"]
    assert made["secret"] not in again.content.decode()
    refused = close(made, paid)
    assert (refused.status_code, refused.json()["code"]) == (401, "payer_not_proved")
    assert StreamSession.objects.get().state == "OPEN"


def test_the_wallet_that_paid_ends_its_session_by_a_payment_that_is_not_taken() -> None:
    _, made = opened()
    closed = close(made, fresh())
    assert (closed.status_code, closed.json()["refundableUsdc"]) == (200, "1.00")
    assert close(made, fresh()).json() == closed.json()
    assert Receipt.objects.get(kind="REFUND_DUE").amount == Decimal(1)
    assert PaymentClaim.objects.count() == 1


def test_another_wallet_and_a_signature_that_is_no_good_end_no_session() -> None:
    _, made = opened()
    assert close(made, fresh(BOB)).status_code == 404
    assert close(made, fresh(validBefore=1_700_000_000)).status_code == 401
    assert close(made, {}).json()["code"] == "missing_session"
    other = made | {"sessionId": "00000000-0000-4000-8000-000000000000"}
    assert close(other, fresh()).status_code == 404
    assert StreamSession.objects.get().state == "OPEN"


@pytest.mark.parametrize("key", ["1", "of my own"])
def test_a_session_is_not_opened_under_a_key_that_is_guessed(key: str) -> None:
    paid = v1(APIClient().post(OPEN, BODY, format="json").json()["accepts"][0])
    refused = APIClient().post(OPEN, BODY, format="json", headers=paid | {"Idempotency-Key": key})
    assert (refused.status_code, refused.json()["code"]) == (400, "bad_idempotency_key")
    assert not PaymentClaim.objects.exists()
