"""What institutions ask and do about their callbacks: own ones alone."""

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.access.keys.models import KeyKind
from apps.payments.callbacks.models import Delivery, Endpoint, State
from apps.platform.common.clock import now
from tests.callbacks.receivers import URL, Receivers, delivery, run_until, tell

pytestmark = pytest.mark.django_db
ROOT = "/integration/callbacks"


@pytest.fixture
def institution(caller: Callable[..., APIClient]) -> Callable[..., APIClient]:
    def make(name: str = "Alice Ltd") -> APIClient:
        client = caller(name, kind=KeyKind.INSTITUTION)
        key = client._credentials.pop("HTTP_X_API_KEY")
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {key}")
        return client

    return make


@pytest.fixture
def alice(institution: Callable[..., APIClient]) -> APIClient:
    return institution()


def failed(client: Any, receivers: Receivers, **more: Any) -> str:
    """Return the event of a callback that failed for good."""
    receivers.always[URL] = 500
    published_event = tell(owner=client.account.ref, now=now(), **more)
    run_until(now().replace(year=2099))
    assert delivery(published_event).state == State.FAILED
    return str(published_event.event)


def test_a_callback_is_shown_with_its_attempts(alice: Any, receivers: Receivers) -> None:
    event = failed(alice, receivers)
    answer = alice.get(f"{ROOT}/{event}").json()
    assert (answer["webhookStatus"], answer["attempts"], answer["error"]) == ("FAILED", 4, "status")
    assert [one["status"] for one in answer["log"]] == [500] * 4
    assert answer["log"][0]["answered"] == "said" and "nextAttemptAt" not in answer


def test_the_list_is_filtered_paged_and_newest_first(alice: Any, receivers: Receivers) -> None:
    bad = failed(alice, receivers)
    receivers.always[URL] = 200
    good = [str(tell(owner=alice.account.ref, now=now()).event) for _ in range(3)]
    run_until(now())
    page = alice.get(ROOT, {"limit": 2}).json()
    assert [row["eventId"] for row in page["items"]] == good[:0:-1] and page["next"]
    rest = alice.get(page["next"]).json()["items"]
    assert [row["eventId"] for row in rest] == [good[0], bad]
    only = alice.get(ROOT, {"status": "FAILED"}).json()["items"]
    assert [row["eventId"] for row in only] == [bad]
    assert alice.get(ROOT, {"status": "LOST"}).status_code == 400


def test_a_resend_sends_the_same_again_and_may_succeed(alice: Any, receivers: Receivers) -> None:
    event = failed(alice, receivers)
    receivers.always[URL] = 200
    answer = alice.post(f"{ROOT}/{event}/resend")
    assert (answer.status_code, answer.json()["webhookStatus"]) == (202, "PENDING")
    run_until(now())
    row = Delivery.objects.get(event__uid=event)
    assert (row.state, row.attempts, row.resends) == (State.DELIVERED, 5, 1)
    assert len({(c.content, c.headers["X-SVC-EventId"]) for c in receivers.calls}) == 1
    assert [c.headers["X-SVC-Attempt"] for c in receivers.calls] == ["1", "2", "3", "4", "5"]


def test_a_resend_has_four_attempts_of_its_own(alice: Any, receivers: Receivers) -> None:
    event = failed(alice, receivers)
    alice.post(f"{ROOT}/{event}/resend")
    run_until(now().replace(year=2099))
    row = Delivery.objects.get(event__uid=event)
    assert (row.state, row.attempts) == (State.FAILED, 8)


def test_a_resend_of_what_is_under_way_changes_nothing(alice: Any, receivers: Receivers) -> None:
    event = str(tell(owner=alice.account.ref, now=now()).event)
    for _ in range(3):
        assert alice.post(f"{ROOT}/{event}/resend").status_code == 202
    run_until(now())
    assert len(receivers.calls) == 1


