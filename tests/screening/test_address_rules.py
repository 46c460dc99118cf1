"""Which country an address ends with (D §4 countries, address)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.compliance.screening.rules.party_location import parse_place

LISTED = frozenset({"UA-09", "UA-14", "UA-43", "UA-65"})
CASES = [
    # address, country, region
    ("", "", ""),
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
    ("улица Ленина 1, Севастополь", "", "UA-43"),
    # a street or town that bears the name of a country is no country
    ("12 Rue de Cuba, 75001 Paris", "FR", ""),
    ("Iranstrasse 5, Berlin, DE", "DE", ""),
    ("Iran Street 5, Berlin, Germany", "DE", ""),
    # a state's code before a postal code is no country's
    ("1 Canal Street, New Orleans, LA 70112", "US", ""),
    ("1 Main Street, Lebanon, PA 17042-1234", "US", ""),
    ("Lane Xang Avenue, Vientiane, LA", "LA", ""),
    ("Rue 5, Port-au-Prince, HT 6110", "HT", ""),
    # nor is it without one where the town, or another part, says which is meant
    ("1 Canal Street, New Orleans, LA", "US", ""),
    ("1 Florida Street, Baton Rouge, La.", "US", ""),
    ("1 Canal Street, New Orleans, LA, 70112", "US", ""),
    ("Shreveport LA", "US", ""),
    ("1 Market Street, St. Louis, MO", "US", ""),
    ("1 Peachtree Street, Atlanta, Georgia", "US", ""),
    ("Albert Street 1, Regina, SK S4P 3Y2", "CA", ""),
    ("Canada, Regina, SK", "CA", ""),
    ("1 King William Street, Adelaide SA 5000", "AU", ""),
    # a place of the country itself, or nothing: then the country is meant
    ("Lane Xang Avenue, Vientiane, LA 01000", "LA", ""),
    ("Lane Xang Avenue, Vientiane, Laos, LA", "LA", ""),
    ("Rue 5, Luang Prabang, LA", "LA", ""),
    ("Marienplatz 1, Munich, DE 80331", "DE", ""),
    ("Rustaveli Avenue 1, Tbilisi, Georgia", "GE", ""),
    ("Rue 5, Casablanca, MA 20000", "MA", ""),
    ("King Fahd Road, Riyadh, SA", "SA", ""),
    ("Bratislava, SK", "SK", ""),
    ("12 Main Street, LA", "LA", ""),
    ("LA", "LA", ""),
    # a code within words is a word
    ("Carrer de la Mar ir", "", ""),
    # a code without a comma before it
    ("Valiasr 12, 15875 Tehran IR", "IR", ""),
    ("Valiasr 12 Tehran ir", "IR", ""),
    ("P.O. Box 5 Tehran IR 15875", "IR", ""),
    ("Pyongyang KP", "KP", ""),
    ("HAVANA CU", "CU", ""),
    ("Yangon MM", "MM", ""),
    ("Sari IR", "IR", ""),
    ("Unter den Linden 1, 10117 Berlin DE", "DE", ""),
    ("1010 Sofia BG", "BG", ""),
    ("Georgia (US)", "US", ""),
    # but a state or a province is none
    ("Los Angeles CA", "US", ""),
    ("Havana FL", "US", ""),
    ("Cuba NY 14727", "US", ""),
    ("24121 Bergamo BG", "IT", ""),
    ("80100 NAPOLI NA", "IT", ""),
    # a chief town alone, in any script
    ("Tehran", "IR", ""),
    ("Valiasr 12 Tehran", "IR", ""),
    ("PYONGYANG", "KP", ""),
    ("La Habana", "CU", ""),
    ("улица Ленина 1, Пхеньян", "KP", ""),
    ("平壤, 朝鲜", "KP", ""),
    ("朝鲜平壤市中区域", "KP", ""),
    ("평양시 중구역", "KP", ""),
    ("Havana, IL 62644", "US", ""),
    ("Havana, Illinois", "US", ""),
    ("Paris, TX", "US", ""),
    ("15 Rue de Teheran", "", ""),
    ("Avenida de la Habana 5, Vigo", "", ""),
    ("12 Rue de Teheran 75008 PARIS", "FR", ""),
    ("Cuba Street, Wellington", "NZ", ""),
    ("New Orleans, LA", "US", ""),
    # the country before the town
    ("Iran, Teheran, Valiasr 12", "IR", ""),
    ("ایران، تهران، خیابان ولیعصر ۱۲", "IR", ""),
    ("Cuba, MO 65453", "US", ""),
    ("Iran House, 5 High Street, London", "", ""),
    # regions under a programme of their own, whatever stands behind them
    ("Lenina 1, Sevastopol, Crimea", "UA", "UA-43"),
    ("Lenina 1, Sevastopol", "", "UA-43"),
    ("Lenina 1, Sevastopol 299011, Russia", "RU", "UA-43"),
    ("Lenina 1, Simferopol, Republic of Crimea, Russian Federation", "RU", "UA-43"),
    ("Lenina 1, Yalta, Autonomous Republic of Crimea, Ukraine", "UA", "UA-43"),
    ("Artema 1, Donetsk, Donetsk People's Republic", "", "UA-14"),
    ("ул. Артёма 1, Донецк, ДНР", "", "UA-14"),
    ("ул. Советская 1, Луганская Народная Республика, Russia", "RU", "UA-09"),
    ("Donetsk, DPR", "", "UA-14"),
    ("Донецьк, Україна", "UA", "UA-14"),
    ("Lugansk", "", "UA-09"),
    ("Kirova 1, Simferopol, Ukraine", "UA", "UA-43"),
    ("Yalta Street 5, Berlin", "", ""),
    # the so-called republic is not the whole province
    ("Marii Pryimachenko 1, Kramatorsk, Donetsk Oblast, Ukraine", "UA", ""),
    # any other region, once it is listed, by the names that it has
    ("Lenina 1, Kherson Oblast, Ukraine", "UA", "UA-65"),
    ("Lenina 1, Kherson Oblast, Russia", "RU", "UA-65"),
    ("Lenina 1, Kherson Oblast, Germany", "DE", ""),
    ("Boulevard de Sebastopol, Paris, France", "FR", ""),
    ("Khreshchatyk 1, Kyiv, Ukraine", "UA", ""),
]


@pytest.mark.parametrize(("address", "country", "region"), CASES)
def test_the_end_of_an_address_says_where_it_is(address, country, region) -> None:
    place = parse_place(address, regions=LISTED)
    assert (place.country, place.region) == (country, region)


def test_a_region_that_no_programme_lists_is_told_by_its_country_alone() -> None:
    place = parse_place("Lenina 1, Sevastopol, Crimea", regions=frozenset({"UA-14"}))
    assert (place.country, place.region, place.said) == ("UA", "", "address country UA")


@given(st.text(max_size=500))
def test_any_text_is_read(text) -> None:
    place = parse_place(text, regions=LISTED)
    assert not place.country or len(place.country) == 2


@given(st.text(alphabet="abc 123-", max_size=40))
def test_what_stands_before_the_country_does_not_hide_it(street) -> None:
    assert parse_place(f"{street}, Iran", regions=LISTED).country == "IR"
