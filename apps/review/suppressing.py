"""Known false positives as they hold for a party right now, by what its ledger proves.

Here is only told which stand; what one does to a screen or to a re-screen, their domains say.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Q

from apps.desk.days import day_of
from apps.review.known import events_of, faults
from apps.review.models import KnownFalsePositive, KnownState
from apps.review.rules.known import expired


@dataclass(frozen=True, slots=True)
class Holding:
    """One that officers put in force: of which entry, as it was, and what was known of the party.

    `ref` is what its client may know it by: of the pair, and nothing of what officers wrote or how
    many others there are. `party` is what was known then, None where that was not kept; `day` is
    the last on which it holds; `woken` that it held until the entry changed.
    """

    ref: str
    case: int
    entity: str
    entry: str
    party_key: str
    lei: str
    day: date
    party: Mapping[str, str] | None
    woken: bool = False


def holding(
    *, owner: str, party_key: str, lei: str, entities: Collection[str], now: datetime
) -> dict[str, Holding]:
    """Return by entity (`list:id`) what is known of a client's party; the newest of each.

    Those in force, unexpired and as recorded, and those that the entry's change ended. One query;
    where any is known, one more for the ledger.
    """
    if not entities or not (party_key or lei):
        return {}
    named = Q(party_key=party_key) if party_key else Q(pk__in=[])
    whose = (Q(lei=lei) | (named & Q(lei=""))) if lei else named
    states = (KnownState.IN_FORCE, KnownState.WOKEN)
    asked = KnownFalsePositive.objects.filter(
        whose, owner=owner, entity__in=list(entities), state__in=states
    )
    rows = [one for one in asked.order_by("pk") if not expired(until=one.expires_on,
                                                               today=day_of(now))]  # fmt: skip
    if not rows:
        return {}
    events = events_of([one.pk for one in rows])
    found = {}
    for one in rows:
        mine = events[one.pk]
        if not mine or next(faults(one, mine), ""):
            continue  # not as officers decided: it holds for nobody
        found[one.entity] = Holding(
            ref=f"KFP-{one.pair[:12]}",
            case=one.case_id,
            entity=one.entity,
            entry=one.entry,
            party_key=one.party_key,
            lei=one.lei,
            day=one.expires_on,
            party=mine[0].data.get("party"),
            woken=one.state == KnownState.WOKEN,
        )
    return found
