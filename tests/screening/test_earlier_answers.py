"""Answers of earlier releases are read in the shape of today, and found by their reference."""

import importlib
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from apps.screening.combined.earlier import as_declared
from apps.screening.models import EarlierReference, Screen
from apps.screening.projection import compare_references
from apps.screening.rules import findings
from apps.screening.rules.released import RELEASED, code_of, reference_of
from apps.screening.rules.screen import VERSION
from tests.openapi import check_answer
from tests.screening.conftest import PATH
from tests.screening.earlier import RELEASES, written_by

LIST = "/compliance/compliance/screens"
ASKED: list[dict[str, Any]] = [
    {},
    {"name": "Lazarus Group"},
    {"name": "Kim Jong Park", "country": "HT", "amount": 20_000},
    {"amount": 500, "country": "HT"},
    {"name": "Sber Trading Swiss AG", "lei": "506700AUNEQF0C694855", "amount": 500},
    {"name": "Microsoft Corporation", "lei": "INR2EJN1ERAN0W5ZP974"},
]
migration = importlib.import_module(
    "apps.screening.migrations.0006_find_earlier_by_reference",
)


def upgrade() -> None:
    migration.found_by(apps, None)


def read(alice: Any, record: Screen) -> dict[str, Any]:
    answer = alice.get(f"{PATH}/{record.screen_id}")
    assert answer.status_code == 200, answer.content
    check_answer("compliance", "GET", "/compliance/screen/{screen_id}", answer.json())
    return answer.json()


@pytest.mark.parametrize("release", RELEASES)
def test_an_answer_of_any_release_is_read_in_the_shape_of_today(alice, screen, release) -> None:
    for asked in ASKED:
        today = screen(**asked)
        old = read(alice, written_by(release, today))
        for name in ("decision", "reasons", "rules", "ruleReferences", "riskScore"):
            assert old[name] == today[name], (asked, name)
        assert old["attestations"] == today["attestations"]
        owners, now = old["checks"]["uboChain"], today["checks"]["uboChain"]
        assert owners["exceptions"] == now["exceptions"]
        assert owners["screened"] == now["screened"]
        for was, now in zip(
            old["checks"]["sanctions"]["matches"],
            today["checks"]["sanctions"]["matches"],
            strict=True,
        ):
            same = ("matchedName", "matchedBy", "type", "programs", "birthDates", "listedOn")
            assert [was[name] for name in same] == [now[name] for name in same]
    page = alice.get(LIST).json()
    check_answer("compliance", "GET", "/compliance/screens", page)
    by_id = {item["screenId"]: item["rules"] for item in page["items"]}
    assert by_id[old["screenId"]] == today["rules"]


def test_an_answer_that_has_the_shape_stays_as_it_was_given(screen) -> None:
    for asked in ASKED:
        kept = Screen.objects.get(screen_id=screen(**asked)["screenId"]).data
        assert str(as_declared(kept)) == str(kept["response"])


def test_what_was_answered_is_never_altered(alice, screen) -> None:
    record = written_by("2026-11.1", screen(name="Lazarus Group"))
    given, old = record.data["response"], read(alice, record)
    assert old["checks"]["sanctions"]["matches"][0].items() >= (
        given["checks"]["sanctions"]["matches"][0].items()
    )
    assert given["rules"] == old["ruleReferences"] == ["1 §2.7 rule 3 match"]
    assert record.rules == "1 §2.7 rule 3 match"


def test_owners_whose_shares_were_not_kept_are_not_said_to_be_identified(alice, screen) -> None:
    today = screen(name="Bloomberg Finance L.P.", lei="5493001KJTIIGC8Y1R12")
    assert today["checks"]["uboChain"]["ownersIdentified"]
    old = read(alice, written_by("2026-11.3", today))
    assert not old["checks"]["uboChain"]["ownersIdentified"]
    later = read(alice, written_by("2026-11.6", today))
    assert later["checks"]["uboChain"]["ownersIdentified"]


def test_every_rule_has_a_row_among_the_released_names() -> None:
    for rule in findings.RULES:
        assert code_of(rule.ref) == code_of(rule.code) == rule.code
        assert reference_of(rule.code) == reference_of(rule.ref) == rule.ref
    assert len(set(RELEASED.values())) == len(RELEASED)


def ids(answer: Any) -> list[str]:
    assert answer.status_code == 200, answer.content
    return [item["screenId"] for item in answer.json()["items"]]


def test_screens_of_earlier_releases_are_found_by_their_reference(alice, screen, caller) -> None:
    today = screen(reference="PO 1")
    old = written_by("2026-11.1", today)
    other = written_by("2026-11.1", screen(reference="PO 2"))
    written_by("2026-11.1", screen())
    upgrade()
    upgrade()
    found = [str(old.screen_id), today["screenId"]]
    assert ids(alice.get(LIST, {"reference": "PO 1"})) == found
    assert ids(alice.get(LIST, {"reference": "PO 2"}))[0] == str(other.screen_id)
    assert ids(caller("Bob Treasury").get(LIST, {"reference": "PO 1"})) == []
    assert EarlierReference.objects.count() == 2
    assert Screen.objects.get(pk=old.pk).reference_key is None
    assert not old.mac_fault()


def test_a_reference_is_searched_by_its_index_and_costs_one_query(
    alice, screen, django_assert_num_queries
) -> None:
    written_by("2026-11.1", screen(reference="PO 1"))
    upgrade()
    alice.get(LIST, {"reference": "PO 1"})
    with django_assert_num_queries(2):  # key, screens
        alice.get(LIST, {"reference": "PO 1"})
    if connection.vendor == "sqlite":
        plan = Screen.objects.referred(owner="account:1", reference="k").explain()
        assert f"SCAN {Screen._meta.db_table}" not in plan


def test_references_are_held_against_the_records(screen) -> None:
    old = written_by("2026-11.1", screen(reference="PO 1"))
    assert list(compare_references(lambda done: None)) == [
        f"screen {old.pk}: it is not found by its reference"
    ]
    upgrade()
    assert list(compare_references(lambda done: None)) == []
    EarlierReference.objects.update(key="0" * 64)
    assert len(list(compare_references(lambda done: None))) == 1
    now = Screen.objects.get(rules_version=VERSION)
    EarlierReference.objects.all().delete()
    upgrade()
    EarlierReference.objects.create(screen=now, key="0" * 64)
    assert list(compare_references(lambda done: None)) == [
        f"screen {now.pk}: a second reference stands beside its own"
    ]
