"""Quotes per second beside their ceilings, on SQLite and PostgreSQL.

    ./run bench quote [--requests N] [--rounds N] [--postgres URL]

The ceiling is the same row that computes nothing: the same gate, shapes, rendering and insert, with
an answer that was made beforehand. The bare view is a plain Django view with the insert. All are
driven in turn, several rounds; the ratios are the figures. No two quotes are of one amount.
"""

import argparse
import json
import random
import sys

from benchmarks.benchmark_server import PORT, serving
from benchmarks.load_generator import request
from benchmarks.rate_report import (
    iter_databases,
    offer_json,
    offer_postgres,
    report_in_turn,
    write_json,
)

QUOTE, CEILING, BARE = "/stability/quote", "/ceiling", "/bare"


def main() -> int:
    options = arguments()
    print("Ratios of one server and database: a quote, the same without computing, a bare view")
    print(f"{options.clients} clients, {options.requests} a round")
    for name, url in iter_databases(options):
        with serving(database=url, settings="benchmarks.quote_settings", port=options.port):
            report(name, options)
    write_json(options)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--requests", type=int, default=1500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--port", type=int, default=PORT)
    offer_postgres(parser)
    offer_json(parser)
    return parser.parse_args()


def bodies(count: int, seed: int) -> list[bytes]:
    """Return request bodies of quotes, each of another amount."""
    pick = random.Random(seed)
    made = [
        {
            "amountUsd": pick.randrange(1, 10**12) / 1000,
            "hasFx": pick.random() < 0.5,
            "esgScore": pick.randrange(0, 101),
            "monthlyVolumeUsd": pick.choice((0, 250_000, 2_500_000, 25_000_000)),
        }
        for _ in range(count)
    ]
    return [json.dumps(one).encode() for one in made]


def report(name: str, options: argparse.Namespace) -> None:
    """Drive quote, ceiling and bare view in turn; print the rounds and the median ratios."""

    def payloads(path: str, count: int, seed: int) -> list[bytes]:
        return [request(path=path, headers={}, body=body) for body in bodies(count, seed)]

    report_in_turn(
        name,
        options,
        paths=(QUOTE, CEILING, BARE),
        payloads=payloads,
        ratios=((QUOTE, CEILING), (CEILING, BARE)),
        port=options.port,
    )


if __name__ == "__main__":
    sys.exit(main())
