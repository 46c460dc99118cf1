"""A plain view of REST framework that takes payments by one declaration on its class."""

from collections.abc import Iterator
from typing import Any, ClassVar

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection, transaction
from django.http import HttpResponse, StreamingHttpResponse
from django.urls import path
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.parsers import JSONParser, MultiPartParser
from rest_framework.response import Response
from rest_framework.test import APIClient
from rest_framework.views import APIView

from apps.access.paywall.django import Paid, Price
from apps.access.paywall.models import PaymentClaim, Receipt
from apps.platform.common.problems import handler400, handler403, handler404, handler500
from apps.platform.jobs.models import Heartbeat
from tests.conftest import NOON
from tests.paywall.payer import ALICE, PayingClient, unpacked, v1, v2
from tests.paywall.scripted_facilitator import OPEN, POOR, Scripted

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


class Chart(Paid, APIView):
    """Draws the weather."""

    payment = Price("0.01")
    authentication_classes: ClassVar[list[Any]] = []
    kinds: ClassVar[dict[str, Any]] = {
        "png": lambda: HttpResponse(PNG, content_type="image/png"),
        "csv": lambda: HttpResponse(
            "town,rain\nZürich,1\n", headers={"Content-Type": "text/csv", **FILE}
        ),
        "elsewhere": lambda: HttpResponse(status=303, headers={"Location": "/weather"}),
        "stream": lambda: StreamingHttpResponse([PNG]),
    }

    def get(self, request: Any) -> Any:
        return self.kinds[request.query_params["as"]]()


class Station(Paid, APIView):
    """Takes a measurement."""

    payment = Price("0.01")
    parser_classes: ClassVar[list[Any]] = [JSONParser, MultiPartParser]
    authentication_classes: ClassVar[list[Any]] = []

    def check(self, request: Any, *args: Any, **kwargs: Any) -> None:
        if "town" not in request.data:
            raise ValidationError({"town": ["Which?"]})

    def post(self, request: Any) -> Response:
        return Response({"town": request.data["town"]})


PNG, FILE = b"\x89PNG\r\n\xff", {"Content-Disposition": 'attachment; filename="rain.csv"'}
urlpatterns = [
    path("weather", Weather.as_view()),
    path("chart", Chart.as_view()),
    path("station", Station.as_view()),
]


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


def chart(kind: str, headers: Any = None) -> Any:
    client = APIClient(raise_request_exception=False)
    return client.get("/chart", {"as": kind}, headers=headers or {})


@pytest.mark.parametrize("kind", ["png", "csv", "elsewhere"])
def test_an_answer_of_any_type_is_told_again_as_it_was(kind: str) -> None:
    headers = v1(chart(kind).json()["accepts"][0])
    first, again = chart(kind, headers), chart(kind, headers)
    assert first.status_code in (200, 303) and again["Idempotent-Replayed"] == "true"
    assert again.status_code == first.status_code and again.content == first.content
    for name in ("Content-Type", "Content-Disposition", "Location"):
        assert again.get(name) == first.get(name)
    assert Receipt.objects.count() == 1


def test_a_stream_is_refused_before_anything_is_taken() -> None:
    headers = v1(chart("stream").json()["accepts"][0])
    assert chart("stream", headers).status_code == 500
    assert not PaymentClaim.objects.exists() and not Receipt.objects.exists()


def test_head_tells_the_price_and_runs_nothing_paid_or_not() -> None:
    client = APIClient(raise_request_exception=False)
    for headers in ({}, paid()):
        told = client.head("/weather?town=Basel", headers=headers)
        assert told.status_code == 402 and told["PAYMENT-REQUIRED"]
    assert Weather.calls == 0 and not PaymentClaim.objects.exists()


@pytest.mark.parametrize("form", ["json", "multipart"])
def test_a_body_may_be_looked_at_before_it_is_paid_for(form: str, settings: Any) -> None:
    settings.MIDDLEWARE = []  # ours know the desk, which has no address here
    client = APIClient(raise_request_exception=False)
    assert client.post("/station", {"x": "y"}, format=form).status_code == 400
    response = client.post("/station", {"town": "Basel"}, format=form)
    headers = v1(response.json()["accepts"][0])
    done = client.post("/station", {"town": "Basel"}, format=form, headers=headers)
    assert done.json() == {"town": "Basel"}


@pytest.mark.django_db(transaction=True)
def test_what_was_taken_stands_when_the_request_fails_and_requests_are_transactions(
    monkeypatch: Any,
) -> None:
    monkeypatch.setitem(connection.settings_dict, "ATOMIC_REQUESTS", True)
    headers = paid("Gomorrah")
    assert ask("Gomorrah", headers).status_code == 500
    assert PaymentClaim.objects.count() == Receipt.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_inside_a_transaction_no_payment_is_taken() -> None:
    headers = paid()
    with transaction.atomic():
        assert ask(headers=headers).status_code == 500
    assert not PaymentClaim.objects.exists() and ask(headers=headers).status_code == 200


def test_a_class_without_a_price_is_no_view() -> None:
    class Free(Paid, APIView):
        """Forgot its price."""

    with pytest.raises(ImproperlyConfigured, match="Free has no price"):
        Free.as_view()
