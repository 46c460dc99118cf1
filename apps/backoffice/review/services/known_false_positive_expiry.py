"""End known false positives automatically: the listed entry changed, or their time is up."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction

from apps.backoffice.review.models import Case, KnownAction, KnownFalsePositive, KnownState
from apps.backoffice.review.models.known_false_positives import LIVE, NO_EXTENSION
from apps.backoffice.review.rules.known_false_positives import is_expired
from apps.backoffice.review.selectors.entry_changes import (
    find_entry_changes,
    find_merged_or_renamed,
    load_current_entries,
)
from apps.backoffice.review.selectors.known_false_positives import (
    list_listed_parties,
    match_same_party,
)
from apps.backoffice.review.services.decision_inputs import Decision
from apps.backoffice.review.services.known_false_positive_transitions import (
    record_known_event,
    transition_known,
)
from apps.platform.common.batches import iter_chunks
from apps.platform.desk.local_dates import local_date

if TYPE_CHECKING:
    from django.contrib.auth.models import User

BATCH = 500


@dataclass(frozen=True, slots=True)
class EndedCounts:
    """How many known false positives were woken, and how many expired."""

    woken: int
    expired: int


def end_outdated_known_false_positives(*, now: datetime) -> EndedCounts:
    """End what is in force and whose listed entry changed or left, and what expired.

    Each batch takes the same few queries while nothing ends, and one more for each that does. It
    may run at any time, and right after a list went live.
    """
    done, gone = 0, 0
    standing = KnownFalsePositive.objects.filter(state__in=LIVE).order_by("pk")
    for batch in iter_chunks(standing.iterator(BATCH), BATCH):
        today = local_date(now)
        late = [
            positive for positive in batch if is_expired(until=positive.expires_on, today=today)
        ]
        gone += expire_known_false_positives(late, now) if late else 0
        false_positives = [
            positive
            for positive in batch
            if positive not in late and positive.state == KnownState.IN_FORCE
        ]
        changes = {
            pk: change for pk, change in find_entry_changes(false_positives).items() if change.why
        }
        if changes:
            why = {pk: {"why": change.why, "entry": change.entry} for pk, change in changes.items()}
            done += end_known_false_positives(why, KnownState.WOKEN, KnownAction.WOKEN, now)
    return EndedCounts(done, gone)


def expire_known_false_positives(
    false_positives: Sequence[KnownFalsePositive], now: datetime
) -> int:
    """End those whose last day has passed; return how many did."""
    return end_known_false_positives(
        {
            false_positive.pk: {"until": false_positive.expires_on.isoformat()}
            for false_positive in false_positives
        },
        KnownState.EXPIRED,
        KnownAction.EXPIRED,
        now,
    )


@transaction.atomic
def end_known_false_positives(
    why: Mapping[int, Mapping[str, str]], state: KnownState, action: KnownAction, now: datetime
) -> int:
    """End those still in force, each with its record; three queries and one for each record."""
    # under their locks: what an officer ended meanwhile is no longer LIVE and gets no second event
    standing = KnownFalsePositive.objects.select_for_update().filter(pk__in=why, state__in=LIVE)
    false_positives = list(standing.order_by("pk"))
    KnownFalsePositive.objects.filter(pk__in=[positive.pk for positive in false_positives]).update(
        state=state, **NO_EXTENSION
    )
    for false_positive in false_positives:
        record_known_event(false_positive, action, None, now, dict(why[false_positive.pk]))
    return len(false_positives)


def end_contradicted_known(*, case: Case, said: Decision, by: "User", now: datetime) -> None:
    """End the known false positives of a case's pairs when its party is found to be listed.

    One in force ends, and a waiting proposal expires.
    """
    reason = said.reason(case)
    # that an owner is listed says nothing about the party itself
    if reason is None or not reason.is_listed or reason.of_owner:
        return
    keys = [listed_party.key for listed_party in list_listed_parties(case)]
    if not keys:
        return
    theirs = list(KnownFalsePositive.objects.filter(match_same_party(case), state__in=LIVE))
    # also those that were judged under a reference which the list has since renamed or merged
    facts = {key: entry.facts for key, entry in load_current_entries(case.kind, keys).items()}
    others = [false_positive for false_positive in theirs if false_positive.entity not in keys]
    renamed = find_merged_or_renamed(facts, others, kind=case.kind) if others else set()
    false_positives = [
        false_positive
        for false_positive in theirs
        if false_positive.entity in keys or false_positive.pk in renamed
    ]
    note = f"Case {case.pk}: the party was found to be the listed party."
    for known in false_positives:
        if known.state == KnownState.IN_FORCE:
            transition_known(
                known, KnownState.IN_FORCE, {"state": KnownState.ENDED, **NO_EXTENSION}
            )
            record_known_event(known, KnownAction.ENDED, by, now, {"note": note, "why": "LISTED"})
        elif known.state == KnownState.PROPOSED:
            transition_known(known, KnownState.PROPOSED, {"state": KnownState.EXPIRED})
            record_known_event(known, KnownAction.EXPIRED, by, now, {"note": note, "why": "LISTED"})
