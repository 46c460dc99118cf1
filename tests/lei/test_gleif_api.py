"""Answers of the GLEIF API: real ones are mapped, broken ones are malformed."""

import copy
import json
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.reference.lei.clients import gleif_records
from apps.reference.lei.values import Exemption, Malformed, OtherName, Ownership
from tests.shared_data import shared


def body(name):
    return json.loads(shared(f"lei/api/{name}.json").read_text())


def test_a_real_record_is_mapped():
    record = gleif_records.parse_record(body("single_lei_record_254900LNRYNOQ9YPU758"))
    entity = record.entity
    assert entity.lei == "254900LNRYNOQ9YPU758"
    assert entity.legal_name == "Amazon Digital UK Limited"
    assert (entity.registration_status, entity.entity_status) == ("ISSUED", "ACTIVE")
    assert (entity.jurisdiction, entity.country, entity.headquarters) == ("GB", "GB", "GB")
    assert entity.next_renewal == date(2026, 5, 20)
    assert entity.registered_as == "06528297"
    assert entity.other_names[0] == OtherName("AMAZON VIDEO LIMITED", "PREVIOUS_LEGAL_NAME")
    assert (record.direct, record.ultimate) == ("exception", "relationship")
    assert record.published == datetime(2025, 5, 15, tzinfo=UTC)


def test_a_lapsed_record_says_so():
    record = gleif_records.parse_record(body("pygleif_549300LBI3LRIZ2V8V66_lapsed"))
    assert record.entity.registration_status == "LAPSED"
    assert record.entity.next_renewal == date(2014, 11, 1)


@pytest.mark.parametrize(
    ("lei", "direct", "ultimate"),
    [
        ("549300O897ZC5H7CY412", "relationship", "relationship"),
        ("5299001ERX0K10IZUL40", "exception", "exception"),
        ("335800CCCPHKUOXPC332", "exception", "exception"),
    ],
)
def test_it_tells_where_the_owners_are_told(lei, direct, ultimate):
    record = gleif_records.parse_record(body(f"single_lei_record_{lei}"))
    assert (record.direct, record.ultimate) == (direct, ultimate)


def test_real_relationships_are_mapped():
    assert gleif_records.parse_relationship(
        body("direct-parent-relationship_5493001KJTIIGC8Y1R12")
    ) == Ownership(
        "5493001KJTIIGC8Y1R12",
        "549300B56MD0ZC402L06",
        "DIRECT",
        "ACTIVE",
        date(2007, 6, 5),
    )
    relationship = gleif_records.parse_relationship(
        body("ultimate-parent-relationship_254900LNRYNOQ9YPU758")
    )
    assert (relationship.kind, relationship.parent) == ("ULTIMATE", "ZXTILKJKG63JELOEG630")


def test_an_ended_relationship_is_none():
    ended = body("direct-parent-relationship_5493001KJTIIGC8Y1R12")
    ended["data"]["attributes"]["relationship"]["status"] = "INACTIVE"
    assert gleif_records.parse_relationship(ended) is None


def test_real_exceptions_are_mapped():
    exception = gleif_records.parse_exception(
        body("direct-parent-reporting-exception_254900LNRYNOQ9YPU758")
    )
    assert exception == Exemption("254900LNRYNOQ9YPU758", "DIRECT", "NON_PUBLIC")
    exception = gleif_records.parse_exception(
        body("ultimate-parent-reporting-exception_INR2EJN1ERAN0W5ZP974")
    )
    assert exception == Exemption("INR2EJN1ERAN0W5ZP974", "ULTIMATE", "NON_CONSOLIDATING")


def test_the_path_of_a_parent_follows_what_is_kept():
    lei = "254900LNRYNOQ9YPU758"
    assert gleif_records.parent_path(lei, "DIRECT", "exception") == (
        f"lei-records/{lei}/direct-parent-reporting-exception"
    )
    assert gleif_records.parent_path(lei, "ULTIMATE", "relationship") == (
        f"lei-records/{lei}/ultimate-parent-relationship"
    )


RECORD = {
    "meta": {"goldenCopy": {"publishDate": "2025-05-15T00:00:00Z"}},
    "data": {
        "type": "lei-records",
        "attributes": {
            "lei": "INR2EJN1ERAN0W5ZP974",
            "entity": {"legalName": {"name": "MICROSOFT CORPORATION"}, "status": "ACTIVE"},
            "registration": {"status": "ISSUED", "nextRenewalDate": None},
        },
    },
}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("meta",), {}),
        (("meta", "goldenCopy", "publishDate"), "yesterday"),
        (("data", "type"), "isins"),
        (("data", "attributes", "lei"), "INR2EJN1ERAN0W5ZP975"),
        (("data", "attributes", "lei"), None),
        (("data", "attributes", "entity", "legalName"), {"name": ""}),
        (("data", "attributes", "entity", "legalName"), "text"),
        (("data", "attributes", "registration", "status"), None),
        (("data", "attributes", "registration", "nextRenewalDate"), "soon"),
    ],
)
def test_a_broken_answer_is_malformed(path, value):
    broken = copy.deepcopy(RECORD)
    where = broken
    for step in path[:-1]:
        where = where[step]
    where[path[-1]] = value
    assert gleif_records.parse_record(RECORD).entity.legal_name == "MICROSOFT CORPORATION"
    with pytest.raises(Malformed):
        gleif_records.parse_record(broken)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


@given(values, st.sampled_from(["data", "attributes", "entity", "registration", "legalName"]))
def test_any_json_is_mapped_or_malformed(value, key):
    broken = copy.deepcopy(RECORD)
    where = {
        "data": broken,
        "attributes": broken["data"],
        "entity": broken["data"]["attributes"],
        "registration": broken["data"]["attributes"],
        "legalName": broken["data"]["attributes"]["entity"],
    }[key]
    where[key] = value
    for read in (
        gleif_records.parse_record,
        gleif_records.parse_relationship,
        gleif_records.parse_exception,
    ):
        try:
            read(broken)
        except Malformed:
            continue
