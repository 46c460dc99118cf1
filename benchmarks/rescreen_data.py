"""Parties for the benchmark of re-screening: real names, put together anew."""

import random


def people(names: list[str], count: int, rng: random.Random) -> list[str]:
    """Return persons who bear a given name of one and a surname of another."""
    split = [name.rsplit(" ", 1) for name in names if " " in name]
    first, last = [one[0] for one in split], [one[-1] for one in split]
    return [f"{rng.choice(first)} {rng.choice(last)}" for _ in range(count)]


def companies(names: list[str], count: int, rng: random.Random) -> list[str]:
    """Return companies of the beginning of one name and the end of another."""
    words = [name.split() for name in names if name.split()]
    made = []
    for _ in range(count):
        one, other = rng.choice(words), rng.choice(words)
        made.append(" ".join([*one[: max(1, len(one) // 2)], *other[len(other) // 2 :]]))
    return made


def mixed(
    persons: list[str], firms: list[str], count: int, rng: random.Random
) -> list[tuple[str, str]]:
    """Return names with their type; of a third nothing is said, as of most that are screened."""
    half = count // 2
    made = [(name, "Person") for name in people(persons, half, rng)]
    made += [(name, "Organization") for name in companies(firms, count - half, rng)]
    return [(name, "Unknown" if n % 3 == 0 else kind) for n, (name, kind) in enumerate(made)]
