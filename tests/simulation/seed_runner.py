"""Runs the world of a seed: its steps, the invariants after each, and its quiet end."""

from dataclasses import dataclass
from datetime import timedelta

from tests.simulation import ending, invariants, steps
from tests.simulation.clients import Broken, Clients
from tests.simulation.clock import START
from tests.simulation.world import World

STEPS = 160


@dataclass(frozen=True)
class Outcome:
    """What came of a seed: `fault` is empty where all held, `step` the one after which it did not.

    `days` is the virtual time that passed, `digest` that of the trace.
    """

    seed: int
    fault: str
    step: int
    days: float
    digest: str
    deaths: int
    trace: tuple[str, ...]


def run(world: World, *, seed: int, steps_: int = STEPS) -> Outcome:
    """Run a seed to its end, or to the first thing that must not be."""
    world.begin(seed)
    on, fault, step = steps.Actors(world, Clients(world)), "", 0
    weights = [weight for weight, _ in steps.STEPS]
    world.others = lambda: world.draw.choice(steps.BESIDE)(on)
    try:
        for step in range(1, steps_ + 1):
            does = world.draw.choices(steps.STEPS, weights)[0][1]
            world.say(f"{step} {world.clock.now:%d %H:%M:%S.%f} {does.__name__}")
            does(on)
            world.clock.ahead(milliseconds=world.draw.randint(1, 3000))
            invariants.insist(on)
        step += 1
        ending.drain(on)
    except Broken as error:
        fault = str(error)
    except Exception as error:  # what escapes the product is a fault of it, and has its seed
        fault = f"{type(error).__name__}: {error}"
    days = (world.clock.now - START) / timedelta(days=1)
    return Outcome(
        seed, fault, step, days, world.digest(), world.crashes.deaths, tuple(world.trace)
    )
