"""Request a language model's narration of a score: two or three sentences (document 1 section 2.5).

The model gets the numbers and decides nothing; if it fails, the answer has no narration.
"""

import re
from datetime import datetime
from decimal import Decimal
from typing import Any

from apps.access.keys import rate_limits
from apps.insight.stability.fees.rules.esg_fee_tiers import TIERS
from apps.platform.advisory.opinions import OpinionRequest, request_opinion
from apps.platform.api.shapes import Shape, Text
from config.rate_limits import ESG_NARRATIONS

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
# "72 of 100", "72/100": the hundred is the scale, not a figure
_OF_A_HUNDRED = re.compile(r"(?:\bof|/)\s*100\b")
# lower-case tiers count only before "tier": "a good record" is ordinary language
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
    # seconds, document 1 section 8, ESG narration timeout
    deadline=8.0,
)


def request_narration(*, facts: dict[str, Any], now: datetime) -> str:
    """Return a narration, or an empty text: none in time, too many just now, or one that errs."""
    try:
        # one bucket for all callers: the endpoint is free, and each narration costs a model call
        rate_limits.count_call(bucket="esg-narrations", limit=ESG_NARRATIONS, now=now)
    except rate_limits.RateLimited:
        return ""
    opinion = request_opinion(question=NARRATION, facts=facts, now=now)
    text = str(opinion["narration"]) if opinion else ""
    return "" if contradicts_score_facts(text=text, facts=facts) else text


def contradicts_score_facts(*, text: str, facts: dict[str, Any]) -> bool:
    """Tell whether a text has a number or a tier that is not among the facts."""
    bare = _OF_A_HUNDRED.sub(" ", text)
    # as decimals, so that 72 and 72.0 are the same number
    numbers = {Decimal(number.rstrip(".")) for number in _NUMBER.findall(bare)}
    known = {Decimal(n) for fact in facts.values() for n in _NUMBER.findall(str(fact))}
    tiers = {
        tier.replace("_", " ") for tier in re.findall(r"\b[A-Z]{4,}(?:[_ ][A-Z]{4,})*\b", text)
    }
    tiers |= {tier.upper() for tier in _TIER.findall(text)}
    wrong = tiers & {tier.tier.replace("_", " ") for tier in TIERS}
    # 3 is the number of pillars, which a narration may mention
    return bool(numbers - known - {Decimal(3)}) or bool(
        wrong - {str(facts.get("fee_tier") or "").replace("_", " ")}
    )
