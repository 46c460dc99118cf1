"""By what records are found: names as people write them, and one party however it is written."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.payments.payments.instructions import Party
from apps.payments.travelrule.models import TravelRecord
from apps.payments.travelrule.party_index import (
    NamedSide,
    find_matching_parties,
    get_or_create_parties,
    party_token,
)
from tests.travelrule.conftest import DEBTOR

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("written", "searched"),
    [
        ("Müller & Söhne GmbH", "Muller Sohne"),
        ("Müller & Söhne GmbH", "MUELLER soehne"),
        ("Mueller GmbH", "Müller"),
        ("Muller GmbH", "Müller"),
        ("Ørsted A/S", "orsted"),
        ("Ørsted A/S", "oersted"),
        ("Orsted A/S", "Ørsted"),
        ("Łukasz Żółć", "lukasz zolc"),
        ("Lukasz Zolc", "Łukasz Żółć"),
        ("Đặng Thị Hà", "dang thi ha"),
        ("Groß Æbelø", "gross aebelo"),
        ("Петров Сергей", "сергей ПЕТРОВ"),
        ("株式会社 日本", "日本"),
        ("شركة النور", "النور"),
    ],
)
def test_a_name_is_found_however_its_letters_are_written(written: str, searched: str) -> None:
    [party] = get_or_create_parties([NamedSide((written,), ())]).values()
    assert find_matching_parties(name=searched) == [party]


@pytest.mark.parametrize("searched", ["Mull", "Miller", "Muller Nobody", "Ursted"])
def test_another_name_is_not_found(searched: str) -> None:
    get_or_create_parties([NamedSide(("Müller GmbH",), ()), NamedSide(("Ørsted",), ())])
    assert find_matching_parties(name=searched) == []


def test_how_words_are_spelled_costs_no_further_query() -> None:
    with CaptureQueriesContext(connection) as queries:
        find_matching_parties(name="Müller Łukasz Ørsted")
    assert len(queries) == 1


@pytest.mark.parametrize(
    "again",
    [
        NamedSide(("ACME treasury, GmbH",), ("0xAB",)),
        NamedSide(("Acme  Treasury GmbH.",), ("0xab",)),
        NamedSide(("Acme Treasury GmbH",), ("0x AB ",)),
    ],
)
def test_capitals_signs_and_spaces_make_no_other_party(again: NamedSide) -> None:
    first = NamedSide(("Acme Treasury GmbH",), ("0xAB",))
    assert party_token(again) == party_token(first)
    or_create_parties = get_or_create_parties([first, again])
    assert len(or_create_parties) == 2 and len(set(or_create_parties.values())) == 1


@pytest.mark.parametrize(
    "other",
    [
        NamedSide(("Acme Treasury",), ("0xAB",)),
        NamedSide(("Acme Treasury GmbH",), ("0xAC",)),
        NamedSide(("Äcme Treasury GmbH",), ("0xAB",)),
        NamedSide(("!",), ()),
        NamedSide(("?",), ()),
    ],
)
def test_another_word_or_account_is_another_party(other: NamedSide) -> None:
    assert party_token(other) != party_token(NamedSide(("Acme Treasury GmbH",), ("0xAB",)))
    assert party_token(NamedSide(("!",), ())) != party_token(NamedSide(("?",), ()))


def test_for_whom_somebody_pays_finds_the_record_too(pay: Callable[..., Any]) -> None:
    """31 CFR 1010.410(e)(4): by the name of the originator, which is whoever the payer acts for."""
    one: TravelRecord = pay(
        ultimate_debtor=Party(name="Gannet Holdings", wallet=""),
        ultimate_creditor=Party(name="Auk Fisheries"),
    )
    assert find_matching_parties(name="gannet holdings") == [one.originator_id]
    assert find_matching_parties(name="auk fisheries") == [one.beneficiary_id]
    assert find_matching_parties(name=DEBTOR.name, account=DEBTOR.wallet) == [one.originator_id]
