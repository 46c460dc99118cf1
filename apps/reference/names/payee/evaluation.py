"""How right the comparison is on labelled pairs: by category, and on the whole. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from apps.reference.names.payee.comparison import compare_payee_names
from apps.reference.names.payee.values import ComparisonOutcome

LABELS = ("MATCH", "CLOSE", "NO")


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """A pair and what it should be; `alt`, perhaps empty, is as good."""

    submitted: str
    registered: str
    expected: str
    alt: str
    category: str


@dataclass(frozen=True, slots=True)
class MisjudgedPair:
    """A pair that is not what it should be, and what came of it; `allowed` where `alt` did."""

    pair: LabelledPair
    outcome: ComparisonOutcome
    allowed: bool


@dataclass(slots=True)
class PairCounts:
    """Counts of pairs: all, as expected, as allowed, and the kinds of error that cost most."""

    pairs: int = 0
    strict: int = 0
    lenient: int = 0
    false_match: int = 0
    no_as_match: int = 0
    not_no: int = 0
    false_no: int = 0

    def add(self, pair: LabelledPair, band: str) -> None:
        """Count one pair. A false NO is one whose `expected` and `alt` both are something else."""
        allowed = {pair.expected, pair.alt}
        self.pairs += 1
        self.strict += band == pair.expected
        self.lenient += band in allowed
        self.false_match += band == "MATCH" and "MATCH" not in allowed
        self.no_as_match += band == "MATCH" and pair.expected == "NO"
        self.not_no += pair.expected != "NO"
        self.false_no += band == "NO" and "NO" not in allowed

    def shares(self) -> dict[str, float | int]:
        """Return the figures: shares of all pairs, the false NO of those that should be none."""
        return {
            "pairs": self.pairs,
            "strict": round(self.strict / max(1, self.pairs), 4),
            "lenient": round(self.lenient / max(1, self.pairs), 4),
            "false_match": self.false_match,
            "no_as_match": self.no_as_match,
            "false_no": self.false_no,
            "false_no_share": round(self.false_no / max(1, self.not_no), 4),
        }


@dataclass(slots=True)
class EvaluationFigures:
    """Counts of all pairs and of those of each category."""

    total: PairCounts = field(default_factory=PairCounts)
    by_category: dict[str, PairCounts] = field(default_factory=dict)

    def measure(self, pairs: Iterable[LabelledPair]) -> Iterator[MisjudgedPair]:
        """Compare and count each pair, and yield those with an unexpected result."""
        for pair in pairs:
            outcome = compare_payee_names(submitted=pair.submitted, registered=pair.registered)
            self.total.add(pair, outcome.band)
            self.by_category.setdefault(pair.category, PairCounts()).add(pair, outcome.band)
            if outcome.band != pair.expected:
                yield MisjudgedPair(pair, outcome, outcome.band == pair.alt)

    def data(self) -> dict[str, dict[str, float | int] | dict[str, dict[str, float | int]]]:
        """Return all figures as plain values."""
        rows = {name: count.shares() for name, count in sorted(self.by_category.items())}
        return {"overall": self.total.shares(), "categories": rows}
