"""How long a report of fifty companies takes, beside one of one: `./run bench sfdr [--rounds N]`.

In one process on SQLite in memory, through the whole pipeline, all figures held: what is measured
is the report and its record, not the network. The ratio is the figure; the target is 3 seconds.
"""

import argparse
import json
import os
import statistics
import time
from datetime import UTC, date, datetime
from decimal import Decimal

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
os.environ["DATABASE_URL"] = "sqlite://:memory:"

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402

from apps.insight.esg import evidence_figures  # noqa: E402
from apps.insight.esg.evidence_figures import Figure  # noqa: E402
from apps.insight.esg.sfdr.rules.holdings import INPUTS_BY_BLOCK  # noqa: E402
from apps.platform.common.lei import is_valid_lei  # noqa: E402

WANTED, MOST = "wanted: 50 companies within 3 s", 50
PATH = "/compliance/sfdr/pai-report"
ENDS = ("2025-03-31", "2025-06-30", "2025-09-30", "2025-12-31")


def main() -> None:
    """Load figures of fifty companies, then print seconds for one and for fifty of them."""
    parser = argparse.ArgumentParser(prog="./run bench sfdr", description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    rounds = parser.parse_args().rounds
    call_command("migrate", verbosity=0)
    leis = list(_leis())
    evidence_figures.record_figures(figures=list(_figures(leis)), now=datetime.now(UTC))
    print(WANTED, flush=True)
    for name, quarters in (("one day", False), ("four quarters", True)):
        one, fifty = (_seconds(leis[:count], quarters, rounds) for count in (1, MOST))
        print(f"{name}: one {one:.3f} s, fifty {fifty:.3f} s, ratio {fifty / one:.1f}", flush=True)


def _leis() -> list[str]:
    """Return made-up LEIs with valid check digits."""
    leis = []
    for number in range(MOST):
        stem = f"TEST{number:014d}"
        digits = "".join(str(int(one, 36)) for one in stem + "00")
        leis.append(f"{stem}{98 - int(digits) % 97:02d}")
    assert all(map(is_valid_lei, leis))
    return leis


def _figures(leis: list[str]) -> list[Figure]:
    day = date(2025, 12, 31)
    return [
        Figure(lei, key, Decimal(1), "2025", day, "BENCH", "https://a.example", day)
        for lei in leis
        for key in INPUTS_BY_BLOCK["COMPANY"]
    ]


def _seconds(leis: list[str], quarters: bool, rounds: int) -> float:
    held = [{"lei": lei, "value": 1_000_000} for lei in leis]
    body = {"portfolioName": "Bench", "reportingPeriod": "2025", "currency": "EUR"}
    whole = [{"quarterEnd": end, "holdings": held} for end in ENDS]
    text = json.dumps(body | ({"quarters": whole} if quarters else {"holdings": held}))
    took = []
    for turn in range(rounds + 1):
        # an address of its own for each call: the rate is not what is measured
        client = Client(REMOTE_ADDR=f"198.51.{len(leis)}.{turn}")
        began = time.perf_counter()
        answer = client.post(PATH, text, content_type="application/json")
        took.append(time.perf_counter() - began)
        if answer.status_code != 200:
            raise SystemExit(answer.content.decode())
    return statistics.median(took[1:])


if __name__ == "__main__":
    main()
