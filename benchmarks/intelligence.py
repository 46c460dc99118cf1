"""Cached answers of the intelligence service beside their ceilings, and each fresh computation.

    ./run bench intelligence [--requests N] [--rounds N] [--fresh N] [--port N] [--postgres URL]

All series are those of the bundled sample. A cached answer is that of macro-stress, for a DATA key,
billed. The ceiling is the same row that looks nothing up: the same gate, shapes, rendering and
bill. The bare view is a plain Django view that reads the kept record. All are driven in turn,
several rounds; the ratios are the figures. Then every product is computed anew, one after the
other by one client, several times: the median of each, the slowest first.
"""

import argparse
import json
import sys
import urllib.error
import urllib.request
from statistics import median

from benchmarks.benchmark_server import PORT, serving
from benchmarks.rate_report import (
    iter_databases,
    offer_json,
    offer_postgres,
    report_in_turn,
    write_json,
)

CACHED, CEILING, BARE = "/intelligence/v1/intelligence/macro-stress", "/ceiling", "/bare"
ENOUGH, SLOWEST = 0.85, 300  # of the ceiling; milliseconds
LEI = "INR2EJN1ERAN0W5ZP974"


def main() -> int:
    options = arguments()
    print("Ratios of one server and database: a cached answer, the same unread, a bare view")
    print(f"{options.clients} clients, {options.requests} a round")
    for name, url in iter_databases(options):
        settings = "benchmarks.intelligence_settings"
        with serving(database=url, settings=settings, port=options.port) as keys:
            report(name, keys["data"], options)
            computed(name, options)
    write_json(options)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--fresh", type=int, default=5, help="times that each is computed")
    parser.add_argument("--port", type=int, default=PORT)
    offer_postgres(parser)
    offer_json(parser)
    return parser.parse_args()


def report(name: str, key: str, options: argparse.Namespace) -> None:
    """Drive cached answer, ceiling and bare view in turn; print the rounds and median ratios."""

    def payloads(path: str, count: int, seed: int) -> list[bytes]:
        head = f"Host: 127.0.0.1\r\nConnection: close\r\nX-API-Key: {key}\r\n\r\n"
        return [f"GET {path} HTTP/1.1\r\n{head}".encode()] * count

    for path in (CACHED, CEILING):
        asked(f"http://127.0.0.1:{options.port}{path}", key)
    report_in_turn(
        name,
        options,
        paths=(CACHED, CEILING, BARE),
        payloads=payloads,
        ratios=((CACHED, CEILING), (CACHED, BARE)),
        port=options.port,
    )
    print(f"  to reach: {ENOUGH} of the ceiling")


def asked(url: str, key: str = "") -> bytes:
    """Return what an address answers."""
    sent = urllib.request.Request(url, headers={"X-API-Key": key} if key else {})
    with urllib.request.urlopen(sent, timeout=60) as answer:
        content: bytes = answer.read()
    return content


def computed(name: str, options: argparse.Namespace) -> None:
    """Compute every product anew; print the median milliseconds, the slowest first."""
    base = f"http://127.0.0.1:{options.port}"
    found = []
    for product in products(base):
        url = f"{base}/fresh/{product}?address={LEI}"
        times = [json.loads(asked(url)) for _ in range(options.fresh)]
        walls = [moment["milliseconds"] for moment in times]
        found.append(
            (median(walls), max(walls), median(moment["cpu"] for moment in times), product)
        )
    found.sort(reverse=True)
    print(f"  {name}: fresh computations, ms (median, most, of a processor); to reach: {SLOWEST}")
    for middle, most, cpu, product in found:
        print(f"    {product:18} {middle:7.1f} {most:7.1f} {cpu:7.1f}")


def products(base: str) -> list[str]:
    """Return the names of all products, as the server's document has them."""
    described = json.loads(asked(f"{base}/intelligence/openapi.json"))
    paths = [path for path in described["paths"] if "/intelligence/" in path]
    return [path.split("/intelligence/")[1].split("/")[0] for path in paths]


if __name__ == "__main__":
    sys.exit(main())
