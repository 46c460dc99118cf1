"""A report and a screen again, and as files: for whose they are, and for nobody else."""

import csv
import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.access.keys.models import KeyKind
from apps.insight.esg.models.sfdr_reports import PaiReport
from tests.api.endpoint_walk import OPENS, key_client, payer, session_client
from tests.esg.conftest import APPLE, MICROSOFT
from tests.esg.sfdr.conftest import BODY, COMPANY, PATH, given
from tests.payees.registration.conftest import sample  # noqa: F401
from tests.paywall.payer import v1
from tests.platform.tampering import sql, without_triggers

pytestmark = pytest.mark.django_db
SCREEN = "/compliance/sfdr/screen"
FORMS = ("json", "csv", "xlsx")


def client(name: str = "Alice Ltd") -> APIClient:
    return key_client(name, KeyKind.SUBSCRIPTION)


@pytest.fixture
def mine(sample: Any) -> dict[str, Any]:  # noqa: F811
    """A report that Alice made with her key."""
    body = BODY | {"leis": [APPLE], "portfolioName": "=1+1", "reportingPeriod": "2026"}
    answer = client().post(PATH, body, format="json")
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


@pytest.fixture
def paid(sample: Any) -> dict[str, Any]:  # noqa: F811
    """A screen that Alice's wallet paid for."""
    body = {"lei": MICROSOFT, "name": "Microsoft Corporation", "inputs": given(**COMPANY)}
    answer = payer("Alice Ltd").post(SCREEN, body, format="json")
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def taken(answer: Any) -> bytes:
    """Return a file that was sent, streamed or not."""
    assert answer.status_code == 200, answer.content
    return b"".join(answer.streaming_content) if answer.streaming else bytes(answer.content)


def test_who_sent_a_key_with_a_report_reads_it_again(mine: dict[str, Any]) -> None:
    assert client().get(f"{PATH}/{mine['reportId']}").json() == mine


@pytest.mark.parametrize("tail", ["", "/export", "/export?format=csv"])
def test_nobody_else_reads_a_report(mine: dict[str, Any], api: APIClient, tail: str) -> None:
    theirs = client("Bob SA").get(f"{PATH}/{mine['reportId']}{tail}")
    nothing = client("Bob SA").get(f"{PATH}/00000000-0000-4000-8000-000000000000{tail}")
    assert theirs.status_code == nothing.status_code == 404
    assert theirs.content == nothing.content
    assert api.get(f"{PATH}/{mine['reportId']}{tail}").status_code == 401


def test_a_report_that_nobody_signed_for_is_nobodys(
    api: APIClient,
    sample: Any,  # noqa: F811
) -> None:
    body = api.post(PATH, BODY | {"leis": [APPLE]}, format="json").json()
    assert client().get(f"{PATH}/{body['reportId']}").status_code == 404


def test_a_bad_key_is_refused_and_makes_no_report_of_nobody(
    api: APIClient,
    sample: Any,  # noqa: F811
) -> None:
    api.credentials(HTTP_X_API_KEY="svc_sub_wrong")
    assert api.post(PATH, BODY | {"leis": [APPLE]}, format="json").status_code == 401
    assert not PaiReport.objects.exists()


def test_the_json_has_every_figure_below_the_report(mine: dict[str, Any]) -> None:
    body = client().get(f"{PATH}/{mine['reportId']}/export").json()
    assert body["report"] == mine
    assert {figure["input"] for figure in body["figures"]} == {
        "board_female_share",
        "fossil_fuel_active",
        "revenue_eur",
    }
    assert all(figure["sample"] and figure["url"].startswith("https") for figure in body["figures"])


def test_the_files_are_streamed_and_hold_no_formula(mine: dict[str, Any]) -> None:
    path = f"{PATH}/{mine['reportId']}/export"
    answer = client().get(path, {"format": "csv"})
    assert answer.streaming and answer["Content-Type"].startswith("text/csv")
    rows = list(csv.reader(io.StringIO(taken(answer).decode("utf-8-sig"))))
    assert ["name", "'=1+1"] in rows and ["averaging", "ONE_DAY"] in rows
    answer = client().get(path, {"format": "xlsx"})
    assert answer.streaming and mine["reportId"] in answer["Content-Disposition"]
    book = zipfile.ZipFile(io.BytesIO(taken(answer)))
    assert b"<f>" not in book.read("xl/worksheets/sheet1.xml")
    assert client().get(path, {"format": "pdf"}).json()["errors"][0]["field"] == "format"


def test_a_report_of_quarters_has_them_in_its_file(sample: Any) -> None:  # noqa: F811
    ends = ("2025-03-31", "2025-06-30", "2025-09-30", "2025-12-31")
    held = [{"lei": MICROSOFT, "value": 10_000_000, "inputs": given(**COMPANY)}]
    quarters = [{"quarterEnd": end, "holdings": held} for end in ends]
    body = client().post(PATH, BODY | {"quarters": quarters}, format="json").json()
    answer = client().get(f"{PATH}/{body['reportId']}/export", {"format": "csv"})
    rows = list(csv.reader(io.StringIO(taken(answer).decode("utf-8-sig"))))
    assert ["1", "2025-06-30", "400", "100"] in rows


@pytest.mark.parametrize("form", FORMS)
def test_who_paid_for_a_screen_takes_it_along(paid: dict[str, Any], form: str) -> None:
    path = f"{SCREEN}/{paid['screeningId']}/export"
    opened = payer("Alice Ltd").post("/compliance/stream/open", OPENS, format="json")
    body = taken(session_client(opened.json()["secret"]).get(path, {"format": form}))
    if form == "json":
        assert json.loads(body)["report"] == paid
    opened = payer("Bob SA").post("/compliance/stream/open", OPENS, format="json")
    bob = session_client(opened.json()["secret"])
    assert bob.get(path, {"format": form}).status_code == 404


def test_a_payment_that_is_shown_is_enough_and_is_not_taken(
    paid: dict[str, Any], api: APIClient
) -> None:
    accept = api.post("/compliance/stream/open", OPENS, format="json").json()["accepts"][0]
    for name, status in (("Alice Ltd", 200), ("Bob SA", 404)):
        shown = v1(accept, payer(name).payer)
        for tail in ("", "/export"):
            answer = api.get(f"{SCREEN}/{paid['screeningId']}{tail}", headers=shown)
            assert answer.status_code == status, answer.content


def test_what_was_altered_is_given_to_nobody(mine: dict[str, Any]) -> None:
    with without_triggers():
        sql("UPDATE sfdr_paireport SET computed = 18")
    for tail in ("", "/export", "/export?format=xlsx"):
        answer = client().get(f"{PATH}/{mine['reportId']}{tail}")
        assert (answer.status_code, answer.json()["code"]) == (503, "record_unproved")


def test_a_report_is_no_screen_and_a_screen_no_report(
    mine: dict[str, Any], paid: dict[str, Any]
) -> None:
    opened = payer("Alice Ltd").post("/compliance/stream/open", OPENS, format="json")
    session: Callable[..., Any] = session_client(opened.json()["secret"]).get
    assert session(f"{SCREEN}/{mine['reportId']}").status_code == 404
    assert client().get(f"{PATH}/{paid['screeningId']}").status_code == 404
