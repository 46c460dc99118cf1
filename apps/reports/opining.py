"""What a language model adds to a report on the world: one paragraph, marked as such, or nothing.

It is told the findings and decides nothing; one that fails, or tells a number that no finding has,
is left out. Reports on somebody are never told to it: it may stand elsewhere.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from apps.advisory.opinions import Question, opinion
from apps.core.shapes import Shape, Text
from apps.reports.rules.findings import Found
from apps.reports.shape import Report
from apps.stability.oracle.noting import contradicts

HEADING = "Opinion of a language model"


class OpinionIn(Shape):
    """An opinion as the model gives it."""

    reasoning = Text(max_length=900)


QUESTION = Question(
    task="Tell a treasurer in two or three plain sentences what these findings mean together. Add "
    "no figure that is not given.",
    fields={"reasoning": "two or three sentences"},
    shape=OpinionIn,
    deadline=8.0,
)


def opined(
    report: Report, *, narrative: Mapping[str, str], found: Sequence[Found], now: datetime
) -> dict[str, str]:
    """Return the paragraph by its heading; empty where there is none. Waits up to the deadline."""
    if not report.opinion:
        return {}
    facts = {"findings": [one.sentence for one in found], "narrative": dict(narrative)}
    said = opinion(question=QUESTION, facts=facts, now=now)
    if said is None or contradicts(said={**said, "alerts": []}, facts=facts):
        return {}
    return {HEADING: said["reasoning"]}
