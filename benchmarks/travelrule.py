"""The travel-rule ledger at scale, on PostgreSQL: pages, exports, verification, messages that come.

    ./run bench travelrule --postgres URL [--build N] [--processes N] [--rows N] [--requests N]

`--build` fills an empty database of its own with so many sealed records and keeps it: a database
that stands is used as it is. Pages and messages pass through the whole stack in this process, so no
socket is measured. Beside each figure stand its goal, the share of it and the load of the machine;
exports and verification stand beside a ceiling of the same run: what the database and the hashes
alone cost.
"""

import argparse
import hashlib
import hmac
import json
import os
import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

EXPORT = "/integration/travel-rule/export"
RECEIVE = "/integration/travel-rule/receive"
FILTERS: dict[str, dict[str, str]] = {
    "all": {},
    "by status": {"status": "FAILED"},
    "by reason": {"reason": "MESSAGE_INCOMPLETE"},
    "by amount": {"least": "5700", "most": "5750"},
    "by amount, none": {"least": "50000"},
    "by institution": {"owner": "account:7"},
    "institution and reason, none": {"owner": "account:7", "reason": "MESSAGE_BROKEN"},
}


def main() -> int:
    options = arguments()
    if not options.postgres:
        print("not measured: give --postgres URL (or BENCH_DATABASE_URL)")
        return 0
    prepare(options.postgres)
    from benchmarks import travelrule_build as building

    building.prepared()
    held = building.standing()
    if options.build and not held:
        building.fill(options.build, processes=options.processes)
        held = building.standing()
    print(f"{held:,} records; load {os.getloadavg()[0]:.1f}")
    if not held:
        print("the database is empty: --build N fills it")
        return 1
    pages(options.rounds)
    export_pages(options.rounds)
    exports(options.rows)
    received(options.requests)
    verified(options.processes)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=int, default=0, help="records of a database that is empty")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--rows", type=int, default=100_000, help="of the CSV that is exported")
    parser.add_argument("--requests", type=int, default=200, help="messages that come")
    parser.add_argument("--rounds", type=int, default=7, help="of each page")
    parser.add_argument(
        "--postgres",
        default=os.environ.get("BENCH_DATABASE_URL", ""),
        help="URL of a database that may be filled, and is kept",
    )
    return parser.parse_args()


def prepare(url: str) -> None:
    """Set Django up on a database; its keys stay in a folder of its own."""
    name = urlsplit(url).path.strip("/")
    base = Path(os.environ.get("VAR_DIR", "var"))
    folder = (base / f"bench-{name}").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    os.environ |= {
        "VAR_DIR": str(folder),
        "DATABASE_URL": url,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "TRAVEL_RULE_SIGNING_KEY": "benchmark-of-the-travel-rule-ledger",
    }
    import django

    django.setup()
    from config import warm_up

    warm_up.freeze_garbage_collector()  # as a web worker is


def timed(work: Callable[[], Any], rounds: int) -> tuple[float, float]:
    """Return the medians of rounds in milliseconds, by the clock and of this process's processor.

    A machine that is shared moves the first. A round before them warms up.
    """
    walls, used = [], []
    for turn in range(rounds + 1):
        began, before = time.perf_counter(), time.process_time()
        work()
        if turn:
            walls.append((time.perf_counter() - began) * 1000)
            used.append((time.process_time() - before) * 1000)
    return statistics.median(walls), statistics.median(used)


def said(
    name: str, value: float, goal: float, unit: str, *, more: bool = False, cpu: float = 0
) -> None:
    """Print a figure beside its goal; `more` is better where it is a rate."""
    share = value / goal if more else goal / value
    held = "met" if share >= 1 else "missed"
    own = f", {cpu:.1f} {unit} of processor" if cpu else ""
    print(
        f"  {name:<40} {value:>9,.1f} {unit:<6} goal {goal:>6,.0f}  {share:5.2f} of it, {held}"
        f"  (load {os.getloadavg()[0]:.1f}{own})"
    )


