"""Payee checks per second beside their ceilings, on SQLite and PostgreSQL.

    ./run bench vop [--wallets N] [--requests N] [--rounds N] [--postgres URL]

Each check is paid for by x402 with a payment of its own, signed before the clock runs; the sandbox
facilitator judges it. The ceiling is the same row that looks nothing up: the same payment,
attestation and inserts. The bare view is a plain Django view with one SELECT by wallet and the
insert, for which nobody pays. All are driven in turn, several rounds; the ratios are the figures.
Submitted names never repeat: 40 % are the registered one, 20 % without its legal form or in
another order, 20 % with a slip of the pen, 20 % another's. Last, the comparison by itself.
"""

import argparse
import hashlib
import json
import os
import random
import sys
import time
import urllib.error
import urllib.request
from typing import Any

from eth_account import Account

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")  # the payer is a test's

from apps.reference.names.payee import compare_payee_names
from apps.reference.names.payee.name_parser import parse_payee_name
from benchmarks.benchmark_server import PORT, serving
from benchmarks.load_generator import request
from benchmarks.rate_report import (
    iter_databases,
    offer_json,
    offer_postgres,
    report_in_turn,
    write_json,
)
from benchmarks.screen import FORMS, WORDS
from tests.paywall.payer import v1

VERIFY, CEILING, BARE = "/compliance/vop/verify", "/ceiling", "/bare"
REGISTER = "/compliance/register"
SERVER = f"http://127.0.0.1:{PORT}"
PAYER = Account.from_key(hashlib.sha256(b"benchmark").digest())
LASTS = 3600  # seconds for which a payment that was signed beforehand may be taken


def main() -> int:
    options = arguments()
    print("Ratios of one server and database: a check, the same without looking up, a bare view")
    print(f"{options.wallets} wallets, {options.clients} clients, {options.requests} a round")
    for name, url in iter_databases(options):
        with serving(database=url, settings="benchmarks.vop_settings") as keys:
            register(keys["signing"], options.wallets)
            report(name, options)
    comparing(options)
    write_json(options)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--wallets", type=int, default=300)
    parser.add_argument("--requests", type=int, default=600)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--pairs", type=int, default=5000, help="names compared by themselves")
    offer_postgres(parser)
    offer_json(parser)
    return parser.parse_args()


def wallet(number: int) -> str:
    """Return the address of a number, in small letters."""
    return f"0x{hashlib.sha256(b'%d' % number).hexdigest()[:40]}"


def payee(number: int) -> str:
    """Return the name under which the wallet of a number is registered."""
    pick = random.Random(number)
    return f"{_word(pick)} {pick.choice(WORDS).title()} {pick.choice(FORMS)}"


def submitted(number: int, pick: random.Random) -> str:
    """Return a name as a payer may write it for the payee of a number."""
    first, second, form = payee(number).split(" ", 2)
    share = pick.random()
    if share < 0.4:
        return f"{first.upper()} {second} {form}"
    if share < 0.6:
        return f"{first} {second}" if share < 0.5 else f"{form} {first} {second}"
    if share < 0.8:
        at = pick.randrange(1, len(first) - 1)
        return f"{first[:at]}{first[at + 1 :]} {second} {form}"
    return f"{_word(pick)} {pick.choice(WORDS).title()} {form}"


def _word(pick: random.Random) -> str:
    """Return a word that no dictionary has."""
    return "".join(pick.choice("bdfgklmnprstvz") + pick.choice("aeiou") for _ in range(4)).title()


def bodies(count: int, seed: int, *, wallets: int) -> list[bytes]:
    """Return request bodies of checks; each names its reference, so that none is another's."""
    pick = random.Random(seed)
    made = []
    for _ in range(count):
        number = pick.randrange(wallets)
        body = {"walletAddress": wallet(number), "submittedName": submitted(number, pick)}
        made.append(json.dumps(body).encode())
    return made


def register(key: str, count: int) -> None:
    """Register the wallets of so many payees."""
    for number in range(count):
        body = {"walletAddress": wallet(number), "legalName": payee(number), "country": "DE"}
        status, answer = _post(REGISTER, body, {"X-API-Key": key, "Authorization": f"Bearer {key}"})
        if status not in (200, 201):
            raise SystemExit(f"{payee(number)} was not registered: {status} {answer}")


def _post(path: str, body: dict[str, Any], headers: dict[str, str]) -> tuple[int, Any]:
    asked = urllib.request.Request(
        SERVER + path,
        data=json.dumps(body).encode(),
        headers={"Content-Type": "application/json", **headers},
    )
    try:
        with urllib.request.urlopen(asked, timeout=30) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as refused:
        return refused.code, json.loads(refused.read())


def report(name: str, options: argparse.Namespace) -> None:
    """Drive check, ceiling and bare view in turn; print the rounds and the median ratios."""
    body = {"walletAddress": wallet(0), "submittedName": payee(0)}
    offers = {path: first_offer(path, body) for path in (VERIFY, CEILING)}

    def payloads(path: str, count: int, seed: int) -> list[bytes]:
        made = bodies(count, seed, wallets=options.wallets)
        return [request(path=path, headers=pay_offer(offers.get(path)), body=one) for one in made]

    report_in_turn(
        name,
        options,
        paths=(VERIFY, CEILING, BARE),
        payloads=payloads,
        ratios=((VERIFY, CEILING), (CEILING, BARE)),
        port=PORT,
    )


def first_offer(path: str, body: dict[str, Any]) -> dict[str, Any]:
    """Return the first way to pay that a path offers to whom sends no payment."""
    offer: dict[str, Any] = _post(path, body, {})[1]["accepts"][0]
    return offer


def pay_offer(offer: dict[str, Any] | None) -> dict[str, str]:
    """Return the header that pays an offer, none where nothing is asked."""
    return v1(offer, PAYER, validBefore=int(time.time()) + LASTS) if offer else {}


def comparing(options: argparse.Namespace) -> None:
    """Print how long the comparison of two names takes by itself, of names not seen before."""
    pick = random.Random(1)
    pairs = [(submitted(number, pick), payee(number)) for number in range(options.pairs)]
    compare_payee_names(submitted="Warm Up GmbH", registered="Warm Up Ltd")
    spans = []
    for given, held in pairs:
        started = time.perf_counter()
        compare_payee_names(submitted=given, registered=held)
        spans.append(1000 * (time.perf_counter() - started))
    spans.sort()
    p50, p99 = spans[len(spans) // 2], spans[int(len(spans) * 0.99)]
    misses = parse_payee_name.cache_info().misses
    print(f"\nComparison of {len(spans):,} pairs ({misses:,} names read)")
    print(f"  p50 {p50:.2f}  p99 {p99:.2f} ms")


if __name__ == "__main__":
    sys.exit(main())
