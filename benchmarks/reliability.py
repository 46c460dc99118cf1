"""Answers of /reliability per second beside their ceilings, on SQLite and PostgreSQL.

    ./run bench reliability [--requests N] [--rounds N] [--postgres URL]

The ceiling is the same row that looks at no run: the same gate, headers and bytes. The bare view is
a plain Django view that sends them. All are driven in turn, several rounds; the ratios are the
figures.
"""

import argparse
import sys

from benchmarks.benchmark_server import PORT, serving
from benchmarks.rate_report import (
    iter_databases,
    offer_json,
    offer_postgres,
    report_in_turn,
    write_json,
)

RELIABILITY, CEILING, BARE = "/stability/reliability", "/ceiling", "/bare"


def main() -> int:
    options = arguments()
    print("Ratios of one server and database: /reliability, the same without a run, a bare view")
    print(f"{options.clients} clients, {options.requests} a round")
    for name, url in iter_databases(options):
        settings = "benchmarks.reliability_settings"
        with serving(database=url, settings=settings, port=options.port):
            report(name, options)
    write_json(options)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--requests", type=int, default=1500)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--port", type=int, default=PORT)
    offer_postgres(parser)
    offer_json(parser)
    return parser.parse_args()


def report(name: str, options: argparse.Namespace) -> None:
    """Drive the three in turn; print the rounds and the median ratios."""

    def payloads(path: str, count: int, seed: int) -> list[bytes]:
        return [
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode()
        ] * count

    report_in_turn(
        name,
        options,
        paths=(RELIABILITY, CEILING, BARE),
        payloads=payloads,
        ratios=((RELIABILITY, CEILING), (CEILING, BARE)),
        port=options.port,
    )


if __name__ == "__main__":
    sys.exit(main())
