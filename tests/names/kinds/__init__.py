"""Pairs of names by kind, made from what each kind's rule says: the table that payees are tried on.

A kind has at least 150 pairs. Its label is what the rule's text says of such a pair, `alt` what it
allows besides. Names are invented, or of everybody knows whom; none is tuned to the matcher.
"""

from collections.abc import Iterator
from typing import NamedTuple


class Pair(NamedTuple):
    """A submitted and a registered name, what they should be and may be, and of which kind."""

    submitted: str
    registered: str
    expected: str
    alt: str
    category: str


class Kind(NamedTuple):
    """A rule as payee services write it: its label, what it allows besides, and its pairs."""

    code: str
    rule: str
    expected: str
    alt: str
    pairs: tuple[tuple[str, str], ...]

    def rows(self) -> Iterator[Pair]:
        """Yield the pairs as rows of a file."""
        for submitted, registered in self.pairs:
            yield Pair(submitted, registered, self.expected, self.alt, self.code)
