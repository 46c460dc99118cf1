"""How cases ended, and the rules that their decisions answered."""

import logging
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from apps.backoffice.review.models import Action, DecisionEvent, Outcome
from apps.platform.ledger.verification.verified_reads import filter_verified_records

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a caller may learn of a decided case: nothing of who decided, or why."""

    outcome: str
    decided_at: datetime


def load_resolution(*, kind: str, ref: str) -> Resolution | None:
    """Return how the case of a domain record was decided, or None while it is not."""
    return load_resolutions(kind=kind, refs=[ref]).get(ref)


def load_resolutions(*, kind: str, refs: Collection[str]) -> dict[str, Resolution]:
    """Return how those of several domain records were decided that are, by ref; one query.

    Read from the ledger, never from the case: an attacker who can write the database can change a
    case, but not record a decision on it.
    """
    if not refs:
        return {}
    decided = DecisionEvent.objects.filter(
        action=Action.DECIDED, case__kind=kind, case__ref__in=refs
    ).select_related("case")
    resolutions = {}
    for event in filter_verified_records(decided):
        # the digest covers the record's id: a decided case that somebody gave another record's id
        # must not release that one
        if event.data.get("digest") in (None, event.case.facts_digest()):
            resolutions[event.case.ref] = Resolution(event.outcome, event.recorded_at)
        else:
            logger.error("case %s is not what decision %s was on", event.case_id, event.pk)
    return resolutions


def load_answered_rules(*, kind: str, ref: str) -> frozenset[str]:
    """Return which rules of the case of a domain record its decision answered, by reference.

    None while it is not approved: whatever else brought the case here goes on holding.
    """
    approved = DecisionEvent.objects.filter(
        action=Action.DECIDED, outcome=Outcome.APPROVE, case__kind=kind, case__ref=ref
    )
    events = filter_verified_records(approved.select_related("case"))
    return frozenset(
        answered_rule["ref"] for event in events for answered_rule in event.data.get("answered", ())
    )
