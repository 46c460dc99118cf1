"""A payee's own country behind its name: known from its registration, unless it is in doubt."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.backoffice.review.models import Case
from apps.reference.lei.models import LeiRecord
from tests.lei.changed_entities import restate
from tests.payees.registration.conftest import MICROSOFT
from tests.payees.registration.test_registration_case import decide

pytestmark = pytest.mark.django_db
Call = Callable[..., Any]


@pytest.mark.parametrize(
    ("country", "tier"), [("GB", "PROCEED_HIGH_CONFIDENCE"), ("IE", "PROCEED_FLAGGED")]
)
def test_the_payees_own_country_behind_its_name_is_an_address(
    register: Call, verify: Call, country: str, tier: str
) -> None:
    register(1, legalName="Quillmont Textiles Ltd", country=country)
    found = verify(1, "Quillmont Textiles Ltd UK")
    assert found["result"] == tier
    assert found["attestation"]["fatfR16Compliant"] is (country == "GB")


def test_a_country_that_officers_still_look_at_bears_no_name_out(
    register: Call, verify: Call
) -> None:
    register(1, legalName="Quillmont Textiles Ltd", country="IE")
    register(1, legalName="Quillmont Textiles Ltd", country="GB", status=200)
    assert verify(1, "Quillmont Textiles Ltd UK")["result"] == "PROCEED_FLAGGED"
    decide(Case.objects.get(), "APPROVE", "ENTITY_CONFIRMED")
    assert verify(1, "Quillmont Textiles Ltd UK")["result"] == "PROCEED_HIGH_CONFIDENCE"


def test_a_country_that_gleif_contradicts_by_now_bears_no_name_out(
    register: Call, verify: Call
) -> None:
    register(1, **MICROSOFT)
    assert verify(1, "Microsoft Corporation USA")["score"] == 89
    restate(
        LeiRecord.objects.filter(lei=MICROSOFT["lei"]),
        country="IE",
        jurisdiction="IE",
        headquarters="IE",
    )
    assert verify(1, "Microsoft Corporation USA")["result"] == "PROCEED_FLAGGED"
