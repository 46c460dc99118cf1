"""Web workers: processes, not threads (threads halve the throughput of this work).

Each reads requests whole before it answers one (apps/platform/server), so that slow clients cost
memory and not workers.
"""

import os

# an empty variable is one that is not set, as everywhere (config/env.py)
host = os.environ.get("HOST", "").strip() or "127.0.0.1"
# gunicorn reads an IPv6 address only in brackets
bind = f"[{host}]:" if ":" in host else f"{host}:"
bind += os.environ.get("PORT", "").strip() or "8000"
workers = int(os.environ.get("WEB_WORKERS") or "2")
worker_class = "apps.platform.server.worker.BufferedWorker"
worker_connections = 1000  # of one worker process, slow ones included
# seconds
keepalive = 2
preload_app = True  # read the code once; the match index is mapped after the fork
# seconds without a sign of life, after which gunicorn kills a worker
timeout = 30
# seconds to finish started requests; less than GRACE_SECONDS of config/supervise.py
graceful_timeout = 10
# after so many requests a worker process is replaced; the jitter keeps workers from being replaced
# all at once
max_requests = 50_000
max_requests_jitter = 5_000
loglevel = "warning"
proc_name = "oracle-web"
# headers that claim another address, scheme or path are the application's to judge
forwarded_allow_ips = ""
forwarder_headers = ""


def when_ready(server: object) -> None:
    """Read code and the tables of names once, before any worker is forked: they share them."""
    from config import warm_up

    warm_up.import_url_modules()
    warm_up.load_name_tables()
    warm_up.freeze_garbage_collector()


def post_worker_init(worker: object) -> None:
    """Open the match index before the first request, which would wait for it; all that stays."""
    from config import warm_up

    warm_up.open_match_index()
    warm_up.freeze_garbage_collector()
