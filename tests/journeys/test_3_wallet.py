"""A wallet is registered from a file, is claimed by another, and changes hands by two people."""

from collections.abc import Callable
from typing import Any

from tests.browser.page_checks import appears
from tests.journeys.desk import Desk
from tests.journeys.journey_world import LATER, World, running, until_up
from tests.journeys.pages import Page

WALLET = "0x15088f587E1976542247C21D48A56aE1962Fe2b7"
SELLER, BUYER = "Harbour Lights Catering Limited", "Tern Bakery Holdings Limited"
REASON = "The business was sold; the purchase contract was seen on 12 November."


def test_a_wallet_changes_hands_by_a_file_a_conflict_and_two_people(
    page: Callable[[str], Page], desk: Desk, world: World
) -> None:
    walk = page("wallet")
    registered_and_asked_for(walk)
    claimed_by_another(walk, desk, world)
    changed_by_two(walk, desk)
    after_the_cooling_off(walk, world)
    the_conflict_is_settled(desk)
    walk.finish()


def registered_and_asked_for(walk: Page) -> None:
    assert "1  Registered" in walk.run("register")
    walk.run("session")
    assert result(walk.told("before")) == ("VERIFIED", SELLER)
    assert result(walk.told("before-of-buyer")) == ("BLOCKED", SELLER)


def result(said: Any) -> tuple[str, str]:
    """Return what a payee check says, and of whom."""
    return said["result"], said["registeredName"]


def claimed_by_another(walk: Page, desk: Desk, world: World) -> None:
    walk.run("again")
    rita = desk.of("rita")
    rita.goto("/admin/registry/walletimport/")
    rita.get_by_role("link", name="Import a file").click()
    rita.locator("input[type=file]").set_input_files(world.folder / "wallets-of-november.csv")
    rita.get_by_role("button", name="Upload and check").click()
    desk.until(rita, rita.get_by_role("button", name="Start: register the wallets"))
    rita.get_by_role("button", name="Start: register the wallets").click()
    desk.until(rita, rita.get_by_text("Conflict: a case is open").last)
    assert walk.told("stands")["legalName"] == SELLER


def changed_by_two(walk: Page, desk: Desk) -> None:
    rita = desk.open("rita", WALLET, "Registrations")
    rita.get_by_role("link", name="Propose entity change…").click()
    rita.get_by_label("Legal name").fill(BUYER)
    rita.get_by_label("Country").select_option("GB")
    rita.get_by_label("Why").fill(REASON)
    rita.get_by_role("button", name="Preview effect").click()
    rita.get_by_role("button", name="Propose", exact=True).click()
    rita.get_by_text("Another registrar or a senior officer must approve or reject this").wait_for()
    assert rita.get_by_role("button", name="Approve").count() == 0
    desk.approve("sofia", f"Entity change for {WALLET}")
    assert walk.told("stands")["legalName"] == SELLER


def after_the_cooling_off(walk: Page, world: World) -> None:
    assert "1 run, 0 failed" in walk.run("in-force")
    log = world.folder / "later.log"
    with running(walk.in_background("later"), log=log, env=world.env()) as process:
        until_up(world.url(LATER), process=process, log=log)
        assert result(walk.told("after")) == ("BLOCKED", BUYER)
        assert result(walk.told("after-of-buyer")) == ("VERIFIED", BUYER)
        checks = walk.told("history")["checks"]
    told = [(check["result"], check["registeredName"], check["presentEntity"]) for check in checks]
    assert told == [
        ("VERIFIED", BUYER, True),
        ("BLOCKED", BUYER, True),
        ("BLOCKED", SELLER, False),
        ("VERIFIED", SELLER, False),
    ]


def the_conflict_is_settled(desk: Desk) -> None:
    olivia = desk.open("olivia", WALLET, "Cases")
    assert appears(olivia.get_by_text("This case was retired without a decision."))
    assert appears(olivia.get_by_text("The wallet now belongs to that entity: change"))
