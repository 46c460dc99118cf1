"""How many queries each call of ESG and SFDR takes: the same for one entity and for fifty."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from apps.access.keys.models import KeyKind
from tests.api.endpoint_walk import key_client
from tests.esg.conftest import APPLE, MICROSOFT
from tests.esg.sfdr.conftest import BODY, COMPANY, PATH, figure, given, keep
from tests.esg.sfdr.test_pai_report import leis
from tests.payees.registration.conftest import MICROSOFT as ENTITY
from tests.payees.registration.conftest import register, rita, sample, wallet  # noqa: F401

pytestmark = pytest.mark.django_db
ENDS = ("2025-03-31", "2025-06-30", "2025-09-30", "2025-12-31")


def counted(call: Callable[[], Any]) -> int:
    """Return how many statements a call takes that is made for the second time."""
    assert call().status_code == 200
    with CaptureQueriesContext(connection) as queries:
        assert call().status_code == 200
    return len([query for query in queries if "SAVEPOINT" not in query["sql"]])


def test_a_score_takes_so_many_queries_and_a_kept_one_fewer(
    api: APIClient,
    register: Callable[..., Any],  # noqa: F811
) -> None:
    register(1, **ENTITY)
    path = f"/compliance/esg/score/{MICROSOFT}"
    names = {"name": "Microsoft Corporation"}
    kept = counted(lambda: api.get(path, names))
    anew = counted(lambda: api.get(path, names | {"refresh": "true"}))
    by_wallet = counted(lambda: api.get(f"/compliance/esg/score/wallet/{wallet(1)}"))
    assert kept <= 6 and anew <= 10 and by_wallet <= 9, (kept, anew, by_wallet)


def test_a_report_of_fifty_takes_as_many_queries_as_one_of_one(
    api: APIClient,
    sample: Any,  # noqa: F811
) -> None:
    many = leis(50)
    keep(*(figure(key, value, lei) for lei in many for key, value in COMPANY.items()))

    def report(count: int, quarters: bool) -> int:
        held = [{"lei": lei, "value": 1_000_000} for lei in many[:count]]
        whole = [{"quarterEnd": end, "holdings": held} for end in ENDS]
        body = BODY | ({"quarters": whole} if quarters else {"holdings": held})
        return counted(lambda: api.post(PATH, body, format="json"))

    found = {report(count, quarters) for count in (1, 50) for quarters in (False, True)}
    assert len(found) == 1 and found.pop() <= 6


def test_reading_again_and_files_take_so_many_queries(
    api: APIClient,
    sample: Any,  # noqa: F811
) -> None:
    client = key_client("Alice Ltd", KeyKind.SUBSCRIPTION)
    held = [{"lei": APPLE, "value": 1, "inputs": given(**COMPANY)}]
    body = client.post(PATH, BODY | {"holdings": held}, format="json").json()
    path = f"{PATH}/{body['reportId']}"
    assert counted(lambda: client.get(path)) <= 5
    assert counted(lambda: client.get(f"{path}/export", {"format": "csv"})) <= 5
    assert counted(lambda: api.get("/compliance/sfdr/report", {"lei": APPLE})) <= 5
