"""A customer of the morning stands on a list from noon on, and everything follows by itself."""

from collections.abc import Callable
from datetime import UTC, date, datetime

from tests.browser.page_checks import appears
from tests.journeys.desk import Desk
from tests.journeys.journey_world import LATER, PLATFORM, World, running, until_up
from tests.journeys.pages import Page

CUSTOMER = "Gannet Point Shipyard Limited"
RUNS = "/admin/screening/rescreen/"
SAME = "The payment was blocked by a compliance check and was not sent."


def test_a_customer_who_comes_onto_a_list_is_found_blocked_and_reported_in_time(
    page: Callable[[str], Page], desk: Desk, world: World
) -> None:
    walk = page("list-update")
    paid_in_the_morning(walk, desk)
    a_case_opens_at_noon(walk, desk)
    the_next_payment_is_blocked(walk)
    the_clock_of_the_report_runs(walk, desk, world)
    walk.finish()


def paid_in_the_morning(walk: Page, desk: Desk) -> None:
    assert "house 1 is live: 1 parties" in walk.run("list")
    sofia = desk.of("sofia")
    sofia.goto(RUNS)
    run = sofia.get_by_role("row").filter(has_text="house 0 to 1")
    desk.until(sofia, run.filter(has_text="Waits for parties screened in the meantime"))
    assert walk.told("pay")["status"] == "SUBMITTED"
    said = walk.until("paid", lambda one: one["status"] != "SUBMITTED")
    assert said["status"] in ("VERIFIED", "AWAITING_SETTLEMENT")
    assert CUSTOMER not in walk.run("an-hour-later")
    assert "Cases" not in desk.hits("olivia", CUSTOMER)


def a_case_opens_at_noon(walk: Page, desk: Desk) -> None:
    assert "house 2 is live: 2 parties, 1 added" in walk.run("update")
    olivia = desk.until_found("olivia", CUSTOMER, "Cases")
    said = olivia.locator("#content").inner_text()
    assert "house, version 1 to 2" in said and "rescreen.match" in said, said
    sofia = desk.of("sofia")
    sofia.goto(RUNS)
    assert appears(sofia.get_by_role("row").filter(has_text="house 1 to 2"))


def the_next_payment_is_blocked(walk: Page) -> None:
    walk.run("pay-again")
    said = walk.until("blocked", lambda one: one["status"] not in ("SUBMITTED", "VERIFIED"))
    assert (said["status"], said["error"]) == ("BLOCKED", SAME)
    assert CUSTOMER not in said["error"] and "house" not in str(said)


def the_clock_of_the_report_runs(walk: Page, desk: Desk, world: World) -> None:
    assert "SAR log" not in desk.hits("rita", CUSTOMER), "its existence is hidden"
    sofia = desk.open("sofia", CUSTOMER, "SAR log")
    said = sofia.locator("#content").inner_text()
    due = date.fromordinal(datetime.now(UTC).date().toordinal() + 30)
    assert f"by {due:%d %b %Y}: 30 days left" in said, said
    log = world.folder / "later.log"
    with running(walk.in_background("later"), log=log, env=world.env()) as process:
        until_up(world.url(LATER), process=process, log=log)
        path = sofia.url.removeprefix(world.url(PLATFORM, ""))
        then = desk.of("sofia", port=LATER)
        then.goto(path)
        late = then.locator("#content").inner_text()
        desk.leave(LATER)
    assert f"by {due:%d %b %Y}: 1 day late" in late, late
