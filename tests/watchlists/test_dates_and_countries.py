"""Dates and countries as lists print them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.reference.watchlists.sources import countries, dates


@pytest.mark.parametrize(
    ("printed", "meant"),
    [
        ("1948-12-10", ("1948-12-10",)),
        ("1948-12", ("1948-12",)),
        ("1948", ("1948",)),
        ("2024-02-29T10:00:00", ("2024-02-29",)),
        ("2023-02-29", ()),
        ("10 Dec 1948", ("1948-12-10",)),
        ("Dec 1948", ("1948-12",)),
        ("31 Apr 1948", ()),
        ("10/12/1948", ("1948-12-10",)),
        ("00/00/1948", ("1948",)),
        ("dd/mm/1948", ("1948",)),
        ("dd/12/1948", ("1948-12",)),
        ("circa 1951", ("1950", "1951", "1952")),
        ("circa Dec 1951", ("1950", "1951", "1952")),
        ("1973 to 1974", ("1973", "1974")),
        ("Between 1973 and 1974", ("1973", "1974")),
        ("01 Jan 1961 to 31 Dec 1962", ("1961", "1962")),
        ("1950 to 1970", tuple(str(year) for year in range(1950, 1971))),
        ("1950 to 1971", ()),
        ("1974 to 1973", ()),
        ("unknown", ()),
        ("", ()),
        ("0999", ()),
        ("١٩٤٨", ()),
    ],
)
def test_a_printed_date_stands_for_every_date_it_may_mean(
    printed: str, meant: tuple[str, ...]
) -> None:
    assert dates.parse_possible_dates(printed) == meant


@given(st.text(max_size=60))
def test_any_text_gives_dates_that_are_iso_or_none(text: str) -> None:
    for possible_date in dates.parse_possible_dates(text):
        assert possible_date == dates.parse_date(possible_date)


@pytest.mark.parametrize(
    ("printed", "code"),
    [
        ("Korea, North", "KP"),
        ("Democratic People's Republic of Korea", "KP"),
        ("Korea, South", "KR"),
        ("Congo, Democratic Republic of the", "CD"),
        ("Congo, Republic of the", "CG"),
        ("Burma", "MM"),
        ("The Gambia", "GM"),
        ("Cote d Ivoire", "CI"),
        ("Côte d'Ivoire", "CI"),
        ("Palestinian", "PS"),
        ("Region: Gaza", "PS"),
        ("Virgin Islands, British", "VG"),
        ("Russia", "RU"),
        ("Russian Federation", "RU"),
        ("Syrian Arab Republic", "SY"),
        ("Iran (Islamic Republic of)", "IR"),
        ("Iran, Islamic Republic of", "IR"),
        ("PRK", "KP"),
        ("kp", "KP"),
        ("UK", "GB"),
        ("Kosovo", "XK"),
        ("Bahamas, The", "BS"),
        ("Türkiye", "TR"),
        ("Vietnam", "VN"),
        ("undetermined", ""),
        ("Unknown", ""),
        ("EU", ""),
        ("", ""),
    ],
)
def test_countries_come_out_as_alpha_2(printed: str, code: str) -> None:
    assert countries.parse_country_code(printed) == code


def test_an_office_may_be_held_at_the_union_or_the_united_nations() -> None:
    assert countries.parse_office_country("EU") == "EU"
    assert countries.parse_office_country("United Nations") == "UN"
    assert countries.parse_office_country("France") == "FR"
