"""One payment, or one session, that many use at the same moment: threads as in life."""

import threading
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from rest_framework.test import APIClient

from apps.access.paywall.models import PaymentClaim, Receipt, StreamSession, Tick
from apps.access.paywall.services import sessions
from apps.compliance.screening.models import Screen
from apps.platform.common.clock import now
from tests.paywall.conftest import BODY, PATH
from tests.paywall.payer import PayingClient, v1
from tests.paywall.scripted_facilitator import Scripted

pytestmark = pytest.mark.django_db(transaction=True)
OPENS = {"amountUsdc": "1.00", "unitType": "call"}


def at_once(work: Callable[[int], Any], times: int) -> list[Any]:
    """Run a function so many times in threads; returns results or what was raised."""
    found: list[Any] = [None] * times

    def run(number: int) -> None:
        try:
            found[number] = work(number)
        except Exception as error:
            found[number] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(n,)) for n in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    return found


def test_a_hundred_replays_of_one_payment_are_settled_once(
    screen: Any, facilitator: Scripted
) -> None:
    paid = v1(screen().json()["accepts"][0])

    def replay(_: int) -> Any:
        return APIClient(raise_request_exception=False).post(
            PATH, BODY, format="json", headers=paid
        )

    answers = at_once(replay, 100)
    good = [answer for answer in answers if answer.status_code == 200]
    rest = [answer for answer in answers if answer.status_code != 200]
    assert facilitator.settled == 1 and good
    assert len({one.content for one in good}) == 1
    assert {(one.status_code, one.json()["code"]) for one in rest} <= {(409, "payment_in_progress")}
    assert PaymentClaim.objects.count() == Receipt.objects.count() == Screen.objects.count() == 1


def test_one_payment_for_many_requests_at_once_buys_one(screen: Any, facilitator: Scripted) -> None:
    paid = v1(screen().json()["accepts"][0])

    def ask(number: int) -> int:
        client = APIClient(raise_request_exception=False)
        body = BODY | {"reference": f"racing {number}"}
        return int(client.post(PATH, body, format="json", headers=paid).status_code)

    statuses = at_once(ask, 8)
    assert sorted(statuses) == [200] + [409] * 7
    assert facilitator.settled == 1 and Screen.objects.count() == 1


def test_ticks_at_once_never_take_more_than_there_is() -> None:
    opened = PayingClient().post("/compliance/stream/open", OPENS, format="json").json()
    session = StreamSession.objects.get()

    def tick(number: int) -> Any:
        given = {"tick_id": f"t{number}", "unit": "call", "count": 30, "now": now()}
        return sessions.record_tick(session=session, **given)  # type: ignore[arg-type]

    results = at_once(tick, 12)
    assert sum(isinstance(one, tuple) for one in results) == 3
    assert {type(one).__name__ for one in results} == {"tuple", "CreditSpent"}
    session.refresh_from_db()
    assert session.balance == Decimal("0.10") and opened["balanceUsdc"] == "1.00"
    assert sorted(Tick.objects.values_list("balance", flat=True)) == [
        Decimal(text) for text in ("0.1", "0.4", "0.7")
    ]


def test_the_same_tick_at_once_takes_once() -> None:
    PayingClient().post("/compliance/stream/open", OPENS, format="json")
    session = StreamSession.objects.get()
    given = {"tick_id": "same", "unit": "call", "count": 1, "now": now()}
    results = at_once(lambda _: sessions.record_tick(session=session, **given), 8)  # type: ignore[arg-type]
    assert sorted(replayed for _, replayed in results) == [False] + [True] * 7
    session.refresh_from_db()
    assert session.balance == Decimal("0.99") and Tick.objects.count() == 1
