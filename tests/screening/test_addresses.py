"""The party's own address is judged by the country that it ends with (D §4 countries, address)."""

import pytest

from apps.core.clock import now
from apps.countries import listings
from apps.countries.models import CountryListing
from apps.screening.combined.picture import picture
from apps.screening.combined.replay import replay
from apps.screening.models import Screen
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
    assert replay(record=record).agrees
    where, label = told.split(": ")
    facts = picture(record.data["evidence"] | {"request": REQUEST})["facts"]
    shown = {fact["label"]: fact["value"] for fact in facts}
    assert shown[where.replace("address", "Address")] == WORDS[label]


ELSEWHERE = (
    "Unter den Linden 1, Berlin, Germany",
    "Iran Street 5, Berlin, DE",
    "Main Street 1",
    "1 Canal Street, New Orleans, LA",
)


@pytest.mark.parametrize("address", ELSEWHERE)
def test_any_other_address_is_approved(screen, address):
    assert screen(address=address)["decision"] == "APPROVED"
    assert replay(record=Screen.objects.get()).agrees


def test_a_region_flags_from_the_day_of_its_listing_until_its_end(screen):
    crimea = CountryListing.objects.filter(country="UA-43")
    assert crimea.update(since=now().date()) == 1
    listings.forget()
    assert screen(address="Lenina 1, Sevastopol")["decision"] == "FLAGGED"
    crimea.update(until=now().date(), ended_at=now())
    listings.forget()
    assert screen(address="Lenina 1, Sevastopol")["decision"] == "APPROVED"
    listings.forget()
