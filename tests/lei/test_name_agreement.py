"""Whether two names are of one entity: spellings, legal forms, and names that others bear."""

import pytest

from apps.reference.lei.name_agreement import (
    fold_without_legal_form,
    is_close_to_legal_name,
    is_same_name,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Acme Limited", "ACME  Ltd."),
        ("Apple, Inc.", "Apple Incorporated"),
        ("Foo GmbH & Co. KG", "Foo GmbH & Co KG"),
        ("Foo & Bar Ltd", "Foo & Bar Limited"),
        ("Acme Limited Partnership", "Acme L.P."),
        ("Foo Aktiengesellschaft", "Foo AG"),
        ("The Limited", "The Ltd"),
    ],
)
def test_one_legal_form_written_in_two_ways_is_one_name(one: str, other: str) -> None:
    assert is_same_name(one, other) and is_same_name(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Bloomberg Inc.", "Bloomberg L.P."),
        ("Acme Ltd", "Acme LLC"),
        ("Acme Limited Partnership", "Acme Limited"),
        ("Acme", "Acme Ltd"),
        ("Foo Corp", "Foo Inc"),
        ("Foo Ltd", "Foo Pte Ltd"),
        ("Fund II Ltd", "Fund III Limited"),
        ("Foo & Bar Ltd", "Foo Bar Ltd"),
        ("Acme Holdings Ltd", "Acme Holding Ltd"),
    ],
)
def test_another_form_or_another_word_is_another_name(one: str, other: str) -> None:
    assert not is_same_name(one, other) and not is_same_name(other, one)


SANDWICH = "Redmond Sandwich Company"


@pytest.mark.parametrize(
    ("alias", "own", "close"),
    [
        ("Microsoft", SANDWICH, True),
        ("MICROSOFT CORP.", SANDWICH, True),
        ("Microsft Corporation", SANDWICH, True),
        ("Blue Heron", SANDWICH, False),
        ("Micro Soft Drinks", SANDWICH, False),
        ("Microsoft", "Microsoft Ltd", False),
    ],
)
def test_an_alias_that_is_nearly_anothers_legal_name_is_told(
    alias: str, own: str, close: bool
) -> None:
    assert is_close_to_legal_name(alias, "MICROSOFT CORPORATION", own=own) is close


def test_the_core_of_a_name_is_it_without_its_legal_form_and_points() -> None:
    assert (
        fold_without_legal_form("J.P. Morgan, Inc.") == "jp morgan"
        and fold_without_legal_form("Northwind") == "northwind"
    )
