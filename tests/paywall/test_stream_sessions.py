"""Stream sessions: paid for at once, used bit by bit, never below zero, the rest recorded."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.access.paywall import encryption, tasks
from apps.access.paywall.models import PaymentClaim, Receipt, StreamSession, Tick
from apps.access.paywall.services import sessions
from apps.platform.common.clock import now
from apps.platform.crypto.encryption import DecryptionFailed
from tests.paywall.payer import BOB, PayingClient, v1

pytestmark = pytest.mark.django_db
OPEN = "/compliance/stream/open"
Opens = Callable[..., dict[str, Any]]


@pytest.fixture
def opens() -> Opens:
    def call(amount: str = "1.00", unit: str = "call", payer: Any = None, **more: Any) -> Any:
        client = PayingClient(payer) if payer else PayingClient()
        body = {"amountUsdc": amount, "unitType": unit, **more}
        answer = client.post(OPEN, body, format="json")
        assert answer.status_code == 201, answer.content
        return answer.json()

    return call


def holder(opened: dict[str, Any]) -> APIClient:
    client = APIClient(raise_request_exception=False)
    client.credentials(HTTP_X_STREAM_SESSION=opened["secret"])
    return client


def tick(opened: dict[str, Any], tick_id: str = "t1", unit: str = "call", count: Any = 1) -> Any:
    path = f"/compliance/stream/{opened['sessionId']}/tick"
    body = {"tickId": tick_id, "unit": unit, "count": count}
    return holder(opened).post(path, body, format="json")


def test_the_payment_is_the_amount_that_is_asked_for() -> None:
    client = APIClient()
    body = {"amountUsdc": "2.50", "unitType": "second"}
    accept = client.post(OPEN, body, format="json").json()["accepts"][0]
    assert accept["maxAmountRequired"] == "2500000"
    cheap = client.post(OPEN, {"amountUsdc": "0.01", "unitType": "second"}, format="json")
    paid = v1(cheap.json()["accepts"][0])
    refused = client.post(OPEN, body, format="json", headers=paid)
    assert refused.status_code == 402 and not StreamSession.objects.exists()


@pytest.mark.parametrize(
    "amount", ["0.009", "10000.01", "1.0000001", "-1", "1e3", "", True, 0.0099, 10000.01, "١"]
)
def test_an_amount_out_of_bounds_or_form_is_400(amount: Any) -> None:
    answer = APIClient().post(OPEN, {"amountUsdc": amount, "unitType": "call"}, format="json")
    assert answer.status_code == 400 and answer.json()["errors"][0]["field"] == "amountUsdc"


@pytest.mark.parametrize(
    ("amount", "micro"),
    [("0.01", "10000"), ("0.009999", ""), ("10000", "10000000000"), ("10000.000001", "")],
)
def test_a_cent_and_ten_thousand_are_the_bounds_of_a_session(amount: str, micro: str) -> None:
    """Document 1 section 8."""
    answer = APIClient().post(OPEN, {"amountUsdc": amount, "unitType": "call"}, format="json")
    assert answer.status_code == (402 if micro else 400)
    if micro:
        assert answer.json()["accepts"][0]["maxAmountRequired"] == micro


@pytest.mark.parametrize(
    ("amount", "micro"),
    [(0.01, "10000"), (1, "1000000"), (1.0000001, "1000000"), (10000, "10000000000")],
)
def test_an_amount_may_be_a_number_as_discovery_writes_its_bounds(
    amount: float, micro: str
) -> None:
    body = APIClient().get("/compliance/.well-known/x402.json").json()
    entry = body["endpoints"]["POST /stream/open"]
    assert (entry["minUsdc"], entry["maxUsdc"]) == (0.01, 10000)
    answer = APIClient().post(OPEN, {"amountUsdc": amount, "unitType": "call"}, format="json")
    assert answer.json()["accepts"][0]["maxAmountRequired"] == micro


def test_a_session_says_what_it_holds_and_keeps_no_secret(opens: Opens) -> None:
    opened = opens("1.00", "token", reference="agent 7")
    assert (opened["balanceUsdc"], opened["unitPriceUsdc"]) == ("1.00", "0.00001")
    assert opened["secret"].startswith("svc_str_") and opened["reference"] == "agent 7"
    row = StreamSession.objects.get()
    kept = [str(value) for value in vars(row).values()]
    kept += [str(value) for value in vars(PaymentClaim.objects.get()).values()]
    assert not any(opened["secret"][20:] in value for value in kept)
    body = holder(opened).get(f"/compliance/stream/{opened['sessionId']}").json()
    assert body == {name: value for name, value in opened.items() if name != "secret"}


def test_a_session_pays_for_a_priced_call(opens: Opens, screen: Any) -> None:
    opened = opens("0.03")
    head = {"X-Stream-Session": opened["secret"]}
    for left in ("0.02", "0.01", "0"):
        assert screen(head).status_code == 200
        assert StreamSession.objects.get().balance == Decimal(left)
    spent = screen(head)
    assert (spent.status_code, spent.json()["code"]) == (402, "session_credit_spent")
    assert spent.json()["accepts"]  # the way to pay for the call instead
    taken = Tick.objects.values_list("unit", "count", "amount", "resource")
    assert list(taken) == [("call", 1, Decimal("0.01"), "screen")] * 3


def test_a_session_reads_what_it_paid_for_and_nothing_else(opens: Opens, screen: Any) -> None:
    mine, other = opens(), opens(payer=BOB)
    screen_id = screen({"X-Stream-Session": mine["secret"]}).json()["screenId"]
    path = f"/compliance/compliance/screen/{screen_id}"
    assert holder(mine).get(path).json()["screenId"] == screen_id
    assert holder(other).get(path).status_code == 404
    assert StreamSession.objects.get(session_id=mine["sessionId"]).balance == Decimal("0.99")


def test_a_call_that_fails_takes_nothing(opens: Opens, screen: Any, monkeypatch: Any) -> None:
    opened = opens()
    head = {"X-Stream-Session": opened["secret"]}
    assert screen(head, name="").status_code == 400
    monkeypatch.setattr("apps.compliance.screening.combined.services.Screen.write", None)
    assert screen(head).status_code == 500
    assert StreamSession.objects.get().balance == Decimal("1") and not Tick.objects.exists()


def test_ticks_take_units_once_for_each_id(opens: Opens) -> None:
    opened = opens("0.05")
    first = tick(opened, "a", count=2).json()
    assert (first["amountUsdc"], first["balanceUsdc"], first["replayed"]) == ("0.02", "0.03", False)
    again = tick(opened, "a", count=2).json()
    assert again == first | {"replayed": True}
    assert tick(opened, "a", count=3).json()["code"] == "tick_id_reused"
    assert tick(opened, "b", count=3).json()["balanceUsdc"] == "0.00"
    spent = tick(opened, "c")
    assert (spent.status_code, spent.json()["code"]) == (402, "session_credit_spent")
    assert Tick.objects.count() == 2


@pytest.mark.parametrize(
    ("changes", "status"),
    [({"unit": "byte"}, 422), ({"count": 0}, 400), ({"count": 1.5}, 400), ({"tick_id": ""}, 400)],
)
def test_a_tick_that_makes_no_sense_is_refused(opens: Opens, changes: Any, status: int) -> None:
    assert tick(opens(), **changes).status_code == status


def test_closing_records_what_is_owed_back_and_ends_all_use(opens: Opens, screen: Any) -> None:
    opened = opens("1.00")
    tick(opened, count=30)
    path = f"/compliance/stream/{opened['sessionId']}/close"
    closed = holder(opened).post(path).json()
    assert (closed["state"], closed["refundableUsdc"]) == ("CLOSED", "0.70")
    assert holder(opened).post(path).json() == closed
    assert tick(opened, "later").json()["code"] == "session_ended"
    assert screen({"X-Stream-Session": opened["secret"]}).status_code == 401
    owed = Receipt.objects.get(kind="REFUND_DUE")
    assert owed.amount == Decimal("0.7") and owed.data["sessionId"] == opened["sessionId"]


def test_a_session_takes_until_its_end_and_not_at_it(opens: Opens, monkeypatch: Any) -> None:
    opened = opens()
    end = StreamSession.objects.get().expires_at
    monkeypatch.setattr(
        "apps.platform.api.viewsets.present", lambda: end - timedelta(microseconds=1)
    )
    assert tick(opened, "last").status_code == 200
    monkeypatch.setattr("apps.platform.api.viewsets.present", lambda: end)
    over = tick(opened, "over")
    assert (over.status_code, over.json()["code"]) == (409, "session_ended")
    assert Tick.objects.count() == 1


def test_a_session_whose_time_is_over_is_closed_with_its_rest(opens: Opens) -> None:
    opened, later = opens("0.50", expiresIn=60), opens("0.50", expiresIn=3600)
    tasks.sweep_payments("", now() + timedelta(minutes=2))
    ended = StreamSession.objects.get(session_id=opened["sessionId"])
    assert (ended.state, ended.refundable) == ("EXPIRED", Decimal("0.5"))
    assert StreamSession.objects.get(session_id=later["sessionId"]).state == "OPEN"
    assert Receipt.objects.filter(kind="REFUND_DUE").count() == 1


def test_nobody_without_the_secret_is_let_in(opens: Opens) -> None:
    opened, other = opens(), opens(payer=BOB)
    path = f"/compliance/stream/{opened['sessionId']}"
    nobody = APIClient().get(path)
    assert (nobody.status_code, nobody.json()["code"]) == (401, "missing_session")
    wrong = holder(opened | {"secret": opened["secret"][:-1] + "*"}).get(path)
    assert (wrong.status_code, wrong.json()["code"]) == (401, "unknown_session")
    assert holder(other).get(path).status_code == 404
    theirs = holder(other).post(f"{path}/tick", {"tickId": "x", "unit": "call", "count": 1})
    assert theirs.status_code in (404, 415) and not Tick.objects.exists()


def test_the_secret_is_told_again_only_under_the_idempotency_key_of_the_first_call() -> None:
    """Who reads the chain can put a settled payment together again, and guess the body."""
    client, body = APIClient(), {"amountUsdc": "1.00", "unitType": "call"}
    paid = v1(client.post(OPEN, body, format="json").json()["accepts"][0])
    first = client.post(OPEN, body, format="json", headers=paid)
    assert first.status_code == 201
    bare = client.post(OPEN, body, format="json", headers=paid)
    assert (bare.status_code, bare.json()["code"]) == (409, "payment_used")
    paid = v1(client.post(OPEN, body, format="json").json()["accepts"][0])
    keyed = paid | {"Idempotency-Key": "5f0c2a7e-5b1d-4c7e-9a52-3f8f6f0f7d12"}
    first, again = (client.post(OPEN, body, format="json", headers=keyed) for _ in range(2))
    assert again.json() == first.json() and again["Idempotent-Replayed"] == "true"
    guessed = client.post(OPEN, body, format="json", headers=paid)
    assert guessed.status_code == 409 and "secret" not in guessed.json()
    assert StreamSession.objects.count() == 2


def test_a_retry_that_is_paid_anew_opens_no_second_session_and_takes_nothing() -> None:
    """Clients of x402 sign a new payment at each retry."""
    client, body = APIClient(), {"amountUsdc": "1.00", "unitType": "call"}
    accept = client.post(OPEN, body, format="json").json()["accepts"][0]
    key = {"Idempotency-Key": "5f0c2a7e-5b1d-4c7e-9a52-3f8f6f0f7d12"}
    first, again = (
        client.post(OPEN, body, format="json", headers=v1(accept) | key) for _ in range(2)
    )
    assert first.status_code == again.status_code == 201
    assert again.json() == first.json() and again["Idempotent-Replayed"] == "true"
    assert "Idempotent-Replayed" not in first
    assert (StreamSession.objects.count(), Receipt.objects.count()) == (1, 1)
    assert PaymentClaim.objects.count() == 1  # the second payment is as good as before
    other = body | {"amountUsdc": "2.00"}
    dearer = client.post(OPEN, other, format="json").json()["accepts"][0]
    clash = client.post(OPEN, other, format="json", headers=v1(dearer) | key)
    assert (clash.status_code, clash.json()["code"]) == (409, "idempotency_key_reused")
    assert Receipt.objects.count() == 1


def test_a_guessed_payer_is_told_no_secret_of_another_wallet() -> None:
    client, body = APIClient(), {"amountUsdc": "1.00", "unitType": "call"}
    accept = client.post(OPEN, body, format="json").json()["accepts"][0]
    key = {"Idempotency-Key": "5f0c2a7e-5b1d-4c7e-9a52-3f8f6f0f7d12"}
    mine = client.post(OPEN, body, format="json", headers=v1(accept) | key)
    theirs = client.post(OPEN, body, format="json", headers=v1(accept, BOB) | key)
    assert theirs.status_code == 201 and theirs.json()["secret"] != mine.json()["secret"]
    assert StreamSession.objects.count() == 2


def test_a_stored_answer_opens_to_nobody_without_the_payment(opens: Opens) -> None:
    opens()
    claim = PaymentClaim.objects.get()
    with pytest.raises(DecryptionFailed):
        encryption.decrypt_text(
            claim.answer, purpose=encryption.ANSWERS, bound=claim.nonce, proof="0x00"
        )
    assert claim.sealed == ""  # the signed payment is gone


def test_find_knows_no_texts_that_are_no_secrets() -> None:
    assert [
        sessions.find_session_by_secret(text) for text in ("", "svc_str_", "é" * 70, "svc_sub_abc")
    ] == [None] * 4


def test_a_call_that_took_the_last_credit_is_told_again(opens: Opens, screen: Any) -> None:
    opened = opens("0.01")
    head = {"X-Stream-Session": opened["secret"], "Idempotency-Key": "mine"}
    first, again = screen(head), screen(head)
    assert (again.status_code, again.content) == (200, first.content)
    assert again["Idempotent-Replayed"] == "true"
    assert screen(head | {"Idempotency-Key": "other"}).status_code == 402
    holder(opened).post(f"/compliance/stream/{opened['sessionId']}/close")
    assert screen(head).content == first.content
    assert screen(head | {"Idempotency-Key": "other"}).status_code == 401
    assert screen(head, name="Another Ltd").status_code == 401
    assert Tick.objects.count() == 1


def test_what_an_ended_session_was_told_is_told_to_no_other(opens: Opens, screen: Any) -> None:
    mine, other = opens("0.01"), opens("0.01", payer=BOB)
    first = screen({"X-Stream-Session": mine["secret"], "Idempotency-Key": "k"})
    second = screen({"X-Stream-Session": other["secret"], "Idempotency-Key": "k"})
    assert second.json()["screenId"] != first.json()["screenId"]


def test_a_payment_beside_a_spent_session_pays_for_the_call(opens: Opens, screen: Any) -> None:
    head = {"X-Stream-Session": opens("0.01")["secret"]}
    assert screen(head).status_code == 200
    asked = screen(head)
    assert asked.status_code == 402
    paid = screen(head | v1(asked.json()["accepts"][0]))
    assert paid.status_code == 200 and Tick.objects.count() == 1
    assert Receipt.objects.filter(resource="screen").count() == 1
