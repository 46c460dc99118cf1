"""Twenty cases are cleared by keyboard alone: how many keys, and how soon the next is there."""

import copy
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review.models import Case, DecisionEvent, Status
from apps.compliance.screening.case_types.screens import COUNTRY, NAME, OWNER, PEP, UNCHECKED
from apps.compliance.screening.combined.requests import (
    build_screen_request,
    serialize_screen_request,
)
from tests.browser import full_screen_case
from tests.browser.page_checks import Seen
from tests.review.people import OFFICER, case, person

pytestmark = pytest.mark.django_db(transaction=True)
CLEARS, MOST_KEYS = 20, 7
OWN = "Seen in the register, entry 4711."
GROUPS = [sorted(group) for group in (NAME, PEP, COUNTRY, OWNER, UNCHECKED)]


@pytest.fixture
def olivia(transactional_db: Any) -> User:
    return person("olivia", OFFICER)


def evidence(number: int) -> dict[str, Any]:
    """Return a screen's evidence; of every second one a birth date differs."""
    kept = copy.deepcopy(screened())
    name = f"HADAD, Chen {number}"
    differs = {"what": "birth_date", "query": "1980", "listed": "1961", "effect": "-0.25"}
    match = kept["sanctions"][0]
    match |= {"dataset": "us_ofac_sdn", "entityId": str(number), "name": name, "score": 52}
    match["effects"] = [differs] if number % 2 else []
    word = match["explanation"]["matches"][0] | {"query": "hadad", "listed": "hadad"}
    match["explanation"] |= {"matches": [word], "query_left": [], "listed_left": []}
    match["entity"] |= {"primary": name, "names": [name], "weak": []}
    request = serialize_screen_request(
        build_screen_request(name=f"Party {number}", birth_date="1980")
    )
    return kept | {"request": request, "sanctions": [match], "pep": [], "chain": []}


@cache
def screened() -> dict[str, Any]:
    """Return what a screen of a listed party keeps."""
    with TemporaryDirectory() as folder:
        return full_screen_case.evidence(Path(folder))


def thirty() -> None:
    """Open thirty cases of every rule that brings one here."""
    for number in range(30):
        group = GROUPS[number % len(GROUPS)]
        ref = group[number // len(GROUPS) % len(group)]
        reasons = [{"ref": ref, "sentence": f"Rule {ref} held."}]
        case(str(number), party=f"Party {number}", reasons=reasons, evidence=evidence(number))


class Keys:
    """A keyboard that counts; what is written into a note is no key."""

    def __init__(self, page: Any) -> None:
        self.page, self.count = page, 0

    def press(self, key: str) -> None:
        self.count += 1
        self.page.keyboard.press(key)


def clear(page: Any) -> tuple[int, float]:
    """Clear the case on the screen; returns the keys and the milliseconds until the next one."""
    keys = Keys(page)
    keys.press("a")
    keys.press("1")
    open_note = page.evaluate("document.activeElement.value.endsWith('…')")
    if open_note or not page.evaluate("document.activeElement.value"):
        page.keyboard.type(OWN)
    keys.press("Control+Enter")
    page.locator("#commit[open]").wait_for()
    began = time.perf_counter()
    with page.expect_navigation(wait_until="domcontentloaded"):
        keys.press("Enter")
    return keys.count, 1000 * (time.perf_counter() - began)


def test_twenty_clears_by_keyboard_alone(opened: Callable[..., Any], live_server: Any, olivia: User,
                                         capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    thirty()
    page = opened(olivia)
    seen = Seen(page, live_server.url)
    page.goto("/admin/")
    with page.expect_navigation():
        page.keyboard.press("n")
    done = [clear(page) for _ in range(CLEARS)]
    keys = [count for count, _ in done]
    spans = sorted(span for _, span in done)
    with capsys.disabled():
        middle, last = spans[len(spans) // 2], spans[-1]
        print(f"\n{CLEARS} clears: {max(keys)} keys each beside the note, "
              f"{middle:.0f} ms to the next case (slowest {last:.0f})")  # fmt: skip
    assert max(keys) <= MOST_KEYS
    assert Case.objects.filter(status=Status.DECIDED).count() == CLEARS
    notes = [
        decision_event.data["note"]
        for decision_event in DecisionEvent.objects.filter(action="DECIDED")
    ]
    assert len(notes) == CLEARS and not any(note.endswith("…") for note in notes)
    assert seen.faults == []
