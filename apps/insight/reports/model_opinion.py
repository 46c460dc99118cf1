"""A language model's opinion in a report on the world: one marked paragraph, or nothing.

The model gets the findings and decides nothing; an opinion that fails, or that states a number that
no finding has, is left out.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from apps.insight.reports.definitions import Report
from apps.insight.reports.rules.findings import Finding
from apps.insight.stability.oracle.services.model_notes import contradicts_run_facts
from apps.platform.advisory.opinions import OpinionRequest, request_opinion
from apps.platform.api.shapes import Shape, Text

OPINION_HEADING = "Opinion of a language model"


class OpinionIn(Shape):
    """An opinion as the model gives it."""

    reasoning = Text(max_length=900)


QUESTION = OpinionRequest(
    task="Tell a treasurer in two or three plain sentences what these findings mean together. Add "
    "no figure that is not given.",
    fields={"reasoning": "two or three sentences"},
    shape=OpinionIn,
    deadline=8.0,
)


def request_model_opinion(
    report: Report, *, narrative: Mapping[str, str], findings: Sequence[Finding], now: datetime
) -> dict[str, str]:
    """Return the paragraph by its heading; empty where there is none. Waits up to the deadline."""
    # reports on a party are never sent: the model may run elsewhere
    if not report.opinion:
        return {}
    facts = {"findings": [finding.sentence for finding in findings], "narrative": dict(narrative)}
    opinion = request_opinion(question=QUESTION, facts=facts, now=now)
    if opinion is None or contradicts_run_facts(note={**opinion, "alerts": []}, facts=facts):
        return {}
    return {OPINION_HEADING: opinion["reasoning"]}
