"""Processes are killed while clients post: every answer stands, is billed and handled once.

Needs /proc. It starts `./run` in a folder and at a port of its own, and kills web workers, their
master, the workers of jobs, the keeper of the index and the supervisor, as it comes; what it took
down whole it starts again. Nothing else is touched.

    ./run attack kill-screens [SECONDS [SEED]]
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.faults import answer_audit
from tests.faults.load import Load, Receiver
from tests.test_run import ROOT, Platform

SECONDS, SEED = 60, 1
PARTS = {"web": "gunicorn", "workers": "qcluster", "index": "keep_index"}
EVERYTHING = "supervisor"
RATES = {
    "SCREEN_RATE_PER_MINUTE": "1000000",
    "FREE_RATE_PER_MINUTE": "1000000",
    "KEY_RATES_PER_MINUTE": "institution=1000000",
}


class Killed(Platform):
    """A platform that is killed; tests/faults/answer_audit.py asks it what stands."""

    def run(self, *words: str) -> str:
        """Run Python on it; return what it prints."""
        process = subprocess.run(
            [sys.executable, *words],
            cwd=ROOT,
            env=self.env | {"DJANGO_SETTINGS_MODULE": "config.settings"},
            capture_output=True,
            text=True,
        )
        assert process.returncode == 0, process.stdout + process.stderr
        return process.stdout


def kill_one(platform: Platform, draw: random.Random) -> str:
    """Kill a process of some part, the oldest of it or another one; return what it was."""
    kind = draw.choice([*PARTS, *PARTS, EVERYTHING])
    if kind == EVERYTHING:
        os.kill(platform.process.pid, signal.SIGKILL)
        platform.process.wait(20)
        # what it had started ends by itself, and answers until then
        platform._until(lambda: not any(map(platform.part, PARTS.values())), 60)
        platform.start()
        return kind
    found = platform.part(PARTS[kind])
    if not found:
        return "nothing"
    os.kill(draw.choice(found), signal.SIGKILL)
    return kind


def attack(folder: Path, seconds: float, seed: int) -> None:
    """Kill for so long, then insist that what clients were answered stands, and nothing besides."""
    draw, kills = random.Random(seed), Counter[str]()
    receiver = Receiver()
    os.environ.update(RATES)
    platform = Killed(folder)
    try:
        load = Load([platform.port], platform.keys, receiver.url, pause=0.2).start()
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            time.sleep(draw.uniform(1, 4))
            kills[kill_one(platform, draw)] += 1
        platform._until(platform._up, 120)
        load.finish()
        print(f"killed {dict(kills)}; clients saw {dict(load.seen)}", flush=True)
        answer_audit.insist(platform, load, receiver)
    finally:
        platform.stop()
        platform.log.close()
        receiver.close()


def main(arguments: list[str]) -> int:
    """Return 0 where everything that was answered stands once."""
    given = [int(word) for word in arguments]
    seconds, seed = (given + [SECONDS, SEED][len(given) :])[:2]
    with tempfile.TemporaryDirectory(prefix="oracle-attack-") as folder:
        try:
            attack(Path(folder), seconds, seed)
        except AssertionError as error:
            print(error, file=sys.stderr)
            return 1
    print("everything that was answered stands once")
    return 0
