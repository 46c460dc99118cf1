"""Who proposes something sees what it would bring before it is sent, on a phone as well."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from apps.access.keys.models import Account, KeyRequest
from apps.reference.countries.models import CountryChange
from apps.reference.watchlists.models import Source, SourceChange
from apps.reference.watchlists.services import list_imports
from tests import desk_table
from tests.browser.page_checks import DESKTOP, PHONE, SLIM, Seen, axe, too_wide
from tests.desk.test_proposal_sentences import proposals
from tests.review.people import NOON, SENIOR, person

pytestmark = pytest.mark.django_db(transaction=True)
Open = Callable[..., Any]
WHY = "Our counsel asks for it; letter of 3 November."
LIST = b"id,name\n1,Ada Alone\n2,Ben Beside\n"
LOOKS = pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])


@pytest.fixture
def house(tmp_path: Path) -> Source:
    source = Source.objects.create(
        slug="house", title="Our own list", topic="sanction", kind="in_house", format="csv",
        columns={"entity_id": "id", "name": "name"},
    )  # fmt: skip
    path = tmp_path / "house.csv"
    path.write_bytes(LIST)
    list_imports.import_files(source=source, paths=[path], now=NOON)
    return source


def clean(page: Any, seen: Seen) -> None:
    """Fail where the page that is open is not as every page should be."""
    assert axe(page) == [] and too_wide(page) <= 0 and seen.faults == []


@LOOKS
def test_a_change_of_a_list_is_chosen_given_looked_at_and_sent(
    opened: Open, live_server: Any, house: Source, dark: bool
) -> None:
    page = opened(person("ada", "Operator"), dark=dark, size=SLIM)
    seen = Seen(page, live_server.url)
    page.goto("/admin/watchlists/sourcechange/add/")
    clean(page, seen)
    page.get_by_label("List").select_option(label="Our own list")
    page.get_by_label("What changes").select_option(label="Screened against")
    page.get_by_role("button", name="Continue").click()
    clean(page, seen)
    assert page.get_by_label("Screened against").input_value() == "no"
    page.get_by_label("Why").fill(WHY)
    page.keyboard.press("Control+Enter")
    page.get_by_text("2 listed parties with 2 names would no longer be screened").wait_for()
    clean(page, seen)
    assert not SourceChange.objects.exists()
    page.get_by_role("button", name="Propose", exact=True).press("Enter")
    page.wait_for_url("**/admin/watchlists/sourcechange/")
    change = SourceChange.objects.get()
    assert (change.field, change.after, change.reason) == ("enabled", False, WHY)


def test_addresses_stand_in_boxes_of_their_own(
    opened: Open, live_server: Any, house: Source
) -> None:
    page = opened(person("ada", "Operator"), size=DESKTOP)
    seen = Seen(page, live_server.url)
    page.goto(f"/admin/watchlists/sourcechange/add/?source={house.pk}&field=urls")
    clean(page, seen)
    page.get_by_label("Address 1").fill("https://lists.example/a.csv")
    page.get_by_label("Address 2").fill("https://lists.example/b.csv")
    page.get_by_label("Why").fill(WHY)
    page.get_by_role("button", name="Preview effect").click()
    page.get_by_label("Address 4").wait_for()
    page.get_by_label("Address 3").fill("https://lists.example/c.csv")
    page.get_by_role("button", name="Propose", exact=True).click()
    page.get_by_text("You have changed the proposal since the last preview").wait_for()
    clean(page, seen)
    page.get_by_role("button", name="Propose", exact=True).click()
    page.wait_for_url("**/admin/watchlists/sourcechange/")
    assert SourceChange.objects.get().after == [f"https://lists.example/{one}.csv" for one in "abc"]


@LOOKS
def test_a_country_and_a_key_are_looked_at_and_sent(
    opened: Open, live_server: Any, dark: bool
) -> None:
    page = opened(person("samir", SENIOR), dark=dark, size=SLIM)
    seen = Seen(page, live_server.url)
    page.goto("/admin/countries/countrychange/add/")
    page.get_by_label("Kind").select_option("ADD")
    page.get_by_label("List").select_option("EMBARGO")
    page.get_by_label("Country").fill("France")
    page.get_by_label("Effective").fill(NOON.date().isoformat())
    page.get_by_label("Source").fill("Statement of 20 November")
    page.get_by_role("button", name="Preview effect").click()
    page.get_by_text("It is on no other list today").wait_for()
    clean(page, seen)
    page.get_by_role("button", name="Propose", exact=True).click()
    page.wait_for_url("**/admin/countries/countrychange/")
    assert CountryChange.objects.get().country == "FR"
    Account.objects.create(name="Alice Ltd", created_at=NOON)
    page = opened(person("ada", "Operator"), dark=dark, size=SLIM)
    seen = Seen(page, live_server.url)
    page.goto("/admin/access/keyrequest/add/")
    page.get_by_label("Account").select_option(label="Alice Ltd")
    page.get_by_label("Reason for the key").fill(WHY)
    page.get_by_role("button", name="Preview effect").click()
    page.get_by_text("It does not expire").wait_for()
    clean(page, seen)
    page.get_by_role("button", name="Propose", exact=True).click()
    page.wait_for_url("**/admin/access/keyrequest/")
    assert KeyRequest.objects.get().reason == WHY


# pairs of neighbours in a panel of which the second does not begin below the first
SIDE_BY_SIDE = """[...document.querySelectorAll(".panel.proposed")].flatMap((panel) => {
  const boxes = [...panel.children].filter((one) => one.offsetHeight > 0);
  return boxes.slice(1).flatMap((one, number) => {
    const [above, below] = [boxes[number], one].map((two) => two.getBoundingClientRect());
    return below.top >= above.bottom - 1 ? [] : [`${boxes[number].tagName} beside ${one.tagName}`];
  });
})"""


def test_what_a_proposal_says_stands_in_the_order_of_reading(
    opened: Open, live_server: Any
) -> None:
    things = desk_table.make_things()
    page = opened(person("root", superuser=True), dark=True)
    faults = []
    for model in proposals():
        name = f"{model._meta.app_label}/{model._meta.model_name}"
        for size in (DESKTOP, PHONE):
            page.set_viewport_size(size)
            page.goto(f"/admin/{name}/{things[name]}/change/")
            assert page.locator(".panel.proposed h2").count() >= 2, name
            found = page.evaluate(SIDE_BY_SIDE)
            faults += [f"{name}, {size['width']} pixels: {one}" for one in found]
    assert faults == []
