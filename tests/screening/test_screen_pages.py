"""Screens at the desk: a list with filters, and a page that a person can read."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test import Client

from apps.access.keys.models import Account
from apps.backoffice.review.models import Case
from apps.backoffice.sar.models import SarEntry
from apps.compliance.screening.models import Screen
from apps.compliance.screening.rules import findings
from apps.compliance.screening.views import screen_list
from apps.compliance.screening.views import screen_record_page as page
from apps.platform.common.clock import now
from apps.platform.ledger import sealer
from apps.reference.watchlists import engine
from apps.reference.watchlists.models import Source
from tests.platform.tampering import drops_and_statements
from tests.review.people import NOON, SENIOR, at_desk, check_page, person

LIST = "/admin/screening/screen/"
Make = Callable[..., dict[str, Any]]


@pytest.fixture
def edgar(db: Any) -> User:
    return person("edgar", "Examiner")


def record(number: int, **given: Any) -> Screen:
    columns = {
        "screen_id": f"00000000-0000-4000-8000-{number:012d}", "owner": "account:77",
        "decision": "APPROVED", "risk_score": 1, "rules": "", "rules_version": "1", "lists": "",
        "sample": False, "now": NOON,
    } | given  # fmt: skip
    payload = {"request": {"name": f"Party {number}"}}
    return Screen.write(payload=payload, **columns)


def parties(user: User, **query: str) -> list[str]:
    html = check_page(at_desk(user).get(LIST, query))
    return [part.split("<")[0] for part in html.split("data-row>")[1:]]


def page_of(**found: Any) -> str:
    return f"{LIST}{Screen.objects.get(**found).pk}/"


def test_a_screen_is_read_as_people_write_it(screen: Make, edgar: User) -> None:
    screen(name="Lazarus Group", amount=12000, reference="INV-42", country="HT")
    sealer.seal_all_ledgers(now=now())
    html = check_page(at_desk(edgar).get(page_of()))
    for shown in (
        "Blocked", "Alice Treasury", "12,000.00 USD", "INV-42", "Lazarus Group",
        "sanctions.match", "country.increased_monitoring", "sealed at position 1",
        "verified just now", "Answer as stored (JSON)", "Sanctions score",
    ):  # fmt: skip
        assert shown in html, shown
    # below it stands the answer as the client got it
    readable = html.partition('id="content-start"')[2].split('<details class="raw"')[0]
    assert SarEntry.objects.exists() and "SAR" not in readable and "sarentry" not in html
    senior = check_page(at_desk(person("samir", SENIOR)).get(page_of()))
    assert f"sarentry/{SarEntry.objects.get().pk}" not in senior


def test_a_check_that_could_not_run_is_not_said_to_be_not_due(screen: Make, edgar: User) -> None:
    Source.objects.filter(topic="pep").update(enabled=False)
    call_command("build_index", verbosity=0)
    engine.reset_engine()
    screen(individual=True)
    html = check_page(at_desk(edgar).get(page_of()))
    assert "not due" not in html and html.count("<dd>not checked</dd>") == 2


def test_a_flagged_screen_leads_to_its_case_for_who_may_see_cases(
    screen: Make, edgar: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen(country="HT")
    case = Case.objects.get()
    link = f'<a href="/admin/review/case/{case.pk}/">case {case.pk}</a>'
    assert link in check_page(at_desk(edgar).get(page_of()))
    edgar.groups.clear()
    edgar.user_permissions.set([_permission("view_screen")])
    assert link not in check_page(at_desk(User.objects.get(pk=edgar.pk)).get(page_of()))


def _permission(codename: str) -> Any:
    from django.contrib.auth.models import Permission

    return Permission.objects.get(codename=codename)


def test_computing_a_screen_anew_says_what_came_of_it(
    screen: Make, edgar: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen(name="Lazarus Group")
    desk, address = at_desk(edgar), f"{page_of()}replay/"
    assert "same result" in check_page(desk.post(address))
    monkeypatch.setattr(
        "apps.compliance.screening.rules.screen.RULES",
        tuple(rule for rule in findings.RULES if rule.code != "sanctions.match"),
    )
    html = check_page(desk.post(address))
    assert "different result" in html and "<strong>no</strong>" in html
    assert desk.get(address).status_code == 405


def test_what_cannot_be_computed_anew_is_said(
    screen: Make, edgar: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = screen()
    desk, address = at_desk(edgar), f"{page_of()}replay/"
    monkeypatch.setattr(page.indexes, "is_index_built", lambda *_, **__: False)
    html = check_page(desk.post(address))
    assert f"Ask your operator to recompute screen {answer['screenId']}." in html
    monkeypatch.undo()

    def missing(**_: Any) -> None:
        raise engine.ListsUnavailable("The lists x are no longer available.")

    monkeypatch.setattr(page, "replay_screen", missing)
    assert "are no longer available" in check_page(desk.post(address))
    other = record(7)
    monkeypatch.undo()
    monkeypatch.setattr(page.indexes, "is_index_built", lambda *_, **__: True)
    assert "cannot be recomputed" in check_page(desk.post(f"{LIST}{other.pk}/replay/"))


def test_a_record_that_is_not_ours_raises_an_alarm(edgar: User, sealed_off: None) -> None:
    screen = record(1)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE screening_screen SET risk_score = 2 WHERE id = %s", [screen.pk])
    desk = at_desk(edgar)
    assert "Integrity check failed for this record" in check_page(desk.get(f"{LIST}{screen.pk}/"))
    assert "Integrity check failed" in check_page(desk.get(LIST))


@pytest.fixture
def sealed_off(db: Any) -> None:
    """Let a test write what the database itself refuses."""
    off, _on = drops_and_statements(connection)
    with connection.cursor() as cursor:
        for statement in off:
            cursor.execute(statement)


def test_the_list_narrows_by_what_was_decided_for_whom_when_and_why(edgar: User) -> None:
    account = Account.objects.create(name="Bob Bank", created_at=NOON)
    bob = f"account:{account.pk}"
    key = Screen.key_of(owner=bob, reference="INV-1")
    record(1, decision="BLOCKED", rules="sanctions.match; amount.reporting")
    record(2, owner=bob, reference_key=key, now=NOON + timedelta(days=1))
    record(3, decision="FLAGGED", rules="owner.partial", sample=True)
    record(4, decision="FLAGGED", rules="amount.reporting; sanctions.partial")
    assert parties(edgar) == ["Party 4", "Party 3", "Party 2", "Party 1"]
    assert parties(edgar, decision="FLAGGED") == ["Party 4", "Party 3"]
    assert parties(edgar, owner=bob) == parties(edgar, q="INV-1") == ["Party 2"]
    assert parties(edgar, q="INV-1", owner="account:99") == []
    assert parties(edgar, rule="sanctions.partial") == ["Party 4"]
    assert parties(edgar, rule="owner.partial") == ["Party 3"]
    assert parties(edgar, rule="amount.reporting") == ["Party 4", "Party 1"]
    assert parties(edgar, sample="yes") == ["Party 3"]
    assert parties(edgar, since="2026-11-21") == ["Party 2"]
    assert parties(edgar, until="2026-11-20") == ["Party 4", "Party 3", "Party 1"]
    assert parties(edgar, decision="x", rule="x", since="x", until="9999-12-31", after="²") == [
        "Party 4", "Party 3", "Party 2", "Party 1",
    ]  # fmt: skip
    html = check_page(at_desk(edgar).get(LIST))
    assert "Bob Bank" in html and "account:99" not in html
    assert "The name matches a sanctioned party at 70% or more" in html


@pytest.mark.parametrize(("rows", "following"), [(50, False), (51, True)])
def test_pages_follow_each_other_at_one_cost(
    edgar: User, rows: int, following: bool, django_assert_num_queries: Any
) -> None:
    for number in range(rows):
        record(number, owner=f"account:{number}")
    desk = at_desk(edgar)
    desk.get(LIST)
    list_query = screen_list.ScreenListQuery()
    with django_assert_num_queries(2):
        screen_page = screen_list.build_screen_page(list_query)
    assert bool(screen_page.following) is following and len(screen_page.rows) == 50
    assert ("Next 50" in check_page(desk.get(LIST))) is following
    if following:
        behind = screen_list.build_screen_page(
            screen_list.ScreenListQuery.read({"after": screen_page.following})
        )
        assert [row.party for row in behind.rows] == ["Party 0"]


def test_who_may_not_see_screens_sees_neither_list_nor_page(db: Any) -> None:
    screen = record(1)
    desk: Client = at_desk(person("olivia", "Compliance officer"))
    for address in (LIST, f"{LIST}{screen.pk}/"):
        assert desk.get(address).status_code == 403
    assert desk.post(f"{LIST}{screen.pk}/replay/").status_code == 403
