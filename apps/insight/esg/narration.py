"""What is asked of a language model about a score: two or three sentences (document 1 section 2.5).

It is told the numbers and decides nothing; where it fails, the answer has no narration.
"""

import re
from datetime import datetime
from decimal import Decimal
from typing import Any

from apps.access.keys import rate_limits
from apps.insight.stability.rules.esg_fee_tiers import TIERS
from apps.platform.advisory.opinions import OpinionRequest, request_opinion
from apps.platform.api.shapes import Shape, Text
from config.rates import ESG_NARRATIONS

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_OF_A_HUNDRED = re.compile(r"(?:\bof|/)\s*100\b")
_TIER = re.compile(
    r"\b(excellent|good|below average|average|poor)(?=\s+(?:fee\s+)?tier)", re.IGNORECASE
)


class NarrationIn(Shape):
    """A narration as the model gives it."""

    narration = Text(max_length=900)


NARRATION = OpinionRequest(
    task="Tell in two or three plain sentences what an entity's ESG score says and on how much "
    "evidence it rests. `coverage` COUNTRY means that only its country is known; "
    "`data_quality` SAMPLE means that it rests on demonstration figures: say so. Add no figure "
    "that is not given.",
    fields={"narration": "two or three sentences"},
    shape=NarrationIn,
    deadline=8.0,  # document 1 section 8, ESG narration timeout
)


def request_narration(*, facts: dict[str, Any], now: datetime) -> str:
    """Return a narration, or an empty text: none in time, too many just now, or one that errs."""
    try:
        rate_limits.count_call(bucket="esg-narrations", limit=ESG_NARRATIONS, now=now)
    except rate_limits.RateLimited:
        return ""
    said = request_opinion(question=NARRATION, facts=facts, now=now)
    text = str(said["narration"]) if said else ""
    return "" if contradicts_score_facts(text=text, facts=facts) else text


def contradicts_score_facts(*, text: str, facts: dict[str, Any]) -> bool:
    """Tell whether a text has a number or a tier that is not among the facts.

    "out of 100", "of 100" and "/100" are how a score is told; the three pillars are three.
    """
    bare = _OF_A_HUNDRED.sub(" ", text)
    told = {Decimal(one.rstrip(".")) for one in _NUMBER.findall(bare)}
    known = {Decimal(n) for fact in facts.values() for n in _NUMBER.findall(str(fact))}
    tiers = {one.replace("_", " ") for one in re.findall(r"\b[A-Z]{4,}(?:[_ ][A-Z]{4,})*\b", text)}
    tiers |= {one.upper() for one in _TIER.findall(text)}
    wrong = tiers & {tier.tier.replace("_", " ") for tier in TIERS}
    return bool(told - known - {Decimal(3)}) or bool(
        wrong - {str(facts.get("fee_tier") or "").replace("_", " ")}
    )
