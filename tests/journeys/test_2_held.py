"""A held payment is released by two officers; what everybody else receives tells nothing of it."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.page_checks import appears
from tests.journeys.desk import Desk
from tests.journeys.pages import Page

Called = Callable[[str], list[dict[str, Any]]]
NOTE = "Another company by its register entry of 12 November; founded in 2004, no bank."
# what tells of a review, of the listed party that was resembled, or of who looked
WORDS = ("held", "hold", "flag", "sanction", "match", "listed", "review", "officer", "released",
         "olivia", "samir", "note", "case", "pjsc", "bank of russia", "rule")  # fmt: skip


@pytest.mark.usefixtures("counterparty")
def test_a_held_payment_is_released_by_two_and_nobody_else_learns_of_it(
    page: Callable[[str], Page], desk: Desk, called: Called
) -> None:
    walk = page("held")
    one_of_two_is_held(walk)
    released_by_two(walk, desk)
    both_settle(walk)
    plain, held = (all_that_came_of(walk, name, called) for name in ("plain", "held"))
    assert shape(held) == shape(plain)
    assert tells(held) == tells(plain)
    walk.finish()


def one_of_two_is_held(walk: Page) -> None:
    for block in ("plain", "resembling"):
        assert set(walk.told(block)) == {"svcPaymentId", "tmsReference", "status", "submittedAt"}
    plain = walk.until("plain-stands", lambda one: "execution" in one)
    held = walk.until("held-stands", lambda one: one["status"] == "HELD")
    assert plain["vop"].keys() == held["vop"].keys()
    same = ("result", "proceedSafe", "score", "resolvedBy", "message")
    assert [plain["vop"][name] for name in same] == [held["vop"][name] for name in same]
    assert held.keys() == plain.keys() - {"execution"} | {"statusDetail"}


def released_by_two(walk: Page, desk: Desk) -> None:
    olivia = desk.open("olivia", "HELD-1", "Cases")
    case = olivia.url
    desk.decide(olivia, "APPROVE", "DIFFERENT_PARTY", NOTE)
    olivia.goto(case)
    assert appears(olivia.get_by_text("You made the first decision: another officer"))
    assert walk.told("held-stands")["status"] == "HELD", "one officer alone releases nothing"
    samir = desk.open("samir", "HELD-1", "Cases")
    desk.confirm(samir, "DIFFERENT_PARTY", NOTE)


def both_settle(walk: Page) -> None:
    walk.until("held-stands", lambda one: "execution" in one)
    for name in ("plain", "held"):
        walk.run(f"settle-{name}")
    for name in ("plain", "held"):
        walk.until(f"{name}-stands", lambda one: one["status"] == "SETTLED")
        walk.until(f"{name}-record", lambda one: one.get("status") == "SENT")


def all_that_came_of(walk: Page, name: str, called: Called) -> dict[str, Any]:
    """Return all that anybody outside received of a payment, by where it came."""
    stands, record = walk.told(f"{name}-stands"), walk.told(f"{name}-record")
    payment = stands["svcPaymentId"]
    feed = [item for item in walk.told("feed")["items"] if item["svcPaymentId"] == payment]
    held = [one for one in feed if one["event"] == "payment.held"]
    assert len(held) == (name == "held")
    ours = accounts(record)
    theirs = [one for one in walk.told("theirs")["records"] if accounts(one) == ours]
    assert len(theirs) == 1
    return {
        "status": stands,
        "record": record,
        "feed": [one for one in feed if one not in held],
        "callbacks": called(stands["tmsReference"]),
        "counterparty": theirs,
    }


def accounts(record: Any) -> list[Any]:
    return [record["ivms101"][side]["accountNumber"] for side in ("originator", "beneficiary")]


def shape(said: Any) -> Any:
    """Return which names and how many items something has, whatever they are."""
    if isinstance(said, dict):
        return {name: shape(one) for name, one in sorted(said.items())}
    return [shape(one) for one in said] if isinstance(said, list) else type(said).__name__


def tells(said: Any) -> dict[str, int]:
    """Return how often words stand in something that would tell of a review."""
    text = json.dumps(said).lower().replace("held-1", "").replace("sberbank leasing", "")
    return {word: text.count(word) for word in (*WORDS, "sberbank")}
