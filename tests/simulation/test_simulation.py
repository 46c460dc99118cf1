"""The simulation itself: seeds are clean, a seed is one history, and deliberate bugs are found."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from tests.simulation import seed_report

ROOT = Path(__file__).resolve().parents[2]
# found early, so that the suite stays fast; `./run simulate --bugs` looks for all
SOON = ("quote-not-taken", "answer-stored-unguarded")

pytestmark = [pytest.mark.processes, pytest.mark.once, pytest.mark.timeout(900)]


def simulate(*asked: str) -> subprocess.CompletedProcess[str]:
    """Run the command, in a process whose clock and chance are its own."""
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.simulation", *asked],
        cwd=ROOT,
        env=os.environ | {"VAR_DIR": str(settings.VAR_DIR)},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )


@pytest.mark.parametrize("last", [5, pytest.param(20, marks=pytest.mark.nightly)])
def test_seeds_are_clean_and_the_same_seed_is_the_same_history(last: int) -> None:
    """Seeds from 1, one of them twice: at its place among the others, and again after them."""
    ran = simulate("--seeds", f"1-{last},3", "--steps", "65", "--digests")
    assert ran.returncode == 0, ran.stdout + ran.stderr[-3000:]
    assert re.search(rf"^{last + 1} seeds, 0 broken, [1-9]", ran.stdout, re.MULTILINE), ran.stdout
    digests = re.findall(r"^seed (\d+): ([0-9a-f]{32})$", ran.stdout, re.MULTILINE)
    assert len(digests) == last + 1 and len({found for _, found in digests}) == last
    assert len({found for seed, found in digests if seed == "3"}) == 1


def test_deliberate_bugs_are_found_and_their_seeds_told_as_commands() -> None:
    ran = simulate("--bugs", *(part for name in SOON for part in ("--bug", name)))
    assert ran.returncode == 0, ran.stdout + ran.stderr[-3000:]
    for name in SOON:
        assert re.search(rf"^{name} +seed \d+, step \d+: ", ran.stdout, re.MULTILINE)
        assert re.search(rf"\./run simulate --seed \d+ --bug {name}$", ran.stdout, re.M)


def test_a_bug_that_is_not_there_is_said_so() -> None:
    ran = simulate("--seed", "1", "--bug", "nonsense")
    assert ran.returncode == 2 and "\nnonsense is no bug; there are: replay-" in f"\n{ran.stdout}"


def test_a_broken_seed_is_told_as_one_line_that_runs_it_again() -> None:
    assert seed_report.replay(7) == "./run simulate --seed 7"
    told = seed_report.replay(7, steps=40, bug="bill-after-commit")
    assert told == "./run simulate --seed 7 --steps 40 --bug bill-after-commit"
