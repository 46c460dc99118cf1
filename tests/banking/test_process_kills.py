"""kill -9 of web and worker around the call of the bank: money leaves once."""

from typing import Any

import pytest

from tests.platform.script_driver import driven

pytestmark = [pytest.mark.processes, pytest.mark.once, pytest.mark.timeout(400)]
NOTHING = {"state": "", "jobs": 0, "paid": 0, "faults": []}
TAKEN = NOTHING | {"state": "TAKEN", "jobs": 1}
SENT = TAKEN | {"state": "SENT", "paid": 1}
# at which point a worker is killed, and how often the bank has paid by then
LEFT = {"claimed": 0, "bank about to be asked": 0, "bank answered": 1, "note written": 1}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the killed processes left, on a database of their own."""
    folder = tmp_path_factory.mktemp("killed")
    return driven("tests.banking.kill_drive", folder, settings="config.settings", seconds=400)


def test_a_payment_killed_before_it_stands_is_none_and_then_one(found: Any) -> None:
    one = found["taken"]["row written"]
    assert (one["left"], one["then"]) == (NOTHING, TAKEN)


def test_a_payment_killed_before_it_is_answered_is_one(found: Any) -> None:
    answered = found["taken"]["answered"]
    assert answered["left"] == answered["then"] == TAKEN


@pytest.mark.parametrize("point", LEFT)
def test_a_worker_killed_around_the_call_leaves_a_payment_that_is_then_paid_once(
    found: Any, point: str
) -> None:
    one = found["sent"][point]
    assert one["left"] == TAKEN | {"paid": LEFT[point]}
    assert one["then"] == SENT


def test_a_worker_killed_after_the_end_changes_nothing(found: Any) -> None:
    noted = found["sent"]["noted"]
    assert noted["left"] == noted["then"] == SENT
