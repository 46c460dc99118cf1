"""Idempotency-Key: once, the same answer again, and no key lost to a dead caller."""

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from rest_framework.test import APIClient

from apps.platform import tasks
from apps.platform.api.idempotency import LEASE
from apps.platform.api.models import IdempotentCall
from apps.platform.jobs.models import Heartbeat
from tests.platform.endpoints import Once

pytestmark = [pytest.mark.urls("tests.platform.endpoints"), pytest.mark.django_db]
PATH = "/compliance/test/once"


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Once, "calls", 0)


@pytest.fixture
def alice(caller: Callable[..., APIClient]) -> APIClient:
    return caller("Alice Ltd")


def call(client: APIClient, key: str | None = "k1", path: str = PATH, **body: Any) -> Any:
    headers = {} if key is None else {"Idempotency-Key": key}
    return client.post(path, {"text": "plain"} | body, format="json", headers=headers)


@pytest.mark.parametrize("text", ["plain", "in time"])
def test_a_repeat_gets_the_same_answer_and_nothing_happens_twice(
    alice: APIClient, text: str
) -> None:
    first, again = call(alice, text=text), call(alice, text=text)
    assert first.status_code == again.status_code == 201
    assert first.json() == again.json() and first.content == again.content
    assert again["Idempotent-Replayed"] == "true" and "Idempotent-Replayed" not in first
    assert Once.calls == 1 and Heartbeat.objects.count() == 1


def test_decimals_are_replayed_as_they_were_sent(alice: APIClient) -> None:
    body = b'{"text": "plain", "amount": 12.50}'
    sent = [
        alice.generic("POST", PATH, body, "application/json", headers={"Idempotency-Key": "d"})
        for _ in range(2)
    ]
    assert sent[0].content == sent[1].content


def test_without_a_key_each_call_happens(alice: APIClient) -> None:
    assert call(alice, None).json()["call"] == 1
    assert call(alice, None).json()["call"] == 2
    assert not IdempotentCall.objects.exists()


def test_another_body_under_the_key_is_409(alice: APIClient) -> None:
    call(alice)
    for other in (
        call(alice, text="other"),
        call(alice, amount=1),
    ):
        assert other.status_code == 409 and other.json()["code"] == "idempotency_key_reused"
    assert Once.calls == 1


def test_the_order_of_keys_in_the_body_is_no_other_body(alice: APIClient) -> None:
    bodies = (b'{"text":"plain","amount":1.50}', b'{ "amount": 1.5, "text": "plain" }')
    for body in bodies:
        made = alice.generic(
            "POST", PATH, body, "application/json", headers={"Idempotency-Key": "o"}
        )
        assert made.status_code == 201
    assert Once.calls == 1


def test_two_tenants_may_use_the_same_key(caller: Callable[..., APIClient]) -> None:
    alice, bob = caller("Alice Ltd"), caller("Bob SA")
    assert call(alice).json() != call(bob).json()
    assert "Idempotent-Replayed" in call(alice)


def test_two_keys_of_one_tenant_are_one_owner(caller: Callable[..., APIClient]) -> None:
    assert call(caller("Alice Ltd")).json() == call(caller("Alice Ltd")).json()


def test_while_the_first_still_runs_the_second_is_409(alice: APIClient, monkeypatch: Any) -> None:
    inner: list[Any] = []

    def second() -> None:
        monkeypatch.setattr(Once, "before", staticmethod(lambda: None))
        inner.append(call(alice))

    monkeypatch.setattr(Once, "before", staticmethod(second))
    assert call(alice).status_code == 201
    assert inner[0].status_code == 409
    assert inner[0].json()["code"] == "idempotency_in_progress" and inner[0]["Retry-After"] == "1"
    assert Once.calls == 1


def test_a_dead_callers_key_is_free_when_its_lease_ends(alice: APIClient) -> None:
    call(alice)
    running = IdempotentCall.objects.all()
    running.update(status=None, answer="", lease_until=timezone.now() + timedelta(seconds=30))
    assert call(alice).status_code == 409
    running.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert call(alice).json()["call"] == 2
    assert call(alice)["Idempotent-Replayed"] == "true"
    assert running.get().lease_until > timezone.now() + LEASE / 2


def test_a_dead_callers_key_is_free_when_its_clock_was_ahead(alice: APIClient) -> None:
    call(alice)
    running = IdempotentCall.objects.all()
    running.update(status=None, answer="", lease_until=timezone.now() + timedelta(hours=2))
    assert call(alice).json()["call"] == 2


def test_a_caller_that_outlived_its_lease_undoes_its_work(
    alice: APIClient, monkeypatch: Any
) -> None:
    def slow() -> None:
        monkeypatch.setattr(Once, "before", staticmethod(lambda: None))
        IdempotentCall.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
        assert call(alice, text="in time").json()["call"] == 2

    monkeypatch.setattr(Once, "before", staticmethod(slow))
    late = call(alice, text="in time")
    assert late.status_code == 409
    assert [row.name for row in Heartbeat.objects.all()] == ["call-2"]
    assert call(alice, text="in time").json()["call"] == 2


