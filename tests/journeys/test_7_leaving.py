"""An institution leaves: its data is taken, its key ends, and five years on little is left."""

import csv
import io
from collections.abc import Callable
from typing import Any

from tests.browser.page_checks import appears
from tests.journeys.desk import Desk
from tests.journeys.pages import Page

WHY = "The contract with Dunlin Bank ended on 20 November."
ORDER = "Subpoena 17 of the district court, of 22 November."
OVER = "The court ended the matter on 3 December; its letter is in the file."
GONE = "The content of the message was erased, or its retention period is over."


def test_an_institution_leaves_and_only_what_a_court_wants_outlives_five_years(
    page: Callable[[str], Page], desk: Desk
) -> None:
    walk = page("leaving")
    paid_twice(walk)
    its_data_is_taken_away(walk, desk)
    its_key_is_revoked(walk, desk)
    a_court_wants_the_second_payment(desk)
    five_years_pass(walk, desk)
    the_hold_ends(walk, desk)
    walk.finish()


def paid_twice(walk: Page) -> None:
    walk.run("key")
    for block in ("first", "second"):
        assert walk.told(block)["status"] == "SUBMITTED"
        walk.until(f"{block}-stands", lambda one: "execution" in one)
    walk.run("settle")
    for block in ("first", "second"):
        walk.until(f"{block}-stands", lambda one: one["status"] == "SETTLED")


def its_data_is_taken_away(walk: Page, desk: Desk) -> None:
    told = walk.told("own-data")
    assert sorted(told) == ["payment.awaiting_settlement"] * 2 + ["payment.settled"] * 2
    assert "VERIFIED" in walk.run("own-proof")
    edgar = desk.of("edgar")
    edgar.goto("/admin/travelrule/travelrecord/")
    edgar.locator("select[name=owner]").select_option(label="Dunlin Bank")
    edgar.get_by_role("button", name="Apply").click()
    edgar.get_by_text("Download spreadsheet…").click()
    with edgar.expect_download() as download:
        edgar.locator('button[value="csv"]').click()
    rows = csv.DictReader(io.StringIO(download.value.path().read_text("utf-8-sig")))
    assert {row["Originator reference"] for row in rows} == {"DUNLIN-1", "DUNLIN-2"}


def its_key_is_revoked(walk: Page, desk: Desk) -> None:
    otto = desk.of("otto")
    otto.goto("/admin/access/apikey/")
    otto.get_by_role("row").filter(has_text="Dunlin Bank").get_by_role("link").first.click()
    otto.get_by_role("link", name="Revoke…").click()
    assert appears(otto.get_by_text("the client can no longer call anything"))
    otto.get_by_label("Reason (recorded)").fill(WHY)
    otto.get_by_role("button", name="Revoke now").click()
    assert WHY in otto.locator("#content").inner_text()
    assert walk.told("shut")["status"] == 401


def a_court_wants_the_second_payment(desk: Desk) -> None:
    samir = desk.of("samir")
    samir.goto("/admin/core/legalhold/")
    samir.get_by_label("Find record").fill("DUNLIN-2")
    samir.get_by_role("button", name="Find record").click()
    samir.locator('input[name="record"][value^="payments.payment:"]').check()
    samir.get_by_label("Reason for the hold").fill(ORDER)
    samir.get_by_role("button", name="Place hold").click()
    assert ORDER in samir.locator("#content").inner_text()


def five_years_pass(walk: Page, desk: Desk) -> None:
    foreseen, purged = walk.run("foreseen"), walk.run("purge")
    for ledger in ("travel_rule", "payment_events"):
        before, after = of_ledger(foreseen, ledger), of_ledger(purged, ledger)
        assert before["counted"] == after["counted"] > 0, ledger
        assert after["held"] > 0, ledger
    for ledger in ("sar", "screens", "decisions"):
        assert of_ledger(purged, ledger)["counted"] == 0, f"{ledger} is kept for ten years"
    first, second = walk.told("first-record"), walk.told("second-record")
    assert first["notes"].endswith(GONE) and not {"ivms101", "tmsReference"} & first.keys()
    assert "Sanderling" not in str(first)
    assert second["tmsReference"] == "DUNLIN-2" and "Turnstone Timber" in str(second["ivms101"])
    assert "Institutions’ payments" in desk.hits("samir", "Turnstone Timber Limited")
    assert "Institutions’ payments" not in desk.hits("samir", "Sanderling Foods Limited")
    assert "fault" not in walk.run("verify")


def of_ledger(printed: str, ledger: str) -> dict[str, int]:
    """Return how many payloads a run of `purge_expired` counted of a ledger, and how many held."""
    told = [one for one in printed.splitlines() if one.endswith(" held")]
    (line,) = [one for one in told if one.startswith(f"{ledger}: ")]
    counted, *_, held, _ = line.removeprefix(f"{ledger}: ").split()
    return {"counted": int(counted), "held": int(held)}


def the_hold_ends(walk: Page, desk: Desk) -> None:
    sofia = desk.of("sofia")
    sofia.goto("/admin/core/legalhold/")
    sofia.locator("summary", has_text="Lift…").first.click()
    sofia.get_by_label("Reason for lifting the hold").first.fill(OVER)
    sofia.get_by_role("button", name="Lift hold").first.click()
    assert OVER in sofia.locator("#content").inner_text()
    assert of_ledger(walk.run("purge-again"), "travel_rule")["held"] == 0
    left: Any = walk.told("nothing-left")
    assert left["notes"].endswith(GONE) and "Turnstone" not in str(left)
    assert "fault" not in walk.run("verify-again")