def pages(rounds: int) -> None:
    """Measure the list of the desk by filter, on its first page and half-way down."""
    from apps.payments.travelrule.models import TravelRecord
    from apps.payments.travelrule.views import record_list
    from benchmarks.travelrule_data import company

    middle = _middle()
    place = record_list.place_of_record(middle)
    account = {"account": company(7).accounts[0]}
    print("the desk's list, fifty rows")
    for name, given in (FILTERS | {"by account": account}).items():
        for depth, after in (("first", ""), ("half-way", place)):
            record_query = record_list.RecordQuery(**given, after=after)
            spent, cpu = timed(
                lambda asked=record_query: record_list.build_record_page(
                    asked, TravelRecord.objects.all()
                ),
                rounds,
            )
            said(f"{name}, {depth}", spent, 50, "ms", cpu=cpu)


def _middle() -> Any:
    from apps.payments.travelrule.models import TravelRecord

    rows = TravelRecord.objects.order_by("pk").values_list("pk", flat=True)
    first, last = rows[0], rows.reverse()[0]
    return TravelRecord.objects.filter(pk__gte=(first + last) // 2).order_by("pk")[0]


def _newest() -> Any:
    """Return the last record that was built; messages that came in earlier runs are younger."""
    from apps.payments.travelrule.models import TravelRecord
    from benchmarks.travelrule_data import LAST

    return TravelRecord.objects.filter(created_at__lt=LAST).order_by("-created_at")[0]


def client() -> Any:
    """Return a client with a key that may export."""
    from django.conf import settings
    from rest_framework.test import APIClient

    keys = json.loads((Path(settings.VAR_DIR) / "keys.json").read_text())
    api_client = APIClient()
    api_client.credentials(HTTP_AUTHORIZATION=f"Bearer {keys['master']}")
    return api_client


def export_pages(rounds: int) -> None:
    """Measure a page of the export at several depths, by cursor and by offset."""
    from apps.payments.travelrule.selectors.records import record_cursor

    asks, deep = client(), record_cursor(_middle())
    print("GET /integration/travel-rule/export, a page of a hundred")
    for name, query in (
        ("first", {}),
        ("half-way, by cursor", {"cursor": deep}),
        ("half-way by cursor, FAILED", {"cursor": deep, "status": "FAILED"}),
        ("offset 1,000", {"offset": 1000}),
        ("offset 100,000 (its bound)", {"offset": 100_000}),
    ):

        def ask(query: dict[str, Any] = query) -> None:
            answer = asks.get(EXPORT, query)
            if answer.status_code != 200:
                raise SystemExit(f"{query}: {answer.status_code}")

        spent, cpu = timed(ask, rounds)
        said(name, spent, 50, "ms", cpu=cpu)


def exports(rows: int) -> None:
    """Stream so many rows as CSV: the first byte, all of them, and how memory grows."""
    from apps.payments.travelrule.selectors.records import filter_records
    from benchmarks.travelrule_data import APART

    last = _newest().created_at
    since = last - (rows - 1) * APART
    query = {"from": int(since.timestamp()), "to": int(last.timestamp()), "format": "csv"}
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began, used = time.perf_counter(), time.process_time()
    pieces = client().get(EXPORT, query).streaming_content
    first, told = next(pieces), 0
    waited = time.perf_counter() - began
    lines = first.count(b"\r\n")
    for piece in pieces:
        lines, told = lines + piece.count(b"\r\n"), told + len(piece)
    spent, cpu = time.perf_counter() - began, time.process_time() - used
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(f"a CSV of {lines - 1:,} rows, {told / 1e6:.0f} MB")
    said("first byte", waited * 1000, 300, "ms")
    said("all of them", spent, 5 * rows / 100_000, "s", cpu=cpu)
    print(f"  {cpu / lines * 1e6:.0f} us of processor a row; memory grew by {grown:.0f} MB")
    asked = {"from_": since, "to": last}
    began = time.perf_counter()
    for _ in filter_records(asked, datetime.now(UTC) + timedelta(days=1)).iterator(500):
        pass
    ceiling = time.perf_counter() - began
    print(f"  beside reading its records alone: {ceiling / spent:.2f} ({ceiling:.1f} s)")


def received(requests: int) -> None:
    """Take messages of a counterparty, each another."""
    from django.conf import settings
    from rest_framework.test import APIClient

    from apps.payments.travelrule.api.viewsets import MESSAGE_EXAMPLE

    asks = APIClient()
    spent: list[float] = []
    used: list[float] = []
    key = settings.TRAVEL_RULE_SIGNING_KEY.split(",")[0].encode()
    for number in range(requests + 5):
        amount = {"transferAmount": f"{3000 + number}.{time.time_ns() % 100:02d}"}
        money = MESSAGE_EXAMPLE["transferAmount"] | amount
        body = json.dumps(MESSAGE_EXAMPLE | {"transferAmount": money, "n": time.time_ns()}).encode()
        signed = hmac.new(key, body, hashlib.sha256).hexdigest()
        began, before = time.perf_counter(), time.process_time()
        answer = asks.generic(
            "POST", RECEIVE, body, content_type="application/json", HTTP_X_SVC_SIGNATURE=signed
        )
        if answer.status_code not in (200, 201):
            raise SystemExit(f"receive: {answer.status_code} {answer.content[:300]!r}")
        if number >= 5:
            spent.append((time.perf_counter() - began) * 1000)
            used.append((time.process_time() - before) * 1000)
    print(f"POST /integration/travel-rule/receive, {requests} messages one after the other")
    said(
        "p95",
        statistics.quantiles(spent, n=20)[-1],
        50,
        "ms",
        cpu=statistics.quantiles(used, n=20)[-1],
    )
    print(f"  p50 {statistics.median(spent):.1f} ms, {statistics.median(used):.1f} of processor")


def verified(processes: int) -> None:
    """Verify the ledger: its chain, then all that verify_ledger looks at."""
    from apps.platform.common.clock import now
    from apps.platform.db.parallel_scan import run_tasks
    from apps.platform.ledger import sealer
    from apps.platform.ledger.verification import verifier
    from apps.platform.ledger.verification.verified_reads import read_chain_end
    from apps.platform.ledger.verification.verifier import plan_chain_verification

    while sealer.seal_ledger(ledger="travel_rule", now=now()):
        pass
    size, _ = read_chain_end("travel_rule")
    chain = plan_chain_verification("travel_rule", {}, processes)
    print(f"verify_ledger travel_rule, {size:,} events, {processes} processes")
    began = time.perf_counter()
    faults = [
        fault
        for task in run_tasks(chain, processes=processes, progress=lambda done: None)
        for fault in task.faults
    ]
    said("its chain", size / (time.perf_counter() - began), 50_000, "rows/s", more=True)
    began = time.perf_counter()
    faults += verifier.verify_ledger(ledger="travel_rule", processes=processes).faults
    spent = time.perf_counter() - began
    said("all of it", size / spent, 50_000, "rows/s", more=True)
    began = time.perf_counter()
    looked = sum(1 for _ in _hashed(min(size, 50_000)))
    rate = looked / (time.perf_counter() - began)
    print(f"  reading and hashing payloads alone, one process: {rate:,.0f} rows/s")
    if faults:
        raise SystemExit(f"{len(faults)} faults: {faults[:3]}")


def _hashed(count: int) -> Iterator[str]:
    from apps.payments.travelrule.models import TravelEvent

    rows = TravelEvent.objects.order_by("pk").values_list("payload", "salt")[:count]
    for payload, salt in rows.iterator(2000):
        yield hashlib.sha256(f"{salt}:{payload}".encode()).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
