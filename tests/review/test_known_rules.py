"""How long a known false positive may hold, and what wakes it."""

from datetime import date

import pytest

from apps.backoffice.review.rules import known_false_positives as rules

TODAY = date(2026, 11, 20)


@pytest.mark.parametrize(
    ("until", "fine"),
    [
        (date(2026, 11, 20), False),
        (date(2026, 11, 21), True),
        (date(2028, 11, 20), True),
        (date(2028, 11, 21), False),
    ],
)
def test_it_holds_at_least_a_day_and_at_most_two_years(until: date, fine: bool) -> None:
    assert (rules.find_expiry_fault(until=until, today=TODAY) == "") is fine


def test_a_year_is_proposed_and_the_29th_of_february_becomes_the_28th() -> None:
    assert rules.get_usual_expiry(TODAY) == date(2027, 11, 20)
    assert rules.get_usual_expiry(date(2028, 2, 29)) == date(2029, 2, 28)
    assert rules.get_latest_expiry(date(2028, 2, 29)) == date(2030, 2, 28)


def test_it_holds_on_its_last_day_and_not_on_the_next() -> None:
    assert not rules.is_expired(until=TODAY, today=TODAY)
    assert rules.is_expired(until=TODAY, today=date(2026, 11, 21))


@pytest.mark.parametrize(
    ("now", "why"), [("a", ""), ("b", "CHANGED"), (None, "LEFT"), ("", "LEFT")]
)
def test_an_entry_that_changed_or_left_wakes_it(now: str | None, why: str) -> None:
    assert rules.find_wake_reason(then="a", now=now) == why


def test_what_differs_and_what_was_not_given_then_is_told() -> None:
    then = {"Birth date": "1980-01-01", "Type": "person"}
    now = {"Birth date": "1961-01-01", "Nationality": "Syria"}
    found, new = rules.find_party_differences(then, now)
    assert found.sentence == "Birth date was 1980-01-01, here it is 1961-01-01."
    assert new.sentence == "Nationality was not given, here it is Syria." and not new.agrees
    assert list(rules.find_party_differences(then, then)) == []


def test_what_was_not_given_then_is_told_where_it_agrees_with_the_listed_party_now() -> None:
    then, now = {"Type": "person"}, {"Type": "person", "Birth date": "1961", "Passport": "N1"}
    assert [
        party_difference.what for party_difference in rules.find_party_differences(then, now)
    ] == [
        "Birth date",
        "Passport",
    ]
    assert [
        party_difference.what for party_difference in rules.find_party_differences({}, now)
    ] == [
        "Type",
        "Birth date",
        "Passport",
    ]
    found, passport = rules.find_party_differences(then, now, {"Birth date", "Type"})
    assert not passport.agrees
    assert found.agrees and found.sentence == (
        "Birth date was not given, here it is 1961, which agrees with the listed party."
    )
    other = next(
        rules.find_party_differences({"Birth date": "1980", "Type": "person"}, now, {"Birth date"})
    )
    assert other.agrees and "was 1980, here it is 1961, which agrees" in other.sentence