def test_a_caller_whose_successor_still_runs_undoes_its_work_too(
    alice: APIClient, monkeypatch: Any
) -> None:
    taken_over = timezone.now() + LEASE * 2

    def slow() -> None:
        IdempotentCall.objects.update(lease_until=taken_over)

    monkeypatch.setattr(Once, "before", staticmethod(slow))
    assert call(alice, text="in time").status_code == 409
    assert not Heartbeat.objects.exists()
    idempotent_call = IdempotentCall.objects.get()  # the successor's claim stands
    assert (idempotent_call.status, idempotent_call.lease_until) == (None, taken_over)


@pytest.mark.parametrize("key", ["", "x" * 256, "é", "a\tb", "\x7f"])
def test_a_bad_key_is_400(alice: APIClient, key: str) -> None:
    response = call(alice, key)
    assert response.status_code == 400 and response.json()["code"] == "bad_idempotency_key"
    assert Once.calls == 0


@pytest.mark.parametrize("key", ["x", "x" * 255, "a b", "~!@#"])
def test_any_printable_ascii_is_a_key(alice: APIClient, key: str) -> None:
    assert call(alice, key).status_code == 201


def test_a_refused_call_frees_its_key(alice: APIClient) -> None:
    assert call(alice, x=1).status_code == 400
    assert call(alice, text="late refusal").status_code == 422
    assert not IdempotentCall.objects.exists()
    assert call(alice).status_code == 201


def test_a_call_that_broke_frees_its_key_and_left_nothing(alice: APIClient) -> None:
    assert call(alice, text="crash").status_code == 500
    assert not IdempotentCall.objects.exists() and not Heartbeat.objects.exists()
    assert call(alice, text="plain").status_code == 201


def test_a_call_without_a_valid_key_claims_nothing(api: APIClient) -> None:
    assert call(api).status_code == 401
    assert not IdempotentCall.objects.exists()


def test_answers_are_kept_for_24_hours_and_no_longer(alice: APIClient, noon: Any) -> None:
    call(alice)
    idempotent_calls = IdempotentCall.objects.all()
    idempotent_calls.update(created_at=timezone.now() - timedelta(hours=23, minutes=59))
    assert "Idempotent-Replayed" in call(alice)
    idempotent_calls.update(created_at=timezone.now() - timedelta(hours=24, minutes=1))
    assert call(alice, text="other").json()["call"] == 2
    idempotent_calls.update(created_at=noon)
    tasks.remove_expired_rows("", noon + timedelta(hours=24))
    assert idempotent_calls.count() == 1
    tasks.remove_expired_rows("", noon + timedelta(hours=24, seconds=1))
    assert idempotent_calls.count() == 0


@pytest.mark.django_db(transaction=True)
def test_of_many_callers_at_once_one_works(caller: Callable[..., APIClient]) -> None:
    alice = caller("Alice Ltd")
    answers: list[Any] = []
    gate = threading.Barrier(6)

    def one() -> None:
        gate.wait()
        client = APIClient()
        client.credentials(**alice._credentials)
        answers.append(call(client))
        connection.close()

    threads = [threading.Thread(target=one) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert Once.calls == 1 and Heartbeat.objects.count() == 1
    assert {a.status_code for a in answers} <= {201, 409} and len(answers) == 6


@pytest.mark.parametrize(
    "change",
    [
        {"answer": '{"call": 7, "amount": null}'},
        {"status": 200},
        {"owner": "account:0"},
        {"mac": ""},
        {"mac": "0" * 64},
    ],
)
def test_a_stored_answer_that_somebody_changed_is_given_to_nobody(
    caller: Callable[..., APIClient], change: dict[str, Any]
) -> None:
    alice, bob = caller("Alice Ltd"), caller("Bob SA")
    call(alice)
    if "owner" in change:  # Alice's answer is made to look like Bob's
        change = {"owner": bob.account.ref}  # type: ignore[attr-defined]
    IdempotentCall.objects.update(**change)
    again = call(bob if "owner" in change else alice)
    assert (again.status_code, again.json()["code"]) == (503, "stored_answer_altered")
    assert again["Retry-After"] and Once.calls == 1


@pytest.mark.parametrize(
    "body",
    [
        b'{"text": "plain", "amount": 12000}',
        b'{"amount": 12000.0, "text": "plain"}',
        b'{"text": "plain", "amount": 1.2e4}',
        b'{"text": " plain ", "amount": 12000.000000000}',
    ],
)
def test_the_same_question_spelt_otherwise_is_the_same_request(
    alice: APIClient, body: bytes
) -> None:
    call(alice, amount=12000)
    again = alice.generic("POST", PATH, body, "application/json", headers={"Idempotency-Key": "k1"})
    assert again.status_code == 201 and again["Idempotent-Replayed"] == "true"


def test_null_and_absent_are_the_same_question(alice: APIClient) -> None:
    call(alice)
    assert call(alice, amount=None)["Idempotent-Replayed"] == "true"


def test_the_same_question_to_another_address_is_another(alice: APIClient) -> None:
    call(alice)
    other = call(alice, path="/compliance/test/once-more")
    assert (other.status_code, other.json()["code"]) == (409, "idempotency_key_reused")
