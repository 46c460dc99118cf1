"""Which country an address ends with (D §4 countries, address)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.screening.rules.addresses import place_of

CASES = [
    # address, country, region
    ("", "", ""),
    ("Pyongyang", "", ""),
    ("Main Street 1, Springfield", "", ""),
    ("Valiasr Avenue 120, Tehran, Iran", "IR", ""),
    ("Valiasr Avenue 120, Tehran, IRAN.", "IR", ""),
    ("Valiasr Avenue 120, Tehran, IR", "IR", ""),
    ("Valiasr Avenue 120, Tehran, irn", "IR", ""),
    ("Valiasr Avenue 120, Tehran, Iran 15119", "IR", ""),
    ("Valiasr Avenue 120, Tehran 15119 Iran", "IR", ""),
    ("Valiasr Avenue 120, Tehran, Iran, 15119-43943", "IR", ""),
    ("Valiasr Avenue 120, Tehran, Iran, P.O. Box 15875", "IR", ""),
    ("Valiasr Avenue 120, Tehran, Islamic Republic of Iran", "IR", ""),
    ("Valiasr Avenue 120, Tehran, Iran (Islamic Republic of)", "IR", ""),
    ("Valiasr Avenue 120, Tehran, Iran, Islamic Republic of", "IR", ""),
    ("Valiasr Avenue 120\nTehran\nIran\n", "IR", ""),
    ("Valiasr Avenue 120; Tehran; Irán", "IR", ""),
    ("Kwangbok Street, Pyongyang, DPRK", "KP", ""),
    ("Kwangbok Street, Pyongyang, North Korea", "KP", ""),
    ("Pyongyang, Democratic People's Republic of Korea", "KP", ""),
    ("Seoul, Republic of Korea", "KR", ""),
    ("Avenida 23, La Habana, Cuba", "CU", ""),
    ("Unter den Linden 1, 10117 Berlin, Germany", "DE", ""),
    ("Улица Ленина 1, Пхеньян, Северная Корея", "KP", ""),
    ("تهران، ايران, ايران", "IR", ""),
    ("Pjongjang, Nordkorea", "KP", ""),
    ("улица Ленина 1, Севастополь", "", "Crimea"),
    # a street or town that bears the name of a country is no country
    ("12 Rue de Cuba, 75001 Paris", "", ""),
    ("Iranstrasse 5, Berlin, DE", "DE", ""),
    ("Iran Street 5, Berlin, Germany", "DE", ""),
    # a state's code before a postal code is no country's
    ("1 Canal Street, New Orleans, LA 70112", "US", ""),
    ("1 Main Street, Lebanon, PA 17042-1234", "US", ""),
    ("Lane Xang Avenue, Vientiane, LA", "LA", ""),
    ("Rue 5, Port-au-Prince, HT 6110", "HT", ""),
    # a code within words is a word
    ("Carrer de la Mar ir", "", ""),
    # regions under a programme of their own, whatever stands behind them
    ("Lenina 1, Sevastopol, Crimea", "UA", "Crimea"),
    ("Lenina 1, Sevastopol", "", "Crimea"),
    ("Lenina 1, Sevastopol 299011, Russia", "RU", "Crimea"),
    ("Lenina 1, Simferopol, Republic of Crimea, Russian Federation", "RU", "Crimea"),
    ("Lenina 1, Yalta, Autonomous Republic of Crimea, Ukraine", "UA", "Crimea"),
    ("Artema 1, Donetsk, Donetsk People's Republic", "", "Donetsk"),
    ("Boulevard de Sebastopol, Paris, France", "FR", ""),
    ("Khreshchatyk 1, Kyiv, Ukraine", "UA", ""),
]


@pytest.mark.parametrize(("address", "country", "region"), CASES)
def test_the_end_of_an_address_says_where_it_is(address, country, region) -> None:
    found = place_of(address)
    assert (found.country, found.region) == (country, region)


@given(st.text(max_size=500))
def test_any_text_is_read(text) -> None:
    found = place_of(text)
    assert not found.country or len(found.country) == 2


@given(st.text(alphabet="abc 123-", max_size=40))
def test_what_stands_before_the_country_does_not_hide_it(street) -> None:
    assert place_of(f"{street}, Iran").country == "IR"
