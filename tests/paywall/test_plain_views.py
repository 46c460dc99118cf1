"""A plain view of REST framework that takes payments by one declaration on its class."""

from collections.abc import Iterator
from typing import Any, ClassVar

import pytest
from django.urls import path
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.response import Response
from rest_framework.test import APIClient
from rest_framework.views import APIView

from apps.core.models import Heartbeat
from apps.core.problems import handler400, handler403, handler404, handler500
from apps.paywall.django import Paid, Price
from apps.paywall.models import PaymentClaim, Receipt
from tests.conftest import NOON
from tests.paywall.paying import ALICE, PayingClient, unpacked, v1, v2
from tests.paywall.scripted import OPEN, POOR, Scripted

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]
pytestmark = [pytest.mark.django_db, pytest.mark.urls(__name__)]


class Weather(Paid, APIView):
    """Tells the weather of tomorrow."""

    payment = Price("0.075")
    authentication_classes: ClassVar[list[Any]] = []
    calls = 0

    def check(self, request: Any, *args: Any, **kwargs: Any) -> None:
        if "town" not in request.query_params:
            raise ValidationError({"town": ["Which?"]})

    def get(self, request: Any) -> Response:
        town = request.query_params["town"]
        if town == "Atlantis":
            raise NotFound
        if town == "Babel":
            raise ZeroDivisionError
        Weather.calls += 1
        return Response({"call": Weather.calls, "payer": request.payer})

    def paid(self, request: Any, response: Any) -> None:
        Heartbeat.objects.create(name=f"sold {response.data['call']}", at=NOON)
        if request.query_params["town"] == "Gomorrah":
            raise ZeroDivisionError


urlpatterns = [path("weather", Weather.as_view())]


@pytest.fixture(autouse=True)
def _calls() -> Iterator[None]:
    Weather.calls = 0
    yield


def ask(town: str = "Basel", headers: Any = None) -> Any:
    client = APIClient(raise_request_exception=False)
    return client.get("/weather", {"town": town} if town else {}, headers=headers or {})


def paid(town: str = "Basel") -> dict[str, str]:
    return v1(ask(town).json()["accepts"][0])


def test_the_price_of_the_class_is_asked_in_both_versions() -> None:
    asked = ask()
    offer = asked.json()["accepts"][0]
    assert (asked.status_code, offer["maxAmountRequired"]) == (402, "75000")
    assert offer["description"] == "Tells the weather of tomorrow."
    assert unpacked(asked["PAYMENT-REQUIRED"])["accepts"][0]["amount"] == "75000"
    assert Weather.calls == 0


def test_a_payment_of_either_version_runs_the_method_and_says_who_paid() -> None:
    first = ask(headers=paid())
    assert first.json() == {"call": 1, "payer": ALICE.address.lower()}
    assert unpacked(first["X-PAYMENT-RESPONSE"])["success"] is True
    second = ask(headers=v2(unpacked(ask()["PAYMENT-REQUIRED"])))
    assert second.json()["call"] == 2 and "PAYMENT-RESPONSE" in second
    assert Receipt.objects.count() == Heartbeat.objects.count() == 2


def test_a_replay_is_the_same_answer_and_runs_nothing() -> None:
    headers = paid()
    first, again = ask(headers=headers), ask(headers=headers)
    assert again.content == first.content and again["Idempotent-Replayed"] == "true"
    assert Weather.calls == 1
    other = ask("Bern", headers)
    assert (other.status_code, other.json()["code"]) == (409, "payment_used")


@pytest.mark.parametrize(("town", "status"), [("", 400), ("Atlantis", 404), ("Babel", 500)])
def test_a_call_that_is_refused_or_fails_costs_nothing(town: str, status: int) -> None:
    headers = paid()
    assert ask(town, headers).status_code == status
    assert not PaymentClaim.objects.exists() and ask(headers=headers).status_code == 200


def test_what_is_sold_is_written_for_money_alone(facilitator: Scripted) -> None:
    facilitator.settlements = [POOR]
    refused = ask(headers=paid())
    assert (refused.status_code, refused.json()["error"]) == (402, POOR.reason)
    facilitator.settlements = [OPEN]
    assert ask(headers=paid()).status_code == 503
    assert not Heartbeat.objects.exists() and not Receipt.objects.exists()


def test_money_that_came_for_nothing_pays_for_the_call_again(monkeypatch: Any) -> None:
    headers = paid("Gomorrah")
    assert ask("Gomorrah", headers).status_code == 500
    assert Receipt.objects.count() == 1 and not Heartbeat.objects.exists()
    monkeypatch.setattr(Weather, "paid", lambda *_: None)
    assert ask("Gomorrah", headers).status_code == 200 and Receipt.objects.count() == 1


def test_a_client_that_pays_what_it_meets_gets_in() -> None:
    assert PayingClient().get("/weather?town=Basel").status_code == 200


@pytest.mark.parametrize("amount", [0.075, 1, "nothing", "0", "-1", "0.0000001"])
def test_a_price_is_exact_and_more_than_nothing(amount: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        Price(amount)
