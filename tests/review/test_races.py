"""Officers who act at the same moment: threads and transactions as in life."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from apps.review import actions
from tests.review.people import NOON, NOTE, OFFICER, SENIOR, approve, case, confirm, person, steps


def _at_once(works: list[Callable[[], Any]]) -> list[Any]:
    """Run functions in threads that start together; returns results or what was raised."""
    gate, found = threading.Barrier(len(works)), [None] * len(works)

    def run(number: int) -> None:
        gate.wait(10)
        try:
            found[number] = works[number]()
        except Exception as error:
            found[number] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(n,)) for n in range(len(works))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return found


@pytest.mark.parametrize("risk", ["MEDIUM", "HIGH"])
def test_of_two_officers_at_once_one_decides(committed: None, risk: str) -> None:
    officers = [person(f"officer{n}", OFFICER) for n in range(4)]
    for turn in range(5):
        one = case(str(turn), risk=risk)
        found = _at_once([lambda by=by, one=one: approve(one, by) for by in officers])
        lost = [result for result in found if isinstance(result, Exception)]
        assert len(lost) == 3 and {type(error) for error in lost} == {actions.AlreadyDecided}
        assert len(steps(one)) == 2


def test_of_two_officers_at_once_one_holds_the_case(committed: None) -> None:
    officers = [person(f"officer{n}", OFFICER) for n in range(4)]
    for turn in range(5):
        one = case(str(turn))
        found = _at_once(
            [lambda by=by, one=one: actions.claim(case=one, by=by, now=NOON) for by in officers]
        )
        lost = [result for result in found if isinstance(result, Exception)]
        assert len(lost) == 3 and {type(error) for error in lost} == {actions.ClaimedByOther}
        assert steps(one) == ["OPENED", "CLAIMED"]


def test_of_two_seniors_at_once_one_confirms_or_returns(committed: None) -> None:
    olivia = person("olivia", OFFICER)
    samir, sofia = person("samir", SENIOR), person("sofia", SENIOR)
    for turn in range(5):
        one = approve(case(str(turn), risk="HIGH"), olivia)
        found = _at_once(
            [
                lambda one=one: confirm(one, samir),
                lambda one=one: actions.send_back(case=one, by=sofia, note=NOTE, now=NOON),
            ]
        )
        assert sum(isinstance(result, Exception) for result in found) == 1
        assert len(steps(one)) == 3


def test_a_case_opened_twice_at_once_is_one_case_with_one_event(committed: None) -> None:
    for turn in range(5):
        found = _at_once([lambda turn=turn: case(str(turn)) for _ in range(4)])
        assert len({one.pk for one in found}) == 1
        assert steps(found[0]) == ["OPENED"]
