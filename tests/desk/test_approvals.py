"""One list of what waits for a second person, over everything that takes two."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review import services
from apps.backoffice.review.views.approvals import _build_clear_lines, list_waiting_clears
from apps.platform.desk import approvals, site
from apps.reference.countries import services as countries
from apps.reference.countries.models import CountryChange
from apps.reference.watchlists.models import Source
from apps.reference.watchlists.services import source_changes
from tests.review import sample_case_type
from tests.review.people import (
    NOON,
    NOTE,
    OFFICER,
    SENIOR,
    approve,
    at_desk,
    case,
    check_page,
    person,
)

PAGE = "/admin/approvals/"
HOUR = timedelta(hours=1)
PAYERS = ("Payer no. 0", "Payer no. 1", "Payer no. 2")


@pytest.fixture(autouse=True)
def _at_noon(monkeypatch: pytest.MonkeyPatch, db: Any) -> None:
    sample_case_type.use(monkeypatch)
    monkeypatch.setattr(site, "now", lambda: NOON)


@pytest.fixture
def olivia() -> User:
    return person("olivia", OFFICER)


@pytest.fixture
def samir() -> User:
    return person("samir", SENIOR)


@pytest.fixture
def sofia() -> User:
    return person("sofia", SENIOR)


def country(by: User, code: str = "FR", **given: Any) -> CountryChange:
    values: dict[str, Any] = {"kind": "ADD", "list": "FATF_INCREASED_MONITORING"}
    values |= {"effective": date(2026, 11, 27), "source": "FATF statement of 20 November"}
    values |= {"reason": "Named in the plenary.", "now": NOON} | given
    return countries.propose_change(by=by, country=code, **values)


def clear(by: User, *refs: str, **given: Any) -> Any:
    values = {"reason_code": "NAME_ONLY", "note": NOTE, "now": NOON} | given
    return services.propose_bulk_clear(cases=[case(ref) for ref in refs], by=by, **values)


def order(html: str, *words: str) -> list[str]:
    """Return words in the order in which a page has them, those that it lacks left out."""
    return sorted((word for word in words if word in html), key=html.index)


def test_one_list_holds_all_that_others_asked_for_the_oldest_first(
    olivia: User, samir: User, sofia: User
) -> None:
    approve(case("1", risk="HIGH", party="Needs Two"), olivia, now=NOON - HOUR)
    clear(olivia, "2", "3", now=NOON - 3 * HOUR)
    country(samir, now=NOON - 2 * HOUR)
    html = check_page(at_desk(sofia).get(PAGE))
    wanted = ("Clear 2 cases", "Put on the list FATF increased monitoring", "Approve: Needs Two")
    assert order(html, *wanted) == list(wanted)
    assert "All <b>3</b>" in html


def test_each_line_shows_who_asked_when_why_and_what_exactly_changes(
    olivia: User, samir: User, sofia: User
) -> None:
    one = approve(case("1", risk="HIGH"), olivia, note="Born in 1980, not 1961.")
    country(samir)
    html = check_page(at_desk(sofia).get(PAGE))
    for shown in (
        "<b>olivia</b>", "20 Nov 2026 12:00 UTC", "Born in 1980, not 1961.", "25,245.30 USD",
        f"<dt>Case {one.pk}</dt>", "<del>undecided</del>", "<ins>approved</ins>",
        "<b>samir</b>", "Named in the plenary.", "France (FR)", "<del>not on the list</del>",
        "<ins>on the list from 27 Nov 2026</ins>", "FATF statement of 20 November",
    ):  # fmt: skip
        assert shown in html, shown


def test_what_somebody_asked_for_themselves_is_not_among_what_they_approve(
    samir: User, sofia: User
) -> None:
    approve(case("1", risk="HIGH"), samir)
    clear(samir, "2", "3")
    country(samir)
    assert "Nothing is waiting for your approval" in check_page(at_desk(samir).get(PAGE))
    assert "All <b>3</b>" in check_page(at_desk(sofia).get(PAGE))


def test_a_case_of_a_clear_is_listed_with_it_and_the_last_one_left_by_itself(
    olivia: User, samir: User, sofia: User
) -> None:
    bulk = clear(olivia, "1", "2")
    html = check_page(at_desk(sofia).get(PAGE))
    assert "Clear 2 cases" in html and "50,490.60 USD" in html and "Approve:" not in html
    assert f"/admin/review/case/bulk/{bulk.pk}/" in html
    first = bulk.cases.earliest("pk")
    services.return_decision(case=first, by=samir, note=NOTE, now=NOON)
    html = check_page(at_desk(sofia).get(PAGE))
    assert "Clear 2 cases" not in html and "Approve: Chen Haddad" in html


def test_what_was_decided_is_gone(olivia: User, samir: User, sofia: User) -> None:
    change = country(samir)
    desk = at_desk(sofia)
    assert "France" in check_page(desk.get(PAGE))
    countries.reject_change(change=change, by=sofia, now=NOON, note="There is no such statement.")
    assert "France" not in check_page(desk.get(PAGE))


def test_operators_have_changes_of_sources_and_nothing_of_cases(olivia: User) -> None:
    approve(case("1", risk="HIGH"), olivia)
    house = Source.objects.create(slug="test", title="A list", topic="sanction", kind="official")
    ada, ben = person("ada", "Operator"), person("ben", "Operator")
    source_changes.propose_source_change(
        source=house, field="required", after=True, reason="So.", by=ada, now=NOON
    )
    html = check_page(at_desk(ben).get(PAGE))
    assert "A list: required for every screen" in html and "Chen Haddad" not in html
    assert "<del>no</del>" in html and "<ins>yes</ins>" in html
    assert "Nothing is waiting for your approval" in check_page(at_desk(ada).get(PAGE))


def test_the_list_is_narrowed_to_one_kind(olivia: User, samir: User, sofia: User) -> None:
    approve(case("1", risk="HIGH", party="Needs Two"), olivia)
    country(samir)
    desk = at_desk(sofia)
    html = check_page(desk.get(PAGE, {"kind": "country-changes"}))
    assert "France" in html and "Needs Two" not in html
    assert desk.get(PAGE, {"kind": "nothing"}).status_code == 404


def test_the_list_is_paged_across_its_sources(
    olivia: User, samir: User, sofia: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(approvals, "PAGE", 2)
    for number in range(3):
        approve(case(str(number), risk="HIGH", party=f"Payer no. {number}"), olivia,
                now=NOON - number * 2 * HOUR)  # fmt: skip
    country(samir, now=NOON - HOUR)
    desk = at_desk(sofia)
    first, second = (check_page(desk.get(PAGE, {"page": one})) for one in ("1", "2"))
    assert order(first, *PAYERS, "France") == [PAYERS[2], PAYERS[1]]
    assert order(second, *PAYERS, "France") == ["France", PAYERS[0]]
    assert "page=2" in first and "page=1" in second and "page=3" not in second
    for strange in ("0", "99", "x", "9" * 30):
        assert desk.get(PAGE, {"page": strange}).status_code == 200
    monkeypatch.setattr(approvals, "DEEPEST", 1)
    assert "More requests are waiting than are shown here" in check_page(
        desk.get(PAGE, {"page": "2"})
    )


def test_home_counts_what_waits_and_leads_to_it(olivia: User, samir: User, sofia: User) -> None:
    approve(case("1", risk="HIGH"), olivia)
    country(samir)
    assert f'<a href="{PAGE}"><b>2</b> Needs my approval' in check_page(
        at_desk(sofia).get("/admin/")
    )
    assert f'<a href="{PAGE}"><b>1</b> Needs my approval' in check_page(
        at_desk(samir).get("/admin/")
    )
    assert "Needs my approval" not in check_page(at_desk(olivia).get("/admin/"))


def test_the_menu_leads_there_for_those_who_approve(olivia: User, samir: User) -> None:
    html = check_page(at_desk(samir).get(PAGE))
    assert f'<a href="{PAGE}" data-key="w" aria-current="page">Approvals' in html
    assert PAGE not in check_page(at_desk(olivia).get("/admin/"))


@pytest.mark.parametrize("many", [1, 12])
def test_the_list_takes_as_many_queries_for_many_as_for_one(
    many: int, olivia: User, samir: User, sofia: User, django_assert_num_queries: Any
) -> None:
    codes = ["FR", "DE", "IT", "ES", "PT", "NL", "BE", "AT", "FI", "SE", "DK", "IE"]
    for number in range(many):
        approve(case(f"a{number}", risk="HIGH", owner=f"account:{number}"), olivia)
        clear(olivia, f"b{number}", f"c{number}")
        country(samir, codes[number])
    desk = at_desk(sofia)
    # session, user and its record; of decisions the count, numbers, rows, what was written
    # and tenants; of clears the count, rows, cases and what was written; of both what was decided
    # before of the parties; of countries two; of
    # known false positives the count; weights of AML signals; counterparties; engagements;
    # access to settlement; international wires
    with django_assert_num_queries(26):
        desk.get(PAGE)


def test_a_clear_that_a_colleague_confirmed_meanwhile_is_left_out(
    olivia: User, samir: User, sofia: User
) -> None:
    made = clear(olivia, "1", "2")
    waits = list_waiting_clears(samir, NOON)
    assert waits is not None and [row.kind for row in waits.rows(5)] == ["Bulk clear"]
    seen = list(made.cases.values_list("pk", flat=True))
    services.return_bulk_clear(bulk=made, seen=seen, by=sofia, note=NOTE, now=NOON)
    # a page had counted it just before
    assert _build_clear_lines([made]) == []
