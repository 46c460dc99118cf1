"""Which countries are listed when, and how two officers change the listings."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import IntegrityError, transaction

from apps.reference.countries import listings, services
from apps.reference.countries.integrity import verify_country_listings
from apps.reference.countries.models import CountryChange, CountryListing, ListingRecord

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
TODAY_GREY = "AO BA BG BO CD CI CM HT IQ KE KW LA LB MC NP PG SS SY VE VG VN YE"
TODAY_EU = "AF SY VU YE IR KP TT MM HT SS CD CM VN DZ AO CI KE LA LB MC NA NP VE BO VG RU"
REGIONS = ("UA-09", "UA-14", "UA-43")
GREY, BLACK, EU = "FATF_INCREASED_MONITORING", "FATF_CALL_FOR_ACTION", "EU_HIGH_RISK"


@pytest.fixture(autouse=True)
def seeded(django_user_model):
    CountryListing.objects.all().delete()
    services.load_country_listings(now=NOON - timedelta(days=30))
    yield
    listings.clear_listings_cache()


@pytest.fixture
def alice(django_user_model):
    return django_user_model.objects.create_user("alice")


@pytest.fixture
def bob(django_user_model):
    return django_user_model.objects.create_user("bob")


def at(day):
    return datetime.combine(date.fromisoformat(day), datetime.min.time(), UTC)


def on(name, now=NOON):
    listed = listings.listings_at(now).by_country
    return {country for country, lists in listed.items() if name in lists}


def test_the_lists_of_today_are_those_of_the_sources():
    assert on(BLACK) == {"KP", "IR", "MM"}
    assert on(GREY) == set(TODAY_GREY.split())
    assert on(EU) == set(TODAY_EU.split())


@pytest.mark.parametrize(
    ("country", "label"),
    [
        ("US", "STANDARD"),
        ("", "NOT_PROVIDED"),
        ("KP", "CALL_FOR_ACTION"),
        ("MM", "CALL_FOR_ACTION"),
        ("HT", "INCREASED_MONITORING"),
        ("ht", "INCREASED_MONITORING"),
        ("BG", "INCREASED_MONITORING"),
        ("AF", "EU_HIGH_RISK"),
        ("RU", "EU_HIGH_RISK"),
        ("NA", "EU_HIGH_RISK"),
    ],
)
def test_a_country_bears_its_gravest_label(country, label):
    assert listings.country_label(country, NOON) == label


@pytest.mark.parametrize(
    ("country", "day", "label"),
    [
        ("TR", "2021-10-20", "STANDARD"),
        ("TR", "2021-10-21", "INCREASED_MONITORING"),
        ("TR", "2024-06-27", "INCREASED_MONITORING"),
        ("TR", "2024-06-28", "STANDARD"),
        ("MM", "2022-10-20", "INCREASED_MONITORING"),
        ("MM", "2022-10-21", "CALL_FOR_ACTION"),
        ("IQ", "2026-06-18", "STANDARD"),
        ("IQ", "2026-06-19", "INCREASED_MONITORING"),
        ("DZ", "2026-06-18", "INCREASED_MONITORING"),
        ("DZ", "2026-06-19", "EU_HIGH_RISK"),
        ("RU", "2026-01-28", "STANDARD"),
        ("RU", "2026-01-29", "EU_HIGH_RISK"),
        ("ZA", "2026-01-28", "EU_HIGH_RISK"),
        ("ZA", "2026-01-29", "STANDARD"),
    ],
)
def test_a_spell_begins_with_its_first_day_and_is_over_on_its_last(country, day, label):
    assert listings.country_label(country, at(day)) == label


def test_comprehensive_programmes_are_a_list_of_their_own_that_gives_no_label():
    assert on("EMBARGO") == {"CU", "IR", "KP", *REGIONS}
    listed = listings.listings_at(NOON)
    assert {code: listed.standing(code) for code in ("CU", "cu", "KP", "HT", "DE", "")} == {
        "CU": "EMBARGO",
        "cu": "EMBARGO",
        "KP": "CALL_FOR_ACTION",
        "HT": "INCREASED_MONITORING",
        "DE": "STANDARD",
        "": "NOT_PROVIDED",
    }
    assert listed.label("CU") == "STANDARD"
    # what blocks by itself needs no second reason
    assert [listed.embargoed(code) for code in ("CU", "IR", "DE", "")] == [True, True, False, False]


def test_an_embargo_ends_and_another_begins_by_two_officers(alice, bob):
    for fields in (
        {"kind": "END", "list": "EMBARGO", "country": "CU", "effective": date(2026, 11, 1)},
        {"list": "EMBARGO", "country": "BY", "effective": date(2026, 11, 1)},
    ):
        services.approve_change(change=propose(alice, **fields), by=bob, now=NOON)
    listings.clear_listings_cache()
    assert on("EMBARGO") == {"BY", "IR", "KP", *REGIONS}
    assert list(verify_country_listings(lambda done: None)) == []


@pytest.mark.parametrize(
    ("day", "listed"),
    [
        ("2014-12-18", set()),
        ("2014-12-19", {"UA-43"}),
        ("2022-02-20", {"UA-43"}),
        ("2022-02-21", set(REGIONS)),
    ],
)
def test_a_region_is_embargoed_from_the_day_of_its_programme(day, listed):
    assert listings.listings_at(at(day)).regions == listed
    assert listings.country_label("UA-43", at(day)) == "STANDARD"


def test_a_region_comes_under_an_embargo_and_goes_by_two_officers(alice, bob):
    for fields in (
        {"list": "EMBARGO", "country": "ua-65", "effective": date(2026, 11, 1)},
        {"kind": "END", "list": "EMBARGO", "country": "UA-09", "effective": date(2026, 11, 1)},
    ):
        services.approve_change(change=propose(alice, **fields), by=bob, now=NOON)
    listings.clear_listings_cache()
    assert listings.listings_at(NOON).regions == {"UA-14", "UA-43", "UA-65"}
    assert list(verify_country_listings(lambda done: None)) == []


def test_only_a_programme_lists_a_region(alice):
    with pytest.raises(services.Contradiction, match="this list has countries"):
        propose(alice, country="UA-65")


def test_loading_twice_adds_nothing():
    assert services.load_country_listings(now=NOON) == 0
    assert CountryListing.objects.count() == 90


def test_loading_leaves_what_officers_changed(alice, bob):
    change = propose(alice, kind="END", country="HT", effective=date(2026, 11, 1))
    services.approve_change(change=change, by=bob, now=NOON)
    assert services.load_country_listings(now=NOON) == 0
    listings.clear_listings_cache()
    assert listings.country_label("HT", NOON) == "EU_HIGH_RISK"


def test_listings_are_read_once_in_three_seconds(django_assert_num_queries, monkeypatch):
    clock = [100.0]
    monkeypatch.setattr(listings, "CACHED_SECONDS", 3.0)  # which tests/process_caches.py stops
    monkeypatch.setattr(listings.time, "monotonic", lambda: clock[0])
    listings.clear_listings_cache()
    with django_assert_num_queries(1):
        for moved in (0.0, 1.0, 2.9):
            clock[0] = 100.0 + moved
            listings.country_label("US", NOON)
    clock[0] = 103.0
    with django_assert_num_queries(1):
        listings.country_label("US", NOON)


# --- changes ------------------------------------------------------------------------


def propose(by, **fields):
    known = {
        "kind": "ADD",
        "list": GREY,
        "country": "PA",
        "effective": date(2026, 10, 30),
        "source": "FATF statement of 2026-10-30",
    }
    return services.propose_change(by=by, now=NOON, **(known | fields))


def test_a_proposal_changes_nothing_and_its_approval_by_another_does(
    alice, bob, django_capture_on_commit_callbacks
):
    change = propose(alice)
    assert listings.country_label("PA", NOON) == "STANDARD"
    with django_capture_on_commit_callbacks(execute=True):
        services.approve_change(change=change, by=bob, now=NOON)
    assert listings.country_label("PA", NOON) == "INCREASED_MONITORING"
    assert listings.country_label("PA", at("2026-10-29")) == "STANDARD"
    change.refresh_from_db()
    assert (change.state, change.decided_by, change.decided_at) == ("APPROVED", bob, NOON)


def test_nobody_decides_on_an_own_proposal(alice):
    change = propose(alice)
    for decide in (
        lambda: services.approve_change(change=change, by=alice, now=NOON),
        lambda: services.reject_change(change=change, by=alice, now=NOON, note="no"),
    ):
        with pytest.raises(services.Contradiction, match="Another officer"):
            decide()


def test_the_database_itself_wants_two_people(alice):
    change = propose(alice)
    with pytest.raises(IntegrityError), transaction.atomic():
        CountryChange.objects.filter(pk=change.pk).update(
            state="APPROVED", decided_by=alice, decided_at=NOON
        )
    with pytest.raises(IntegrityError), transaction.atomic():
        CountryChange.objects.filter(pk=change.pk).update(state="APPROVED")


def test_a_decided_proposal_stays_decided(alice, bob):
    change = propose(alice)
    services.reject_change(change=change, by=bob, now=NOON, note="not published")
    with pytest.raises(services.Contradiction, match="already been decided"):
        services.approve_change(change=change, by=bob, now=NOON)
    assert listings.country_label("PA", NOON) == "STANDARD"


def test_two_officers_approving_at_once_make_one_listing(alice, bob):
    change = propose(alice)
    stale = CountryChange.objects.get(pk=change.pk)
    services.approve_change(change=change, by=bob, now=NOON)
    with pytest.raises(services.Contradiction):
        services.approve_change(change=stale, by=bob, now=NOON)
    assert CountryListing.objects.filter(country="PA", until=None).count() == 1


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"country": "HT"}, "HT is on this list"),
        ({"effective": date(2022, 1, 1)}, "PA is on this list on 2022-01-01"),
        ({"kind": "END"}, "PA is not on this list"),
        (
            {"kind": "END", "country": "HT", "effective": date(2021, 6, 25)},
            "HT is on this list since",
        ),
    ],
)
def test_a_proposal_that_contradicts_the_listings_is_refused(alice, fields, message):
    with pytest.raises(services.Contradiction, match=message):
        propose(alice, **fields)


def test_a_second_proposal_for_the_same_country_and_list_is_refused(alice, bob):
    propose(alice)
    with pytest.raises(services.Contradiction, match="already proposed"):
        propose(bob)
    assert propose(bob, list=EU).state == "PROPOSED"


def test_an_old_screen_can_be_judged_by_what_was_known_then(alice, bob):
    services.approve_change(change=propose(alice), by=bob, now=NOON)
    ended = propose(alice, kind="END", country="HT", effective=date(2026, 11, 2))
    services.approve_change(change=ended, by=bob, now=NOON)
    listings.clear_listings_cache()
    before = NOON - timedelta(seconds=1)
    later = {country: listings.listings_at(NOON).label(country) for country in ("PA", "HT")}
    then = {
        country: listings.listings_at(NOON, known_at=before).label(country)
        for country in ("PA", "HT")
    }
    assert later == {"PA": "INCREASED_MONITORING", "HT": "EU_HIGH_RISK"}
    assert then == {"PA": "STANDARD", "HT": "INCREASED_MONITORING"}


@pytest.mark.parametrize(
    "fields",
    [
        {"since": date(2026, 1, 2), "until": date(2026, 1, 1), "ended_at": NOON},
        {"since": date(2026, 1, 2), "until": date(2026, 1, 3)},
        {"since": date(2026, 1, 2), "country": "HT"},
        {"since": date(2021, 6, 25), "country": "HT", "until": date(2022, 1, 1), "ended_at": NOON},
    ],
)
def test_the_database_refuses_impossible_spells(fields):
    row = {"list": GREY, "country": "US", "source": "x", "recorded_at": NOON} | fields
    with pytest.raises(IntegrityError), transaction.atomic():
        CountryListing.objects.create(**row)


# --- days ahead -----------------------------------------------------------------------


def carry(proposer, approver, *, now=NOON, **fields):
    change = propose(proposer, **fields)
    return services.approve_change(change=change, by=approver, now=now)


@pytest.mark.parametrize("kind", [("ADD", "PA"), ("END", "HT")])
def test_an_effective_date_is_at_most_a_year_ahead(alice, kind):
    year = NOON.date() + timedelta(days=365)
    fields = {"kind": kind[0], "country": kind[1]}
    with pytest.raises(services.Contradiction, match="more than a year ahead"):
        propose(alice, **fields, effective=year + timedelta(days=1))
    assert propose(alice, **fields, effective=year).pk


def mistyped():
    """A spell that was approved before dates far ahead were refused."""
    spell = CountryListing.objects.create(
        list=GREY, country="TD", since=date(2062, 11, 21), source="typo", recorded_at=NOON
    )
    ListingRecord.of(spell, now=NOON, change=None)


def test_a_spell_that_has_not_begun_is_withdrawn_by_two_and_never_holds(alice, bob):
    mistyped()
    with pytest.raises(services.Contradiction, match=r"is on this list from 2062-11-21.*withdraw"):
        propose(alice, country="TD", effective=NOON.date())
    with pytest.raises(services.Contradiction, match=r"is on this list from 2062-11-21.*withdraw"):
        propose(alice, kind="END", country="TD", effective=NOON.date())
    carry(alice, bob, kind="END", country="TD", effective=date(2062, 11, 21))
    listings.clear_listings_cache()
    for day in ("2062-11-20", "2062-11-21", "2062-11-22"):
        assert listings.country_label("TD", at(day)) == "STANDARD"
    carry(alice, bob, country="TD", effective=NOON.date())
    listings.clear_listings_cache()
    assert listings.country_label("TD", NOON) == "INCREASED_MONITORING"
    assert list(verify_country_listings(lambda done: None)) == []


def test_a_withdrawn_spell_can_be_opened_again_on_its_day(alice, bob):
    day = date(2026, 12, 1)
    carry(alice, bob, country="TD", effective=day)
    carry(alice, bob, kind="END", country="TD", effective=day)
    carry(alice, bob, country="TD", effective=day)
    listings.clear_listings_cache()
    assert listings.country_label("TD", at("2026-11-30")) == "STANDARD"
    assert listings.country_label("TD", at("2026-12-01")) == "INCREASED_MONITORING"
    assert ListingRecord.objects.filter(country="TD", list=GREY, since=day).count() == 3
    assert list(verify_country_listings(lambda done: None)) == []


def test_a_spell_that_has_begun_by_the_approval_is_not_withdrawn(alice, bob):
    day = date(2026, 11, 21)
    carry(alice, bob, country="TD", effective=day)
    with pytest.raises(services.Contradiction, match="TD is on this list since 2026-11-21"):
        carry(alice, bob, kind="END", country="TD", effective=day, now=NOON + timedelta(days=1))


def test_who_ends_what_ends_already_is_told_when(alice, bob):
    carry(alice, bob, kind="END", country="HT", effective=date(2026, 12, 1))
    with pytest.raises(services.Contradiction, match="HT is not on this list from 2026-12-01 on"):
        propose(alice, kind="END", country="HT", effective=date(2026, 12, 5))


@pytest.mark.parametrize("note", ["", "  "])
def test_a_rejection_says_why(alice, bob, note):
    change = propose(alice)
    with pytest.raises(services.Contradiction, match="why"):
        services.reject_change(change=change, by=bob, now=NOON, note=note)
    change.refresh_from_db()
    assert change.state == "PROPOSED"
