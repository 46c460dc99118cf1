"""Quotes per second beside their ceilings, on SQLite and PostgreSQL.

    ./run bench quote [--requests N] [--rounds N] [--postgres URL]

The ceiling is the same row that computes nothing: the same gate, shapes, rendering and insert, with
an answer that was made beforehand. The bare view is a plain Django view with the insert. All are
driven in turn, several rounds; the ratios are the figures. No two quotes are of one amount.
"""

import argparse
import json
import os
import random
import sys

from benchmarks.load import request
from benchmarks.reporting import in_turn, offer_json, table, write_json
from benchmarks.serving import PORT, serving

QUOTE, CEILING, BARE = "/stability/quote", "/ceiling", "/bare"


def main() -> int:
    options = arguments()
    print("Ratios of one server and database: a quote, the same without computing, a bare view")
    print(f"{options.clients} clients, {options.requests} a round")
    for name, url in (("SQLite", ""), ("PostgreSQL", options.postgres)):
        if name == "PostgreSQL" and not url:
            print("PostgreSQL: not measured (no --postgres URL)")
            continue
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
    parser.add_argument(
        "--postgres",
        default=os.environ.get("BENCH_DATABASE_URL", ""),
        help="URL of an empty database that may be filled",
    )
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
        return [request(path=path, headers={}, body=one) for one in bodies(count, seed)]

    runs = in_turn(
        paths=(QUOTE, CEILING, BARE),
        rounds=options.rounds,
        requests=options.requests,
        payloads=payloads,
        clients=options.clients,
        port=options.port,
    )
    print(table(name, runs, ((QUOTE, CEILING), (CEILING, BARE))))


if __name__ == "__main__":
    sys.exit(main())
