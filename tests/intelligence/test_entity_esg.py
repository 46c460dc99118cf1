"""GET /v1/intelligence/esg/:address."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.access.keys.models import KeyKind, UsageCount
from apps.insight.esg.models import EsgScore
from apps.insight.intelligence.models import IntelligenceAnswer
from tests.conftest import NOON
from tests.esg.conftest import FRAPORT, NOBODY, figure, keep
from tests.intelligence.conftest import ask
from tests.payees.registration.conftest import MICROSOFT, register, rita, sample, wallet  # noqa: F401
from tests.platform.tampering import sql, without_triggers

pytestmark = pytest.mark.django_db
LEI = MICROSOFT["lei"]


@pytest.fixture
def client(
    caller: Callable[..., APIClient],
    sample: Any,  # noqa: F811
    at: Callable[..., None],
) -> APIClient:
    """A caller with a DATA key, at noon, where entities of the sample are known."""
    at(NOON)
    return caller("Alice Ltd", KeyKind.DATA)


def told(client: APIClient, address: str, status: int = 200) -> dict[str, Any]:
    answer = ask(client, f"esg/{address}")
    assert answer.status_code == status, answer.content
    return dict(answer.json())


def test_it_answers_with_the_numbers_of_the_score(client: APIClient, api: APIClient) -> None:
    answer = ask(client, f"esg/{LEI}")
    assert answer.status_code == 200, answer.content
    body = answer.json()
    score = api.get(f"/compliance/esg/score/{LEI}", {"name": "Microsoft Corporation"}).json()
    assert body["esgScore"] == score["composite"]
    parts = body["components"]
    assert {part: parts[part]["score"] for part in parts} == {part: score[part] for part in parts}
    assert set(parts["environmental"]) == {"score", "violations", "riskLevel"}
    assert set(parts["social"]) == {"score", "incidents", "riskLevel"}
    assert set(parts["governance"]) == {"score", "riskLevel"}
    assert {source["series"] for source in body["sources"]} == {
        one["measure"] for one in body["figures"]
    }
    assert answer["X-SVC-ESG-Score"] == str(body["esgScore"])
    assert answer["X-SVC-ESG-Tier"] == body["tier"]


def test_a_wallet_has_the_answer_of_its_entity_and_shares_its_cache(
    client: APIClient,
    register: Callable[..., Any],  # noqa: F811
) -> None:
    register(1, **MICROSOFT)
    by_lei = told(client, LEI)
    by_wallet = told(client, wallet(1).lower())
    assert by_wallet == by_lei | {"cacheHit": True}
    assert IntelligenceAnswer.objects.get().subject == LEI


def test_an_answer_of_one_entity_is_not_that_of_another(client: APIClient) -> None:
    one, other = told(client, LEI), told(client, FRAPORT)
    assert (one["lei"], other["lei"], other["cacheHit"]) == (LEI, FRAPORT, False)
    assert {row.subject for row in IntelligenceAnswer.objects.all()} == {LEI, FRAPORT}


def test_what_nobody_publishes_is_null_and_never_nought(client: APIClient) -> None:
    parts = told(client, FRAPORT)["components"]
    assert parts["environmental"]["violations"] is None
    assert parts["social"]["incidents"] is None


def test_figures_of_registers_show_and_raise_flags(client: APIClient) -> None:
    keep(
        figure("noncompliance_quarters", "3"),
        figure("serious_violations", "0"),
        figure("ungc_violation", "1"),
    )
    body = told(client, FRAPORT)
    assert body["components"]["environmental"]["violations"] == 3
    assert body["components"]["social"]["incidents"] == 0
    assert {"ENVIRONMENTAL_NON_COMPLIANCE", "HUMAN_RIGHTS_VIOLATION"} <= set(body["flags"])
    assert "WORK_SAFETY_VIOLATIONS" not in body["flags"]
    assert body["recommendedTier"] != body["tier"] or body["tier"] == "POOR"


def test_it_serves_six_hours_and_keeps_the_score(
    client: APIClient, at: Callable[..., None]
) -> None:
    told(client, LEI)
    assert EsgScore.objects.get().lei == LEI
    at(NOON + timedelta(hours=6) - timedelta(seconds=1))
    assert told(client, LEI)["cacheHit"] is True
    at(NOON + timedelta(hours=6))
    assert told(client, LEI)["cacheHit"] is False


@pytest.mark.parametrize(
    "address", ["neither", LEI[:-2] + "00", "0x12", LEI + "1", "0x" + "g" * 40]
)
def test_a_bad_address_is_refused_and_not_charged(client: APIClient, address: str) -> None:
    assert told(client, address, 400)["code"]
    assert not UsageCount.objects.exists()


@pytest.mark.parametrize(
    ("address", "code"), [(NOBODY, "entity_unknown"), (wallet(9), "wallet_not_registered")]
)
def test_whom_nobody_knows_is_a_404_and_not_charged(
    client: APIClient, address: str, code: str
) -> None:
    assert told(client, address, 404)["code"] == code
    assert not UsageCount.objects.exists()


def test_a_wallet_without_an_lei_is_a_404(
    client: APIClient,
    register: Callable[..., Any],  # noqa: F811
) -> None:
    register(2)
    assert told(client, wallet(2), 404)["code"] == "wallet_without_lei"


def test_an_altered_registration_serves_nobody(
    client: APIClient,
    register: Callable[..., Any],  # noqa: F811
) -> None:
    register(1, **MICROSOFT)
    with without_triggers():
        sql("UPDATE registry_registration SET lei = 'HWUPKR0MPOU8FGXBT394'")
    assert told(client, wallet(1), 503)["code"] == "registration_unproved"
