"""Calls that nobody pays for, and wrong keys, are counted by address and by nothing else."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.api.endpoint_walk import key_client

pytestmark = pytest.mark.django_db
SCREEN = "/compliance/compliance/screen"
BODY = {"name": "Blue Heron Stationery Limited"}
WRONG = {
    "key": {"HTTP_X_API_KEY": "svc_sub_" + "A" * 53},
    "session": {"HTTP_X_STREAM_SESSION": "svc_str_" + "A" * 53},
}


@pytest.fixture(autouse=True)
def few(settings: Any) -> None:
    settings.REFUSED_RATE_PER_MINUTE = 3


def ask(address: str, client: APIClient | None = None, **headers: str) -> Any:
    asking = client or APIClient()
    return asking.post(SCREEN, BODY, format="json", REMOTE_ADDR=address, **headers)


@pytest.mark.parametrize(
    ("headers", "status"), [({}, 402), (WRONG["key"], 401), (WRONG["session"], 401)]
)
def test_an_address_is_told_to_wait_after_as_many_refused_calls_as_it_may_make(
    headers: dict[str, str], status: int
) -> None:
    answers = [ask("192.0.2.77", **headers) for _ in range(5)]
    # the minute may turn once while they are asked
    assert [answer.status_code for answer in answers[:3]] == [status] * 3
    assert 429 in [answer.status_code for answer in answers[3:]]
    told = next(answer for answer in answers if answer.status_code == 429)
    assert told["Content-Type"] == "application/problem+json"
    assert told.json()["code"] == "rate_limited" and 0 < int(told["Retry-After"]) <= 60
    assert ask("192.0.2.78", **headers).status_code == status


def test_a_wrong_secret_of_an_agent_is_counted_too() -> None:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION="Bearer svc_agt_" + "A" * 53)
    path = "/compliance/agent/mandate"
    told = [client.post(path, {}, format="json", REMOTE_ADDR="192.0.2.79") for _ in range(5)]
    assert {one.status_code for one in told} == {401, 429}


def test_a_good_key_behind_the_same_address_goes_on(sample: Any) -> None:
    for _ in range(6):
        ask("192.0.2.80", **WRONG["key"])
    assert ask("192.0.2.80").status_code == 429
    good = key_client("Alice Ltd", "SUBSCRIPTION")
    assert ask("192.0.2.80", good).status_code == 200
