"""Redis gone, silent and back under load: each host counts for itself, and answers."""

from tests.faults import answer_audit
from tests.faults.hosts import Host, Site
from tests.faults.load import Load, Receiver
from tests.faults.servers import Redis, until


def said_of_redis(host: Host) -> str:
    """Return how its health says that Redis is."""
    status, found = host.health()
    assert status == 200
    return str(found["checks"]["redis"]["status"])


def test_while_redis_is_gone_calls_are_answered(host: Host, load: Load, redis: Redis) -> None:
    load.until_answered(5)
    redis.kill()
    until(lambda: said_of_redis(host) == "degraded", 30)
    load.until_answered(10)
    redis.start()
    until(lambda: said_of_redis(host) == "ok", 30)


def test_while_redis_says_nothing_calls_are_answered(host: Host, load: Load, redis: Redis) -> None:
    redis.freeze()
    try:
        until(lambda: said_of_redis(host) == "degraded", 30)
        load.until_answered(10)
    finally:
        redis.thaw()
    until(lambda: said_of_redis(host) == "ok", 30)


def test_nobody_saw_a_failure_and_all_stands_once(
    site: Site, load: Load, receiver: Receiver
) -> None:
    load.finish()
    assert set(load.seen) == {"200", "202"}, load.seen
    answer_audit.insist(site, load, receiver)
