"""Country listings change in the admin by two different senior officers."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from apps.core.clock import now
from apps.countries import listings
from apps.countries.models import CountryChange, CountryListing
from apps.desk.roles import ensure_staff

ADD = "/admin/countries/countrychange/add/"
FORM = {
    "kind": "ADD",
    "list": "FATF_INCREASED_MONITORING",
    "country": "ng",
    "effective": "2026-11-01",
    "source": "FATF statement of 2026-10-30",
    "reason": "",
}


@pytest.fixture
def seniors(db) -> list[tuple[User, Client]]:
    found = []
    for name in ("samir", "sofia"):
        user = ensure_staff(username=name, group="Senior officer", password="a long password")
        client = Client()
        client.force_login(user)
        found.append((user, client))
    return found


def test_one_proposes_and_another_puts_it_into_force(seniors) -> None:
    (_, first), (_, second) = seniors
    assert first.post(ADD, FORM).status_code == 302
    change = CountryChange.objects.get()
    assert listings.label("NG", now()) == "STANDARD"
    address = f"/admin/countries/countrychange/{change.pk}/decide/"
    first.post(address, {"decision": "approve"})
    change.refresh_from_db()
    assert change.state == "PROPOSED"
    second.post(address, {"decision": "approve"})
    listings.forget()
    assert listings.label("NG", now()) == "INCREASED_MONITORING"


def test_a_region_of_a_country_is_proposed_for_an_embargo(seniors) -> None:
    (_, first), _ = seniors
    form = FORM | {"country": "ua-65", "list": "EMBARGO"}
    assert first.post(ADD, form).status_code == 302
    assert CountryChange.objects.get().country == "UA-65"


def test_the_proposer_is_told_who_must_decide_and_gets_no_button(seniors) -> None:
    (_, first), (_, second) = seniors
    first.post(ADD, FORM)
    page = f"/admin/countries/countrychange/{CountryChange.objects.get().pk}/change/"
    assert "Another senior officer must" in first.get(page).content.decode()
    assert 'value="approve"' not in first.get(page).content.decode()
    assert 'value="approve"' in second.get(page).content.decode()


def test_a_rejection_changes_nothing_and_keeps_its_note(seniors) -> None:
    (_, first), (_, second) = seniors
    first.post(ADD, FORM)
    change = CountryChange.objects.get()
    address = f"/admin/countries/countrychange/{change.pk}/decide/"
    second.post(address, {"decision": "reject", "note": "No such statement."})
    change.refresh_from_db()
    assert (change.state, change.note) == ("REJECTED", "No such statement.")
    assert not CountryListing.objects.filter(country="NG", until=None).exists()


@pytest.mark.parametrize(
    "change",
    [
        {"country": "ZZ"},
        {"country": "UA-99", "list": "EMBARGO"},
        {"country": "UA-65"},
        {"country": "KP", "list": "FATF_CALL_FOR_ACTION"},
        {"country": "DE", "kind": "END"},
        {"effective": "soon"},
        {"source": ""},
    ],
)
def test_a_proposal_that_cannot_be_is_refused_with_a_message(seniors, change) -> None:
    (_, first), _ = seniors
    answer = first.post(ADD, FORM | change)
    assert answer.status_code == 200
    assert "errorlist" in answer.content.decode() or "errornote" in answer.content.decode()
    assert not CountryChange.objects.exists()


@pytest.mark.parametrize("group", ["Compliance officer", "Registrar", "Examiner", "Operator"])
def test_no_other_group_proposes_or_decides(db, seniors, group) -> None:
    (_, first), _ = seniors
    first.post(ADD, FORM)
    client = Client()
    client.force_login(ensure_staff(username="other", group=group, password="a long password"))
    change = CountryChange.objects.get()
    assert client.get(ADD).status_code == 403
    address = f"/admin/countries/countrychange/{change.pk}/decide/"
    assert client.post(address, {"decision": "approve"}).status_code == 403
    change.refresh_from_db()
    assert change.state == "PROPOSED"


def test_the_sar_log_is_seen_by_seniors_alone(db, seniors) -> None:
    for group, status in (
        ("Senior officer", 200),
        ("Compliance officer", 404),  # that there is such a log is confidential
        ("Examiner", 404),
        ("Operator", 404),
    ):
        client = Client()
        client.force_login(ensure_staff(username="x", group=group, password="a long password"))
        assert client.get("/admin/sar/sarentry/").status_code == status
        home = client.get("/admin/").content.decode().lower()
        assert ("sar log" in home) is (status == 200)
