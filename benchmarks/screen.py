"""Requests per second of the combined screen beside its ceilings, on SQLite and PostgreSQL.

    ./run bench screen [--list FILE] [--requests N] [--postgres URL] [--caches off]

The ceiling is the same server and database doing key lookup, rate limit, validation and the
same inserts without looking anything up; the bare one is a plain Django view with one SELECT by
key and the same inserts. All are driven in turn, several rounds; the ratios are the figures.
Names never repeat; 20 % carry an LEI, 10 % are individuals.
"""

import argparse
import json
import os
import random
import sys
from contextlib import AbstractContextManager
from pathlib import Path

from benchmarks.benchmark_server import PORT, ROOT, serving
from benchmarks.load_generator import request
from benchmarks.rate_report import (
    iter_databases,
    offer_json,
    offer_postgres,
    report_in_turn,
    write_json,
)

SCREEN = "/compliance/compliance/screen"
CEILING, BARE = "/ceiling", "/bare"
LEIS = (
    ("Microsoft Corporation", "INR2EJN1ERAN0W5ZP974"),
    ("Fraport AG Frankfurt Airport Services Worldwide", "5299001ERX0K10IZUL40"),
    ("Bloomberg Finance L.P.", "5493001KJTIIGC8Y1R12"),
    ("APPLE ENERGY LLC", "549300YX4S1LLSMK2627"),
)
_WORDS = """
    north south river stone silver harbour orchid maple falcon cedar meridian summit anchor
    lantern willow copper granite heather juniper kestrel lagoon marble nectar opal prairie
    quartz raven saffron thistle umber valley walnut yarrow zephyr alder birch clover delta
"""
WORDS = _WORDS.split()
FORMS = ("Ltd", "GmbH", "Inc", "SA", "BV", "LLC", "AG", "SpA", "Oy", "Pty Ltd")
_FIRST = "Anna Bruno Carla Dmitri Elena Farid Grace Hiro Ines Jonas Karim Lucia Marek Nadia"
FIRST = _FIRST.split()


def main() -> int:
    options = arguments()
    print("Ratios of one server and database: screen, the same without looking up, a bare view")
    print(f"token caches {options.caches}, {options.clients} clients, {options.requests} a round")
    for name, url in iter_databases(options):
        with server(url, options) as keys:
            report(name, keys["subscription"], options)
    write_json(options)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    shared = Path(os.environ.get("SHARED_DATA") or ROOT.parent / "shared" / "data")
    listed = shared / "lists" / "sanctions_ofac.csv"
    parser.add_argument("--list", type=Path, default=listed if listed.exists() else None)
    parser.add_argument("--requests", type=int, default=1500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--caches", choices=("on", "off"), default="off")
    offer_postgres(parser)
    offer_json(parser)
    return parser.parse_args()


def server(url: str, options: argparse.Namespace) -> AbstractContextManager[dict[str, str]]:
    """Return web workers on a fresh database with the list loaded."""
    return serving(
        database=url,
        settings="benchmarks.screen_settings",
        commands=[("import_list", "bench", str(options.list))] if options.list else (),
        environment={"BENCH_CACHES": options.caches},
    )


def bodies(count: int, seed: int) -> list[bytes]:
    """Return request bodies whose names have not been seen before."""
    pick = random.Random(seed)
    made = []
    for number in range(count):
        body: dict[str, object] = {"country": pick.choice(("DE", "FR", "US", "JP")), "amount": 750}
        share = pick.random()
        if share < 0.2:
            name, lei = pick.choice(LEIS)
            body |= {"name": f"{name} {seed}{number}", "lei": lei}
        elif share < 0.3:
            body |= {"name": f"{pick.choice(FIRST)} {_word(pick)}", "individual": True}
        else:
            words = f"{pick.choice(WORDS)} {_word(pick)} {pick.choice(WORDS)}"
            body["name"] = f"{words.title()} {pick.choice(FORMS)}"
        made.append(json.dumps(body).encode())
    return made


def _word(pick: random.Random) -> str:
    """Return a word that no dictionary has."""
    return "".join(pick.choice("bdfgklmnprstvz") + pick.choice("aeiou") for _ in range(4)).title()


def report(name: str, key: str, options: argparse.Namespace) -> None:
    """Drive screen, ceiling and bare view in turn; print the rounds and the median ratios."""

    def payloads(path: str, count: int, seed: int) -> list[bytes]:
        headers = {"X-API-Key": key}
        return [request(path=path, headers=headers, body=body) for body in bodies(count, seed)]

    report_in_turn(
        name,
        options,
        paths=(SCREEN, CEILING, BARE),
        payloads=payloads,
        ratios=((SCREEN, CEILING), (CEILING, BARE)),
        port=PORT,
    )


if __name__ == "__main__":
    sys.exit(main())
