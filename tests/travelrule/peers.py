"""A counterparty on the loopback that answers as it is told, and a worker that sends."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from typing import Any

from apps.payments.travelrule.sending.attempts import transmit_message
from apps.platform.jobs.models import Job, JobState

TAKEN = b'{"id":"7f3f6a52-1d0f-4c1e-9a55-0a0b7f0f6f10","status":"STORED"}'


@dataclass
class Peer:
    """What came, as (body, headers), and what is answered: statuses in order, then 201."""

    url: str = ""
    came: list[tuple[bytes, dict[str, str]]] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)

    def bodies(self) -> list[bytes]:
        return [body for body, _ in self.came]


@contextmanager
def peer() -> Iterator[Peer]:
    """Run a receiver at a port of its own."""
    made = Peer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            made.came.append((body, {k.lower(): v for k, v in self.headers.items()}))
            self.send_response(made.answers.pop(0) if made.answers else 201)
            self.send_header("Content-Length", str(len(TAKEN)))
            self.end_headers()
            self.wfile.write(TAKEN)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.url = f"http://127.0.0.1:{server.server_port}/receive"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield made
    server.shutdown()
    server.server_close()


def due(moment: datetime) -> list[Job]:
    """Return the jobs of transmissions that are due."""
    rows = Job.objects.filter(name="travelrule.transmit", state=JobState.PENDING, eta__lte=moment)
    return list(rows.order_by("eta", "pk"))


def run_until(moment: datetime) -> list[datetime]:
    """Run every job of transmissions at its own time up to a moment; return when each was."""
    ran = []
    while found := due(moment):
        job = found[0]
        Job.objects.filter(pk=job.pk).update(state=JobState.DONE)
        transmit_message(job.key, job.eta)
        ran.append(job.eta)
    return ran


def gaps(moments: list[datetime]) -> list[timedelta]:
    return [after - before for before, after in pairwise(moments)]
