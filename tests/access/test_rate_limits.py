"""Rate limits: exact to the call, whoever counts and however many at once."""

import os
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import redis
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from rest_framework.test import APIClient

from apps.access.keys import client_address, rate_limits, rate_windows
from config.rate_limits import build_key_rates

pytestmark = [pytest.mark.urls("tests.access.endpoints"), pytest.mark.django_db]
# a database of its own for each process that runs tests
REDIS = f"redis://127.0.0.1:6379/{5 + int(os.environ.get('PYTEST_XDIST_WORKER', 'gw0')[2:]) % 10}"
SECOND = timedelta(seconds=1)


@pytest.fixture
def on_redis(settings: Any) -> Any:
    """Count in Redis, on a database of its own; skip when none answers."""
    client = redis.Redis.from_url(REDIS, socket_timeout=0.5, socket_connect_timeout=0.5)
    try:
        client.ping()
    except redis.RedisError:
        pytest.skip("needs a Redis on 127.0.0.1:6379")
    settings.REDIS_URL = REDIS
    client.delete(*(client.keys("rate:*") or ["none"]))
    yield client
    client.delete(*(client.keys("rate:*") or ["none"]))
    client.close()
    rate_windows._connect_redis.cache_clear()


@pytest.fixture(autouse=True)
def _not_paused() -> None:
    rate_limits._paused_until[0] = 0.0


def allowed(count: int, limit: int, now: Any, bucket: str = "b") -> int:
    """Return how many of so many calls pass."""
    passed = 0
    for _ in range(count):
        try:
            rate_limits.count_call(bucket=bucket, limit=limit, now=now)
        except rate_limits.RateLimited:
            continue
        passed += 1
    return passed


def test_the_limit_passes_and_the_next_call_does_not(noon: Any) -> None:
    assert allowed(5, 5, noon) == 5
    with pytest.raises(rate_limits.RateLimited):
        rate_limits.count_call(bucket="b", limit=5, now=noon)


def test_buckets_do_not_share(noon: Any) -> None:
    assert allowed(3, 2, noon, "a") == allowed(3, 2, noon, "b") == 2


def test_a_new_minute_starts_anew_at_its_first_second(noon: Any) -> None:
    assert allowed(2, 1, noon) == 1
    assert allowed(1, 1, noon + 59 * SECOND + timedelta(microseconds=999_999)) == 0
    assert allowed(2, 1, noon + 60 * SECOND) == 1


@pytest.mark.parametrize(("second", "wait"), [(0, 60), (1, 59), (59, 1), (59.9, 1)])
def test_the_refusal_says_when_the_minute_ends(noon: Any, second: float, wait: int) -> None:
    with pytest.raises(rate_limits.RateLimited) as refused:
        for _ in range(2):
            rate_limits.count_call(bucket="b", limit=1, now=noon + second * SECOND)
    assert refused.value.retry_after == wait


def test_old_windows_are_tidied_and_running_ones_stay(noon: Any) -> None:
    for minutes in (60, 11, 10, 0):
        rate_limits.count_call(bucket="b", limit=9, now=noon - minutes * 60 * SECOND)
    assert [starts for _, starts, _ in counted()] == [
        int(noon.timestamp()) - 600,
        int(noon.timestamp()),
    ]


def counted() -> list[tuple[str, int, int]]:
    """Return bucket, start and hits of the windows of this host."""
    with sqlite3.connect(settings.VAR_DIR / "rates.sqlite3") as side:
        return side.execute("SELECT bucket, starts, hits FROM hits ORDER BY starts").fetchall()


def many_at_once(now: Any, limit: int, threads: int = 6, each: int = 10) -> int:
    """Return how many calls of several threads at once pass."""
    passed: list[int] = []
    gate = threading.Barrier(threads)

    def work() -> None:
        gate.wait()
        passed.append(allowed(each, limit, now))
        connection.close()

    workers = [threading.Thread(target=work) for _ in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert len(passed) == threads
    return sum(passed)


def test_a_host_counts_exactly_under_several_writers(noon: Any) -> None:
    assert many_at_once(noon, limit=37) == 37
    assert [hits for _, _, hits in counted()] == [60]


@pytest.mark.processes
def test_several_processes_count_together(noon: Any) -> None:
    """Each child counts ten calls of one bucket; 25 of the 40 pass, whoever makes them."""
    code = (
        "import datetime, os, sys; os.environ['DJANGO_SETTINGS_MODULE'] = 'config.settings'\n"
        "import django; django.setup()\n"
        "from apps.access.keys import rate_limits\n"
        "now, passed = datetime.datetime.fromisoformat(sys.argv[1]), 0\n"
        "for _ in range(10):\n"
        "    try: rate_limits.count_call(bucket='p', limit=25, now=now); passed += 1\n"
        "    except rate_limits.RateLimited: pass\n"
        "print(passed)"
    )
    command = [sys.executable, "-c", code, noon.isoformat()]
    env = os.environ | {"VAR_DIR": str(settings.VAR_DIR)}
    children = [
        subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) for _ in range(4)
    ]
    assert sum(int(child.communicate(timeout=60)[0]) for child in children) == 25


