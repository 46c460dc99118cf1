"""The question to a language model about names that match in part (document 1 section 2.2)."""

from apps.platform.advisory.opinions import OpinionRequest
from apps.platform.api.shapes import EpochSeconds, OneOf, Shape, Text

ASSESSMENTS = ("LIKELY_CORRECT", "UNCERTAIN", "LIKELY_WRONG")
CONFIDENCES = ("HIGH", "MEDIUM", "LOW")
ADVICE = ("PROCEED", "PROCEED_WITH_CAUTION", "MANUAL_REVIEW")


class OpinionIn(Shape):
    """An opinion as the model gives it."""

    assessment = OneOf(choices=ASSESSMENTS)
    confidence = OneOf(choices=CONFIDENCES)
    likely_cause = Text(max_length=120)
    rationale = Text(max_length=600)
    proceed_recommendation = OneOf(choices=ADVICE)


class OpinionOut(OpinionIn):
    """`grayZoneReasoning`: advice in addition to the decision, which it never changes."""

    processed_at = EpochSeconds()


GRAY_ZONE = OpinionRequest(
    task="Judge whether the name that a payer wrote (`submittedName`) means the registered owner "
    "of a wallet (`registeredName`, `aliases`). `score` is how far they agree, of 100.",
    fields={
        "assessment": " or ".join(ASSESSMENTS),
        "confidence": " or ".join(CONFIDENCES),
        "likelyCause": "a short phrase: why the names differ",
        "rationale": "one or two sentences",
        "proceedRecommendation": " or ".join(ADVICE),
    },
    shape=OpinionIn,
    deadline=3.0,  # a payer's whole check is expected within five seconds
)
