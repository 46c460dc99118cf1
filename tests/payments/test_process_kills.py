"""kill -9 of web and worker at each turn: no payment is lost, doubled or forgotten."""

from typing import Any

import pytest

from tests.platform.script_driver import driven

pytestmark = [pytest.mark.processes, pytest.mark.once]
ENDED = {
    "payments": 1, "state": "SETTLED", "events": 4, "jobs": 1, "handed": 1, "told": 1, "faults": [],
}  # fmt: skip
TAKEN = ENDED | {"state": "SUBMITTED", "events": 1, "handed": 0, "told": 0}
NOTHING = TAKEN | {"payments": 0, "state": "", "events": 0, "jobs": 0}
# at which state a worker is killed, and after how many events
LEFT = {
    "checks gathered": ("SUBMITTED", 1),
    "checks written": ("SUBMITTED", 1),
    "verified": ("VERIFIED", 2),
    "price written": ("VERIFIED", 2),
    "priced": ("AWAITING_SETTLEMENT", 3),
    "rail asked": ("AWAITING_SETTLEMENT", 3),
    "settlement written": ("SUBMITTED", 1),
    "handed over": ("AWAITING_SETTLEMENT", 3),
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the killed processes left, on a database of their own."""
    folder = tmp_path_factory.mktemp("killed")
    return driven("tests.payments.kill_drive", folder, settings="config.settings", seconds=400)


@pytest.mark.parametrize("point", ["row written", "event written"])
def test_an_instruction_killed_before_it_is_stored_leaves_nothing(found: Any, point: str) -> None:
    one = found["taken"][point]
    assert one["left"] == NOTHING
    assert one["then"] == TAKEN


def test_an_instruction_killed_before_it_is_answered_is_one_payment(found: Any) -> None:
    answered = found["taken"]["answered"]
    assert answered["left"] == answered["then"] == TAKEN


@pytest.mark.parametrize("point", LEFT)
def test_a_worker_killed_within_a_turn_leaves_the_turn_before(found: Any, point: str) -> None:
    one, (state, events) = found["carried"][point], LEFT[point]
    assert one["left"] == TAKEN | {"state": state, "events": events}
    assert one["then"] == ENDED


def test_a_worker_killed_after_the_end_changes_nothing(found: Any) -> None:
    settled = found["carried"]["settled"]
    assert settled["left"] == settled["then"] == ENDED
