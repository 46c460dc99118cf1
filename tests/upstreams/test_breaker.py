"""The breaker: opens at the fifth failure, lets one probe through, and closes on success."""

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.platform.common.clock import SKEW
from apps.platform.upstreams import breaker
from apps.platform.upstreams.models import UpstreamState

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)


def fail(times: int, now: Any) -> None:
    for _ in range(times):
        breaker.record_failure("u", "TimeoutError", now)


@pytest.mark.parametrize(
    ("failures", "seconds"),
    [(5, 30), (6, 60), (7, 120), (8, 240), (9, 480), (10, 600), (11, 600), (1000, 600)],
)
def test_pauses_double_up_to_ten_minutes(failures: int, seconds: int) -> None:
    assert breaker.pause_after(failures) == seconds * SECOND


def test_four_failures_leave_it_closed_and_the_fifth_opens_it(noon: Any) -> None:
    assert not breaker.is_breaker_open("u", noon)
    fail(4, noon)
    assert not breaker.is_breaker_open("u", noon)
    fail(1, noon)
    assert breaker.is_breaker_open("u", noon) and breaker.is_breaker_open("u", noon + 29 * SECOND)
    assert not breaker.is_breaker_open("other", noon)


def test_after_the_pause_one_probe_goes_through(noon: Any) -> None:
    fail(5, noon)
    end = noon + 30 * SECOND
    assert [breaker.is_breaker_open("u", end) for _ in range(3)] == [False, True, True]
    assert not breaker.is_breaker_open("u", end + 30 * SECOND)  # the probe was never heard of again


def test_a_pause_begun_by_a_clock_that_is_set_back_is_over(noon: Any) -> None:
    ahead = timedelta(hours=2)
    fail(11, noon + ahead)
    assert breaker.is_breaker_open("u", noon + ahead)
    assert [breaker.is_breaker_open("u", noon) for _ in range(2)] == [False, True]
    fail(11, noon)
    assert breaker.is_breaker_open("u", noon - SKEW)  # two hosts differ by so much


def test_a_probe_that_succeeds_closes_it(noon: Any) -> None:
    fail(5, noon)
    end = noon + 30 * SECOND
    assert not breaker.is_breaker_open("u", end)
    breaker.record_success("u", end)
    assert not breaker.is_breaker_open("u", end)
    fail(4, end)
    assert not breaker.is_breaker_open("u", end)


def test_a_probe_that_fails_opens_it_for_longer(noon: Any) -> None:
    fail(5, noon)
    end = noon + 30 * SECOND
    assert not breaker.is_breaker_open("u", end)
    fail(1, end)
    assert breaker.is_breaker_open("u", end + 59 * SECOND) and not breaker.is_breaker_open(
        "u", end + 60 * SECOND
    )


def test_success_is_written_at_most_once_a_minute(noon: Any) -> None:
    def writes(after: int) -> int:
        with CaptureQueriesContext(connection) as queries:
            breaker.record_success("u", noon + after * SECOND)
        return sum(q["sql"].startswith(("UPDATE", "INSERT")) for q in queries)

    assert [writes(s) for s in (0, 1, 59, 60, 61)] == [1, 0, 0, 1, 0]
    assert UpstreamState.objects.get(pk="u").last_ok_at == noon + 60 * SECOND


def test_long_errors_are_cut(noon: Any) -> None:
    breaker.record_failure("u", "x" * 1000, noon)
    assert len(UpstreamState.objects.get(pk="u").last_error) == 300


@pytest.mark.django_db(transaction=True)
def test_of_many_callers_at_once_one_probes_and_all_failures_count(noon: Any) -> None:
    fail(5, noon)
    refused: list[bool] = []
    gate = threading.Barrier(5)

    def work() -> None:
        gate.wait()
        refused.append(breaker.is_breaker_open("u", noon + 30 * SECOND))
        breaker.record_failure("u", "TimeoutError", noon + 30 * SECOND)
        connection.close()

    threads = [threading.Thread(target=work) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(refused) == [False, True, True, True, True]
    assert UpstreamState.objects.get(pk="u").failures == 10


def test_who_comes_between_the_look_and_the_move_of_another_probes_alone(
    noon: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail(5, noon)
    moment, pause, between = noon + 30 * SECOND, breaker.pause_after, []

    def slowly(failures: int) -> Any:
        monkeypatch.setattr(breaker, "pause_after", pause)
        between.append(breaker.is_breaker_open("u", moment))
        return pause(failures)

    monkeypatch.setattr(breaker, "pause_after", slowly)
    assert breaker.is_breaker_open("u", moment) and between == [False]
