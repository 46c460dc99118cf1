"""One payment, by one identifier, from the treasury's file to the examiner's verified export."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.journeys.desk import Desk
from tests.journeys.journey_world import World
from tests.journeys.pages import Page

Called = Callable[[str], list[dict[str, Any]]]
SAME = "ALDER-2026-0917"  # the EndToEndId of the treasury's file


@pytest.mark.usefixtures("counterparty")
def test_a_payment_is_followed_by_one_identifier_from_the_file_to_the_export(
    page: Callable[[str], Page], desk: Desk, world: World, called: Called
) -> None:
    walk = page("treasury")
    awaited = checked_and_priced(walk, desk)
    settled = settled_and_called_back(walk, called)
    assert settled["settlement"]["exchangeRate"] in locked_price(desk)
    assert awaited["svcPaymentId"] == settled["svcPaymentId"]
    told_to_the_counterparty(walk, settled["svcPaymentId"])
    everything_is_found_at_the_desk(desk)
    sampled_by_the_examiner(walk, desk, world)
    exported_and_verified(walk)
    walk.finish()


def checked_and_priced(walk: Page, desk: Desk) -> Any:
    assert "http://127.0.0.1" in walk.run("profile")
    assert walk.told("register")["type"] == "GLEIF_VERIFIED"
    assert walk.told("file")["file"]["messageId"] == "ALDER-RUN-17"
    said = walk.until("stands", lambda one: "execution" in one)
    assert (said["tmsReference"], said["vop"]["result"]) == (SAME, "LEI_MATCH")
    assert said["execution"]["asset"] == "USDC"
    return said


def locked_price(desk: Desk) -> str:
    """Return what the payment's page says of its rate, fee and quote."""
    sofia = desk.open("sofia", SAME, "Institutions’ payments")
    panel = sofia.locator("section", has=sofia.get_by_role("heading", name="Price and settlement"))
    said: str = panel.inner_text()
    assert all(word in said for word in ("USD per EUR", "Fee", "Quote", "Stability oracle"))
    return said


def settled_and_called_back(walk: Page, called: Called) -> Any:
    walk.run("settle")
    said = walk.until("stands", lambda one: one["status"] == "SETTLED")
    (came,) = called(SAME)
    assert came["path"] == "/treasury"
    assert came["headers"]["x-svc-paymentid"] == said["svcPaymentId"]
    assert came["body"] == said
    return said


def told_to_the_counterparty(walk: Page, payment: str) -> None:
    record = walk.until("record", lambda one: one.get("status") == "SENT")
    assert (record["tmsReference"], record["paymentId"]) == (SAME, payment)
    theirs = walk.told("theirs")["records"]
    (inbound,) = [their for their in theirs if their.get("senderPaymentId") == payment]
    for side in ("originator", "beneficiary"):
        assert inbound["ivms101"][side] == record["ivms101"][side]


def everything_is_found_at_the_desk(desk: Desk) -> None:
    """From the search of the identifier, every record of every step is a click away."""
    sofia = desk.open("sofia", SAME, "Institutions’ payments")
    steps = {
        "Transaction 1 of the file": "ALDER-RUN-17",
        "LEI matches": "Microsoft Corporation",
        "Proceed, risk": "0x94622cC2A5b64a58C25A129d48a2bEEC4b65b779",
        "Approved": "Microsoft Corporation",
        "On-chain transfer": "0x94622cC2A5b64a58C25A129d48a2bEEC4b65b779",
        "recorded at": "Alder Treasury Services Limited",
    }
    page = sofia.url
    for link, shows in steps.items():
        sofia.goto(page)
        sofia.get_by_role("link", name=link).first.click()
        assert shows in sofia.locator("#content").inner_text(), link
    assert desk.hits("sofia", SAME)["Travel-rule records"]


def sampled_by_the_examiner(walk: Page, desk: Desk, world: World) -> None:
    edgar = desk.of("edgar")
    edgar.goto("/admin/travelrule/travelrecord/")
    edgar.get_by_label("Payment, its id").fill(SAME)
    edgar.get_by_role("button", name="Apply").click()
    edgar.get_by_text("Draw a sample from these…").click()
    edgar.get_by_role("button", name="Draw").click()
    with edgar.expect_download() as download:
        edgar.get_by_role("button", name="ZIP").click()
    download.value.save_as(world.folder / "sample.zip")
    walk.run("keys")
    said = walk.run("verify-sample")
    assert "VERIFIED" in said and "1 records" in said and "record.json" in said, said


def exported_and_verified(walk: Page) -> None:
    said = walk.run("export")
    assert "VERIFIED" in said and f',"{SAME}",' in said, said
    assert "found out: 1" in walk.run("altered")
