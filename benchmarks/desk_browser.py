"""Keys and milliseconds of clears in a real browser against real web workers, with many cases open.

    ./run bench desk_browser [--open N] [--clears N]

On SQLite, or on what DATABASE_URL names (an empty database). It needs Debian's chromium. The
milliseconds run from the key that commits to the next case on the screen with its box in reach.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PORT = 8791
GOAL = 150  # milliseconds, the middle of all clears
PARTS = """() => {
    const n = performance.getEntriesByType("navigation")[0];
    return {
        "decision and redirect": n.redirectEnd - n.startTime,
        "server's page": n.responseStart - n.redirectEnd,
        "page received": n.responseEnd - n.responseStart,
        "parsed": n.domInteractive - n.responseEnd,
        "scripts": n.domContentLoadedEventEnd - n.domInteractive,
        kilobytes: n.decodedBodySize / 1000,
    };
}"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--open", type=int, default=20_000)
    parser.add_argument("--clears", type=int, default=20)
    options = parser.parse_args()
    place = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if not place:
        raise SystemExit("No Chromium: install Debian's `chromium`, or set CHROMIUM to its path.")
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        os.environ |= {"VAR_DIR": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # Playwright keeps an event loop here
        import django

        django.setup()
        cookie = prepared(options.open)
        with server():
            return measure(place, cookie, options.clears)


def prepared(opened: int) -> dict[str, str]:
    """Migrate, open the cases, and return the cookie of an officer who is signed in."""
    from django.conf import settings
    from django.core.management import call_command

    from tests.review import people

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    fill(opened)
    client = people.at_desk(people.person("olivia", people.OFFICER))
    name = settings.SESSION_COOKIE_NAME
    return {"name": name, "value": client.cookies[name].value, "url": f"http://127.0.0.1:{PORT}"}


def fill(number: int) -> None:
    """Open cases of every rule through the product's own action, due over three weeks."""
    from django.db import transaction

    from apps.platform.common.clock import now
    from tests.browser.test_keyboard_clears import GROUPS, evidence
    from tests.review import people

    moment = now()
    for first in range(0, number, 500):
        with transaction.atomic():
            for index in range(first, min(number, first + 500)):
                group = GROUPS[index % len(GROUPS)]
                ref = group[index // len(GROUPS) % len(group)]
                since: Any = moment - timedelta(minutes=index % 500)
                people.case(
                    str(index), party=f"Party {index}", evidence=evidence(index), now=since,
                    reasons=[{"ref": ref, "sentence": f"Rule {ref} held."}],
                )  # fmt: skip
        print(f"\r{min(number, first + 500)} of {number} cases opened", end="", file=sys.stderr)
    print(file=sys.stderr)


@contextmanager
def server() -> Iterator[None]:
    """Run the web workers as the product does."""
    command = [sys.executable, "-m", "gunicorn", "--config", "config/gunicorn.py", "config.wsgi"]
    process = subprocess.Popen(command, cwd=ROOT, env=os.environ | {"PORT": str(PORT)})
    try:
        for _ in range(100):
            with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{PORT}/", timeout=1):
                break
            time.sleep(0.2)
        else:
            raise SystemExit("the server did not start")
        yield
    finally:
        process.terminate()
        process.wait(20)


def measure(chromium: str, cookie: Any, clears: int) -> int:
    """Clear by keyboard, print the figures; 1 when the middle is above the goal."""
    from playwright.sync_api import sync_playwright

    from tests.browser.test_keyboard_clears import clear
    from tests.chromium import ARGUMENTS

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        context = browser.new_context(base_url=f"http://127.0.0.1:{PORT}")
        context.add_cookies([cookie])
        page = context.new_page()
        page.goto("/admin/")
        with page.expect_navigation():
            page.keyboard.press("n")
        done, parts = [], []
        for _ in range(clears):
            done.append(clear(page))
            parts.append(page.evaluate(PARTS))
        browser.close()
    spans = [span for _, span in done]
    middle = statistics.median(spans)
    print(f"{max(keys for keys, _ in done)} keys a clear beside the note; {middle:.0f} ms to the "
          f"next case (fastest {min(spans):.0f}, slowest {max(spans):.0f})")  # fmt: skip
    told = {name: statistics.median(part[name] for part in parts) for name in parts[0]}
    print("of which " + ", ".join(f"{name} {value:.0f}" for name, value in told.items()))
    return int(middle > GOAL)


if __name__ == "__main__":
    raise SystemExit(main())
