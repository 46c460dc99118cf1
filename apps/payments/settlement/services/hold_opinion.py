"""A language model's opinion on a settlement that CAUTION holds: shown, never obeyed.

The rule holds the settlement by itself (FLOW-18): an opinion adds words for the officers who
decide, and releases nothing.
"""

from datetime import datetime

from apps.access.keys import rate_limits
from apps.payments.settlement.flow_check import FlowCheckResult
from apps.platform.advisory.opinions import OpinionRequest, request_opinion
from apps.platform.api.shapes import Shape, Text

# calls of the model in a minute, of all callers together; without an opinion the rule holds alike
ASKED_A_MINUTE = 30
# characters; a hold's reasoning has room for 1,000 (LONGEST_REASONING)
LONGEST = 500


class AdviceIn(Shape):
    """An opinion as the model gives it."""

    reasoning = Text(max_length=LONGEST)


ADVICE = OpinionRequest(
    task="A settlement is held because the stability oracle of the US dollar says CAUTION and "
    "the amount is above 100,000 USD. State the reasons for waiting in two plain "
    "sentences. Decide nothing, and add no figure that is not given.",
    fields={"reasoning": "two sentences"},
    shape=AdviceIn,
    # seconds; the caller waits for it
    deadline=3.0,
    longest=200,
)


def request_hold_advice(*, check_result: FlowCheckResult, now: datetime) -> str:
    """Return a model's opinion on a held settlement, or an empty text; outside a transaction."""
    oracle = check_result.oracle
    if check_result.judgement.rows["stability"].code != "FLOW-18" or not oracle:
        return ""
    try:
        rate_limits.count_call(bucket="settlement-advice", limit=ASKED_A_MINUTE, now=now)
    except rate_limits.RateLimited:
        return ""
    facts = {
        "oracleStatus": oracle["status"],
        "oracleScore": oracle["score"],
        "rule": oracle["rule"],
        "amountUsd": check_result.facts.amount_usd,
    }
    opinion = request_opinion(question=ADVICE, facts=facts, now=now)
    return str(opinion["reasoning"]) if opinion else ""
