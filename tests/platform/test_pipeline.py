"""The flow of a call as a grant that takes payments sees it: what is written and charged when."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, transaction
from django.http import StreamingHttpResponse
from django.test import Client

from apps.platform.api.answers import Refusal
from apps.platform.api.authentication import Grant, GrantAuthentication
from apps.platform.api.callers import Caller
from apps.platform.api.models import IdempotentCall
from apps.platform.api.operations import Access, Operation
from apps.platform.api.representation import RenderedAnswer, UndeclaredValue, render_answer
from apps.platform.api.viewsets import OperationViewSet
from apps.platform.common.problems import DomainError, Unavailable
from apps.platform.jobs.models import Heartbeat
from config.urls import urlpatterns as of_the_project
from tests.operations import addresses
from tests.platform.endpoints import ROWS as OTHERS
from tests.platform.endpoints import NoteIn, Once, OnceOut, row

pytestmark = [pytest.mark.urls(__name__), pytest.mark.django_db(transaction=True)]
PATH = "/compliance/test/paid"
PAID = {"X-Test-Payment": "0xabc"}


class PaymentWanted(DomainError):
    """A payment is wanted."""

    status, code, title = 402, "payment_required", "Pay first"


class Declined(DomainError):
    """The payment was declined."""

    status, code, title = 402, "payment_declined", "Declined"


class Till:
    """What a gate saw, in order; each step may be told to fail."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.failing: dict[str, Exception] = {}
        self.seen_before_settled = -1
        self.in_transaction: dict[str, bool] = {}

    def step(self, name: str) -> None:
        self.log.append(name)
        self.in_transaction[name] = connection.in_atomic_block
        if name in self.failing:
            raise self.failing[name]


TILL = Till()


class PaidGrant(Grant):
    def verify(self, **_: Any) -> None:
        TILL.step("verify")

    def settle(self, **_: Any) -> None:
        # nothing of the call is visible yet, to us or to anybody else
        TILL.seen_before_settled = Heartbeat.objects.count()
        TILL.step("settle")

    def charge(self, **_: Any) -> None:
        TILL.step("charge")

    def release(self, **_: Any) -> None:
        TILL.step("release")


class PaymentAuthentication(GrantAuthentication):
    """Takes what the header X-Test-Payment says for a payment."""

    def admit(self, *, operation: Operation, request: Any, now: Any) -> Grant | None:
        payer = request.headers.get("X-Test-Payment")
        return PaidGrant(Caller(f"payer:{payer}", "PAYER")) if payer else None

    def challenge(self, *, operation: Operation, request: Any, values: Any) -> DomainError | None:
        return PaymentWanted("Pay 0.01 USD.")


def gather(*, asked: Any, now: Any) -> int:
    TILL.step("gather")
    return 7


def conclude(*, asked: Any, gathered: int, caller: Caller, now: Any) -> dict[str, Any]:
    Heartbeat.objects.create(name=caller.ref, at=now)
    TILL.step("conclude")
    return {"call": gathered, "amount": None}


def stream(*, asked: Any, gathered: None, caller: Caller, now: Any) -> StreamingHttpResponse:
    return StreamingHttpResponse(iter([caller.ref.encode(), b" ", asked["text"].encode()]))


PAID_ROWS = [
    row(
        "paid", "POST", "compliance/test/paid", access=Access(keys=("SUBSCRIPTION",)),
        request=NoteIn, response=OnceOut, gather=gather, conclude=conclude,
    ),
    row("streamed", "GET", "compliance/test/streamed", conclude=stream,
        build=lambda: {"text": "rows"}),
]  # fmt: skip
urlpatterns = [*addresses(OTHERS), *of_the_project, *addresses(PAID_ROWS)]


@pytest.fixture(autouse=True)
def till(monkeypatch: Any) -> Iterator[Till]:
    ways = [PaymentAuthentication()]
    monkeypatch.setattr(OperationViewSet, "get_authenticators", lambda self: ways)
    TILL.__init__()  # type: ignore[misc]
    yield TILL


def pay(text: str = "a", **headers: str) -> Any:
    client = Client(raise_request_exception=False)
    return client.post(
        PATH, {"text": text}, content_type="application/json", headers=headers or PAID
    )


def test_the_steps_come_in_the_order_of_the_design(till: Till) -> None:
    assert pay().json() == {"call": 7, "amount": None}
    assert till.log == ["verify", "gather", "settle", "conclude", "charge"]
    together = {name for name, inside in till.in_transaction.items() if inside}
    assert together == {"conclude", "charge"}
    assert Heartbeat.objects.get().name == "payer:0xabc"


def test_nothing_is_visible_until_the_payment_is_settled(till: Till) -> None:
    till.failing["settle"] = Declined("No funds.")
    assert pay().status_code == 402
    assert till.seen_before_settled == 0 and not Heartbeat.objects.exists()
    assert till.log == ["verify", "gather", "settle", "release"]


def test_nothing_is_charged_when_gathering_failed(till: Till) -> None:
    till.failing["gather"] = Unavailable("The list is not there.")
    answer = pay()
    assert answer.status_code == 503 and answer["Retry-After"]
    assert till.log == ["verify", "gather", "release"]


