"""A deposit at the bank settles on the chain, however badly the bank, or another, tells of it."""

import json
from collections.abc import Callable
from typing import Any

from tests.journeys.desk import Desk
from tests.journeys.pages import Page

DEPOSITED = "0x16AbcDab9880c2D58230998de45C493c478Dc0D8"
PAID = "0x6689120b676737DAfb2E568AAedA52ffD75625b0"
TRANSACTION = "5c1a0f4e-93f1-4e3b-9f0d-7f7c5f0e7001"
FORGED = "5c1a0f4e-93f1-4e3b-9f0d-7f7c5f0e7009"


def test_a_deposit_settles_once_though_told_late_thrice_and_in_the_banks_name(
    page: Callable[[str], Page], desk: Desk
) -> None:
    walk = page("bank-webhook")
    the_bank_tells_by_itself(walk, desk)
    routed = told_late_and_three_times(walk)
    nobody_tells_in_its_name(walk, desk)
    it_settles_once(walk, desk, routed)
    walk.finish()


def the_bank_tells_by_itself(walk: Page, desk: Desk) -> None:
    told = walk.told("deposit")
    window = desk.until_found("sofia", DEPOSITED, "Bank transactions")
    desk.until(window, window.get_by_role("heading", name=f"{told['id']} ROUTED"))
    assert "640.00 USD" in window.locator("#content").inner_text()
    assert len(desk.hits("sofia", DEPOSITED)["Expected transfers"]) == 1


def told_late_and_three_times(walk: Page) -> dict[str, Any]:
    walk.run("bank")
    first = walk.told("sent-first")
    assert (first["action"], first["rule"]) == ("ignored", "BR-3")
    routed = walk.told("created")
    assert (routed["action"], routed["recipient"], routed["amount"]) == ("routed", PAID, "810.50")
    assert [walk.told("created") for _ in range(2)] == [routed, routed]
    assert walk.told("sent-again") == first
    return dict(routed)


def nobody_tells_in_its_name(walk: Page, desk: Desk) -> None:
    for block in ("forged", "altered", "stale"):
        said = walk.told(block)
        assert (said["status"], said["code"]) == (401, "bad_signature"), block
    assert desk.hits("sofia", FORGED) == {}


def it_settles_once(walk: Page, desk: Desk, routed: dict[str, Any]) -> None:
    paid = walk.run("settle").split()[-1]
    sofia = desk.of("sofia")
    assert TRANSACTION in json.dumps(desk.hits("sofia", PAID)["Bank transactions"])
    sofia.goto(desk.hits("sofia", PAID)["Bank transactions"][0][1])
    desk.until(sofia, sofia.get_by_role("heading", name=f"{TRANSACTION} SETTLED"))
    said = sofia.locator("#content").inner_text()
    assert routed["quoteId"] in said and paid in said
    found = desk.hits("sofia", PAID)
    assert len(found["Expected transfers"]) == len(found["Bank transactions"]) == 1
    assert "fault" not in walk.run("verify")
