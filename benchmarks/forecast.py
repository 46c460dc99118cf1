"""Books of positions under the climate of now, beside their ceiling, on SQLite and PostgreSQL.

    ./run bench forecast [--requests N] [--rounds N] [--positions N] [--clients N]
                         [--postgres URL]

Each book has 1,000 positions, long and short, of all eleven markets, and no two are alike. The run
of the hour is at hand, as the job leaves it. The ceiling is the same row that reckons nothing: the
same body, shapes and rendering, with an answer that was made beforehand. The heat check stands
beside both. What is wanted: a portfolio of 1,000 positions within 50 ms, 95 times in 100, asked one
after the other.
"""

import argparse
import json
import random
import sys
import urllib.request

from benchmarks.benchmark_server import PORT, serving
from benchmarks.rate_report import (
    iter_databases,
    offer_json,
    offer_postgres,
    report_in_turn,
    write_json,
)

PORTFOLIO, CEILING, HEAT = (
    "/forecast/forecast/portfolio",
    "/ceiling",
    "/forecast/forecast/heat-check",
)
SYMBOLS = (
    "WHEAT", "CORN", "SOYB", "COFFEE", "COCOA", "COTTON", "SUGAR", "WTI", "NG", "COPPER", "LUMBER",
)  # fmt: skip


def main() -> int:
    options = arguments()
    print("Ratios of one server and database: a portfolio, the same unreckoned, the heat check")
    print(f"{options.positions} positions, {options.clients} clients, {options.requests} a round")
    for name, url in iter_databases(options):
        with serving(database=url, settings="benchmarks.forecast_settings"):
            with urllib.request.urlopen(f"http://127.0.0.1:{PORT}{HEAT}", timeout=60) as answer:
                print(f"  the sample is {json.loads(answer.read())['dataQuality']}")
            report(name, options)
    write_json(options)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--requests", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--clients", type=int, default=1)
    parser.add_argument("--positions", type=int, default=1000)
    offer_postgres(parser)
    offer_json(parser)
    return parser.parse_args()


def book(number: int, positions: int) -> bytes:
    """Return the book of a number."""
    pick = random.Random(number)
    rows = [
        {"symbol": pick.choice(SYMBOLS), "notionalUsd": pick.randrange(-(10**9), 10**9) / 100}
        for _ in range(positions)
    ]
    return json.dumps({"positions": rows}).encode()


def payloads(path: str, count: int, seed: int, *, positions: int) -> list[bytes]:
    """Return whole requests, no two books alike."""
    ends = "HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
    if path == HEAT:
        return [f"GET {path} {ends}\r\n".encode()] * count
    made = (book(seed * 100_000 + number, positions) for number in range(count))
    head = f"POST {path} {ends}Content-Type: application/json\r\nContent-Length: "
    return [f"{head}{len(body)}\r\n\r\n".encode() + body for body in made]


def report(name: str, options: argparse.Namespace) -> None:
    """Drive portfolio, ceiling and heat check in turn; print the rounds and the median ratios."""
    report_in_turn(
        name,
        options,
        paths=(PORTFOLIO, CEILING, HEAT),
        payloads=lambda *one: payloads(*one, positions=options.positions),
        ratios=((PORTFOLIO, CEILING), (PORTFOLIO, HEAT)),
        port=PORT,
    )


if __name__ == "__main__":
    sys.exit(main())
