"""Known false positives in force for a party, as proved by their ledger.

This module only returns them; screening and re-screening decide on their effect.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Q

from apps.backoffice.review.known_false_positive_integrity import (
    find_known_faults,
    get_judged_facts,
    load_known_events,
)
from apps.backoffice.review.models import KnownFalsePositive, KnownState
from apps.backoffice.review.rules.known_false_positives import (
    EntryFacts,
    get_list_of_entity,
    is_expired,
)
from apps.platform.desk.local_dates import local_date


@dataclass(frozen=True, slots=True)
class ActiveSuppression:
    """A known false positive that officers put in force, with what they knew of party and entry.

    `ref` is shown to the client. `party` is what was known then, `facts` what the list said of the
    entry; `day` is the last on which it holds; `woken`: it held until the entry changed.
    """

    ref: str
    case: int
    entity: str
    entry: str
    party_key: str
    lei: str
    day: date
    party: Mapping[str, str]
    facts: EntryFacts
    woken: bool = False


def load_suppressions(
    *, owner: str, party_key: str, lei: str, entities: Collection[str], now: datetime
) -> dict[str, ActiveSuppression]:
    """Return by entity (`list:id`) what is known of a client's party; the newest of each.

    Those in force, unexpired and as recorded, and those that a change of the entry ended. One
    query, and one more for the ledger if any is known.
    """
    if not entities or not (party_key or lei):
        return {}
    named = Q(party_key=party_key) if party_key else Q(pk__in=[])
    whose = (Q(lei=lei) | (named & Q(lei=""))) if lei else named
    states = (KnownState.IN_FORCE, KnownState.WOKEN)
    false_positives = KnownFalsePositive.objects.filter(whose, owner=owner, state__in=states)
    # also of other entries on the same lists: one may have been renamed to, or merged into, one of
    # these
    lists, today = {get_list_of_entity(entity) for entity in entities}, local_date(now)
    rows = [
        positive
        # the oldest first: of several for one entry the newest replaces the others below
        for positive in false_positives.order_by("pk")
        if get_list_of_entity(positive.entity) in lists
        and not is_expired(until=positive.expires_on, today=today)
    ]
    if not rows:
        return {}
    events = load_known_events([row.pk for row in rows])
    active_suppressions = {}
    for row in rows:
        mine = events[row.pk]
        if not mine or next(find_known_faults(row, mine), ""):
            continue  # it differs from the officers' decision, so it does not apply
        active_suppressions[row.entity] = ActiveSuppression(
            # from the pair and not from the row's number: that would tell a client how many others
            # there are
            ref=f"KFP-{row.pair[:12]}",
            case=row.case_id,
            entity=row.entity,
            entry=row.entry,
            party_key=row.party_key,
            lei=row.lei,
            day=row.expires_on,
            party=mine[0].data["party"],
            facts=get_judged_facts(mine),
            woken=row.state == KnownState.WOKEN,
        )
    return active_suppressions
