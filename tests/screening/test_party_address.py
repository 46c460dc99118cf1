"""The party's own address is judged by the country that it ends with (D §4 countries, address)."""

import pytest

from apps.compliance.screening.combined.evidence_view import build_evidence_view
from apps.compliance.screening.combined.replay import replay_screen
from apps.compliance.screening.models import Screen
from apps.platform.common.clock import now
from apps.reference.countries import listings
from apps.reference.countries.models import CountryListing
from tests.screening.conftest import REQUEST

CASES = [
    ("Valiasr Avenue 120, Tehran, Iran", "address country IR: CALL_FOR_ACTION", 100),
    ("Kwangbok Street, Pyongyang, DPRK", "address country KP: CALL_FOR_ACTION", 100),
    ("Avenida 23, La Habana, Cuba", "address country CU: EMBARGO", 60),
    ("Lenina 1, Sevastopol, Crimea", "address region Crimea: EMBARGO", 60),
    ("Rue 5, Port-au-Prince, Haiti", "address country HT: INCREASED_MONITORING", 60),
    ("Rue 5, Luang Prabang, LA", "address country LA: INCREASED_MONITORING", 60),
    ("Street 5, Kabul, AF", "address country AF: EU_HIGH_RISK", 50),
]


WORDS = {
    "CALL_FOR_ACTION": "on the FATF call for action",
    "EMBARGO": "under a comprehensive embargo",
    "INCREASED_MONITORING": "under FATF increased monitoring",
    "EU_HIGH_RISK": "an EU high-risk third country",
}


@pytest.mark.parametrize(("address", "told", "risk"), CASES)
def test_an_address_in_a_listed_country_flags_and_is_told(screen, address, told, risk):
    answer = screen(address=address)
    assert (answer["decision"], answer["riskScore"]) == ("FLAGGED", risk)
    assert answer["rules"] == ["country.address"]
    assert answer["ruleReferences"] == ["D §4 countries, address"]
    assert told in answer["reasons"][0]
    record = Screen.objects.get()
    assert replay_screen(record=record).agrees
    where, label = told.split(": ")
    facts = build_evidence_view(record.data["evidence"] | {"request": REQUEST})["facts"]
    value_by_label = {fact["label"]: fact["value"] for fact in facts}
    assert value_by_label[where.replace("address", "Address")] == WORDS[label]


ELSEWHERE = (
    "Unter den Linden 1, Berlin, Germany",
    "Iran Street 5, Berlin, DE",
    "Main Street 1",
    "1 Canal Street, New Orleans, LA",
)


@pytest.mark.parametrize("address", ELSEWHERE)
def test_any_other_address_is_approved(screen, address):
    assert screen(address=address)["decision"] == "APPROVED"
    assert replay_screen(record=Screen.objects.get()).agrees


def test_a_region_flags_from_the_day_of_its_listing_until_its_end(screen):
    crimea = CountryListing.objects.filter(country="UA-43")
    assert crimea.update(since=now().date()) == 1
    listings.clear_listings_cache()
    assert screen(address="Lenina 1, Sevastopol")["decision"] == "FLAGGED"
    crimea.update(until=now().date(), ended_at=now())
    listings.clear_listings_cache()
    assert screen(address="Lenina 1, Sevastopol")["decision"] == "APPROVED"
    listings.clear_listings_cache()


@pytest.mark.parametrize(
    ("fields", "told", "risk"),
    [
        ({"nationality": "KP"}, "nationality country KP: CALL_FOR_ACTION", 100),
        ({"nationality": "CU"}, "nationality country CU: EMBARGO", 60),
        ({"name": "Olaf Smithson (Iran)"}, "name field country IR: CALL_FOR_ACTION", 100),
        (
            {"name": "Alborz Carpets, Valiasr St 12, Tehran, Iran"},
            "name field country IR: CALL_FOR_ACTION",
            100,
        ),
        ({"name": "Olaf Smithson, Sevastopol, Crimea"}, "name field region Crimea: EMBARGO", 60),
        ({"name": "Tehran Steel Iran"}, "name field country IR: CALL_FOR_ACTION", 100),
        ({"name": "DPRK Embassy Berlin"}, "name field country KP: CALL_FOR_ACTION", 100),
        (
            {"name": "Embassy of the Democratic Peoples Republic of Korea"},
            "name field country KP: CALL_FOR_ACTION",
            100,
        ),
        ({"name": "Посольство КНДР"}, "name field country KP: CALL_FOR_ACTION", 100),
        ({"name": "조선민주주의인민공화국 대사관"}, "name field country KP: CALL_FOR_ACTION", 100),
        ({"name": "Nampo Shipping DPRK Co., Ltd."}, "name field country KP: CALL_FOR_ACTION", 100),
        ({"name": "Steel Works of Iran LLC"}, "name field country IR: CALL_FOR_ACTION", 100),
        ({"name": "Yalta Wine Trading Crimea"}, "name field region Crimea: EMBARGO", 60),
        (  # the gravest is told
            {"nationality": "HT", "address": "Tehran, Iran"},
            "address country IR: CALL_FOR_ACTION",
            100,
        ),
        (
            {"address": "Tehran, Iran; Dubai, United Arab Emirates"},
            "address country IR: CALL_FOR_ACTION",
            100,
        ),
        (
            {"address": "Square 1, Pyongyang, North Korea, CN"},
            "address country KP: CALL_FOR_ACTION",
            100,
        ),
    ],
)
def test_nationality_and_name_field_are_judged_as_an_address_is(screen, fields, told, risk):
    answer = screen(**fields)
    assert (answer["decision"], answer["riskScore"]) == ("FLAGGED", risk)
    assert answer["rules"] == ["country.address"]
    assert told in answer["reasons"][0]
    assert replay_screen(record=Screen.objects.get()).agrees


@pytest.mark.parametrize(
    "fields",
    [
        {"nationality": "DE"},
        {"name": "Cuba Libre Bar GmbH"},  # a word of a name is no place
        {"name": "Iran Carpet Trading GmbH"},  # what it deals in
        {"name": "Olaf Cuba"},  # a person may be called so
        {"name": "Mombasa Coffee Trading Kenya"},  # listed less gravely
        {"name": "Northwind Traders, London"},
        {"address": "12 Main Street, Cuba, MO 65453, USA"},
        {"address": "Tehran Street 5, Baku, Azerbaijan"},
    ],
)
def test_what_only_sounds_like_a_listed_place_is_none(screen, fields):
    answer = screen(**fields)
    assert "country.address" not in answer["rules"]
