"""Web workers: processes, not threads (threads halve the throughput of this work)."""

import contextlib
import os

bind = f"{os.environ.get('HOST', '127.0.0.1')}:{os.environ.get('PORT', '8000')}"
workers = int(os.environ.get("WEB_WORKERS", "2"))
worker_class = "sync"
preload_app = True  # read the code once; the match index is mapped after the fork
timeout = 30
graceful_timeout = 10
max_requests = 50_000
max_requests_jitter = 5_000
loglevel = "warning"
proc_name = "oracle-web"


def post_worker_init(worker: object) -> None:
    """Open the match index before the first request, which would otherwise wait for it."""
    from apps.core.clock import now
    from apps.core.problems import DomainError
    from apps.watchlists import engine
    from apps.watchlists.matching.index import Query

    with contextlib.suppress(DomainError):  # no lists yet: screens answer 503 until there are
        engine.current(now()).sanctions.search(Query(name="Warm Up Trading Company Ltd"))
