"""Findings: rows of a table over the data of a report, ranked; levels and quality. Pure.

Document 2 section 2.6. A rule yields a sentence for everything that it finds, with the numbers in
it; what it does not find it does not say. Data are what the wire has: names and plain values.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from apps.reports.rules.marks import Traced, marked, of_parts
from apps.reports.rules.references import named

Level = Literal["LOW", "MODERATE", "ELEVATED", "HIGH", "CRITICAL"]
Data = Mapping[str, Any]
Finds = Callable[[Data], Iterable[str]]

# document 2 section 2.6, riskLevel, the mildest first
LEVELS: Mapping[Level, str] = {
    "LOW": "no material signals",
    "MODERATE": "monitor",
    "ELEVATED": "action recommended",
    "HIGH": "immediate attention",
    "CRITICAL": "system-level event",
}
_GRAVITY: Sequence[Level] = tuple(LEVELS)

# document 2 section 2.6, dataQuality, the best first; what each word of a part counts as
QUALITIES = ("LIVE", "PARTIAL", "ESTIMATED")
COUNTS_AS = {
    "LIVE": "LIVE",
    "PARTIAL": "PARTIAL",
    "GIVEN": "PARTIAL",
    "ESTIMATED": "ESTIMATED",
    "SAMPLE": "ESTIMATED",
}
MOST = 12  # findings that a report tells; the data hold all


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One row. `condition` says in words when it holds; `finds` yields a sentence for each thing
    that it finds. `weight` ranks findings of one level; `advice` is what follows, where anything;
    with `alone` nothing else is advised beside it.
    """

    code: str
    ref: str
    level: Level
    weight: int
    condition: str
    finds: Finds
    advice: str = ""
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """What a rule found."""

    code: str
    ref: str
    level: Level
    weight: int
    sentence: str
    advice: str
    alone: bool = False

    def told(self) -> dict[str, Any]:
        """Return it as `data.findings` tells it."""
        return {
            "code": self.code,
            "reference": named(self.ref),
            "level": self.level,
            "weight": self.weight,
            "sentence": self.sentence,
        } | ({"recommendation": self.advice} if self.advice else {})


def judge(
    rules: Iterable[Rule], data: Data, marks: Mapping[str, str] | None = None
) -> tuple[Found, ...]:
    """Return everything that the rules find: the gravest first, then the weightiest.

    A sentence bears the mark of the parts that its rule read; `marks` are by part.
    """
    found = [
        Found(rule.code, rule.ref, rule.level, rule.weight, sentence, rule.advice, rule.alone)
        for rule in rules
        for sentence in _sentences(rule, data, marks or {})
    ]
    return tuple(sorted(found, key=lambda one: (-gravity(one.level), -one.weight)))


def _sentences(rule: Rule, data: Data, marks: Mapping[str, str]) -> list[str]:
    traced = Traced(data)
    found = [*rule.finds(traced)]
    mark = of_parts(marks, traced.read)
    return [marked(sentence, mark) for sentence in found]


def gravity(level: Level) -> int:
    """Return how grave a level is, 0 to 4."""
    return _GRAVITY.index(level)


def risk_level(found: Iterable[Found]) -> Level:
    """Return the level of a report: that of its gravest finding, LOW where there is none."""
    return max((one.level for one in found), key=gravity, default="LOW")


def quality(words: Iterable[str], *, missing: bool) -> str:
    """Return the worst quality of the parts; without one of them it is PARTIAL at best."""
    told = [COUNTS_AS[word] for word in words] + (["PARTIAL"] if missing else [])
    return max(told, key=QUALITIES.index, default="LIVE")


def recommendations(found: Iterable[Found]) -> list[str]:
    """Return what follows from findings, each once, in their order; what stands alone, alone."""
    rows = [*found]
    found = [one for one in rows if one.alone] or rows
    return list(dict.fromkeys(one.advice for one in found if one.advice))


def summary(*, title: str, found: Sequence[Found], headline: str) -> str:
    """Return a report in three sentences: its level, how many findings, the headline figure."""
    level = risk_level(found)
    counts = [
        f"{n} {name}"
        for name in reversed(_GRAVITY)
        if (n := sum(one.level == name for one in found))
    ]
    many = "1 finding" if len(found) == 1 else f"{len(found)} findings"
    told = f"{many} ({', '.join(counts)})" if counts else "no findings"
    return f"{title}: risk level {level} ({LEVELS[level]}), {told}. {headline}"
