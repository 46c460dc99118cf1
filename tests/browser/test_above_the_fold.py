"""Whatever brought a case here, what decides stands in one screen of 1280 by 800."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from apps.backoffice.review.services import propose_bulk_clear
from apps.compliance.screening.combined.requests import serialize_screen_request
from tests.browser.full_screen_case import ASKED, evidence
from tests.browser.page_checks import Seen, above
from tests.review.people import NOON, NOTE, OFFICER, SENIOR, approve, case, person

pytestmark = pytest.mark.django_db(transaction=True)
Open = Callable[..., Any]
SCREEN = {"width": 1280, "height": 800}
WALLET = "0x098B716B8Aaf21512996dC57EB0615e2383E2f96"
KINDS: dict[str, tuple[str, str]] = {
    "name": ("1 §2.7 rule 3 partial", "Partial sanctions match at 61%: HADAD (us-ofac-sdn)."),
    "several": ("1 §2.7 rule 3 partial", "Partial sanctions match at 61%: HADAD (us-ofac-sdn)."),
    "wallet": ("1 §2.7 rule 3 partial", "Partial sanctions match at 69%: HADAD (us-ofac-sdn)."),
    "wallets": ("1 §2.7 rule 3 partial", "Partial sanctions match at 46%: HADAD (us-ofac-sdn)."),
    "LEI": ("D §4 fail closed, LEI of another", "The name and the LEI belong to different ones."),
    "ownership": ("1 §2.7 rule 3 partial, owner", "Partial sanctions match at an owner: Holding."),
    "embargo": ("D §4 countries, embargo", "Embargo: destination country CU; a programme is so."),
}


def brought_by(kind: str, folder: Path) -> dict[str, Any]:
    """Return what a screen keeps that one thing brought here."""
    known = evidence(folder)
    clear = [node | {"status": "CLEAR", "matches": []} for node in known["chain"]]
    alone = known | {"chain": clear}
    if kind == "several":
        return alone
    if kind == "name":
        return alone | {"sanctions": known["sanctions"][:1]}
    if kind == "wallet":
        asked = replace(ASKED, wallet_address=WALLET, amount=Decimal("9800.00"))
        return alone | {
            "sanctions": known["sanctions"][:1],
            "request": serialize_screen_request(asked),
        }
    if kind == "wallets":
        wallets = [{"kind": "wallet", "value": f"{WALLET[:-1]}{n}"} for n in range(4)]
        first = known["sanctions"][0]
        party = first["entity"] | {"identifiers": wallets}
        asked = replace(ASKED, wallet_address=f"0x{WALLET[:1:-1]}")
        hit = first | {"entity": party}
        return alone | {"sanctions": [hit], "request": serialize_screen_request(asked)}
    if kind == "ownership":
        return known | {"sanctions": []}
    if kind == "LEI":
        return alone | {"sanctions": [], "lei": {"counts": False, "note": "Another.", "of": "X"}}
    return alone | {"sanctions": [], "labels": {"source": "STANDARD", "destination": "EMBARGO"}}


@pytest.mark.parametrize("kind", KINDS)
def test_why_both_parties_and_the_decision_stand_above_the_fold(
    opened: Open, live_server: Any, tmp_path: Path, kind: str
) -> None:
    ref, sentence = KINDS[kind]
    kept = brought_by(kind, tmp_path)
    ben = person("ben", OFFICER)
    for number in range(3):  # what was decided before stands above the comparison
        approve(case(f"{kind}-{number}"), ben)
    new_case = case(kind, reasons=[{"ref": ref, "sentence": sentence}], evidence=kept)
    page = opened(person("olivia", OFFICER), size=SCREEN)
    seen = Seen(page, live_server.url)
    page.goto(f"/admin/review/case/{new_case.pk}/")
    compared = kind not in ("LEI", "embargo")
    # all that is compared with the best match, to its last row, and what is to be paid
    identities = ["#who"]
    if compared:
        identities = [".versus .names >> nth=0", "#who .versus >> nth=0"]
        identities.append("#who .beside dt:has-text('Amount') >> nth=0")
    for selector in (
        ".why li",
        ".before h2",
        *identities,
        ".deciding legend >> nth=0",
        ".deciding .btn.go",
    ):
        assert above(page, selector) <= SCREEN["height"], (kind, selector)
    # the same with a reason chosen: its list stands between outcome and button
    page.keyboard.press("a")
    assert above(page, ".reason.for-approve li >> nth=0") <= SCREEN["height"]
    assert seen.faults == []


def test_a_listed_party_of_many_numbers_leaves_the_payment_in_sight(
    opened: Open, live_server: Any, tmp_path: Path
) -> None:
    kept = brought_by("name", tmp_path)
    wallets = [{"kind": "wallet", "value": f"{WALLET[:-1]}{n}"} for n in range(8)]
    party = kept["sanctions"][0]["entity"] | {"identifiers": wallets}
    kept["sanctions"] = [kept["sanctions"][0] | {"entity": party}]
    asked = kept["request"] | {"identifiers": [], "walletAddress": "", "address": ""}
    ref, sentence = KINDS["name"]
    new_case = case(
        "w", reasons=[{"ref": ref, "sentence": sentence}], evidence=kept | {"request": asked}
    )
    page = opened(person("olivia", OFFICER), size=SCREEN)
    page.goto(f"/admin/review/case/{new_case.pk}/")
    assert above(page, ".versus tbody tr") <= SCREEN["height"]
    assert above(page, "#who .beside dt:has-text('Amount')") <= SCREEN["height"]
    rest = page.locator(".versus .long")
    assert wallets[0]["value"] in page.locator(".versus").inner_text()
    assert wallets[3]["value"] not in page.locator(".versus").inner_text()
    rest.locator("summary").focus()
    page.keyboard.press("Enter")
    assert wallets[3]["value"] in page.locator(".versus").inner_text()


def test_everything_is_searched_by_keyboard_alone(opened: Open, live_server: Any) -> None:
    new_case = case("1", party="Haddad Trading")
    case("2", party="Haddad Shipping")
    page = opened(person("olivia", OFFICER), size=SCREEN)
    page.goto("/admin/")
    page.keyboard.press("/")
    page.keyboard.type("Haddad Trading")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert page.locator(".hits li").count() >= 1
    page.keyboard.press("j")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert page.url.endswith(f"/admin/review/case/{new_case.pk}/")


def test_five_cases_cleared_together_are_confirmed_without_scrolling(
    opened: Open, live_server: Any
) -> None:
    cases = [case(ref) for ref in "abcde"]
    bulk = propose_bulk_clear(
        cases=cases, by=person("olivia", OFFICER), reason_code="NAME_ONLY", note=NOTE, now=NOON
    )
    page = opened(person("samir", SENIOR), size=SCREEN)
    page.goto(f"/admin/review/case/bulk/{bulk.pk}/")
    assert above(page, "form.together .btn") <= SCREEN["height"]
    cells = [
        box.bounding_box() for box in page.locator(".lines tbody tr").first.locator("> *").all()
    ]
    assert len({box["height"] for box in cells}) == 1  # the tick's cell is one of the row's
    page.keyboard.press("?")
    page.locator("#keys[open]").wait_for()
