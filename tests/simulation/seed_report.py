"""Says how seeds went: progress, speed, and the one line that runs a broken one again."""

import resource
import sys
from collections.abc import Iterable
from dataclasses import dataclass

from tests.simulation.bugs import planted
from tests.simulation.seed_runner import STEPS, Outcome, run
from tests.simulation.world import World

HOUR = 3600.0


def _seconds() -> float:
    """Return the processor's seconds of this process: wall clocks are virtual here."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def replay(seed: int, *, steps: int = STEPS, bug: str = "") -> str:
    """Return the one-line command that runs a seed again."""
    more = f" --steps {steps}" if steps != STEPS else ""
    return f"./run simulate --seed {seed}{more}{f' --bug {bug}' if bug else ''}"


@dataclass(frozen=True)
class Asked:
    """How seeds are run: so many steps, with which bug, and what is printed of them."""

    steps: int = STEPS
    bug: str = ""
    verbose: bool = False
    digests: bool = False


def seeds(world: World, chosen: Iterable[int], *, asked: Asked) -> int:
    """Run seeds; print those that break, and how fast it went. 1 where one broke."""
    began, days, broken, deaths, ran = _seconds(), 0.0, 0, 0, 0
    for seed in chosen:
        outcome = run(world, seed=seed, steps_=asked.steps)
        days, deaths, ran = days + outcome.days, deaths + outcome.deaths, ran + 1
        if outcome.fault:
            broken += 1
            _tell(outcome, asked)
        if asked.digests:
            print(f"seed {seed}: {outcome.digest}")
        if ran % 10 == 0 or ran == 1:
            print(f"  {ran} seeds, {days:.0f} days, {broken} broken", file=sys.stderr, flush=True)
    spent = _seconds() - began
    print(
        f"{ran} seeds, {broken} broken, {deaths} deaths, {days:.1f} simulated days in "
        f"{spent:.1f} s of one core: {days / spent * HOUR:.0f} days an hour"
    )
    return 1 if broken else 0


def _tell(outcome: Outcome, asked: Asked) -> None:
    if asked.verbose:
        print("\n".join(line[:400] for line in outcome.trace))
    print(f"seed {outcome.seed}, step {outcome.step}: {outcome.fault}")
    print(f"    {replay(outcome.seed, steps=asked.steps, bug=asked.bug)}", flush=True)


def bugs(world: World, *, most: int, names: Iterable[str]) -> int:
    """Look for each deliberate bug; print in which seed it was found. 1 where one was not."""
    missed = 0
    for name in names:
        with planted(name):
            found = next(
                (one for seed in range(1, most + 1) if (one := run(world, seed=seed)).fault), None
            )
        if found is None:
            missed += 1
            print(f"{name:24} not found in {most} seeds", flush=True)
        else:
            print(f"{name:24} seed {found.seed}, step {found.step}: {found.fault}")
            print(f"    {replay(found.seed, bug=name)}", flush=True)
    return 1 if missed else 0
