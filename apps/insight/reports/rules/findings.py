"""Findings: rows of a table over the data of a report, ranked; levels and quality. Pure.

Document 2 section 2.6. A rule yields a sentence with its numbers for everything that it finds. Data
are names and plain values, as sent.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from apps.insight.reports.rules.finding_references import expand_reference
from apps.insight.reports.rules.sample_marks import TracedData, append_mark, mark_of_parts
from apps.reference.signals.quality_labels import LABELS

Level = Literal["LOW", "MODERATE", "ELEVATED", "HIGH", "CRITICAL"]
Data = Mapping[str, Any]
SentenceFinder = Callable[[Data], Iterable[str]]

# document 2 section 2.6, riskLevel, the mildest first
LEVELS: Mapping[Level, str] = {
    "LOW": "no material signals",
    "MODERATE": "monitor",
    "ELEVATED": "action recommended",
    "HIGH": "immediate attention",
    "CRITICAL": "system-level event",
}
_LEVEL_ORDER: Sequence[Level] = tuple(LEVELS)

# document 2 section 2.6, dataQuality, the best first; what each word of a part counts as
QUALITY_OF_WORD = {
    "LIVE": "LIVE",
    "PARTIAL": "PARTIAL",
    "GIVEN": "PARTIAL",
    "ESTIMATED": "ESTIMATED",
    "SAMPLE": "ESTIMATED",
}
# findings in the synthesis; `data.findings` has all of them
MAX_KEY_FINDINGS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One row. `condition` states in words when it applies; `finds` yields a sentence per finding.
    `weight` ranks findings of one level; `advice` is the recommended action, if any; with `alone`
    no other action is recommended.
    """

    code: str
    ref: str
    level: Level
    weight: int
    condition: str
    finds: SentenceFinder
    advice: str = ""
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule found."""

    code: str
    ref: str
    level: Level
    weight: int
    sentence: str
    advice: str
    alone: bool = False

    def serialize(self) -> dict[str, Any]:
        """Return it as `data.findings` tells it."""
        return {
            "code": self.code,
            "reference": expand_reference(self.ref),
            "level": self.level,
            "weight": self.weight,
            "sentence": self.sentence,
        } | ({"recommendation": self.advice} if self.advice else {})


def evaluate_rules(
    rules: Iterable[Rule], data: Data, marks: Mapping[str, str] | None = None
) -> tuple[Finding, ...]:
    """Return everything that the rules find: the most severe first, then the weightiest.

    A sentence bears the mark of the parts that its rule read; `marks` are by part.
    """
    findings = [
        Finding(rule.code, rule.ref, rule.level, rule.weight, sentence, rule.advice, rule.alone)
        for rule in rules
        for sentence in _mark_sentences(rule, data, marks or {})
    ]
    return tuple(
        sorted(findings, key=lambda finding: (-rank_of_level(finding.level), -finding.weight))
    )


def _mark_sentences(rule: Rule, data: Data, marks: Mapping[str, str]) -> list[str]:
    traced = TracedData(data)
    # all of them first: the mark depends on what the rule has read by the end
    sentences = [*rule.finds(traced)]
    mark = mark_of_parts(marks, traced.read)
    return [append_mark(sentence, mark) for sentence in sentences]


def rank_of_level(level: Level) -> int:
    """Return the severity of a level, 0 to 4."""
    return _LEVEL_ORDER.index(level)


def highest_level(findings: Iterable[Finding]) -> Level:
    """Return the level of a report: that of its most severe finding, LOW if there is none."""
    return max((finding.level for finding in findings), key=rank_of_level, default="LOW")


def worst_quality(words: Iterable[str], *, missing: bool) -> str:
    """Return the worst quality of the parts; without one of them it is PARTIAL at best."""
    qualities = [QUALITY_OF_WORD[word] for word in words] + (["PARTIAL"] if missing else [])
    return max(qualities, key=LABELS.index, default="LIVE")


def collect_recommendations(findings: Iterable[Finding]) -> list[str]:
    """Return the recommended actions of findings, without duplicates, in order.

    If a finding is `alone`, only its advice is returned.
    """
    rows = [*findings]
    findings = [row for row in rows if row.alone] or rows
    return list(dict.fromkeys(finding.advice for finding in findings if finding.advice))


def summarize_findings(*, title: str, findings: Sequence[Finding], headline: str) -> str:
    """Return a report in three sentences: its level, how many findings, the headline figure."""
    level = highest_level(findings)
    counts = [
        f"{n} {name}"
        for name in reversed(_LEVEL_ORDER)
        if (n := sum(finding.level == name for finding in findings))
    ]
    many = "1 finding" if len(findings) == 1 else f"{len(findings)} findings"
    text = f"{many} ({', '.join(counts)})" if counts else "no findings"
    return f"{title}: risk level {level} ({LEVELS[level]}), {text}. {headline}"