def test_what_was_delivered_can_be_sent_again(alice: Any, receivers: Receivers) -> None:
    event = str(tell(owner=alice.account.ref, now=now()).event)
    run_until(now())
    alice.post(f"{ROOT}/{event}/resend")
    run_until(now())
    assert len(receivers.calls) == 2


def test_a_paused_endpoint_is_resumed_and_sends_what_waited(
    alice: Any, receivers: Receivers
) -> None:
    receivers.answers[URL] = [410]
    event = str(tell(owner=alice.account.ref, now=now()).event)
    run_until(now())
    assert alice.post(f"{ROOT}/{event}/resend").json()["code"] == "endpoint_paused"
    (shown,) = alice.get(f"{ROOT}/endpoints").json()["items"]
    assert (shown["paused"], shown["reason"], shown["error"]) == (True, "GONE", "gone")
    resumed = alice.post(f"{ROOT}/endpoints/{shown['endpointId']}/resume")
    assert (resumed.status_code, resumed.json()["paused"]) == (200, False)
    run_until(now())
    assert Delivery.objects.get(event__uid=event).state == State.DELIVERED


def test_all_that_failed_since_a_time_are_sent_again_and_no_others(
    alice: Any, institution: Callable[..., APIClient], receivers: Receivers
) -> None:
    bob: Any = institution("Bob Ltd")
    mine, theirs = failed(alice, receivers), failed(bob, receivers)
    receivers.always[URL] = 200
    late = {"since": int(now().timestamp()) + 10**7}
    assert alice.post(f"{ROOT}/resend", late, format="json").json() == {"resent": 0}
    since = {"since": int(now().timestamp()) - 60}
    assert alice.post(f"{ROOT}/resend", since, format="json").json() == {"resent": 1}
    run_until(now())
    states = dict(Delivery.objects.values_list("event__uid", "state"))
    assert {str(uid): state for uid, state in states.items()} == {
        mine: State.DELIVERED, theirs: State.FAILED,
    }  # fmt: skip


def test_anothers_callbacks_and_endpoints_are_not_there(
    alice: Any, institution: Callable[..., APIClient], receivers: Receivers
) -> None:
    event = failed(alice, receivers)
    bob = institution("Bob Ltd")
    endpoint = Endpoint.objects.get().uid
    for answer in (
        bob.get(f"{ROOT}/{event}"),
        bob.post(f"{ROOT}/{event}/resend"),
        bob.post(f"{ROOT}/endpoints/{endpoint}/resume"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert bob.get(ROOT).json()["items"] == bob.get(f"{ROOT}/endpoints").json()["items"] == []
    assert Delivery.objects.get().resends == 0


def test_a_test_callback_is_sent_and_signed_as_any_other(alice: Any, receivers: Receivers) -> None:
    answer = alice.post(f"{ROOT}/test", {"url": URL}, format="json")
    assert answer.status_code == 202
    run_until(now())
    (call,) = receivers.calls
    assert call.headers["X-SVC-Event"] == "callback.test" and call.headers["X-SVC-Signature"]
    assert call.headers["X-SVC-EventId"] == answer.json()["eventId"]


@pytest.mark.parametrize(
    "url", ["https://10.0.0.1/", "file:///etc/hosts", "https://[::ffff:a00:1]/"]
)
def test_a_test_to_where_nothing_is_called_is_refused(alice: Any, url: str) -> None:
    answer = alice.post(f"{ROOT}/test", {"url": url}, format="json")
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "url")
    assert not Delivery.objects.exists()


def test_a_body_that_left_is_not_sent_again(alice: Any, receivers: Receivers) -> None:
    from apps.payments.callbacks.models import Event

    event = failed(alice, receivers)
    Event.objects.update(body="")
    assert alice.post(f"{ROOT}/{event}/resend").json()["code"] == "body_gone"
    since = {"since": 0}
    assert alice.post(f"{ROOT}/resend", since, format="json").json() == {"resent": 0}
