"""Milliseconds from a decision to the next case on the screen, with many cases open.

    ./run bench desk [--open N] [--clears N]

The server's part: the POST of a decision and the GET of the case that it leads to, on SQLite or
on what DATABASE_URL names (an empty database). The browser's part
is in tests/browser/test_keyboard_clears.py.
"""

import argparse
import os
import re
import statistics
import tempfile
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

GOAL = 150  # milliseconds, the middle of all clears
NOTE = "Another person: the birth dates differ by nineteen years."


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--open", type=int, default=20_000)
    parser.add_argument("--clears", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("DATABASE_URL", f"sqlite:///{Path(folder) / 'desk.sqlite3'}")
        os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
        os.environ["VAR_DIR"] = folder
        import django

        django.setup()
        return measure(options.open, options.clears)


def measure(opened: int, clears: int) -> int:
    """Open cases, clear some, print the figures; 1 when the middle is above the goal."""
    from django.core.management import call_command

    from apps.backoffice.review.models import Case
    from tests.review import people

    call_command("migrate", verbosity=0)
    fill(opened)
    desk = people.at_desk(people.person("olivia", people.OFFICER))
    address = desk.post("/admin/review/case/next/").headers["Location"]
    page = desk.get(address).content.decode()
    spans = []
    for _ in range(clears):
        began = time.perf_counter()
        answer = desk.post(f"{address}decide/", decision(page))
        assert answer.status_code == 302, answer.content[:500]
        address = answer.headers["Location"]
        page = desk.get(address).content.decode()
        spans.append(1000 * (time.perf_counter() - began))
    middle = statistics.median(spans)
    waiting = Case.objects.filter(status="OPEN").count()
    print(f"{waiting} open: {middle:.0f} ms to the next case (slowest {max(spans):.0f})")
    return int(middle > GOAL)


def decision(page: str) -> dict[str, str]:
    """Return the form of an approval as the page on the screen stamps it."""
    match = re.search(r'name="seen" value="(\w+)"', page)
    assert match
    given = {"outcome": "APPROVE", "reason_APPROVE": "OTHER", "note": NOTE}
    return given | {"seen": match[1]}


def fill(number: int) -> None:
    """Open cases through the product's own action, due over three weeks."""
    from django.db import transaction

    from apps.platform.common.clock import now
    from tests.review import people

    moment = now()
    hit = {"dataset": "us_ofac_sdn", "entityId": "7", "name": "HADAD, Chen Ali", "score": 52}
    seen = {"sanctions": [hit], "pep": [], "chain": []}
    for first in range(0, number, 500):
        with transaction.atomic():
            for index in range(first, min(number, first + 500)):
                since: Any = moment - timedelta(minutes=index % 500)
                people.case(str(index), party=f"Party {index}", evidence=seen, now=since)


if __name__ == "__main__":
    raise SystemExit(main())
