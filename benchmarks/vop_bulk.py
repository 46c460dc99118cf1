"""Latency of payee checks while bulk runs use every core: `./run bench vop_bulk`.

    ./run bench vop_bulk [--names N] [--checks N] [--rounds N] [--per-second N] [--runs N]
                         [--json OUT]

Payee checks arrive at a steady rate over HTTP, each paid for by x402, as in `./run bench vop`. They
are timed in turn with nothing else to do, and while `manage.py screen_names` screens 10,000 names
against the lists, one run for each core. A check is timed from when it is due, so that one that
waits for another counts its wait. The figures are the medians of the rounds; the goal is a p99 of
50 ms.
"""

import argparse
import asyncio
import csv
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import cultures_data, vop
from benchmarks.benchmark_server import PORT, ROOT, serving
from benchmarks.load_generator import Result, request
from benchmarks.rate_report import offer_json

GOAL_MS = 50
WARM_UP = 40  # checks that are not timed


def main() -> int:
    """Time the checks alone and beside bulk runs, print both, and write them if asked to."""
    options = arguments()
    with serving(database="", settings="benchmarks.vop_settings") as server:
        vop.register(server["signing"], options.wallets)
        alone, beside = [], []
        screened = 0
        for turn in range(options.rounds):
            alone.append(paced(payloads(options, seed=2 * turn), options.per_second))
            with bulk_runs(options, var_dir=server["VAR_DIR"]) as count_rows:
                made = payloads(options, seed=2 * turn + 1)
                before, began = count_rows(), time.perf_counter()
                beside.append(paced(made, options.per_second))
                screened += (count_rows() - before) / (time.perf_counter() - began)
    found = {
        "goal_ms": GOAL_MS,
        "per_second": options.per_second,
        "runs": options.runs,
        "names_per_second": round(screened / options.rounds),
        "load": round(os.getloadavg()[0], 1),
        "alone": latencies(alone),
        "beside_bulk": latencies(beside),
    }
    show(found)
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="./run bench vop_bulk", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--names", type=int, default=10_000, help="names of a bulk run")
    parser.add_argument("--runs", type=int, default=os.cpu_count() or 1, help="bulk runs at once")
    parser.add_argument("--wallets", type=int, default=100)
    parser.add_argument("--checks", type=int, default=200, help="of a round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--per-second", type=float, default=10.0, help="checks a second")
    offer_json(parser)
    return parser.parse_args()


def payloads(options: argparse.Namespace, *, seed: int) -> list[bytes]:
    """Return whole requests of the paid checks of a round, and of its warm-up."""
    body = {"walletAddress": vop.wallet(0), "submittedName": vop.payee(0)}
    offer = vop.first_offer(vop.VERIFY, body)
    bodies = vop.bodies(options.checks + WARM_UP, seed, wallets=options.wallets)
    return [
        request(path=vop.VERIFY, headers=vop.pay_offer(offer), body=one) for one in bodies
    ]  # fmt: skip


def paced(requests: Sequence[bytes], per_second: float) -> Result:
    """Send requests at a steady rate, without waiting for answers; the first ones are not timed."""
    return asyncio.run(_paced(requests, per_second))


async def _paced(requests: Sequence[bytes], per_second: float) -> Result:
    began = time.perf_counter()
    seconds: list[float] = []
    failed = 0

    async def one(number: int, payload: bytes) -> None:
        nonlocal failed
        due = began + number / per_second
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        reader, writer = await asyncio.open_connection("127.0.0.1", PORT)
        writer.write(payload)
        answer = await reader.read(-1)
        writer.close()
        if not answer.startswith(b"HTTP/1.1 200"):
            failed += 1
        elif number >= WARM_UP:
            seconds.append(time.perf_counter() - due)

    await asyncio.gather(*(one(number, payload) for number, payload in enumerate(requests)))
    if failed:
        raise SystemExit(f"{failed} payee checks were not answered with 200")
    return Result(seconds, time.perf_counter() - began, failed)


@contextmanager
def bulk_runs(options: argparse.Namespace, *, var_dir: str) -> Iterator[Callable[[], int]]:
    """Keep bulk runs going; yields what counts the names that they have screened by now."""
    env = os.environ | {"VAR_DIR": var_dir, "DJANGO_SETTINGS_MODULE": "config.settings"}
    with TemporaryDirectory(prefix="bulk-") as folder, ExitStack() as stack:
        for turn in range(options.runs):
            source, target = Path(folder) / f"{turn}.csv", Path(folder) / f"{turn}-out.csv"
            _write_names(source, options.names, seed=turn)
            command = [sys.executable, "manage.py", "screen_names", str(source), str(target)]
            quiet = subprocess.DEVNULL
            run = subprocess.Popen(command, cwd=ROOT, env=env, stdout=quiet, stderr=quiet)
            stack.callback(run.wait)
            stack.callback(run.terminate)

        def count_rows() -> int:
            paths = [path for path in Path(folder).iterdir() if "-out" in path.name]
            return sum(path.read_bytes().count(b"\n") for path in paths)

        while not count_rows():  # a run reads its settings and lists first
            if run.poll():
                raise SystemExit(f"a bulk run ended with {run.returncode}")
            time.sleep(0.1)
        yield count_rows


def _write_names(path: Path, names: int, *, seed: int) -> None:
    """Write so many innocent names of the world's cultures, each once where there are enough."""
    people = list(cultures_data.people(seed=seed, count=1 + names // 50))
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(("name", "schema"))
        writer.writerows((people[row % len(people)].name, "Person") for row in range(names))


def latencies(rounds: Sequence[Result]) -> dict[str, float]:
    """Return percentiles in milliseconds: medians over the rounds."""
    shares = {"p50_ms": 0.5, "p95_ms": 0.95, "p99_ms": 0.99}
    return {
        name: round(statistics.median(result.percentile(share) for result in rounds), 1)
        for name, share in shares.items()
    }


def show(found: dict[str, object]) -> None:
    """Print the figures as a table."""
    print(f"{found['per_second']:g} payee checks a second; goal: p99 of {GOAL_MS} ms")
    for title, key in (("alone", "alone"), (f"beside {found['runs']} bulk runs", "beside_bulk")):
        figures = found[key]
        assert isinstance(figures, dict)
        told = "  ".join(f"{name[:3]} {value:6.1f} ms" for name, value in figures.items())
        print(f"  {title:24} {told}")
    print(f"  names a second of the bulk runs: {found['names_per_second']}; load {found['load']}")


if __name__ == "__main__":
    sys.exit(main())
