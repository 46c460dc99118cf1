"""The figure of an entity's openness about its owners, from GLEIF's level 2 data.

The jobs of `lei` query GLEIF; this module only reads stored data. CC0 1.0.
"""

from datetime import datetime
from decimal import Decimal

from apps.insight.esg.evidence_figures import SAMPLE, Figure
from apps.reference.lei.rules.registration import hides_owner
from apps.reference.lei.services import lookups

SOURCE = "GLEIF"
URL = "https://search.gleif.org/#/record/{}"
# gaps that say nothing of the entity: we do not hold what it reported
UNKNOWN_REASONS = frozenset({"NOT_REPORTED", "NOT_CHECKED", "CYCLE", "TOO_LONG"})


def load_owner_disclosure(*, lei: str, now: datetime) -> Figure | None:
    """Return whether an entity's owners are on record; None if no data on them is stored.

    1 if each parent is named or an exception says that there is none, 0 if an exception hides one.
    """
    chain = lookups.load_owner_chain(lei=lei, now=now, ask=False)
    reasons = {gap.reason for gap in chain.gaps}
    hidden = any(hides_owner(reason) for reason in reasons - UNKNOWN_REASONS)
    # a hidden owner is a fact whatever else is unknown; openness needs the whole chain
    if chain.as_of is None or (reasons & UNKNOWN_REASONS and not hidden):
        return None
    day = chain.as_of.date()
    source = SAMPLE if chain.sample else SOURCE
    return Figure(
        subject=lei,
        key="owner_disclosed",
        value=Decimal(not hidden),
        period=day.isoformat(),
        period_end=day,
        source=source,
        url=URL.format(lei),
        as_of=day,
    )
