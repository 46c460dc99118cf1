"""Ledgers as large as years make them: `./run bench growth --records N --screens N --postgres URL`.

Fills an empty PostgreSQL database with sealed travel-rule records and with sealed screens (every
one of them verifies), says what a row of each costs in disk, and measures what is read of screens
and how fast their ledger verifies. `./run bench travelrule --postgres URL` on the same database
measures the travel-rule ledger. A database that stands is used as it is.
"""

import argparse
import os
import statistics
import sys
import time
from typing import Any

from benchmarks.travelrule import prepare, said, timed

LISTED: dict[str, dict[str, str]] = {
    "all": {},
    "by decision": {"decision": "BLOCKED"},
    "by client": {"owner": "account:7"},
    "by client and decision": {"owner": "account:19", "decision": "FLAGGED"},
    "by client and decision, none": {"owner": "account:7", "decision": "BLOCKED"},
    "by rule": {"rule": "country.eu_high_risk"},
    "by rule, none": {"rule": "sanctions.match"},
    "by kind of data, none": {"sample": "no"},
    "by day": {"since": "2026-10-01", "until": "2026-10-01"},
    "by party": {"q": ""},
    "by reference": {"q": "INV-00000077"},
}


def main() -> int:
    options = arguments()
    if not options.postgres:
        print("not measured: give --postgres URL (or BENCH_DATABASE_URL)")
        return 0
    prepare(options.postgres)
    from benchmarks import growth_screens, travelrule_build

    travelrule_build.prepared()
    if options.records and not travelrule_build.standing():
        travelrule_build.fill(options.records, processes=options.processes)
    if options.screens and not growth_screens.standing():
        growth_screens.fill(options.screens, processes=options.processes)
    sizes()
    if growth_screens.standing():
        listing(options.rounds)
        screened(options.requests)
        verified("screens", options.processes)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--records", type=int, default=0, help="of an empty travel-rule ledger")
    parser.add_argument("--screens", type=int, default=0, help="of an empty ledger of screens")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--rounds", type=int, default=5, help="of each page")
    parser.add_argument("--requests", type=int, default=200, help="screens that are asked for")
    parser.add_argument(
        "--postgres",
        default=os.environ.get("BENCH_DATABASE_URL", ""),
        help="URL of a database that may be filled, and is kept",
    )
    return parser.parse_args()


def sizes() -> None:
    """Print what the large tables hold, and what a row costs with its indexes."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, reltuples, pg_relation_size(oid), pg_indexes_size(oid),"
            " pg_total_relation_size(oid) FROM pg_class"
            " WHERE relkind IN ('r', 'p') AND reltuples > 10000"
            " ORDER BY pg_total_relation_size(oid) DESC LIMIT 12"
        )
        rows = cursor.fetchall()
    print(f"{'table':<34}{'rows':>12}{'rows, MB':>10}{'indexes':>9}{'all, MB':>9}{'B/row':>7}")
    for name, count, held, indexes, whole in rows:
        told = f"{held / 2**20:>10,.0f}{indexes / 2**20:>9,.0f}{whole / 2**20:>9,.0f}"
        print(f"{name:<34}{count:>12,.0f}{told}{whole / count:>7,.0f}")


def listing(rounds: int) -> None:
    """Measure the desk's list of screens by filter, on its first page and half-way down."""
    from apps.compliance.screening.models import Screen
    from apps.compliance.screening.views.screen_list import ScreenListQuery, build_screen_page
    from benchmarks.travelrule_data import company

    last = Screen.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    print(f"the desk's list of {last:,} screens, fifty rows")
    for name, given in LISTED.items():
        asked = {"q": company(7).name} if given == {"q": ""} else given
        for depth, after in (("first", ""), ("half-way", str(last // 2))):
            screen_list_query = ScreenListQuery(**asked, after=after)
            spent, cpu = timed(lambda one=screen_list_query: build_screen_page(one), rounds)
            said(f"{name}, {depth}", spent, 50, "ms", cpu=cpu)


def screened(requests: int) -> None:
    """Ask for screens, each of another party, one after the other."""
    from benchmarks.growth_screens import client

    asks, spent = client(), []
    for number in range(requests + 5):
        party = {"name": f"Growth {number} {time.time_ns()} Limited", "country": "DE"}
        began = time.perf_counter()
        answer = asks.post("/compliance/compliance/screen", party, format="json")
        if answer.status_code not in (200, 202):
            raise SystemExit(f"screen: {answer.status_code} {answer.content[:300]!r}")
        if number >= 5:
            spent.append((time.perf_counter() - began) * 1000)
    print(f"POST /compliance/compliance/screen, {requests} one after the other")
    said("p95", statistics.quantiles(spent, n=20)[-1], 50, "ms")
    print(f"  p50 {statistics.median(spent):.1f} ms")


def verified(ledger: str, processes: int) -> None:
    """Verify a ledger: all that verify_ledger looks at."""
    from apps.platform.common.clock import now
    from apps.platform.ledger import sealer
    from apps.platform.ledger.verification import verifier
    from apps.platform.ledger.verification.verified_reads import read_chain_end

    while sealer.seal_ledger(ledger=ledger, now=now()):
        pass
    size, _ = read_chain_end(ledger)
    print(f"verify_ledger {ledger}, {size:,} records, {processes} processes")
    began = time.perf_counter()
    found: Any = verifier.verify_ledger(ledger=ledger, processes=processes)
    said("all of it", size / (time.perf_counter() - began), 50_000, "rows/s", more=True)
    if found.faults:
        raise SystemExit(f"{len(found.faults)} faults: {found.faults[:3]}")


if __name__ == "__main__":
    sys.exit(main())
