"""What is asked of a language model about a score: two or three sentences (document 1 section 2.5).

It is told the numbers and decides nothing; where it fails, the answer has no narration.
"""

from datetime import datetime
from typing import Any

from apps.access import limits
from apps.advisory.opinions import Question, opinion
from apps.core.shapes import Shape, Text
from config.rates import ESG_NARRATIONS


class NarrationIn(Shape):
    """A narration as the model gives it."""

    narration = Text(max_length=900)


NARRATION = Question(
    task="Tell in two or three plain sentences what an entity's ESG score says and on how much "
    "evidence it rests. `coverage` COUNTRY means that only its country is known. Add no figure "
    "that is not given.",
    fields={"narration": "two or three sentences"},
    shape=NarrationIn,
    deadline=8.0,  # document 1 section 8, ESG narration timeout
)


def narration(*, facts: dict[str, Any], now: datetime) -> str:
    """Return a narration, or an empty text: none in time, or too many were asked for just now."""
    try:
        limits.hit(bucket="esg-narrations", limit=ESG_NARRATIONS, now=now)
    except limits.RateLimited:
        return ""
    said = opinion(question=NARRATION, facts=facts, now=now)
    return str(said["narration"]) if said else ""
