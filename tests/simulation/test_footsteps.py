"""What is done again, and who would have waited: the rules by which transactions interleave."""

import pytest

from tests.simulation.footsteps import Footsteps, Statement, Steps

INTO = 'INSERT INTO "core_job" ("name", "key") VALUES (%s, %s)'
JOB, OTHER = ("core_job", 7), ("core_job", 8)


def made(sql: str, *params: object, changed: int = 1, row: int = 0) -> Statement:
    return Statement(sql, params, False, 0, changed=changed, row=row, settled=True)


def test_a_row_that_is_made_again_keeps_its_number() -> None:
    sql, params = made(f'{INTO} RETURNING "id"', "seal", "", row=5).again()
    assert sql == (
        'INSERT INTO "core_job" (rowid, "name", "key") VALUES (%s, %s, %s) RETURNING "id"'
    )
    assert params == [5, "seal", ""]


def test_rows_that_are_made_together_keep_their_numbers() -> None:
    sql, params = made(f"{INTO}, (%s, %s)", "a", "b", "c", "d", changed=2, row=9).again()
    assert sql.endswith("VALUES (%s, %s, %s), (%s, %s, %s)")
    assert params == [8, "a", "b", 9, "c", "d"]


def test_what_changes_a_row_is_done_as_it_was() -> None:
    asked = ('UPDATE "core_job" SET "key" = %s', ("x",))
    assert made(asked[0], *asked[1]).again() == asked


@pytest.mark.parametrize(
    ("came", "waits"),
    [
        (Footsteps(), False),
        (Footsteps(rows={OTHER}), False),
        (Footsteps(rows={JOB}), True),
        (Footsteps(adds={"core_job"}), False),
        (Footsteps(adds={"core_job"}, meets={"core_job"}), True),
        (Footsteps(locks={"core_job"}), True),
        (Footsteps(locks={"core_heartbeat"}), False),
    ],
)
def test_who_comes_upon_a_changed_row_waits(came: Footsteps, waits: bool) -> None:
    steps = Steps(written=[made('UPDATE "core_job" SET "key" = %s', "x", changed=2)])
    assert steps.waits({JOB}, came) is waits


@pytest.mark.parametrize(
    ("came", "waits"),
    [
        (Footsteps(locks={"core_job"}), True),
        (Footsteps(deletes={"core_job"}), True),
        (Footsteps(locks={"core_jobattempt"}), False),
    ],
)
def test_a_row_that_is_made_holds_what_it_refers_to(came: Footsteps, waits: bool) -> None:
    attempt = 'INSERT INTO "core_jobattempt" ("job_id", "number") VALUES (%s, %s)'
    assert Steps(written=[made(attempt, 7, 1, row=3)]).waits(set(), came) is waits


def test_a_lock_closes_a_transaction_to_others() -> None:
    assert not Steps().open
    assert Steps(read=True).open
    assert not Steps(read=True, locked=True).open
