"""What calls share: the breaker, and the slots that keep half of the workers free."""

import threading
import time
from typing import Any

import pytest

from apps.platform.upstreams import slots
from apps.platform.upstreams.http import Upstream, UpstreamError
from apps.platform.upstreams.models import UpstreamState
from tests.upstreams.loopback import Loopback, body, drip, silent, status

pytestmark = pytest.mark.django_db


def state() -> UpstreamState:
    return UpstreamState.objects.get(pk="test")


def test_the_breaker_opens_at_the_fifth_failure_in_a_row(far: Loopback, upstream: Upstream) -> None:
    far.answers["/bad"], far.answers["/good"] = status(500), body(b"1")
    for _ in range(4):
        with pytest.raises(UpstreamError):
            upstream.get_bytes("/bad")
    upstream.get_bytes("/good")
    assert state().failures == 0
    for _ in range(5):
        with pytest.raises(UpstreamError, match="answered 500"):
            upstream.get_bytes("/bad")
    called = len(far.calls)
    with pytest.raises(UpstreamError, match="paused") as paused:
        upstream.get_bytes("/good")
    assert len(far.calls) == called and not paused.value.permanent


def test_an_answer_of_404_closes_the_breaker(far: Loopback, upstream: Upstream) -> None:
    UpstreamState.objects.create(pk="test", failures=4)
    with pytest.raises(UpstreamError):
        upstream.get_bytes("/nothing")
    assert state().failures == 0


# --- slots ----------------------------------------------------------------------------


@pytest.mark.parametrize(("workers", "free"), [(1, 1), (2, 1), (3, 1), (4, 2), (9, 4)])
def test_half_of_the_workers_may_wait(settings: Any, workers: int, free: int) -> None:
    settings.WEB_WORKERS = workers
    held = [slots.reserve_slot(True) for _ in range(free + 2)]
    assert [slot.__enter__() for slot in held] == [True] * free + [False] * 2
    held[0].__exit__(None, None, None)
    with slots.reserve_slot(True) as taken:
        assert taken
    for slot in held[1:]:
        slot.__exit__(None, None, None)


def test_calls_that_nobody_waits_for_need_no_slot(settings: Any) -> None:
    settings.WEB_WORKERS = 1
    with slots.reserve_slot(True) as first, slots.reserve_slot(False) as background:
        assert first and background


def test_a_call_beyond_the_slots_fails_at_once_and_is_no_failure_of_the_upstream(
    far: Loopback, upstream: Upstream, settings: Any
) -> None:
    settings.WEB_WORKERS = 2
    far.answers["/a"] = body(b"1")
    with slots.reserve_slot(True):
        with pytest.raises(UpstreamError, match="too many calls") as bad:
            upstream.get_bytes("/a", deadline=1)
        assert upstream.get_bytes("/a") == b"1"
    assert not bad.value.permanent
    assert upstream.get_bytes("/a", deadline=1) == b"1"
    assert state().failures == 0


def test_a_slot_comes_back_when_the_call_breaks(far: Loopback, upstream: Upstream) -> None:
    far.answers["/a"] = silent(1)
    for _ in range(3):
        with pytest.raises(UpstreamError):
            upstream.get_bytes("/a", deadline=0.05)
    with slots.reserve_slot(True) as one, slots.reserve_slot(True) as two:
        assert one and two


def test_late_threads_end_by_themselves(far: Loopback, upstream: Upstream) -> None:
    far.answers["/a"] = drip(400, 0.02)
    with pytest.raises(UpstreamError, match="deadline"):
        upstream.get_bytes("/a", deadline=0.1)
    ends = time.monotonic() + 5
    while any(t.name == "upstream-test" for t in threading.enumerate()):
        assert time.monotonic() < ends
        time.sleep(0.02)
