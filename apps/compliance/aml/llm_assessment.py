"""The question to a language model about a flagged payment (document 1 section 2.4)."""

from datetime import datetime
from typing import Any

from apps.compliance.aml.rules.profile import Profile
from apps.compliance.aml.rules.scorecard import POINT, Judgement
from apps.compliance.aml.rules.signal_context import format_usd
from apps.platform.advisory.opinions import OpinionRequest, request_opinion
from apps.platform.api.shapes import EpochSeconds, ListOf, OneOf, Shape, Text

RECOMMENDATIONS = ("PROCEED_WITH_REVIEW", "ESCALATE_TO_BLOCK")
CONFIDENCES = ("HIGH", "MEDIUM", "LOW")
MOST_FACTORS = 6


class ReasoningIn(Shape):
    """An assessment as the model gives it."""

    recommendation = OneOf(choices=RECOMMENDATIONS)
    confidence = OneOf(choices=CONFIDENCES)
    rationale = Text(max_length=800)
    key_factors = ListOf(child=Text(max_length=160), max_length=MOST_FACTORS)


class ReasoningOut(ReasoningIn):
    """`reasoning`: advice that changes nothing, except that ESCALATE_TO_BLOCK blocks."""

    processed_at = EpochSeconds()


QUESTION = OpinionRequest(
    task="A payment was flagged by rules and waits for an officer. Judge from the signals that "
    "held, their points and the profile of the wallet whether it may wait for review "
    "(PROCEED_WITH_REVIEW) or must be blocked at once (ESCALATE_TO_BLOCK). Block only where "
    "several strong signals tell of one scheme.",
    fields={
        "recommendation": " or ".join(RECOMMENDATIONS),
        "confidence": " or ".join(CONFIDENCES),
        "rationale": "one or two sentences",
        "keyFactors": "a list of at most six short phrases, the most serious first",
    },
    shape=ReasoningIn,
    # seconds that the caller waits at most; without an answer the field is left out
    deadline=4.0,
)


def ask_assessment(
    *, judgement: Judgement, own: Profile, amount: int, direction: str, now: datetime
) -> dict[str, Any] | None:
    """Return the assessment of a flagged payment, None where none came in time or of that form."""
    # figures and sentences of ours: free text of the caller could carry instructions
    facts = {
        "amount": format_usd(amount),
        "direction": direction,
        "riskScore": judgement.score,
        "signals": [
            {
                "id": signal.fired.id,
                "points": signal.points // POINT,
                "sentence": signal.fired.sentence,
            }
            for signal in judgement.signals
        ],
        "profile": {
            "maturity": judgement.cohort,
            "payments": own.count,
            "average": format_usd(own.average),
            "counterparties": own.met,
        },
    }
    return request_opinion(question=QUESTION, facts=facts, now=now)
