"""What officers read of the countries of a payment agrees with the rules that held."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.backoffice.review.models import Case
from apps.compliance.screening.combined.evidence_view import build_evidence_view
from apps.compliance.screening.models import Screen
from tests.review.people import OFFICER, at_desk, check_page, person
from tests.screening.conftest import REQUEST

NEITHER = "on the list of neither FATF nor the EU"


@pytest.mark.parametrize(
    ("asked", "source", "destination"),
    [
        ({"country": "CU"}, NEITHER, f"under a comprehensive embargo; {NEITHER}"),
        ({"sourceCountry": "CU"}, f"under a comprehensive embargo; {NEITHER}", NEITHER),
        ({"country": "KP"}, NEITHER, "under a comprehensive embargo; on the FATF call for action"),
        ({"country": "HT"}, NEITHER, "under FATF increased monitoring"),
        ({"country": "AF"}, NEITHER, "an EU high-risk third country"),
        ({"country": None}, NEITHER, "not given"),
    ],
)
def test_a_country_is_told_as_it_is_listed(
    screen: Callable[..., Any], asked: dict[str, Any], source: str, destination: str
) -> None:
    screen(**asked)
    value_by_label = {
        row["label"]: row["value"]
        for row in build_evidence_view(
            Screen.objects.get().data["evidence"] | {"request": REQUEST}
        )["facts"]
    }
    assert value_by_label["Source country is"] == source
    assert value_by_label["Destination country is"] == destination


def test_the_partys_own_address_is_told_so_too(screen: Callable[..., Any]) -> None:
    screen(address="12 Lenin Street, Simferopol, Crimea")
    html = check_page(
        at_desk(person("olivia", OFFICER)).get(f"/admin/review/case/{Case.objects.get().pk}/")
    )
    assert "<dd>under a comprehensive embargo</dd>" in html
