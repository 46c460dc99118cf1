"""Officers who act at the same moment: threads and transactions as in life."""

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from apps.backoffice.review import services
from apps.backoffice.review.models import Case
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
        new_case = case(str(turn), risk=risk)
        results = _at_once([lambda by=by, one=new_case: approve(one, by) for by in officers])
        lost = [result for result in results if isinstance(result, Exception)]
        assert len(lost) == 3 and {type(error) for error in lost} == {services.AlreadyDecided}
        assert len(steps(new_case)) == 2


def test_of_two_officers_at_once_one_holds_the_case(committed: None) -> None:
    officers = [person(f"officer{n}", OFFICER) for n in range(4)]
    for turn in range(5):
        new_case = case(str(turn))
        results = _at_once(
            [
                lambda by=by, one=new_case: services.claim_case(case=one, by=by, now=NOON)
                for by in officers
            ]
        )
        lost = [result for result in results if isinstance(result, Exception)]
        assert len(lost) == 3 and {type(error) for error in lost} == {services.ClaimedByOther}
        assert steps(new_case) == ["OPENED", "CLAIMED"]


def test_of_two_seniors_at_once_one_confirms_or_returns(committed: None) -> None:
    olivia = person("olivia", OFFICER)
    samir, sofia = person("samir", SENIOR), person("sofia", SENIOR)
    for turn in range(5):
        one = approve(case(str(turn), risk="HIGH"), olivia)
        results = _at_once(
            [
                lambda one=one: confirm(one, samir),
                lambda one=one: services.return_decision(case=one, by=sofia, note=NOTE, now=NOON),
            ]
        )
        assert sum(isinstance(result, Exception) for result in results) == 1
        assert len(steps(one)) == 3


def test_a_case_opened_twice_at_once_is_one_case_with_one_event(committed: None) -> None:
    for turn in range(5):
        results = _at_once([lambda turn=turn: case(str(turn)) for _ in range(4)])
        assert len({one.pk for one in results}) == 1
        assert steps(results[0]) == ["OPENED"]


def test_of_two_merges_either_way_round_one_wins(committed: None) -> None:
    officers = [person(f"officer{n}", OFFICER) for n in range(2)]
    for turn in range(5):
        one, other = case(f"{turn}-1"), case(f"{turn}-2")
        results = _at_once(
            [
                lambda a=a, b=b, by=by: services.merge_case(
                    duplicate=a, into=b, by=by, note=NOTE, now=NOON
                )
                for (a, b), by in zip(((one, other), (other, one)), officers, strict=True)
            ]
        )
        lost = [result for result in results if isinstance(result, Exception)]
        assert [type(error) for error in lost] == [services.CasesNotMergeable]
        approve(next(c for c in (one, other) if not _merged(c)), officers[0])
        assert {_merged(one), _merged(other)} == {True, False}


def _merged(one: Case) -> bool:
    one.refresh_from_db()
    return one.merged_into_id is not None


def test_a_case_merged_while_the_other_is_decided_is_either_in_or_open(committed: None) -> None:
    olivia, ben = person("olivia", OFFICER), person("ben", OFFICER)
    for turn in range(5):
        one, twin = case(f"{turn}-1"), case(f"{turn}-2")
        _at_once(
            [
                lambda one=one: approve(one, olivia),
                lambda one=one, twin=twin: services.merge_case(
                    duplicate=twin, into=one, by=ben, note=NOTE, now=NOON
                ),
            ]
        )
        assert _merged(twin) is (twin.status == "DECIDED")


def test_two_workers_escalate_each_case_once(committed: None) -> None:
    cases = [case(str(number)) for number in range(20)]
    late = NOON + timedelta(days=9)
    results = _at_once([lambda: services.escalate_overdue_cases(now=late)] * 3)
    assert sum(results) == 20
    assert all(steps(one) == ["OPENED", "ESCALATED"] for one in cases)