def test_a_damaged_file_of_windows_starts_anew(noon: Any) -> None:
    assert allowed(3, 2, noon) == 2
    for suffix in ("", "-wal", "-shm"):
        path = settings.VAR_DIR / f"rates.sqlite3{suffix}"
        if path.exists():
            path.write_bytes(b"nothing of a database" * 400)
    rate_windows.open_side_database.cache_clear()
    assert allowed(3, 2, noon) == 2


def test_redis_counts_exactly_under_several_writers(on_redis: Any, noon: Any) -> None:
    assert many_at_once(noon, limit=37) == 37
    assert not counted()


def test_a_redis_counter_never_stands_without_its_end(on_redis: Any, noon: Any) -> None:
    allowed(3, 2, noon)
    (name,) = on_redis.keys("rate:b:*")
    assert on_redis.get(name) == b"3" and 0 < on_redis.ttl(name) <= 120
    on_redis.delete(name)  # it expired between two calls: the next one counts from one
    assert allowed(3, 2, noon) == 2 and 0 < on_redis.ttl(name) <= 120
    assert allowed(3, 2, noon + 60 * SECOND) == 2


def test_while_redis_is_away_each_host_counts(settings: Any, noon: Any, caplog: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert allowed(5, 3, noon) == 3
    assert [hits for _, _, hits in counted()] == [5]
    assert caplog.text.count("Redis does not answer") == 1  # then it is left alone for a while


# --- through the API ------------------------------------------------------------------


def test_a_keys_own_rate_binds_and_the_answer_is_429(caller: Any, monkeypatch: Any) -> None:
    client = caller(rate_per_minute=2)
    monkeypatch.setattr("apps.platform.api.viewsets.present", lambda: client.key.created_at)
    codes = [client.get("/compliance/test/subscription").status_code for _ in range(3)]
    assert codes == [200, 200, 429]
    refused = client.get("/compliance/test/subscription")
    assert refused.json()["code"] == "rate_limited" and refused["Retry-After"] == "60"
    assert caller("Bob SA").get("/compliance/test/subscription").status_code == 200


def test_calls_with_a_key_of_another_kind_count_too(caller: Any, monkeypatch: Any) -> None:
    client = caller(kind="DATA", rate_per_minute=1)
    monkeypatch.setattr("apps.platform.api.viewsets.present", lambda: client.key.created_at)
    codes = [client.get("/compliance/test/subscription").status_code for _ in range(2)]
    assert codes == [403, 429]


def test_the_platforms_rate_binds_keys_without_their_own(
    caller: Any, settings: Any, monkeypatch: Any
) -> None:
    settings.RATES = settings.RATES | {"SUBSCRIPTION": 1}
    client = caller()
    monkeypatch.setattr("apps.platform.api.viewsets.present", lambda: client.key.created_at)
    codes = [client.get("/compliance/test/subscription").status_code for _ in range(2)]
    assert codes == [200, 429]


def test_every_answer_to_a_key_tells_its_rate(caller: Any, monkeypatch: Any) -> None:
    client = caller(rate_per_minute=3)
    moment = client.key.created_at  # noon: the minute ends 60 seconds later
    monkeypatch.setattr("apps.platform.api.viewsets.present", lambda: moment)
    told = []
    for query in ("", "?strange=1", "", ""):
        answer = client.get(f"/compliance/test/subscription{query}")
        names = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
        told.append((answer.status_code, *(int(answer[name]) for name in names)))
    ends = int(moment.timestamp()) + 60
    assert told == [(200, 3, 2, ends), (400, 3, 1, ends), (200, 3, 0, ends), (429, 3, 0, ends)]


def test_each_kind_of_key_has_a_rate_of_its_own(caller: Any) -> None:
    told = {
        kind: int(client.get("/compliance/test/two-headers")["X-RateLimit-Limit"])
        for kind, client in (("SUBSCRIPTION", caller()), ("DATA", caller(kind="DATA")))
    }
    assert told == {"SUBSCRIPTION": 6000, "DATA": 600}


@pytest.mark.parametrize("given", ["data=0", "data=x", "nonsense=5", "data=-1", "data=10000001"])
def test_a_rate_that_is_none_stops_the_start(given: str) -> None:
    kind, value = given.split("=")
    with pytest.raises(ImproperlyConfigured, match="KEY_RATES_PER_MINUTE"):
        build_key_rates({kind: value}, screen=1)
    assert build_key_rates({"data": "1"}, screen=2)["DATA"] == 1


def test_free_endpoints_count_by_address(settings: Any, monkeypatch: Any, noon: Any) -> None:
    settings.FREE_RATE_PER_MINUTE = 2
    monkeypatch.setattr("apps.platform.api.viewsets.present", lambda: noon)

    def ask(address: str) -> int:
        return APIClient().get("/compliance/test/free", REMOTE_ADDR=address).status_code

    assert [ask("192.0.2.1") for _ in range(3)] == [200, 200, 429]
    assert ask("192.0.2.2") == 200
    v6 = ["2001:db8::1", "2001:db8::ffff:1", "2001:db8:0:0:9::"]  # one /64
    assert [ask(address) for address in v6] == [200, 200, 429]
    assert ask("2001:db8:0:1::1") == 200


@pytest.mark.parametrize(
    ("proxies", "forwarded", "expected"),
    [
        (0, "203.0.113.9", "192.0.2.1"),
        (1, "", "192.0.2.1"),
        (1, "203.0.113.9", "203.0.113.9"),
        (1, "10.0.0.1, 203.0.113.9", "203.0.113.9"),
        (2, "203.0.113.9, 198.51.100.7", "203.0.113.9"),
        (2, "1.1.1.1, 203.0.113.9, 198.51.100.7", "203.0.113.9"),
        (2, "203.0.113.9", "192.0.2.1"),
        (1, " 203.0.113.9 , ", "203.0.113.9"),
        (1, "203.0.113.9:4711", "203.0.113.9"),
        (1, "[2001:db8::1]:4711", "2001:db8::/64"),
        (1, "2001:db8::1", "2001:db8::/64"),
        (1, "fe80::1%eth0", "fe80::/64"),
        (1, "::ffff:203.0.113.9", "203.0.113.9"),
        (1, "nonsense", "unknown"),
        (1, "a" * 10_000, "unknown"),
    ],
)
def test_the_address_is_what_the_trusted_proxies_saw(
    rf: Any, settings: Any, proxies: int, forwarded: str, expected: str
) -> None:
    settings.TRUSTED_PROXIES = proxies
    request = rf.get("/", REMOTE_ADDR="192.0.2.1", HTTP_X_FORWARDED_FOR=forwarded)
    assert client_address.get_client_address(request) == expected


def test_while_calls_cannot_be_counted_nobody_is_let_in(caller: Any, monkeypatch: Any) -> None:
    client = caller()
    monkeypatch.setattr(rate_windows, "BUSY_SECONDS", 0.05)
    rate_windows.open_side_database.cache_clear()
    path = settings.VAR_DIR / "rates.sqlite3"
    with sqlite3.connect(path, isolation_level=None) as holding:
        holding.execute("BEGIN IMMEDIATE")
        answer = client.get("/compliance/test/subscription")
        holding.execute("ROLLBACK")
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert answer["Retry-After"] and path.exists()
    assert client.get("/compliance/test/subscription").status_code == 200
    rate_windows.open_side_database.cache_clear()


def test_workers_that_open_a_new_file_at_once_all_count(tmp_path: Path) -> None:
    """Nobody is refused because another worker is just making the file."""
    workers = 4
    for number in range(60):
        windows = rate_windows.SideDatabase(tmp_path / f"rates-{number}.sqlite3")
        at_once = threading.Barrier(workers)

        def count(windows: Any = windows, at_once: Any = at_once) -> int:
            at_once.wait()
            return int(windows.count(bucket="b", starts=60))

        with ThreadPoolExecutor(workers) as pool:
            calls = [pool.submit(count) for _ in range(workers)]
            assert sorted(call.result() for call in calls) == [1, 2, 3, 4]
