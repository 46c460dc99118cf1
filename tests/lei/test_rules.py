"""When an LEI counts, and whose it is."""

from datetime import UTC, date, datetime

import pytest

from apps.reference.lei.rules import registration
from apps.reference.lei.values import Entity, HeldEntity, LeiLookup, OtherName

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
THEN = datetime(2026, 11, 1, tzinfo=UTC)


def entity(lei="S", name="Acme Limited", **fields):
    fields = {"registration_status": "ISSUED", "entity_status": "ACTIVE"} | fields
    return Entity(lei=lei, legal_name=name, **fields)


def known(one):
    return LeiLookup(one.lei, "KNOWN", HeldEntity(one, "GLEIF_API", THEN, THEN), THEN)


@pytest.mark.parametrize(
    ("renewal", "status"),
    [
        (None, "ISSUED"),
        (date(2026, 11, 21), "ISSUED"),
        (date(2026, 11, 20), "ISSUED"),
        (date(2026, 11, 19), "LAPSED"),
    ],
)
def test_issued_holds_until_the_renewal_date(renewal, status):
    assert registration.registration_status_at(entity(next_renewal=renewal), NOON) == status


def test_other_statuses_stay_what_they_are():
    retired = entity(registration_status="RETIRED", next_renewal=date(2020, 1, 1))
    assert registration.registration_status_at(retired, NOON) == "RETIRED"


COUNTS = [
    ("D4.lei.1", LeiLookup("S", "NOT_CHECKED"), "Acme Ltd", "LEI S not checked"),
    ("D4.lei.2", LeiLookup("S", "UNKNOWN"), "Acme Ltd", "LEI S is not registered"),
    (
        "D4.lei.3",
        known(entity(registration_status="LAPSED")),
        "Acme Ltd",
        "LEI S is LAPSED, not ISSUED",
    ),
    (
        "D4.lei.3",
        known(entity(next_renewal=date(2026, 11, 19))),
        "Acme Ltd",
        "LEI S is LAPSED, not ISSUED",
    ),
    (
        "D4.lei.4",
        known(entity(entity_status="INACTIVE")),
        "Acme Ltd",
        "the entity of LEI S is INACTIVE",
    ),
    (
        "D4.lei.5",
        known(entity()),
        "Ajax Ltd",
        "LEI S belongs to Acme Limited, a different legal name",
    ),
    ("D4.lei.6", known(entity(next_renewal=date(2026, 11, 20))), "Acme Ltd", ""),
]


@pytest.mark.parametrize(("ref", "found", "name", "reason"), COUNTS)
def test_an_lei_counts_only_when_known_issued_and_of_that_name(ref, found, name, reason):
    assert registration.judge_lei(found, name, NOON) == (ref == "D4.lei.6", reason)


def test_every_rule_of_counting_is_reached():
    assert {row[0] for row in COUNTS} == {rule.ref for rule in registration.COUNT_RULES}


@pytest.mark.parametrize(
    ("reason", "hidden"),
    [
        ("NATURAL_PERSONS", False),
        ("NO_KNOWN_PERSON", False),
        ("NON_CONSOLIDATING", False),
        ("NON_PUBLIC", True),
        ("BINDING_LEGAL_COMMITMENTS", True),
        ("LEGAL_OBSTACLES", True),
        ("CONSENT_NOT_OBTAINED", True),
        ("DISCLOSURE_DETRIMENTAL", True),
        ("DETRIMENT_NOT_EXCLUDED", True),
        ("NO_LEI", True),
        ("SOMETHING_NEW", True),
    ],
)
def test_only_reasons_that_say_there_is_no_owner_hide_none(reason, hidden):
    assert registration.hides_owner(reason) is hidden


MERGED = entity(
    name="Northwind Traders GmbH",
    other_names=(
        OtherName("Old Harbour Trading GmbH", "PREVIOUS_LEGAL_NAME"),
        OtherName("Northwind", "TRADING_OR_OPERATING_NAME"),
    ),
)


@pytest.mark.parametrize(
    ("given", "holder"),
    [
        (("Northwind Traders GmbH",), ""),
        (("NORTHWIND TRADERS",), ""),
        (("Old Harbour Trading",), ""),
        (("Northwind",), ""),
        (("Blue Heron Stationery", "Northwind Traders GmbH"), ""),
        (("Blue Heron Stationery",), "Northwind Traders GmbH"),
        (("Northwind Holding GmbH",), "Northwind Traders GmbH"),
        ((), "Northwind Traders GmbH"),
    ],
)
def test_an_lei_is_of_another_when_no_name_given_is_one_of_its_holder(given, holder):
    assert registration.find_other_holder(known(MERGED), given) == holder


def test_an_lei_that_nobody_knows_is_of_nobody_else():
    assert registration.find_other_holder(LeiLookup("S", "UNKNOWN"), ("Acme",)) == ""
