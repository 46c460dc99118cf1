"""Screens by a rule that held in them: exactly those, and by an index where there are millions."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection

from apps.access.keys.models import Account
from apps.access.keys.tenant_names import build_hidden_owner
from apps.compliance.screening.models import Screen
from apps.compliance.screening.models.joined_rule_names import ContainsRuleName
from apps.compliance.screening.search import find_screens
from apps.compliance.screening.views.screen_list import ScreenListQuery, build_screen_page
from apps.platform.desk import list_pages

pytestmark = pytest.mark.django_db


DAY = datetime(2026, 10, 1, tzinfo=UTC)


def held(number: int, rules: str, at: datetime = DAY, **more: Any) -> Screen:
    """Record a screen in which these rules held."""
    said = {"request": {}, "response": {}, "evidence": {}, "versions": {}}
    told = {"owner": "account:1", "decision": "FLAGGED", "risk_score": 50, "rules_version": "1"}
    told |= {"lists": "1", "sample": True, "screen_id": f"{number:032x}", "rules": rules} | more
    return Screen.write(payload=said, now=at, **told)


def found(*names: str) -> set[str]:
    return set(
        Screen.objects.filter(ContainsRuleName("rules", names)).values_list("rules", flat=True)
    )


TEXTS = ("", "a.b", "a.b; c.d", "c.d; a.b", "c.d; a.b; e.f", "a.bc", "xa.b", "c.d; a.bc", "a_b")


def test_a_rule_is_found_alone_first_last_and_in_the_middle_and_no_other_by_it() -> None:
    for number, text in enumerate(TEXTS):
        held(number, text)
    assert found("a.b") == {"a.b", "a.b; c.d", "c.d; a.b", "c.d; a.b; e.f"}
    assert found("a.bc", "e.f") == {"a.bc", "c.d; a.bc", "c.d; a.b; e.f"}
    assert found("a_b") == {"a_b"} and found("a%") == set()


@pytest.mark.skipif(connection.vendor != "postgresql", reason="an index of PostgreSQL")
@pytest.mark.parametrize(
    ("asked", "index"),
    [
        (ScreenListQuery(rule="sanctions.match"), "screen_rules"),
        (ScreenListQuery(decision="BLOCKED"), "screen_decided"),
        (ScreenListQuery(decision="BLOCKED", owner="account:1"), "screen_owner_decided"),
        (ScreenListQuery(sample="yes"), "screen_sample"),
        (ScreenListQuery(sample="no"), "screen_sample"),
        (ScreenListQuery(since="2026-10-01", until="2026-10-01"), "screen_day"),
    ],
)
def test_what_few_screens_have_is_found_by_an_index(asked: ScreenListQuery, index: str) -> None:
    for number in range(3):
        held(number, "sanctions.match", decision="BLOCKED")
    with connection.cursor() as cursor:
        # so few rows are read faster without one; the key alone would find them in order too
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_indexscan = off" if index == "screen_rules" else "SELECT")
    assert index in asked.screens()[0][:51].explain()


def paged(asked: ScreenListQuery) -> list[int]:
    """Every screen of a list, page by page."""
    shown: list[int] = []
    while True:
        screen_page = build_screen_page(asked)
        shown += [row.screen.pk for row in screen_page.rows]
        if not screen_page.following:
            return shown
        asked = replace(asked, after=screen_page.following)


def test_a_rule_that_became_rare_is_paged_whole_and_in_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(list_pages, "PAGE", 3)
    monkeypatch.setattr(list_pages, "NEWEST_RANGE", 4)
    common = [held(number, "a.b; geo.tax_haven" if number < 9 else "a.b").pk for number in range(9)]
    pks = [held(10 + number, "geo.tax_haven" if number in (2, 7) else "").pk for number in range(9)]
    found = [*(pks[place] for place in (7, 2)), *reversed(common)]
    assert paged(ScreenListQuery(rule="geo.tax_haven")) == found
    assert paged(ScreenListQuery(rule="sanctions.match")) == []


def test_screens_of_days_are_paged_by_their_time_and_then_by_their_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(list_pages, "PAGE", 2)
    noon = datetime(2026, 10, 1, 12, tzinfo=UTC)
    hours = (0, 12, 12, 12, 1, 23, 24, -13)  # the fifth by a clock that had been set back
    made = [
        held(number, "", at=noon + timedelta(hours=hour - 12)) for number, hour in enumerate(hours)
    ]
    of_day = [made[place].pk for place in (5, 3, 2, 1, 4, 0)]
    assert paged(ScreenListQuery(since="2026-10-01", until="2026-10-01")) == of_day
    assert paged(ScreenListQuery(since="2026-10-01")) == [made[6].pk, *of_day]
    assert paged(ScreenListQuery(until="2026-10-01")) == [*of_day, made[7].pk]


def test_a_place_that_no_screen_has_ends_a_list_of_days() -> None:
    held(1, "")
    assert build_screen_page(ScreenListQuery(since="2026-09-01", after="99999")).rows == []


@pytest.mark.skipif(connection.vendor != "postgresql", reason="indexes of PostgreSQL")
def test_a_name_or_a_reference_is_sought_by_indexes_alone() -> None:
    for number in range(3):
        held(number, "", reference_key=Screen.key_of(owner="account:1", reference="PO 1"))
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")  # of so few rows
    for found in (
        find_screens("PO 1", "account:1"),
        Screen.objects.referred(owner="account:1", reference="PO 1"),
    ):
        plan = found.explain()
        assert "SubPlan" not in plan and "Seq Scan" not in plan, plan
        assert found.count() == 3


FILTERS: tuple[dict[str, str], ...] = (
    {},
    {"decision": "FLAGGED"},
    {"rule": "geo.tax_haven"},
    {"since": "2026-10-01"},
    {"q": "PO 1"},
)


def test_a_client_has_the_screens_that_were_made_apart_for_its_payments(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(list_pages, "PAGE", 3)
    client = Account.objects.create(name="Demo Bank", created_at=DAY)
    own, other = f"account:{client.pk}", f"account:{client.pk + 1}"
    owners = (
        own,
        build_hidden_owner(own),
        other,
        own,
        build_hidden_owner(other),
        build_hidden_owner(own),
        own,
        build_hidden_owner(own),
    )
    keys = {owner: Screen.key_of(owner=owner, reference="PO 1") for owner in owners}
    made = [
        held(number, "geo.tax_haven", owner=one, reference_key=keys[one])
        for number, one in enumerate(owners)
    ]
    theirs = [made[place].pk for place in (7, 6, 5, 3, 1, 0)]
    for more in FILTERS:
        assert paged(ScreenListQuery(owner=own, **more)) == theirs, more
    assert paged(ScreenListQuery(q="PO 1")) == theirs
    assert paged(ScreenListQuery(owner=build_hidden_owner(own))) == [
        made[place].pk for place in (7, 5, 1)
    ]