def test_a_payment_that_is_not_good_lets_nothing_happen(till: Till) -> None:
    till.failing["verify"] = Declined("The signature is not yours.")
    assert pay().json()["code"] == "payment_declined"
    assert till.log == ["verify"]


def test_work_that_fails_after_settling_tells_the_gate_so(till: Till) -> None:
    till.failing["conclude"] = ZeroDivisionError("secret")
    assert pay().status_code == 500
    assert till.log == ["verify", "gather", "settle", "conclude", "release"]
    assert not Heartbeat.objects.exists()


def test_a_receipt_that_cannot_be_written_undoes_the_work(till: Till) -> None:
    till.failing["charge"] = ZeroDivisionError("secret")
    assert pay().status_code == 500
    assert not Heartbeat.objects.exists() and till.log[-1] == "release"


def test_who_shows_nothing_is_told_to_pay_and_a_bad_request_costs_nothing(till: Till) -> None:
    asked = pay(Accept="*/*")
    assert (asked.status_code, asked.json()["code"]) == (402, "payment_required")
    wrong = pay("x" * 21, Accept="*/*")
    assert wrong.status_code == 400
    assert pay("x" * 21).status_code == 400 and till.log == []


def test_the_stored_answer_is_given_without_a_second_payment(till: Till) -> None:
    again = PAID | {"Idempotency-Key": "k"}
    first, second = pay(**again), pay(**again)
    assert first.content == second.content and second["Idempotent-Replayed"] == "true"
    work = ["verify", "gather", "settle", "conclude", "charge"]
    assert till.log == [*work, "verify", "release"]  # what was claimed for nothing is given back
    other = pay(**{"X-Test-Payment": "0xdef", "Idempotency-Key": "k"})
    assert "Idempotent-Replayed" not in other and Heartbeat.objects.count() == 2


def test_a_call_that_failed_frees_its_key_for_the_next_try(till: Till) -> None:
    again = PAID | {"Idempotency-Key": "k"}
    till.failing["conclude"] = Unavailable("Later.")
    assert pay(**again).status_code == 503 and not IdempotentCall.objects.exists()
    till.failing.clear()
    assert pay(**again).status_code == 200


def test_a_refusal_keeps_what_it_wrote_and_costs_nothing(till: Till, monkeypatch: Any) -> None:
    def refuses(*, caller: Caller, now: Any, **_: Any) -> Refusal:
        Heartbeat.objects.create(name=f"refusal {Heartbeat.objects.count()}", at=now)
        return Refusal(Declined("Not so."))

    [paid] = [paid_row for paid_row in PAID_ROWS if paid_row.name == "paid"]
    monkeypatch.setattr(paid, "conclude", refuses)
    again = PAID | {"Idempotency-Key": "k"}
    for tried in (1, 2):
        refused = pay(**again)
        assert refused.json()["code"] == "payment_declined"
        assert "Idempotent-Replayed" not in refused
        assert Heartbeat.objects.count() == tried
    assert "charge" not in till.log and not IdempotentCall.objects.exists()


def test_gathering_and_settling_hold_no_transaction(till: Till) -> None:
    pay()
    assert not any(till.in_transaction[name] for name in ("verify", "gather", "settle"))
    with transaction.atomic():
        pass


# --- answers through their shapes -----------------------------------------------------


@pytest.mark.parametrize(
    ("values", "fault"),
    [
        ({"call": 1}, "requires amount"),
        ({"call": 1, "amount": None, "extra": 2}, "does not declare extra"),
        ({"call": None, "amount": None}, "may not be null"),
    ],
)
def test_an_answer_that_is_not_as_declared_is_a_fault_of_ours(values: Any, fault: str) -> None:
    with pytest.raises(UndeclaredValue, match=fault):
        render_answer(OnceOut, values)


def test_what_is_rendered_once_is_not_rendered_again() -> None:
    body = render_answer(OnceOut, {"call": 1, "amount": 5})
    assert isinstance(body, RenderedAnswer) and render_answer(OnceOut, body) is body


def test_an_open_endpoint_honours_a_key_of_each_address_alone(monkeypatch: Any) -> None:
    monkeypatch.undo()

    Once.calls = 0
    client = Client()
    answers = [
        client.post(
            "/compliance/test/open-once", {"text": "a"}, content_type="application/json",
            headers={"Idempotency-Key": "k"}, REMOTE_ADDR=address,
        )
        for address in ("192.0.2.1", "192.0.2.1", "192.0.2.2")
    ]  # fmt: skip
    assert [answer.json()["call"] for answer in answers] == [1, 1, 2]
    assert ["Idempotent-Replayed" in answer for answer in answers] == [False, True, False]


def test_a_whole_response_goes_out_as_it_is_and_is_not_billed(till: Till) -> None:
    answer = Client().get("/compliance/test/streamed", headers=PAID)
    assert b"".join(answer.streaming_content) == b"payer:0xabc rows"  # type: ignore[attr-defined]
    assert "charge" not in till.log
