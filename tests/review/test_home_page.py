"""The home page: what waits, and charts whose every mark leads to its rows."""

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.backoffice.review.models import Case
from apps.platform.desk import charts, site
from tests.review.people import NOON, OFFICER, SENIOR, approve, at_desk, case, check_page, person
from tests.review.sample_case_type import COUNTRY, PEP, RESEMBLES

HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def _at_noon(monkeypatch: pytest.MonkeyPatch, db: Any) -> None:
    for module in (site,):
        monkeypatch.setattr(module, "now", lambda: NOON)


def marks(html: str) -> list[tuple[str, str]]:
    """Return the labelled links of the charts."""
    return re.findall(r'<a href="([^"]+)" aria-label="([^"]+)"', html)


def test_home_shows_what_waits_for_the_reader() -> None:
    olivia, samir = person("olivia", OFFICER), person("samir", SENIOR)
    approve(case("1", risk="HIGH", party="Needs Two"), olivia)
    case("2", now=NOON - timedelta(days=9), party="Long Late")
    html = check_page(at_desk(samir).get("/admin/"))
    assert "Needs my approval <a" in html and "Needs Two" in html and "Long Late" in html
    assert "<b>1</b> Overdue" in html and "<b>9 d</b> Oldest" in html
    html = check_page(at_desk(olivia).get("/admin/"))
    assert "Needs Two" not in html and "Needs my approval" not in html


def test_an_empty_desk_of_a_sandbox_says_how_it_is_filled(settings: Any) -> None:
    desk = at_desk(person("olivia", OFFICER))
    assert "see the README" in check_page(desk.get("/admin/"))
    settings.PRODUCTION = True
    html = check_page(desk.get("/admin/"))
    assert "No cases are waiting for you." in html and "README" not in html


def test_each_mark_counts_the_rows_that_its_link_shows() -> None:
    olivia = person("olivia", OFFICER)
    for number in range(4):
        opened = NOON - timedelta(days=number % 2)
        new_case = case(str(number), now=opened)
        if number < 3:
            approve(new_case, olivia, now=opened + HOUR)
    desk = at_desk(olivia)
    found = marks(check_page(desk.get("/admin/")))
    assert {label for _, label in found} == {
        "2 opened on 20 Nov", "2 opened on 19 Nov", "2 decided on 20 Nov", "1 decided on 19 Nov",
    }  # fmt: skip
    for address, label in found:
        rows = check_page(desk.get(unescape(address))).count("data-row")
        assert rows == int(label.split()[0]), label


def test_bars_lead_to_their_rows() -> None:
    olivia = person("olivia", OFFICER)
    approve(case("1"), olivia, now=NOON + HOUR / 2)
    approve(case("2"), olivia, now=NOON + HOUR / 2, outcome="REJECT", reason_code="OTHER")
    case("3")
    desk = at_desk(olivia)
    html = check_page(desk.get("/admin/"))
    assert "50 % of 2" in html
    bars = re.findall(r'<th scope="row"><a href="([^"]+)">([^<]+)</a></th><td class="track">', html)
    shown = {
        label: check_page(desk.get(unescape(address))).count("data-row") for address, label in bars
    }
    assert shown["under 1 h"] == 2 and shown["1 to 4 h"] == 0
    assert shown["1 §2.7 rule 3 partial"] == 2 and shown["Flagged screen"] == 1


def test_only_who_was_found_to_be_another_is_a_false_positive() -> None:
    olivia = person("olivia", OFFICER)
    partial, grey, political = RESEMBLES, COUNTRY, PEP
    for number, (refs, code) in enumerate((
        ([partial], "NAME_ONLY"),
        ([partial], "OTHER"),
        ([partial], "OTHER"),
        ([partial], "OTHER"),
        ([political], "PEP_ACCEPTED"),
        ([grey], "COUNTRY_EDD"),
    )):  # fmt: skip
        held = [{"ref": ref, "sentence": "s."} for ref in refs]
        new_case = case(str(number), now=NOON, reasons=held)
        approve(new_case, olivia, reason_code=code, now=NOON + HOUR / 2)
    html = check_page(at_desk(olivia).get("/admin/"))
    chart = html[html.index("False positives by rule") :]
    assert "25 % of 4" in chart and "found not to be the listed party" in html
    assert "0 % of 1" in chart and "100 %" not in chart


def test_nothing_decided_yet_is_said_so() -> None:
    html = check_page(at_desk(person("olivia", OFFICER)).get("/admin/"))
    assert "No data yet" in html and "No cases are waiting for you" in html


def test_who_sees_no_cases_sees_no_charts() -> None:
    case()
    html = check_page(at_desk(person("otto", "Operator")).get("/admin/"))
    assert "<svg class=" not in html and "Due next" not in html


def test_an_examiner_sees_what_is_due_and_has_nothing_to_press() -> None:
    case()
    html = check_page(at_desk(person("edgar", "Examiner")).get("/admin/"))
    assert "Chen Haddad" in html and 'data-key="n"' not in html


def test_home_takes_as_many_queries_for_many_cases_as_for_few(
    django_assert_num_queries: Any,
) -> None:
    case("0")
    approve(case("high", risk="HIGH"), person("olivia", OFFICER))
    desk = at_desk(person("samir", SENIOR))
    desk.get("/admin/")
    # session, user and its record, four of how much waits for approval (decisions, clears,
    # known false positives, changes of countries), two of counts, the oldest, numbers and rows of
    # what is due, its tenants, in, out, kinds, decided; what waits longest for approval: decisions
    # with what was said of them and found before of their parties, clears, two of known false
    # positives, changes of countries;
    # of the SAR log what is late and what runs; second looks; lists that are off or old; weights of
    # AML signals that wait for approval; two of known false positives that end; twice each:
    # counterparties, engagements, access to settlement and expected activity that wait for approval
    with django_assert_num_queries(48):
        desk.get("/admin/")
    for number in range(1, 30):
        case(str(number), owner=f"account:{number}", risk="HIGH" if number % 2 else "LOW")
    for one in Case.objects.filter(risk="HIGH", status="OPEN")[:8]:
        approve(one, person(f"o{one.pk}", OFFICER))
    with django_assert_num_queries(48):
        desk.get("/admin/")


@given(st.lists(st.integers(0, 10_000), min_size=1, max_size=31))
def test_columns_stay_inside_the_chart(values: list[int]) -> None:
    names = [str(value) for value in values]
    day_chart = charts.build_day_chart(
        labels=names, series=[("in", values, names), ("out", values, names)]
    )
    for day in day_chart:
        for column in day.columns:
            assert column.x >= 0 and column.x + column.width <= charts.WIDTH + 0.1
            assert column.y >= charts.TOP - 0.1 and column.y + column.height <= charts.BASE + 0.2


def test_the_longest_bar_is_whole_and_the_rest_in_proportion() -> None:
    bars = charts.build_bars([("a", 10, "10", ""), ("b", 5, "5", ""), ("c", 0, "0", "")])
    assert [bar.share for bar in bars] == [100, 50, 0]
    assert charts.build_bars([("a", 0, "0", "")])[0].share == 0
