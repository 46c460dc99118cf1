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
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.load import Result, drive, request

ROOT = Path(__file__).resolve().parent.parent
PORT = 8973
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
    for name, url in (("SQLite", ""), ("PostgreSQL", options.postgres)):
        if name == "PostgreSQL" and not url:
            print("PostgreSQL: not measured (no --postgres URL)")
            continue
        with server(url, options) as key:
            report(name, key, options)
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
    parser.add_argument(
        "--postgres",
        default=os.environ.get("BENCH_DATABASE_URL", ""),
        help="URL of an empty database that may be filled",
    )
    return parser.parse_args()


@contextmanager
def server(url: str, options: argparse.Namespace) -> Iterator[str]:
    """Start web workers on a fresh database with the list loaded; yields an API key."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        env = os.environ | {
            "VAR_DIR": folder,
            "PORT": str(PORT),
            "DJANGO_SETTINGS_MODULE": "benchmarks.screen_settings",
            "BENCH_CACHES": options.caches,
        }
        env.pop("DATABASE_URL", None)
        if url:
            env["DATABASE_URL"] = url

        def manage(*words: str) -> str:
            command = [sys.executable, "manage.py", *words]
            done = subprocess.run(command, cwd=ROOT, env=env, check=True, capture_output=True)
            return done.stdout.decode()

        manage("migrate", "--verbosity", "0")
        manage("setup_sandbox", "--quiet")
        if options.list:
            manage("import_list", "bench", str(options.list))
        manage("build_index")
        key = json.loads((Path(folder) / "keys.json").read_text())["subscription"]
        gunicorn = ["-m", "gunicorn", "--config", "config/gunicorn.py", "config.wsgi"]
        process = subprocess.Popen([sys.executable, *gunicorn], cwd=ROOT, env=env)
        try:
            _wait()
            yield key
        finally:
            process.terminate()
            process.wait(20)


def _wait() -> None:
    for _ in range(100):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/", timeout=1):
                return
        except OSError:
            time.sleep(0.2)
    raise SystemExit("the server did not start")


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
    runs: dict[str, list[Result]] = {SCREEN: [], CEILING: [], BARE: []}
    for turn in range(options.rounds + 1):
        for path, results in runs.items():
            seed = turn * 3 + list(runs).index(path)
            made = bodies(options.requests if turn else 200, seed + 1000)
            payloads = [request(path=path, key=key, body=body) for body in made]
            result = drive(port=PORT, requests=payloads, clients=options.clients)
            if result.failed:
                raise SystemExit(f"{path}: {result.failed} requests were not answered with 200")
            if turn:  # the first turn warms up
                results.append(result)
    print(f"\n{name}")
    for path, results in runs.items():
        rate = statistics.median(r.per_second for r in results)
        p50, p95, p99 = (
            statistics.median(r.percentile(s) for r in results) for s in (0.5, 0.95, 0.99)
        )
        print(f"  {path:<32} {rate:7.0f} req/s   p50 {p50:5.1f}  p95 {p95:5.1f}  p99 {p99:5.1f} ms")
    for above, below in ((SCREEN, CEILING), (CEILING, BARE)):
        print(f"  {_ratio(runs, above, below)}")


def _ratio(runs: dict[str, list[Result]], above: str, below: str) -> str:
    """Return the median over the rounds of one throughput as a share of another, in words."""
    pairs = zip(runs[above], runs[below], strict=True)
    ratios = [a.per_second / b.per_second for a, b in pairs]
    listed = ", ".join(f"{ratio:.2f}" for ratio in ratios)
    return f"{above} / {below}: {statistics.median(ratios):.2f} (rounds: {listed})"


if __name__ == "__main__":
    sys.exit(main())
