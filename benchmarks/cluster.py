"""How names spread over workers: `./run bench cluster [--names N]`.

The same file goes to a Dask scheduler with one worker, and with two. Beside it the ceiling of this
machine: the same rows in two processes of `screen_names` at once, against one. Linear is 2.
"""

import argparse
import csv
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from benchmarks.rescreen_data import mixed

ROOT = Path(__file__).resolve().parent.parent
PORT = 8974
TO_REACH = 0.85  # of linear, to two workers


def main() -> None:
    """Make a database with the lists, spread names over workers, and print what that gains."""
    options = _options()
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        place = Place(Path(folder), options.port)
        say("setting up")
        for words in (("migrate", "--verbosity", "0"), ("setup_sandbox", "--quiet")):
            place.manage(*words)
        if options.lists:
            place.manage("import_list", "ofac-sdn", *map(str, options.lists))
        place.manage("build_index")
        place.write(options.names)
        alone, both = place.here(1), place.here(2)
        one, two = place.there(1), place.there(2)
    ceiling, gained = 2 * alone / both, one / two
    say(f"\n{options.names} names     seconds   names/s")
    for what, seconds, times in (
        ("one process", alone, 1), ("two processes at once", both, 2),
        ("cluster, 1 worker", one, 1), ("cluster, 2 workers", two, 1),
    ):  # fmt: skip
        say(f"{what:22} {seconds:8.1f} {times * options.names / seconds:9.0f}")
    say(f"one worker beside no cluster: {alone / one:.2f}")
    say(f"two workers to one: {gained:.2f} of 2 (to reach {2 * TO_REACH:.2f});")
    say(f"what two processes gain on this machine: {ceiling:.2f}; of that {gained / ceiling:.2f}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./run bench cluster", description=__doc__)
    parser.add_argument("--names", type=int, default=20_000)
    parser.add_argument("--port", type=int, default=PORT)
    parser.add_argument(
        "--lists", type=Path, nargs="*", default=[], help="files of OFAC's list (else the sample)"
    )
    return parser.parse_args()


def say(text: str) -> None:
    """Print at once, so that a long run shows where it is."""
    print(text, flush=True)


class Place:
    """A folder with a database, its lists, and a file of names."""

    def __init__(self, folder: Path, port: int) -> None:
        """Keep everything in `folder`."""
        self.folder, self.port = folder, port
        self.env = os.environ | {
            "VAR_DIR": str(folder),
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        self.env.pop("DATABASE_URL", None)

    def begun(self, *command: str) -> "subprocess.Popen[str]":
        """Start a process of Python."""
        return subprocess.Popen(
            [sys.executable, *command], cwd=ROOT, env=self.env, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def manage(self, *words: str) -> None:
        """Run a command to its end."""
        told = self.begun("manage.py", *words)
        said, _ = told.communicate()
        if told.returncode:
            raise SystemExit(f"{words[0]} failed: {said}")

    def write(self, count: int) -> None:
        """Write names of the sample's kind: real words, put together anew."""
        rng = random.Random(7)
        words = (ROOT / "README.md").read_text(encoding="utf-8").split()
        whole = [word for word in words if word.isalpha() and len(word) > 3]
        pairs = [f"{rng.choice(whole)} {rng.choice(whole)}" for _ in range(2000)]
        with (self.folder / "in.csv").open("w", newline="", encoding="utf-8") as out:
            writer = csv.writer(out)
            writer.writerow(("name", "schema"))
            writer.writerows(mixed(pairs, pairs, count, rng))

    def here(self, processes: int) -> float:
        """Return the seconds of so many runs at once, without a cluster."""
        say(f"{processes} without a cluster")
        running = [self._run(f"here-{number}.csv") for number in range(processes)]
        return max(_seconds(one) for one in running)

    def there(self, workers: int) -> float:
        """Return the seconds of a run on a cluster of so many workers."""
        say(f"{workers} on a cluster")
        with ExitStack() as stack:
            stack.enter_context(self._process(
                "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--no-dashboard",
                "--port", str(self.port),
            ))  # fmt: skip
            address = f"tcp://127.0.0.1:{self.port}"
            for _ in range(workers):
                one = stack.enter_context(self._process("manage.py", "screen_worker", address))
                assert one.stdout
                if " screens for " not in (said := one.stdout.readline()):
                    raise SystemExit(f"no worker: {said}")
            return _seconds(self._run("there.csv", "--scheduler", address))

    def _run(self, target: str, *more: str) -> "subprocess.Popen[str]":
        names = (str(self.folder / "in.csv"), str(self.folder / target))
        return self.begun("manage.py", "screen_names", *names, "--restart", *more)

    @contextmanager
    def _process(self, *command: str) -> "Iterator[subprocess.Popen[str]]":
        process = self.begun(*command)
        try:
            yield process
        finally:
            process.terminate()
            process.communicate(timeout=30)


def _seconds(run: "subprocess.Popen[str]") -> float:
    """Return how long a run says that it took: without the start of its process."""
    said, _ = run.communicate()
    if run.returncode:
        raise SystemExit(said)
    return float(said.split(" in ")[1].split(" s ")[0])


if __name__ == "__main__":
    started = time.monotonic()
    main()
    say(f"whole run: {time.monotonic() - started:.0f} s")
