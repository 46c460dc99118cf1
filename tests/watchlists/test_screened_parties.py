"""Parties that were screened or registered."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from apps.reference.watchlists.models import Party, PartyKind
from apps.reference.watchlists.services.screened_parties import (
    PartyEncounter,
    remember_parties,
    remember_party,
)

KNOWN = {"kind": PartyKind.SCREENED, "schema": "Person", "name": "Olaf Scholz"}


def test_a_party_that_comes_up_again_is_one_row_with_two_times(db: Any, noon: datetime) -> None:
    later = noon + timedelta(days=1)
    remember_party(**KNOWN, country="DE", now=noon, reference="screen-1")
    remember_party(
        **KNOWN | {"name": "  olaf SCHOLZ "}, country="DE", now=later, reference="screen-2"
    )
    party = Party.objects.get()
    assert (party.first_seen, party.last_seen) == (noon, later)
    assert party.name == "Olaf Scholz"
    assert party.keys == "olaf scholz"
    assert party.reference == "screen-2"


@pytest.mark.parametrize(
    "other",
    [
        {"kind": PartyKind.REGISTERED},
        {"schema": "Organization"},
        {"name": "Olaf Schulz"},
        {"country": "AT"},
        {"birth_date": "1958-06-14"},
    ],
)
def test_any_other_fact_makes_another_party(db: Any, noon: datetime, other: dict[str, str]) -> None:
    remember_party(**KNOWN, country="DE", now=noon)
    remember_party(**{**KNOWN, "country": "DE", **other}, now=noon)
    assert Party.objects.count() == 2


def test_remembering_is_one_query(db: Any, noon: datetime, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(1):
        remember_party(**KNOWN, now=noon)


def test_a_very_long_name_fits(db: Any, noon: datetime) -> None:
    remember_party(**KNOWN | {"name": "x" * 2000}, now=noon, reference="r" * 500)
    assert len(Party.objects.get().name) == 500


@pytest.mark.django_db
def test_several_parties_take_one_query_and_one_twice_is_one(noon, django_assert_num_queries):
    parties = [
        PartyEncounter("owner", "Organization", "Acme Ltd", reference="first"),
        PartyEncounter("owner", "Organization", "ACME  ltd", reference="last"),
        PartyEncounter("screened", "Unknown", "Acme Ltd"),
    ]
    with django_assert_num_queries(1):
        remember_parties(encounters=parties, now=noon)
    assert list(Party.objects.order_by("kind").values_list("kind", "reference")) == [
        ("owner", "last"),
        ("screened", ""),
    ]
    with django_assert_num_queries(0):
        remember_parties(encounters=[], now=noon)
