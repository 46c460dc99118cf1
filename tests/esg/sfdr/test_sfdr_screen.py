"""POST /sfdr/screen: all indicators for 10 USD, and again for the wallet that paid."""

import uuid
from dataclasses import replace
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.access.paywall.models import Receipt
from apps.insight.esg.models.sfdr_reports import PaiReport
from apps.insight.esg.sfdr import entity_screen
from apps.insight.esg.sfdr.entity_screen import GatheredScreen
from apps.platform.common.clock import now
from apps.reference.watchlists.live_list_sets import ListSet
from tests.api.endpoint_walk import OPENS, payer, session_client
from tests.esg.conftest import FRAPORT, MICROSOFT, NOBODY
from tests.esg.sfdr.conftest import COMPANY, given
from tests.payees.registration.conftest import sample  # noqa: F401
from tests.platform.tampering import sql, without_triggers

pytestmark = pytest.mark.django_db
PATH = "/compliance/sfdr/screen"
BODY = {"lei": MICROSOFT, "name": "Microsoft Corporation"}


@pytest.fixture
def paid(sample: Any) -> dict[str, Any]:  # noqa: F811
    answer = payer("Alice Ltd").post(PATH, BODY, format="json")
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def again(name: str, screening: str) -> Any:
    opened = payer(name).post("/compliance/stream/open", OPENS, format="json")
    return session_client(opened.json()["secret"]).get(f"{PATH}/{screening}")


def test_it_costs_ten_dollars(api: APIClient, sample: Any) -> None:  # noqa: F811
    response = api.post(PATH, BODY, format="json")
    assert response.status_code == 402
    assert response.json()["accepts"][0]["maxAmountRequired"] == "10000000"
    assert not PaiReport.objects.exists()


def test_it_has_all_indicators_the_lists_and_an_id(paid: dict[str, Any]) -> None:
    assert [indicator["id"] for indicator in paid["indicators"]] == list(range(1, 19))
    assert (paid["entityName"], paid["ungcCompliance"]) == (
        "MICROSOFT CORPORATION",
        "DATA_REQUIRED",
    )
    check = paid["sanctionsCheck"]
    assert (check["matched"], check["checked"], check["unread"]) == (False, True, [])
    assert PaiReport.objects.get().data["response"] == paid


def test_a_listed_entity_is_matched(sample: Any) -> None:  # noqa: F811
    body = {"lei": "549300WE6TAF5EEWQS81", "name": "Sberbank of Russia",
            "inputs": given(**COMPANY)}  # fmt: skip
    sanctions_check = payer("Alice Ltd").post(PATH, body, format="json").json()["sanctionsCheck"]
    assert (
        sanctions_check["matched"]
        and sanctions_check["score"] >= 70
        and sanctions_check["datasets"]
    )


@pytest.fixture
def gathered(sample: Any) -> GatheredScreen:  # noqa: F811
    """What a screen of live indicators and whole lists gathers."""
    screen = entity_screen.gather_screen(asked=BODY, now=now())
    live = replace(screen.gathered, answer={**screen.gathered.answer, "data_quality": "LIVE"})
    return replace(screen, gathered=live, sample=False, lacking=())


def answered(gathered: GatheredScreen) -> dict[str, Any]:
    asked = BODY | {"reporting_period": "2025"}
    return entity_screen._build_screen_values(uuid.uuid4(), asked, gathered, now())


@pytest.mark.parametrize(("score", "matched"), [(69, False), (70, True)])
def test_a_party_is_matched_from_a_score_of_70(
    gathered: GatheredScreen, score: int, matched: bool
) -> None:
    near = replace(gathered, sanctions=replace(gathered.sanctions, score=score))
    assert answered(near)["sanctions_check"]["matched"] is matched


@pytest.mark.parametrize(
    ("told", "samples", "lacking", "unread", "quality"),
    [
        ("LIVE", False, (), (), "LIVE"),
        ("LIVE", False, ("No EU list.",), (), "PARTIAL"),
        ("LIVE", False, (), ("It takes too long.",), "PARTIAL"),
        ("GIVEN", False, ("No EU list.",), (), "GIVEN"),
        ("ESTIMATED", False, (), (), "ESTIMATED"),
        ("ESTIMATED", True, ("No EU list.",), (), "SAMPLE"),
        ("SAMPLE", False, (), (), "SAMPLE"),
    ],
)
def test_it_has_the_worst_quality_of_indicators_lists_and_names(
    gathered: GatheredScreen, told: str, samples: bool, lacking: Any, unread: Any, quality: str
) -> None:
    of_indicators = replace(
        gathered.gathered, answer={**gathered.gathered.answer, "data_quality": told}
    )
    sanctions = replace(gathered.sanctions, unread=unread)
    screen = replace(gathered, gathered=of_indicators, sanctions=sanctions)
    assert answered(replace(screen, sample=samples, lacking=lacking))["data_quality"] == quality


