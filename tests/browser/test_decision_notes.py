"""The note of a decision in a browser: nothing unfinished is asked about, and its box grows."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review.models import Case
from apps.backoffice.review.rules.note_templates import LEFT_OPEN
from tests.browser.test_keyboard_clears import evidence
from tests.review.people import OFFICER, SENIOR, approve, case, person

pytestmark = pytest.mark.django_db(transaction=True)
Open = Callable[..., Any]
OWN = "Seen in the register, entry 4711, and asked by telephone."
PARTIAL = [{"ref": "1 §2.7 rule 3 partial", "sentence": "Partial sanctions match at 52%."}]


@pytest.fixture
def olivia(transactional_db: Any) -> User:
    return person("olivia", OFFICER)


def one_of_many(number: int) -> Case:
    return case(str(number), reasons=PARTIAL, evidence=evidence(number))


def at(page: Any, one: Case) -> Any:
    """Open a case, choose to approve it, and return the box of its note."""
    page.goto(f"/admin/review/case/{one.pk}/")
    page.keyboard.press("a")
    return page.locator('.deciding textarea[name="note"]')


def faults(page: Any) -> str:
    """Press Ctrl+Enter and return what the box complains of; the question must not be there."""
    page.keyboard.press("Control+Enter")
    assert page.locator("#commit[open]").count() == 0
    return str(page.evaluate("document.querySelector('.deciding textarea').validationMessage"))


def test_no_question_is_asked_about_a_note_that_leaves_off(opened: Open, olivia: User) -> None:
    page = opened(olivia)
    note = at(page, one_of_many(2))
    reasons = page.locator(".reason.for-approve [data-template$='…']")
    reasons.first.check()
    assert note.input_value().endswith("…")
    note.focus()
    assert faults(page) == LEFT_OPEN
    page.keyboard.press("End")  # the template alone, without its ellipsis, is no better
    note.fill(note.input_value().rstrip("… ") + ".")
    assert faults(page) == LEFT_OPEN
    note.fill("Too short")
    assert "10 characters" in faults(page)  # the browser's own words, in its reader's language
    note.fill(OWN)
    page.keyboard.press("Control+Enter")
    page.locator("#commit[open]").wait_for()
    assert Case.objects.get().status == "OPEN"


def test_a_draft_that_is_too_short_is_no_finished_note_either(opened: Open, olivia: User) -> None:
    page = opened(olivia)
    one = one_of_many(2)
    note = at(page, one)
    page.keyboard.press("1")
    note.fill("Short")
    page.reload()  # what a browser restores it does not measure by itself
    assert note.input_value() == "Short"
    note.focus()
    assert "at least 10 characters" in faults(page)


def test_who_returns_a_case_needs_no_finished_template(
    opened: Open, live_server: Any, olivia: User
) -> None:
    new_case = case("9", risk="HIGH", reasons=PARTIAL, evidence=evidence(9))
    approve(new_case, olivia)
    page = opened(person("samir", SENIOR))
    page.goto(f"/admin/review/case/{new_case.pk}/")
    page.keyboard.press("r")
    page.keyboard.type("Ask the bank for the passport …")
    page.keyboard.press("Control+Enter")
    page.locator("#commit[open]").wait_for()


def test_the_box_of_a_note_grows_with_its_text_and_not_beyond_the_window(
    opened: Open, olivia: User
) -> None:
    page = opened(olivia)
    note = at(page, one_of_many(2))
    page.keyboard.press("1")
    heights = []
    for lines in (1, 8, 12, 60):
        note.fill("\n".join(["He was born in 1980."] * lines))
        heights.append(note.bounding_box()["height"])
    assert heights[0] < heights[1] < heights[2] <= heights[3] <= 400
    seen = "(box) => box.scrollHeight <= box.clientHeight"
    note.fill("\n".join(["He was born in 1980."] * 12))
    assert note.evaluate(seen)
    page.reload()
    assert note.evaluate(seen), "what a draft gives back is seen whole too"
    note.fill("")
    assert note.bounding_box()["height"] == heights[0]


def test_what_the_reason_leaves_open_is_answered_with_seven_keys(
    opened: Open, olivia: User
) -> None:
    large = {"ref": "1 §2.7 rule 2 large", "sentence": "A large amount without an LEI."}
    case("1", reasons=[large, *PARTIAL], evidence=evidence(2))
    page, keys = opened(olivia), 0
    page.goto(f"/admin/review/case/{Case.objects.get().pk}/")

    def press(key: str) -> None:
        nonlocal keys
        keys += 1
        page.keyboard.press(key)

    press("a")
    press("1")
    note = page.locator('.deciding textarea[name="note"]')
    assert note.input_value().count("…") == 2
    page.keyboard.type(OWN)
    press("Control+Enter")  # the next gap is chosen, and what is written takes its place
    page.keyboard.type("The register of the chamber, entry 4711.")
    assert "…" not in note.input_value()
    press("Control+Enter")  # the rule that is not ticked is where one goes on
    assert page.evaluate("document.activeElement.name") == "also"
    press("Space")
    press("Control+Enter")
    page.locator("#commit[open]").wait_for()
    assert "also answered: 1 more rule" in page.locator("#commit [data-reason]").inner_text()
    with page.expect_navigation():
        press("Enter")
    assert keys == 7
    [event] = Case.objects.get().events.filter(action="DECIDED")
    assert [one["ref"] for one in event.data["also"]] == [large["ref"]]
    assert OWN in event.data["note"] and "chamber" in event.data["note"]
