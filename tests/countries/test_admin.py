"""Country listings change in the admin by two different senior officers."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, transaction
from django.test import Client

from apps.compliance.screening.rules.findings import RULES
from apps.platform.common.clock import now
from apps.platform.desk.role_sync import ensure_staff_user
from apps.reference.countries import approvals, listings
from apps.reference.countries.models import CountryChange, CountryEvent, CountryList, CountryListing
from tests.desk.proposal_steps import SEEN, look_at, propose
from tests.review.people import check_page

ADD = "/admin/countries/countrychange/add/"
LISTED = CountryList.values
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
        user = ensure_staff_user(username=name, group="Senior officer", password="a long password")
        client = Client()
        client.force_login(user)
        found.append((user, client))
    return found


def test_one_proposes_and_another_puts_it_into_force(seniors) -> None:
    (_, first), (_, second) = seniors
    assert propose(first, ADD, FORM).status_code == 302
    change = CountryChange.objects.get()
    assert listings.country_label("NG", now()) == "STANDARD"
    address = f"/admin/countries/countrychange/{change.pk}/decide/"
    first.post(address, {"decision": "approve"})
    change.refresh_from_db()
    assert change.state == "PROPOSED"
    second.post(address, {"decision": "approve"})
    listings.clear_listings_cache()
    assert listings.country_label("NG", now()) == "INCREASED_MONITORING"


def test_a_region_of_a_country_is_proposed_for_an_embargo(seniors) -> None:
    (_, first), _ = seniors
    form = FORM | {"country": "ua-65", "list": "EMBARGO"}
    assert propose(first, ADD, form).status_code == 302
    assert CountryChange.objects.get().country == "UA-65"


@pytest.mark.parametrize(("given", "code"), [("Nigeria", "NG"), ("nigeria ", "NG"), ("NG", "NG")])
def test_a_country_is_proposed_by_its_name_or_code(seniors, given: str, code: str) -> None:
    (_, first), _ = seniors
    assert propose(first, ADD, FORM | {"country": given}).status_code == 302
    assert CountryChange.objects.get().country == code


def test_what_is_no_country_is_refused_and_the_form_says_what_it_does(seniors) -> None:
    (_, first), _ = seniors
    html = propose(first, ADD, FORM | {"country": "Ruritania"}).content.decode()
    assert "No country has this name" in html and not CountryChange.objects.exists()
    assert ">Preview effect</button>" in html and ">Propose</button>" not in html
    assert "Save and add another" not in html


@pytest.mark.parametrize(
    ("asked", "shown"), [("iran", True), ("IR", True), ("crimea", False), ("Ruritania", False)]
)
def test_listings_are_searched_by_the_name_of_a_country(seniors, asked: str, shown: bool) -> None:
    (_, first), _ = seniors
    html = first.get("/admin/countries/countrylisting/", {"q": asked}).content.decode()
    assert ("Iran (IR)" in html) is shown


def test_the_proposer_is_told_who_must_decide_and_gets_no_button(seniors) -> None:
    (_, first), (_, second) = seniors
    propose(first, ADD, FORM)
    page = f"/admin/countries/countrychange/{CountryChange.objects.get().pk}/change/"
    assert "Another senior officer must" in first.get(page).content.decode()
    assert 'value="approve"' not in first.get(page).content.decode()
    assert 'value="approve"' in second.get(page).content.decode()


def test_the_page_shows_who_proposed_what_and_what_the_second_wrote(seniors) -> None:
    (_, first), (_, second) = seniors
    propose(first, ADD, FORM | {"reason": "Named in the plenary."})
    change = CountryChange.objects.get()
    page = f"/admin/countries/countrychange/{change.pk}/"
    html = second.get(f"{page}change/").content.decode()
    moment = f"{change.proposed_at:%d %b %Y %H:%M} UTC"
    for shown in (
        "Nigeria (NG)", "<del>not on the list</del>", "<ins>on the list from 01 Nov 2026</ins>",
        "FATF statement of 2026-10-30", "Named in the plenary.", "Proposed by <strong>samir",
        moment,
        "are flagged, with a risk of at least 60, from 01 Nov 2026 on",
    ):  # fmt: skip
        assert shown in html, shown
    second.post(f"{page}decide/", {"decision": "approve", "note": "I read the statement too."})
    change.refresh_from_db()
    assert (change.state, change.note) == ("APPROVED", "I read the statement too.")
    html = second.get(f"{page}change/").content.decode()
    assert "Approved by <strong>sofia" in html and "<q>I read the statement too.</q>" in html
    kept = CountryEvent.objects.order_by("pk").values_list("state", "by", "country", "words")
    assert list(kept) == [
        ("PROPOSED", "samir", "NG", "Named in the plenary."),
        ("APPROVED", "sofia", "NG", "I read the statement too."),
    ]


def test_a_note_waits_in_the_browser_until_it_is_stored(seniors) -> None:
    (_, first), (_, second) = seniors
    propose(first, ADD, FORM)
    change = CountryChange.objects.get()
    page, name = (
        f"/admin/countries/countrychange/{change.pk}/",
        f"countries_countrychange-{change.pk}",
    )
    assert f'data-draft="{name}"' in second.get(f"{page}change/").content.decode()
    refused = second.post(f"{page}decide/", {"decision": "reject", "note": "no"}, follow=True)
    assert f"stored-{name}" not in refused.content.decode()
    given = {"decision": "reject", "note": "There is no such statement."}
    html = second.post(f"{page}decide/", given, follow=True).content.decode()
    assert f"stored-{name}" in html and f'data-kept="{name}"' in html


def test_events_of_a_change_cannot_be_altered_or_removed(seniors) -> None:
    (_, first), _ = seniors
    propose(first, ADD, FORM)
    for harm in (
        lambda: CountryEvent.objects.update(by="somebody else"),
        lambda: CountryEvent.objects.all().delete(),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            harm()
    assert CountryEvent.objects.get().by == "samir"


@pytest.mark.parametrize(
    ("note", "why"), [("", "Explain in the note why"), ("x" * 501, "at most 500 are kept")]
)
def test_a_note_that_cannot_be_kept_decides_nothing(seniors, note, why) -> None:
    (_, first), (_, second) = seniors
    propose(first, ADD, FORM)
    page = f"/admin/countries/countrychange/{CountryChange.objects.get().pk}/decide/"
    html = second.post(page, {"decision": "reject", "note": note}, follow=True).content.decode()
    assert why in html and CountryChange.objects.get().state == "PROPOSED"


def test_what_a_listing_is_said_to_do_is_what_screens_do() -> None:
    names = {"EMBARGO": "country.embargo", "EU_HIGH_RISK": "country.eu_high_risk"}
    names |= {name: f"country.{name.removeprefix('FATF_').lower()}" for name in LISTED[:2]}
    rules = {rule.code: rule for rule in RULES}
    for name in LISTED:
        done, risk = approvals.SCREEN_EFFECTS[name]
        rule = rules[names[name]]
        assert rule.decision == done.upper() and rule.risk(None) == risk, name


def test_a_rejection_changes_nothing_and_keeps_its_note(seniors) -> None:
    (_, first), (_, second) = seniors
    propose(first, ADD, FORM)
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
    answer = propose(first, ADD, FORM | change)
    assert answer.status_code == 200
    assert "errorlist" in answer.content.decode() or "errornote" in answer.content.decode()
    assert not CountryChange.objects.exists()


@pytest.mark.parametrize("group", ["Compliance officer", "Registrar", "Examiner", "Operator"])
def test_no_other_group_proposes_or_decides(db, seniors, group) -> None:
    (_, first), _ = seniors
    propose(first, ADD, FORM)
    client = Client()
    client.force_login(ensure_staff_user(username="other", group=group, password="a long password"))
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
        client.force_login(ensure_staff_user(username="x", group=group, password="a long password"))
        assert client.get("/admin/sar/sarentry/").status_code == status
        home = client.get("/admin/").content.decode().lower()
        assert ("sar log" in home) is (status == 200)


def test_who_proposes_sees_what_it_would_mean_before_it_is_sent(seniors) -> None:
    (_, first), _ = seniors
    html = look_at(first, ADD, FORM | {"reason": "Named in the plenary."})
    for words in ("Nigeria (NG), FATF increased monitoring", "<del>not on the list</del>",
                  "<ins>on the list from 01 Nov 2026</ins>", "FATF statement of 2026-10-30",
                  "are flagged, with a risk of at least 60", "It is on no other list today",
                  "Named in the plenary."):  # fmt: skip
        assert words in html, words
    assert ">Propose</button>" in html and not CountryChange.objects.exists()
    seen = SEEN.search(html)[1]
    html = look_at(first, ADD, FORM | {"list": "FATF_CALL_FOR_ACTION", "seen": seen})
    assert (
        "You have changed the proposal since the last preview" in html
        and "are blocked, with a risk" in html
    )
    assert not CountryChange.objects.exists()


def test_a_country_that_others_list_as_well_is_told_of_it_until_it_is_decided(seniors) -> None:
    (_, first), (_, second) = seniors
    propose(first, ADD, FORM)
    change = CountryChange.objects.get()
    page = f"/admin/countries/countrychange/{change.pk}/"
    second.post(f"{page}decide/", {"decision": "approve"})
    assert "other list" not in second.get(f"{page}change/").content.decode()
    listings.clear_listings_cache()
    html = look_at(second, ADD, FORM | {"list": "EU_HIGH_RISK"})
    assert "It is also on FATF increased monitoring, whose consequences remain." in html


@pytest.mark.parametrize(
    ("since", "until", "stands"),
    [
        (0, None, "now"),
        (-9, 1, "now"),
        (-9, 0, "ended"),
        (1, None, "ahead"),
        (1, 5, "ahead"),
        (1, 1, "ended"),  # withdrawn before it began
    ],
)
def test_listings_are_narrowed_to_those_that_hold_today(
    seniors, since: int, until: int | None, stands: str
) -> None:
    (_, client), _ = seniors
    today, spans = now().date(), (since, until)
    first, last = (None if span is None else today + timedelta(days=span) for span in spans)
    CountryListing.objects.all().delete()
    CountryListing.objects.create(
        list=LISTED[0], country="NG", since=first, until=last, source="Act of 2025-12-03",
        recorded_at=now(), ended_at=now() if last else None,
    )  # fmt: skip
    for chosen in ("now", "ahead", "ended"):
        html = check_page(client.get(f"/admin/countries/countrylisting/?stands={chosen}"))
        assert ("Act of 03 Dec 2025" in html) is (chosen == stands), chosen
