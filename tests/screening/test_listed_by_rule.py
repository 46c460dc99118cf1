"""Screens by a rule that held in them: exactly those, and by an index where there are millions."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection

from apps.screening.models import Screen
from apps.screening.models.holding import Holds
from apps.screening.pages.listing import Asked

pytestmark = pytest.mark.django_db


def held(number: int, rules: str, **more: Any) -> Screen:
    """Record a screen in which these rules held."""
    said = {"request": {}, "response": {}, "evidence": {}, "versions": {}}
    told = {"owner": "account:1", "decision": "FLAGGED", "risk_score": 50, "rules_version": "1"}
    told |= {"lists": "1", "sample": True, "screen_id": f"{number:032x}", "rules": rules} | more
    return Screen.write(payload=said, now=datetime(2026, 10, 1, tzinfo=UTC), **told)


def found(*names: str) -> set[str]:
    return set(Screen.objects.filter(Holds("rules", names)).values_list("rules", flat=True))


TEXTS = ("", "a.b", "a.b; c.d", "c.d; a.b", "c.d; a.b; e.f", "a.bc", "xa.b", "c.d; a.bc", "a_b")


def test_a_rule_is_found_alone_first_last_and_in_the_middle_and_no_other_by_it() -> None:
    for number, text in enumerate(TEXTS):
        held(number, text)
    assert found("a.b") == {"a.b", "a.b; c.d", "c.d; a.b", "c.d; a.b; e.f"}
    assert found("a.bc", "e.f") == {"a.bc", "c.d; a.bc", "c.d; a.b; e.f"}
    assert found("a_b") == {"a_b"} and found("a%") == set()


def test_a_rule_is_found_by_the_reference_that_older_records_have() -> None:
    older, newer = held(1, "1 §2.7 rule 3 match"), held(2, "sanctions.match; geo.tax_haven")
    held(3, "geo.tax_haven")
    assert list(Asked(rule="sanctions.match").screens()) == [newer, older]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="an index of PostgreSQL")
@pytest.mark.parametrize(
    ("asked", "index"),
    [
        (Asked(rule="sanctions.match"), "screen_rules"),
        (Asked(decision="BLOCKED"), "screen_decided"),
        (Asked(decision="BLOCKED", owner="account:1"), "screen_owner_decided"),
        (Asked(sample="yes"), "screen_sample"),
    ],
)
def test_what_few_screens_have_is_found_by_an_index(asked: Asked, index: str) -> None:
    for number in range(3):
        held(number, "sanctions.match", decision="BLOCKED")
    with connection.cursor() as cursor:
        # so few rows are read faster without one; the key alone would find them in order too
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_indexscan = off" if index == "screen_rules" else "SELECT")
    assert index in asked.screens()[:51].explain()
