"""Where the money comes from is told as given only where the caller gave it."""

from typing import Any

import pytest

from apps.backoffice.review.models import Case
from apps.compliance.screening.combined.request_rows import build_request_rows
from apps.compliance.screening.models import Screen
from tests.review.people import OFFICER, at_desk, check_page, person
from tests.screening.conftest import PATH

PARTY = "Lazarus Funeral Group"


def evidence() -> dict[str, Any]:
    return dict(Case.objects.get().evidence)


def from_to(rows: dict[str, Any]) -> str:
    return str(next(row["value"] for row in rows["payment"] if row["label"] == "From, to"))


def test_a_source_country_that_was_not_given_is_told_as_taken(screen: Any) -> None:
    screen(name=PARTY)
    rows = build_request_rows(evidence())
    assert from_to(rows) == "not given → Germany"
    assert "source country (taken as United States)" in rows["missing"]
    desk = at_desk(person("olivia", OFFICER))
    html = check_page(desk.get(f"/admin/review/case/{Case.objects.get().pk}/"))
    assert "source country (taken as United States)" in html


@pytest.mark.parametrize("country", ["US", "FR"])
def test_one_that_was_given_is_told_as_such(screen: Any, country: str) -> None:
    screen(name=PARTY, sourceCountry=country)
    rows = build_request_rows(evidence())
    assert from_to(rows) == {"US": "United States → Germany", "FR": "France → Germany"}[country]
    assert "source country" not in rows["missing"]


def test_the_same_call_is_the_same_whether_it_names_the_default_or_not(alice: Any) -> None:
    key = {"headers": {"Idempotency-Key": "one-call"}}
    body = {"name": PARTY, "country": "DE"}
    first = alice.post(PATH, body, format="json", **key)
    again = alice.post(PATH, body | {"sourceCountry": "US"}, format="json", **key)
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.json()["screenId"] == again.json()["screenId"]
    assert Screen.objects.count() == 1
