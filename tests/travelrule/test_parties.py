"""By what records are found: names as people write them, and one party however it is written."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.payments.instructions import Party
from apps.travelrule.models import TravelRecord
from apps.travelrule.parties import Named, matching, parties_of, token_of
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
    [party] = parties_of([Named((written,), ())]).values()
    assert matching(name=searched) == [party]


@pytest.mark.parametrize("searched", ["Mull", "Miller", "Muller Nobody", "Ursted"])
def test_another_name_is_not_found(searched: str) -> None:
    parties_of([Named(("Müller GmbH",), ()), Named(("Ørsted",), ())])
    assert matching(name=searched) == []


def test_how_words_are_spelled_costs_no_further_query() -> None:
    with CaptureQueriesContext(connection) as seen:
        matching(name="Müller Łukasz Ørsted")
    assert len(seen) == 1


@pytest.mark.parametrize(
    "again",
    [
        Named(("ACME treasury, GmbH",), ("0xAB",)),
        Named(("Acme  Treasury GmbH.",), ("0xab",)),
        Named(("Acme Treasury GmbH",), ("0x AB ",)),
    ],
)
def test_capitals_signs_and_spaces_make_no_other_party(again: Named) -> None:
    first = Named(("Acme Treasury GmbH",), ("0xAB",))
    assert token_of(again) == token_of(first)
    found = parties_of([first, again])
    assert len(found) == 2 and len(set(found.values())) == 1


@pytest.mark.parametrize(
    "other",
    [
        Named(("Acme Treasury",), ("0xAB",)),
        Named(("Acme Treasury GmbH",), ("0xAC",)),
        Named(("Äcme Treasury GmbH",), ("0xAB",)),
        Named(("!",), ()),
        Named(("?",), ()),
    ],
)
def test_another_word_or_account_is_another_party(other: Named) -> None:
    assert token_of(other) != token_of(Named(("Acme Treasury GmbH",), ("0xAB",)))
    assert token_of(Named(("!",), ())) != token_of(Named(("?",), ()))


def test_for_whom_somebody_pays_finds_the_record_too(pay: Callable[..., Any]) -> None:
    """31 CFR 1010.410(e)(4): by the name of the originator, which is whoever the payer acts for."""
    one: TravelRecord = pay(
        ultimate_debtor=Party(name="Gannet Holdings", wallet=""),
        ultimate_creditor=Party(name="Auk Fisheries"),
    )
    assert matching(name="gannet holdings") == [one.originator_id]
    assert matching(name="auk fisheries") == [one.beneficiary_id]
    assert matching(name=DEBTOR.name, account=DEBTOR.wallet) == [one.originator_id]
