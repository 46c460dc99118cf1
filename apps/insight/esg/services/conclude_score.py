"""Conclude a score: write its sealed record, queue a lookup, and build the answer."""

from datetime import datetime
from typing import Any

from django.db import transaction

from apps.insight.esg import computation
from apps.insight.esg.models import EsgScore
from apps.insight.esg.rules.indicators import REFERENCE
from apps.insight.esg.selectors import SCORE_LIFETIME, GatheredScore
from apps.insight.esg.services import entity_lookups
from apps.platform.api.answers import Refusal
from apps.platform.api.callers import Caller


@transaction.atomic
def conclude_entity_score(
    *, asked: dict[str, Any], gathered: GatheredScore, caller: Caller, now: datetime
) -> dict[str, Any] | Refusal:
    """Return the score (see EsgScoreOut), store a new one and queue a lookup if one is due."""
    subject = gathered.subject
    # figures found under a name that only the caller gave might be about another entity
    state = entity_lookups.plan_entity_lookup(
        lei=subject.lei,
        name=subject.name if subject.vouched else "",
        country=subject.place,
        again=asked["refresh"],
        now=now,
    )
    if gathered.problem is not None:
        # returned, not raised: the lookup queued above must be committed, so that a later call has
        # data
        return Refusal(gathered.problem)
    score = gathered.kept or _record_score(gathered, now)
    assert gathered.result is not None and gathered.inputs is not None  # there is no problem
    answer = {
        "lei": subject.lei,
        "entity_name": subject.name,
        **gathered.result,
        "lookup": state,
        "computed_at": score.recorded_at,
        "expires_at": score.expires_at,
        "from_cache": gathered.kept is not None,
    }
    if gathered.narration:
        answer["narration"] = gathered.narration
    if asked["explain"]:
        answer["explanation"] = computation.build_explanation(gathered.inputs, now.date())
    return answer


def _record_score(gathered: GatheredScore, now: datetime) -> EsgScore:
    inputs, result = gathered.inputs, gathered.result
    assert inputs is not None and result is not None
    score: EsgScore = EsgScore.write(
        payload={
            "inputs": inputs.stored(),
            "result": dict(result),
            "versions": {"reference": REFERENCE},
            "known": gathered.known,
        },
        now=now,
        lei=inputs.lei,
        lei_status=inputs.lei_status,
        composite=result["composite"],
        fee_tier=result["fee_tier"],
        coverage=result["coverage"],
        sample=inputs.sample,
        reference=REFERENCE,
        expires_at=now + SCORE_LIFETIME,
    )
    return score
