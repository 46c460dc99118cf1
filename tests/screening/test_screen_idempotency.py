"""Idempotency-Key on POST /compliance/screen: one screen, one case, one bill."""

from apps.access.keys import metering
from apps.backoffice.review.models import Case
from apps.compliance.screening.models import Screen
from tests.screening.conftest import CLEAN, PATH

BODY = {"name": CLEAN, "country": "HT"}


def test_the_same_call_again_gets_the_stored_answer_and_is_billed_once(alice) -> None:
    first = alice.post(PATH, BODY, format="json", HTTP_IDEMPOTENCY_KEY="order-1")
    second = alice.post(PATH, BODY, format="json", HTTP_IDEMPOTENCY_KEY="order-1")
    assert second.json() == first.json()
    assert "Idempotent-Replayed" not in first
    assert second["Idempotent-Replayed"] == "true"
    assert (Screen.objects.count(), Case.objects.count()) == (1, 1)
    month = metering.get_month(Screen.objects.get().recorded_at)
    assert metering.count_calls_by_unit(account_id=alice.account.pk, month=month)["screen"] == 1


def test_another_body_under_the_same_key_is_a_409(alice) -> None:
    alice.post(PATH, BODY, format="json", HTTP_IDEMPOTENCY_KEY="order-1")
    other = alice.post(PATH, BODY | {"amount": 5}, format="json", HTTP_IDEMPOTENCY_KEY="order-1")
    assert (other.status_code, other.json()["code"]) == (409, "idempotency_key_reused")


def test_a_key_belongs_to_its_tenant(alice, caller) -> None:
    alice.post(PATH, BODY, format="json", HTTP_IDEMPOTENCY_KEY="order-1")
    bob = caller("Bob Treasury").post(PATH, BODY, format="json", HTTP_IDEMPOTENCY_KEY="order-1")
    assert bob.status_code == 200
    assert Screen.objects.count() == 2


def test_a_refused_call_frees_its_key(alice) -> None:
    refused = alice.post(PATH, {"name": ""}, format="json", HTTP_IDEMPOTENCY_KEY="order-1")
    again = alice.post(PATH, BODY, format="json", HTTP_IDEMPOTENCY_KEY="order-1")
    assert (refused.status_code, again.status_code) == (400, 200)


def test_without_a_key_each_call_is_a_screen_of_its_own(alice) -> None:
    for _ in range(2):
        alice.post(PATH, BODY, format="json")
    assert Screen.objects.count() == 2
