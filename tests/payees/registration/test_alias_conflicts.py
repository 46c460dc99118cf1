"""An alias that is the legal name of another counts for nobody before an officer has looked."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.backoffice.review import services
from apps.backoffice.review.models import Case
from apps.reference.lei.models import LeiRecord
from tests.conftest import NOON
from tests.payees.registration.conftest import MICROSOFT, NORTHWIND
from tests.payees.registration.test_registration_case import NOTE, decide
from tests.review.people import SENIOR, person

pytestmark = pytest.mark.django_db
Call = Callable[..., Any]
REF = "D §4 2.3 another's name"


def cited() -> set[str]:
    return {rule["ref"] for rule in Case.objects.get().rules}


@pytest.mark.parametrize("alias", ["Microsoft Corporation", "microsoft corp", "Microsft"])
def test_an_alias_that_gleif_has_for_another_waits_for_an_officer(
    register: Call, lookup: Call, alias: str
) -> None:
    made = register(aliases=[alias, "Northwind"])
    assert made["underReview"] and made["aliases"] == ["Northwind"]
    assert made["aliasesUnderReview"] == [alias]
    assert cited() == {REF} and Case.objects.get().risk == "HIGH"
    assert MICROSOFT["lei"] in Case.objects.get().rules[0]["sentence"]


def test_an_alias_that_is_the_legal_name_of_another_registration_waits(
    register: Call, lookup: Call
) -> None:
    register(1)
    made = register(2, legalName="Blue Heron Stationery Limited", aliases=["Northwind Traders "
        "International"])  # fmt: skip
    assert made["aliases"] == [] and cited() == {REF}
    assert "registered here" in Case.objects.get().rules[0]["sentence"]


def test_once_two_officers_let_it_stand_it_counts_and_is_not_asked_about_again(
    register: Call, lookup: Call
) -> None:
    register(aliases=["Microsoft Corporation", "Northwind"])
    case = decide(Case.objects.get(), "APPROVE", "NAME_CONFIRMED")
    assert case.status == "AWAITING_SECOND" and lookup(1)["aliases"] == ["Northwind"]
    services.confirm_decision(
        case=case, by=person("sofia", SENIOR), reason_code="NAME_CONFIRMED", note=NOTE, now=NOON
    )
    assert lookup(1)["aliases"] == ["Microsoft Corporation", "Northwind"]
    again = register(aliases=["Microsoft Corporation"], status=200)
    assert not again["underReview"] and Case.objects.count() == 1


@pytest.mark.parametrize(
    ("fields", "aliases"),
    [
        (MICROSOFT, ["Microsoft"]),  # its own name without its form
        (NORTHWIND, ["Blue Heron"]),  # nobody's
        (NORTHWIND, ["Northwind Traders International Gesellschaft mit beschränkter Haftung"]),
    ],
)
def test_an_alias_of_its_own_counts_at_once(
    register: Call, fields: dict[str, str], aliases: list[str]
) -> None:
    register(2)
    made = register(1, **fields, aliases=aliases)
    assert not made["underReview"] and made["aliases"] == aliases


def test_names_are_looked_for_in_two_queries_however_many_aliases(
    register: Call, django_assert_max_num_queries: Any
) -> None:
    names = [f"Heron Number {word}" for word in ("One", "Two", "Three", "Four", "Five")]
    with django_assert_max_num_queries(60):
        register(aliases=names)
    assert LeiRecord.objects.named_like([], most=5) == []