def test_a_sample_record_of_the_lei_is_sample_data(
    sample: Any,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ListSet, "sample", False)
    assert entity_screen.gather_screen(asked=BODY, now=now()).sample


def test_a_name_that_takes_too_long_to_compare_is_not_said_to_be_checked(
    sample: Any,  # noqa: F811
    settings: Any,
) -> None:
    settings.SCREEN_CPU_MILLISECONDS = 0
    body = BODY | {"inputs": given(**COMPANY)}
    sanctions_check = payer("Alice Ltd").post(PATH, body, format="json").json()["sanctionsCheck"]
    assert sanctions_check["checked"] is False and "takes too long" in sanctions_check["unread"][0]


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({"name": "Lazarus Group"}, 422, "name_mismatch"),
        ({"name": "Microsoft Ireland Holdings"}, 422, "name_mismatch"),
        ({"lei": NOBODY, "name": "My Imagined AG"}, 503, "lei_unavailable"),
        ({"lei": FRAPORT, "name": "Fraport AG Frankfurt Airport Services Worldwide"}, 503,
         "sfdr_data_unavailable"),
    ],
)  # fmt: skip
def test_what_cannot_be_screened_is_not_charged_nor_kept(
    sample: Any,  # noqa: F811
    fields: dict[str, Any],
    status: int,
    code: str,
) -> None:
    answer = payer("Alice Ltd").post(PATH, BODY | fields, format="json")
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert not PaiReport.objects.exists()
    assert not Receipt.objects.exists()
    # the same wallet's next payment is taken: nothing of it is held
    assert payer("Alice Ltd").post(PATH, BODY, format="json").status_code == 200
    assert Receipt.objects.count() == 1


def test_what_fails_on_our_side_fails_before_anybody_pays(
    sample: Any,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: Any) -> Any:
        raise ArithmeticError

    monkeypatch.setattr("apps.insight.esg.sfdr.presenters.format_value", broken)
    body = BODY | {"inputs": given(**COMPANY)}
    assert payer("Alice Ltd").post(PATH, body, format="json").status_code == 500
    assert not Receipt.objects.exists()


def test_a_screen_of_altered_evidence_is_neither_made_nor_charged(
    sample: Any,  # noqa: F811
) -> None:
    with without_triggers():
        sql("UPDATE esg_evidence SET value = 0 WHERE key = 'fossil_fuel_active'")
        sql("UPDATE esg_evidence SET estimated = NOT estimated")
    answer = payer("Alice Ltd").post(PATH, BODY, format="json")
    assert (answer.status_code, answer.json()["code"]) == (503, "evidence_unproved")
    assert not Receipt.objects.exists() and not PaiReport.objects.exists()


def test_a_name_with_a_slip_or_another_legal_form_is_the_entitys(
    sample: Any,  # noqa: F811
) -> None:
    for name in ("MICROSOFT CORP", "Microsft Corporation"):
        answer = payer("Alice Ltd").post(PATH, BODY | {"name": name}, format="json")
        assert answer.status_code == 200, answer.content
        assert answer.json()["entityName"] == "MICROSOFT CORPORATION"


def test_inputs_of_the_caller_complete_it(sample: Any) -> None:  # noqa: F811
    body = BODY | {"inputs": given(**COMPANY)}
    document = payer("Alice Ltd").post(PATH, body, format="json").json()
    assert document["summary"]["computed"] == 14
    assert document["ungcCompliance"] == "WITHIN_THRESHOLD"


def test_who_paid_reads_it_again_and_nobody_else(paid: dict[str, Any], api: APIClient) -> None:
    assert again("Alice Ltd", paid["screeningId"]).json() == paid
    theirs = again("Bob SA", paid["screeningId"])
    nothing = again("Bob SA", "00000000-0000-4000-8000-000000000000")
    assert theirs.status_code == nothing.status_code == 404
    assert theirs.content == nothing.content
    assert api.get(f"{PATH}/{paid['screeningId']}").status_code == 401


def test_a_screen_that_was_altered_is_given_to_nobody(paid: dict[str, Any]) -> None:
    with without_triggers():
        sql("UPDATE sfdr_paireport SET overall = 'WITHIN_THRESHOLD'")
    answer = again("Alice Ltd", paid["screeningId"])
    assert (answer.status_code, answer.json()["code"]) == (503, "record_unproved")


def test_a_report_is_no_screening(api: APIClient, sample: Any) -> None:  # noqa: F811
    body = {"leis": [MICROSOFT], "portfolioName": "x", "reportingPeriod": "2025-Q4"}
    document = api.post("/compliance/sfdr/pai-report", body, format="json").json()
    assert again("Alice Ltd", document["reportId"]).status_code == 404
