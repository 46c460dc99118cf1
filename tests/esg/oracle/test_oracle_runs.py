"""Runs of the live score: one a slot, sealed, and no answer from one that is not as written."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from rest_framework.test import APIClient

from apps.insight.esg.models.oracle_runs import EsgRun
from apps.insight.esg.oracle import health
from apps.insight.esg.oracle.services import oracle_runs
from apps.platform.db import append_only
from apps.platform.ledger import sealer
from apps.platform.ledger.models import Seal
from tests.esg.oracle.sample_runs import ran

pytestmark = pytest.mark.django_db
TEN = timedelta(minutes=10)
PATHS = ("/esg/esg-score", "/esg/quote?amountUsd=100")
TABLE = EsgRun._meta.db_table


def refused(api: APIClient, path: str) -> tuple[int, str]:
    """Return status and code of what is no answer, which says when to come again."""
    answer = api.get(path)
    assert answer.status_code == 200 or int(answer["Retry-After"]) > 0
    return answer.status_code, answer.json().get("code", "")


def without_triggers(sql: str, *values: Any) -> None:
    """Change rows as somebody does who owns the database."""
    with connection.cursor() as cursor:
        for name in sorted(append_only.trigger_names(TABLE, connection.vendor)):
            on = f' ON "{TABLE}"' if connection.vendor == "postgresql" else ""
            cursor.execute(f'DROP TRIGGER "{name}"{on}')
        cursor.execute(sql, values)


def insert(run: EsgRun, **change: Any) -> None:
    """Put a copy of a run beside it by SQL, with other values."""
    row = EsgRun.objects.filter(pk=run.pk).values().get() | {"slot": run.slot + 1} | change
    row.pop("id")
    names, marks = ", ".join(row), ", ".join(["%s"] * len(row))
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {TABLE} ({names}) VALUES ({marks})", list(row.values()))


def test_a_slot_has_one_run(series: None, noon: datetime) -> None:
    oracle_runs.run_live_score("", noon)
    oracle_runs.run_live_score("", noon + TEN - timedelta(seconds=1))
    assert EsgRun.objects.count() == 1
    oracle_runs.run_live_score("", noon + TEN)
    assert EsgRun.objects.count() == 2


def test_a_run_that_another_worker_made_first_is_not_made_twice(noon: datetime) -> None:
    ran(noon)
    with pytest.raises(AssertionError):
        ran(noon)
    assert EsgRun.objects.count() == 1


@pytest.mark.parametrize("path", PATHS)
def test_without_a_run_there_is_no_score_and_a_request_computes_none(
    api: APIClient, series: None, path: str
) -> None:
    assert refused(api, path) == (503, "live_score_unavailable")
    assert not EsgRun.objects.exists()


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("age", "code"),
    [(timedelta(0), ""), (timedelta(minutes=30), ""),
     (timedelta(minutes=30, seconds=1), "live_score_stale")],
)  # fmt: skip
def test_a_run_that_is_too_old_is_no_answer(
    api: APIClient, noon: datetime, path: str, age: timedelta, code: str
) -> None:
    ran(noon - age)
    assert refused(api, path) == (503 if code else 200, code)


@pytest.mark.parametrize("path", PATHS)
def test_a_newer_run_that_failed_is_told_and_no_older_one_stands_in_for_it(
    api: APIClient, noon: datetime, path: str
) -> None:
    ran(noon - TEN)
    ran(noon, ok=False)
    assert refused(api, path) == (503, "live_score_unavailable")
    assert "no data" in api.get(path).json()["detail"]


def test_runs_are_sealed_and_the_database_refuses_to_change_them(noon: datetime) -> None:
    run = ran(noon)
    sealer.seal_all_ledgers(now=noon + TEN)
    assert Seal.objects.filter(ledger="esg_runs", record_id=run.pk).exists()
    for statement in (f"UPDATE {TABLE} SET average = 990000", f"DELETE FROM {TABLE}"):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    assert EsgRun.objects.get().average == 500_000


@pytest.mark.parametrize(
    "change",
    ["average = 990000", "quality = 'PARTIAL'", "due = 7", "good = 0", "method = 'x'",
     "recorded_at = '2026-11-20 12:00:01+00:00'", "payload = '{}'", "mac = NULL",
     "payload = '', salt = ''"],
)  # fmt: skip
def test_a_run_that_was_altered_is_no_answer(api: APIClient, noon: datetime, change: str) -> None:
    ran(noon - TEN)
    run = ran(noon)
    without_triggers(f"UPDATE {TABLE} SET {change} WHERE id = %s", run.pk)
    for path in PATHS:
        assert refused(api, path) == (503, "live_score_unavailable")
    body = api.get("/esg/reliability").json()
    assert body["isHealthy"] is False and len(body["history"]) == 1
    live_score = health.check_live_score(noon)
    assert (
        live_score["status"] == "degraded" and "failed its integrity check" in live_score["reason"]
    )


@pytest.mark.parametrize("change", [{}, {"average": 990_000}, {"mac": None, "mac_key": None}])
def test_a_run_that_somebody_put_there_is_no_answer(
    api: APIClient, noon: datetime, change: dict[str, Any]
) -> None:
    insert(ran(noon - TEN), **change)
    for path in PATHS:
        assert refused(api, path) == (503, "live_score_unavailable")
    assert len(api.get("/esg/reliability").json()["history"]) == 1


def test_a_run_that_was_removed_is_a_run_that_was_missed(api: APIClient, noon: datetime) -> None:
    for slot in (4, 3, 2):
        ran(noon - slot * TEN)
    assert api.get("/esg/reliability").json()["uptimePct"] == 75
    without_triggers(
        f"DELETE FROM {TABLE} WHERE slot = %s", oracle_runs.slot_of_moment(noon - 2 * TEN)
    )
    assert api.get("/esg/reliability").json()["uptimePct"] == 50


@pytest.mark.parametrize(
    "change",
    [{"quality": "x"}, {"quality": ""}, {"average": None}, {"average": 1_000_001}],
)
def test_no_run_is_both_good_and_without_a_score(noon: datetime, change: dict[str, Any]) -> None:
    run = ran(noon)
    with pytest.raises(IntegrityError), transaction.atomic():
        insert(run, **change)


def test_a_run_takes_few_queries(
    series: None, noon: datetime, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    with django_assert_max_num_queries(16):
        oracle_runs.run_live_score("", noon)
