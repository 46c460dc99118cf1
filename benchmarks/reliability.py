"""Answers of /reliability per second beside their ceilings, on SQLite and PostgreSQL.

    ./run bench reliability [--requests N] [--rounds N] [--postgres URL]

The ceiling is the same row that looks at no run: the same gate, headers and bytes. The bare view is
a plain Django view that sends them. All are driven in turn, several rounds; the ratios are the
figures.
"""

import argparse
import os
import sys

from benchmarks.reporting import in_turn, offer_json, table, write_json
from benchmarks.serving import PORT, serving

RELIABILITY, CEILING, BARE = "/stability/reliability", "/ceiling", "/bare"


def main() -> int:
    options = arguments()
    print("Ratios of one server and database: /reliability, the same without a run, a bare view")
    print(f"{options.clients} clients, {options.requests} a round")
    for name, url in (("SQLite", ""), ("PostgreSQL", options.postgres)):
        if name == "PostgreSQL" and not url:
            print("PostgreSQL: not measured (no --postgres URL)")
            continue
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
    parser.add_argument(
        "--postgres",
        default=os.environ.get("BENCH_DATABASE_URL", ""),
        help="URL of an empty database that may be filled",
    )
    offer_json(parser)
    return parser.parse_args()


def report(name: str, options: argparse.Namespace) -> None:
    """Drive the three in turn; print the rounds and the median ratios."""

    def payloads(path: str, count: int, seed: int) -> list[bytes]:
        return [
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode()
        ] * count

    runs = in_turn(
        paths=(RELIABILITY, CEILING, BARE),
        rounds=options.rounds,
        requests=options.requests,
        payloads=payloads,
        clients=options.clients,
        port=options.port,
    )
    print(table(name, runs, ((RELIABILITY, CEILING), (CEILING, BARE))))


if __name__ == "__main__":
    sys.exit(main())
