"""The same address is more than the same city: street, postal code or building beside it."""

import pytest

from apps.reference.watchlists.matching.postal_addresses import compare_addresses

SAME = [
    ("12 Imam Khomeini Street, Tehran", "No. 12, Imam Khomeini St., Tehran, Iran"),
    ("ul. Lenina 12, 115478 Moscow", "14 Lenina ulitsa, Moscow, 115478, Russia"),
    ("115478 Moscow, Russia", "Moscow 115478, Russia"),
    ("Hauptstr. 5, 10115 Berlin, Germany", "Hauptstraße 7, Berlin, DE"),
    ("12 Lenin Street Moscow Russia", "Lenin Street 14, Moscow, Russia"),
    ("12 Orchard Road, Singapore", "14 Orchard Rd, Singapore 238801"),
    ("10 Downing Street, SW1A 2AA", "10 Downing Street, London, SW1A 2AA, UK"),
    ("Building 12, Pyongyang, KP", "No. 12, Pyongyang, North Korea"),
    ("Tverskaya ulitsa 12, 125009 Moskva", "14 Tverskaya st., Moscow, 125009, Russia"),
    ("P.O. Box 4155, Damascus, Syria", "PO Box 4155, Damascus"),
    ("ул. Ленина 12, Москва", "Москва, улица Ленина, 14, Россия"),
    ("Calle Juárez 5, Guadalajara, Mexico", "Calle Juarez 7, Guadalajara, Jalisco, Mexico"),
]
CITY_ALONE = [
    ("Moscow, Russia", "12 Lenin st., Moscow, Russia"),
    ("Moscow, Russia", "Moscow, Russia"),
    ("5 Arbat street, Moscow, Russia", "12 Lenin st., Moscow, Russia"),
    ("12 Arbat street, Moscow, Russia", "12 Lenin st., Moscow, Russia"),
    ("10115 Berlin, Germany", "13353 Berlin, Germany"),
    ("St Petersburg, Russia", "Nevsky pr. 3, St. Petersburg, Russia"),
    ("New York, USA", "350 5th Ave, New York, US"),
    ("Damascus Syria", "Baghdad Street, Damascus, Syria"),
    ("Singapore", "12 Orchard Road, Singapore"),
]
ELSEWHERE = [
    ("Lenin street 5, Omsk, Russia", "Lenin street 5, Tomsk, Russia"),
    ("12 Main Street, Buffalo, NY, USA", "12 Main Street, Albany, NY, USA"),
    ("120 Main Street, Buffalo, NY, USA", "120 Main Street, Albany, NY, USA"),
    ("1200 Main Street, Buffalo, NY, USA", "1200 Main Street, Albany, NY, USA"),
    ("Market Street, San Francisco, CA", "Market Street, San Diego, CA"),
    ("Russia", "Moscow, Russia"),
    ("Moscow, Russia", ""),
    ("", ""),
]


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        *((*pair, "SAME") for pair in SAME),
        *((*pair, "CONSISTENT") for pair in CITY_ALONE),
        *((*pair, "NONE") for pair in ELSEWHERE),
    ],
)
def test_an_address_agrees_by_more_than_its_city(one: str, other: str, found: str) -> None:
    assert compare_addresses(one, other) == found
    assert compare_addresses(other, one) == found
