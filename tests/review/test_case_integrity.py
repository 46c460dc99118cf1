"""Cases are held against their events: what was not recorded did not happen."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection

from apps.backoffice.review import services
from apps.backoffice.review.integrity import verify_cases
from apps.backoffice.review.models import Case, DecisionEvent
from apps.platform.ledger import sealer
from apps.platform.ledger.verification import verifier
from tests.platform.tampering import sql, without_triggers
from tests.review.people import NOON, NOTE, approve, case, confirm

TABLE, EVENTS = Case._meta.db_table, DecisionEvent._meta.db_table
HOUR = timedelta(hours=1)


def faults() -> list[str]:
    return list(verify_cases(lambda done: None))


@pytest.fixture
def busy(olivia: User, sofia: User) -> list[Case]:
    """Cases in every state: open, awaiting, returned, decided by one and by two, merged, split."""
    made = [case(str(number)) for number in range(6)]
    high = [case(f"high{number}", risk="HIGH") for number in range(3)]
    approve(made[0], olivia)
    high = [approve(one, olivia) for one in high]
    confirm(high[0], sofia)
    services.return_decision(case=Case.objects.get(pk=high[1].pk), by=sofia, note=NOTE, now=NOON)
    services.merge_case(duplicate=made[1], into=made[2], by=olivia, note=NOTE, now=NOON)
    services.merge_case(duplicate=made[3], into=made[2], by=olivia, note=NOTE, now=NOON)
    services.split_merged_case(case=Case.objects.get(pk=made[3].pk), by=olivia, now=NOON)
    approve(Case.objects.get(pk=made[2].pk), olivia)
    services.escalate_case(case=made[4], by=olivia, note=NOTE, now=NOON)
    services.assign_case(case=Case.objects.get(pk=made[4].pk), to=olivia, by=sofia, now=NOON)
    services.escalate_case(case=made[5], by=olivia, note=NOTE, now=NOON)
    services.escalate_overdue_cases(now=NOON + 1000 * HOUR)
    return made + high


def test_cases_that_were_worked_on_in_every_way_are_what_their_events_make_them(
    busy: list[Case],
) -> None:
    seen: list[int] = []
    assert list(verify_cases(seen.append)) == [] and seen == [9]
    assert set(Case.objects.values_list("status", flat=True)) == {
        "OPEN",
        "AWAITING_SECOND",
        "DECIDED",
    }


def test_what_the_events_say_stays_provable_after_their_payloads_were_purged(
    busy: list[Case],
) -> None:
    sql(f"UPDATE {EVENTS} SET payload = '', salt = ''")
    assert faults() == []


DECIDED_BY_HAND = (
    "status = 'DECIDED', outcome = 'APPROVE', reason_code = 'OTHER', "
    "decided_at = opened_at, first_outcome = 'APPROVE', first_at = opened_at, first_by_id = {o}"
)


@pytest.mark.parametrize(
    ("which", "change", "said"),
    [
        (4, DECIDED_BY_HAND, "status is DECIDED, recorded is OPEN"),
        (0, "outcome = 'REJECT'", "outcome is REJECT, recorded is APPROVE"),
        (0, "reason_code = 'OTHER'", "reason_code is OTHER, recorded is NAME_ONLY"),
        (0, "first_by_id = {s}", "first_by is {s}, recorded is {o}"),
        (6, "second_at = opened_at", "second_at is"),
        (8, "first_outcome = 'REJECT'", "first_outcome is REJECT, recorded is APPROVE"),
        (1, "outcome = 'REJECT'", "outcome is REJECT, recorded is APPROVE"),
        (1, "merged_into_id = NULL", "merged_into is nothing, recorded is"),
        (5, "escalation = '', escalated_at = NULL", "escalation is nothing"),
        (7, "escalation = '', escalated_at = NULL", "escalation is nothing"),
        (5, "escalation = 'OVERDUE'", "escalation is OVERDUE, recorded is OFFICER"),
        (4, "risk = 'LOW'", "its evidence differs from the record"),
        (4, "ref = 'other'", "its evidence differs from the record"),
    ],
)
def test_a_case_that_was_changed_by_hand_is_found(
    busy: list[Case], olivia: User, sofia: User, which: int, change: str, said: str
) -> None:
    one, ids = busy[which], {"o": olivia.pk, "s": sofia.pk}
    if change.startswith("second_at"):
        Case.objects.filter(pk=one.pk).update(second_at=NOON + HOUR)
    else:
        assert sql(f"UPDATE {TABLE} SET {change.format(**ids)} WHERE id = %s", one.pk) == 1
    found = faults()
    assert any(f.startswith(f"case {one.pk}: ") and said.format(**ids) in f for f in found), found
    assert all(f.startswith(f"case {one.pk}: ") for f in found)


def test_a_case_decided_by_one_where_two_are_needed_is_found(busy: list[Case], noon: Any) -> None:
    with without_triggers():
        sql(f"DELETE FROM {EVENTS} WHERE case_id = %s AND action = 'PROPOSED'", busy[6].pk)
    assert f"case {busy[6].pk}: it was decided by one officer but requires two" in faults()


def test_a_case_inserted_without_its_opening_is_found(busy: list[Case]) -> None:
    one = Case.objects.get(pk=busy[4].pk)
    one.pk, one.ref = None, "forged"
    one.save()
    assert faults() == [f"case {one.pk}: its opening is not recorded"]


def test_a_case_that_was_deleted_is_found(busy: list[Case]) -> None:
    with without_triggers():
        sql(f"UPDATE {EVENTS} SET case_id = %s WHERE case_id = %s", 10**6, busy[4].pk)
        found = faults()
        sql(f"UPDATE {EVENTS} SET case_id = %s WHERE case_id = %s", busy[4].pk, 10**6)
    assert f"case {10**6}: it is recorded, but the case is missing" in found


def test_a_step_that_comes_while_cases_are_read_is_no_fault(busy: list[Case], olivia: User) -> None:
    steps: list[Case] = []

    def late(execute: Any, statement: str, *rest: Any) -> Any:
        if not steps and f'FROM "{EVENTS}"' in statement:  # the cases were read before
            steps.append(busy[3])
            approve(Case.objects.get(pk=busy[3].pk), olivia)
        return execute(statement, *rest)

    with connection.execute_wrapper(late):
        assert faults() == []
    assert Case.objects.get(pk=busy[3].pk).status == "DECIDED"


def test_the_verification_of_the_ledger_says_so(busy: list[Case], noon: Any) -> None:
    sealer.seal_all_ledgers(now=noon)
    assert verifier.verify_ledger(ledger="decisions").faults == []
    sql(f"UPDATE {TABLE} SET risk = 'LOW' WHERE id = %s", busy[4].pk)
    expected = [f"case {busy[4].pk}: its evidence differs from the record"]
    assert verifier.verify_ledger(ledger="decisions").faults == expected
