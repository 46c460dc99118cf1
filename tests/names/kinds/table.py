"""All case types, in the order of their codes."""

from tests.names.kinds import Kind, Pair, firms, knowledge, persons, writing

KINDS: tuple[Kind, ...] = tuple(
    sorted(
        (*writing.KINDS, *persons.KINDS, *knowledge.KINDS, *firms.KINDS), key=lambda one: one.code
    )
)


def pairs() -> list[Pair]:
    """Return every pair of every kind."""
    return [pair for kind in KINDS for pair in kind.rows()]
