"""Clocks of the SAR log: days, business days, and what each record starts or stops."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.backoffice.sar import rules
from apps.backoffice.sar.rules import (
    Matter,
    add_business_days,
    apply_steps,
    build_new_matter,
    list_federal_holidays,
    list_running_clocks,
)

DAY = date(2026, 11, 20)  # a Friday


def due(matter: Matter) -> dict[str, date]:
    return {clock.ref: clock.by for clock in list_running_clocks(matter)}


def later(matter: Matter, *steps: tuple[str, date]) -> dict[str, date]:
    return due(apply_steps(matter, steps))


# --- federal holidays and business days -----------------------------------------------

HOLIDAYS_2026 = {
    date(2026, 1, 1), date(2026, 1, 19), date(2026, 2, 16), date(2026, 5, 25), date(2026, 6, 19),
    date(2026, 7, 3), date(2026, 9, 7), date(2026, 10, 12), date(2026, 11, 11),
    date(2026, 11, 26), date(2026, 12, 25),
}  # fmt: skip  # as published by OPM


def test_the_holidays_of_2026_are_those_that_are_published() -> None:
    assert list_federal_holidays(2026) == HOLIDAYS_2026


@pytest.mark.parametrize(
    ("day", "observed"),
    [
        (date(2027, 12, 31), True),  # 1 January 2028 is a Saturday
        (date(2021, 12, 31), True),
        (date(2022, 1, 1), False),
        (date(2023, 1, 2), True),  # 1 January 2023 was a Sunday
        (date(2026, 7, 4), False),  # a Saturday: the Friday before
        (date(2027, 7, 5), True),  # the 4th was a Sunday
        (date(2026, 11, 27), False),
    ],
)
def test_holidays_on_weekends_are_observed_beside_them(day: date, observed: bool) -> None:
    assert (day in list_federal_holidays(day.year)) is observed


@pytest.mark.parametrize(
    ("start", "by"),
    [
        (date(2026, 3, 2), date(2026, 3, 16)),  # two plain weeks
        (date(2026, 11, 20), date(2026, 12, 7)),  # Thanksgiving lies between
        (date(2026, 12, 18), date(2027, 1, 5)),  # Christmas and New Year
        (date(2026, 3, 7), date(2026, 3, 20)),  # from a Saturday the Monday is the first
        (date(2026, 6, 18), date(2026, 7, 6)),  # Juneteenth, and 3 July for the 4th
    ],
)
def test_ten_business_days_skip_weekends_and_holidays(start: date, by: date) -> None:
    assert add_business_days(start, 10) == by


@given(st.dates(date(2000, 1, 1), date(2090, 1, 1)), st.integers(0, 30))
def test_a_business_day_is_a_working_day_and_never_sooner_than_its_number(
    start: date, number: int
) -> None:
    business_days = add_business_days(start, number)
    assert business_days >= start + timedelta(days=number)
    assert number == 0 or (
        business_days.weekday() < 5
        and business_days not in list_federal_holidays(business_days.year)
    )


# --- clocks ---------------------------------------------------------------------------


def test_an_entry_has_thirty_days_to_be_filed() -> None:
    assert due(build_new_matter(detected=DAY, sanctions=False)) == {"SAR-1": date(2026, 12, 20)}


def test_a_sanctions_match_has_ten_business_days_for_ofac_as_well() -> None:
    matter = build_new_matter(detected=DAY, sanctions=True)
    assert due(matter) == {"OFAC-1": date(2026, 12, 7), "SAR-1": date(2026, 12, 20)}
    assert [clock.ref for clock in list_running_clocks(matter)] == ["OFAC-1", "SAR-1"]


FILED, NOT = ("FILED", date(2026, 12, 1)), ("NOT_FILED", date(2026, 12, 1))


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([NOT], {}),
        ([FILED], {"SAR-2": date(2027, 3, 31)}),
        ([FILED, ("ENDED", date(2027, 2, 1))], {}),
        ([FILED, ("FILED", date(2027, 3, 1))], {"SAR-2": date(2027, 6, 29)}),
        ([FILED, ("CONTINUES", date(2027, 3, 2))], {"SAR-3": date(2027, 3, 31)}),
        ([FILED, ("CONTINUES", date(2027, 3, 2)), ("FILED", date(2027, 3, 20))],
         {"SAR-2": date(2027, 7, 18)}),
        ([("TO_FILE", DAY)], {"SAR-1": date(2026, 12, 20)}),
        ([NOT, ("TO_FILE", DAY)], {"SAR-1": date(2026, 12, 20)}),
        ([("NO_SUSPECT", DAY)], {"SAR-1": date(2027, 1, 19)}),
        ([FILED, ("ENDED", date(2027, 2, 1)), ("FILED", date(2027, 3, 1))],
         {"SAR-2": date(2027, 6, 29)}),
        ([NOT, FILED], {"SAR-2": date(2027, 3, 31)}),
    ],
)  # fmt: skip
def test_what_is_recorded_stops_and_starts_clocks(
    steps: list[tuple[str, date]], expected: dict[str, date]
) -> None:
    assert later(build_new_matter(detected=DAY, sanctions=False), *steps) == expected


BLOCKED = ("OFAC_BLOCKED", date(2026, 12, 1))


@pytest.mark.parametrize(
    ("detected", "steps", "year"),
    [
        (date(2026, 6, 30), [BLOCKED], 2026),  # held on 30 June
        (date(2026, 7, 1), [BLOCKED], 2027),
        (date(2026, 6, 30), [BLOCKED, ("ANNUAL", date(2026, 9, 1))], 2027),
        (date(2026, 6, 30), [BLOCKED, ("RELEASED", date(2026, 6, 30))], None),
        (date(2026, 6, 30), [BLOCKED, ("RELEASED", date(2026, 7, 1))], 2026),
        (DAY, [BLOCKED, ("ANNUAL", DAY), ("RELEASED", date(2028, 7, 1))], 2028),
        (DAY, [("OFAC_REJECTED", DAY)], None),
        (DAY, [("OFAC_NONE", DAY)], None),
    ],
)
def test_blocked_property_is_reported_each_30_september_while_it_is_held_on_30_june(
    detected: date, steps: list[tuple[str, date]], year: int | None
) -> None:
    matter = build_new_matter(detected=detected, sanctions=True)
    found = later(matter, *steps, ("NOT_FILED", DAY))
    assert found == ({"OFAC-2": date(year, 9, 30)} if year else {})


def test_every_clock_and_every_step_is_reached_from_the_beginning() -> None:
    reached, seen, todo = (
        set(),
        set(),
        [build_new_matter(detected=DAY, sanctions=held) for held in (True, False)],
    )
    while todo:
        matter = todo.pop()
        if matter in seen or matter.annuals > 2:
            continue
        seen.add(matter)
        reached |= {clock.ref for clock in list_running_clocks(matter)}
        for step in {
            *rules.list_possible_steps(matter, date(2040, 7, 1)),
            *rules.list_possible_steps(matter, DAY),
        }:
            reached.add(step.action)
            todo.append(step.then(matter, DAY))
    assert reached == {"SAR-1", "SAR-2", "SAR-3", "OFAC-1", "OFAC-2", *rules.BY_ACTION}


def can(matter: Matter, day: date = DAY) -> set[str]:
    return {step.action for step in rules.list_possible_steps(matter, day)}


def test_a_report_to_ofac_can_be_recorded_where_a_country_alone_blocked() -> None:
    matter = build_new_matter(detected=DAY, sanctions=False)
    assert {"OFAC_BLOCKED", "OFAC_REJECTED"} <= can(matter) and "OFAC_NONE" not in can(matter)
    assert rules.get_ofac_report_deadline(matter) == date(2026, 12, 7)
    reported = apply_steps(matter, [("OFAC_REJECTED", DAY)])
    assert rules.get_ofac_report_deadline(reported) is None
    assert rules.get_ofac_report_deadline(build_new_matter(detected=DAY, sanctions=True)) is None
    assert "OFAC_REJECTED" not in can(reported)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("OFAC_NONE", {"OFAC_BLOCKED", "OFAC_REJECTED"}),
        ("OFAC_REJECTED", {"OFAC_BLOCKED"}),
        ("OFAC_BLOCKED", set()),
    ],
)
def test_a_wrong_answer_to_ofac_can_be_corrected(wrong: str, right: set[str]) -> None:
    answers = {"OFAC_NONE", "OFAC_BLOCKED", "OFAC_REJECTED"}
    matter = apply_steps(build_new_matter(detected=DAY, sanctions=True), [(wrong, DAY)])
    assert can(matter) & answers == right
    if right:
        assert "OFAC-2" in later(matter, BLOCKED)


@pytest.mark.parametrize(
    ("day", "made", "possible"),
    [
        (date(2026, 6, 30), 0, False),
        (date(2026, 7, 1), 0, True),
        (date(2026, 7, 1), 1, False),
        (date(2027, 6, 30), 1, False),
        (date(2027, 7, 1), 1, True),
        (date(2027, 7, 1), 0, True),  # that of 2026, late
    ],
)
def test_an_annual_report_is_made_from_july_and_once_for_each_year(
    day: date, made: int, possible: bool
) -> None:
    reports = [("ANNUAL", date(2026, 8, 1))] * made
    matter = apply_steps(
        build_new_matter(detected=date(2026, 3, 1), sanctions=True), [BLOCKED, *reports]
    )
    assert ("ANNUAL" in can(matter, day)) is possible
