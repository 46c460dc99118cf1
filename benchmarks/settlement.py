"""Flow checks per second beside their ceilings, on SQLite and PostgreSQL.

    ./run bench settlement [--requests N] [--rounds N] [--threads N] [--keeps SECONDS]
                            [--postgres URL]

All data is at hand: each recipient is registered, half of them for an entity with an LEI, and the
oracle and the live ESG score have run. The ceiling is the same row that looks nothing up: the same
gate, shapes and rendering, with an answer that was made beforehand. The bare view is a plain Django
view that reads registration, last event and profile of a wallet, and answers JSON. All are driven
in turn, several rounds; the ratios are the figures.
"""

import argparse
import hashlib
import json
import random
import sys
import urllib.request
from typing import Any
from urllib.parse import urlencode

from benchmarks.benchmark_server import PORT, serving
from benchmarks.rate_report import (
    iter_databases,
    offer_json,
    offer_postgres,
    report_in_turn,
    write_json,
)
from benchmarks.screen import FORMS, LEIS, WORDS

FLOW, CEILING, BARE = "/settlement/flow-check", "/ceiling", "/bare"
REGISTER = "/compliance/register"


def main() -> int:
    options = arguments()
    print("Ratios of one server and database: a flow check, the same without looking up, a view")
    print(
        f"{options.wallets} wallets, {options.threads} threads, kept for {options.keeps} s, "
        f"{options.clients} clients, {options.requests} a round"
    )
    for name, url in iter_databases(options):
        settings = "benchmarks.settlement_settings"
        told = {
            "FLOW_CHECK_THREADS": str(options.threads),
            "FLOW_CHECK_KEEPS": str(options.keeps),
        }
        with serving(database=url, settings=settings, environment=told) as keys:
            prepare(keys["signing"], options.wallets)
            report(name, options)
    write_json(options)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--requests", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--wallets", type=int, default=200)
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--keeps", type=int, default=5, help="FLOW_CHECK_KEEPS, in seconds")
    offer_postgres(parser)
    offer_json(parser)
    return parser.parse_args()


def wallet(number: int) -> str:
    """Return the address of a number, in small letters."""
    return f"0x{hashlib.sha256(b'%d' % number).hexdigest()[:40]}"


def party(number: int) -> dict[str, Any]:
    """Return who is registered for the wallet of a number: one in two has an LEI."""
    pick = random.Random(number)
    if number % 2:
        name, lei = pick.choice(LEIS)
        return {"legalName": name, "lei": lei, "country": "US"}
    words = f"{pick.choice(WORDS)} {pick.choice(WORDS)} {number}"
    return {"legalName": f"{words.title()} {pick.choice(FORMS)}", "country": "DE"}


def prepare(key: str, count: int) -> None:
    """Register the recipients, and see that the oracle and the live score have run."""
    for number in range(count):
        body = {"walletAddress": wallet(number)} | party(number)
        sent = urllib.request.Request(
            f"http://127.0.0.1:{PORT}{REGISTER}",
            data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json", "Authorization": f"Bearer {key}"},
        )
        urllib.request.urlopen(sent, timeout=30).close()
    with urllib.request.urlopen(f"http://127.0.0.1:{PORT}{query(FLOW, 1, 100)}") as answer:
        document = json.loads(answer.read())
    lacking = [check["name"] for check in document["checks"] if check["outcome"] == "NOT_RUN"]
    print(f"  a flow is {document['decision']}; checks that did not run: {lacking or 'none'}")


def query(path: str, number: int, amount: float) -> str:
    """Return the address of a flow check."""
    asked = {"amount": amount, "from": "USD", "to": "USD", "recipientAddress": wallet(number)}
    return f"{path}?{urlencode(asked)}"


def payloads(path: str, count: int, seed: int, *, wallets: int) -> list[bytes]:
    """Return whole requests: recipients by chance, no two amounts alike."""
    pick = random.Random(seed)
    addresses = (
        query(path, pick.randrange(wallets), pick.randrange(100, 10**7) / 100) for _ in range(count)
    )
    ends = "HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    return [f"GET {address} {ends}".encode() for address in addresses]


def report(name: str, options: argparse.Namespace) -> None:
    """Drive flow check, ceiling and bare view in turn; print the rounds and the median ratios."""
    report_in_turn(
        name,
        options,
        paths=(FLOW, CEILING, BARE),
        payloads=lambda *one: payloads(*one, wallets=options.wallets),
        ratios=((FLOW, CEILING), (FLOW, BARE), (CEILING, BARE)),
        port=PORT,
    )


if __name__ == "__main__":
    sys.exit(main())
