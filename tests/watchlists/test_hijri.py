"""Dates of the Hijri calendars, and what they may stand for."""

import pytest

from apps.reference.watchlists.sources.entity_draft import EntityDraft
from apps.reference.watchlists.sources.hijri import parse_hijri_date


@pytest.mark.parametrize(
    ("printed", "until", "lunar", "solar"),
    [
        # two reckonings of the lunar calendar are a day apart; the UN list prints both days
        ("24/06/1402", "2010-01-01", ("1982-04-18", "1982-04-19"), ()),
        ("1402-06-24", "", ("1982-04-18", "1982-04-19"), ("2023-09-15",)),
        ("1343", "", ("1924", "1925"), ("1964", "1965")),
        ("1343", "1950-01-01", ("1924", "1925"), ()),
        ("06/1402", "2010-01-01", ("1982-03", "1982-04"), ()),
        ("1343-00-00", "", ("1924", "1925"), ("1964", "1965")),
        ("32/01/1402", "", (), ()),
        ("31/06/1402", "", (), ("2023-09-22",)),
    ],
)
def test_a_date_stands_for_its_days_months_or_years_of_both_calendars(
    printed: str, until: str, lunar: tuple[str, ...], solar: tuple[str, ...]
) -> None:
    hijri_date = parse_hijri_date(printed)
    assert hijri_date is not None
    found = hijri_date.readings(until=until)
    assert (found.get("lunar", ()), found.get("solar", ())) == (lunar, solar)


@pytest.mark.parametrize("printed", ["1964", "1199", "1501", "unknown", "", "1343 to 1345"])
def test_what_is_no_date_of_these_calendars_is_none(printed: str) -> None:
    assert parse_hijri_date(printed) is None


@pytest.mark.parametrize(
    ("printed", "dates"),
    [("1500", ("2076", "2077", "2121", "2122")), ("1501", ("1501",)), ("1199", ("1199",))],
)
def test_a_list_that_names_no_calendar_means_that_of_the_year(
    printed: str, dates: tuple[str, ...]
) -> None:
    draft = EntityDraft("1", "Person")
    draft.name("Somebody")
    draft.birth(printed)
    person = draft.finish()
    assert person is not None and person.birth_dates == dates
