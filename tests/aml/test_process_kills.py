"""kill -9 in the middle of screens and decisions: nothing is lost, nothing is doubled."""

from typing import Any

import pytest

from tests.platform.script_driver import driven

pytestmark = [pytest.mark.processes, pytest.mark.once]
NOTHING = {"counted": 0, "payments": 0, "summed": 0, "cases": 0, "faults": []}
ONCE = {"counted": 1, "payments": 1, "summed": 1, "cases": 1, "faults": []}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the killed processes left, on a database of their own."""
    folder = tmp_path_factory.mktemp("killed")
    return driven("tests.aml.kill_drive", folder, settings="config.settings", seconds=400)


@pytest.mark.parametrize("point", ["record written", "profiles written", "case opened"])
def test_a_screen_killed_before_it_is_stored_leaves_nothing(found: Any, point: str) -> None:
    one = found["screened"][point]
    assert one["left"] == NOTHING
    assert (one["then"], one["action"]) == (ONCE, "FLAG")


def test_a_screen_killed_before_it_is_answered_is_counted_once(found: Any) -> None:
    answered = found["screened"]["answered"]
    assert (answered["left"], answered["then"], answered["action"]) == (ONCE, ONCE, "FLAG")


@pytest.mark.parametrize("point", ["case decided", "label written", "counted"])
def test_a_decision_killed_before_it_is_stored_leaves_nothing(found: Any, point: str) -> None:
    one = found["decided"][point]
    assert one["left"] == one["before"] and one["left"]["labels"] == 0
    assert one["again"] == "decided"
    assert (one["then"]["status"], one["then"]["labels"]) == ("DECIDED", 1)
    assert one["then"]["faults"] == []


def test_a_decision_killed_after_it_is_stored_teaches_once(found: Any) -> None:
    answered = found["decided"]["answered"]
    assert answered["left"] == answered["then"] and answered["then"]["labels"] == 1
    assert answered["again"] == "already"
    # four wallets, of each one decision
    assert answered["then"]["counts"][-1] == len(found["decided"])


def test_ledgers_and_what_is_made_of_them_are_whole(found: Any) -> None:
    assert found["ledgers"] == []
