"""Tell whether lists still have the facts by which officers judged an entry.

The reference does not matter, and a new programme or remark does not change who the listed party
is. A different name, date, country, number or address does: then the known false positive no longer
applies.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q

from apps.backoffice.review import case_types
from apps.backoffice.review.case_types import CASE_TYPES, ListEntry
from apps.backoffice.review.known_false_positive_integrity import (
    get_judged_facts,
    load_known_events,
)
from apps.backoffice.review.models import KnownFalsePositive, KnownState
from apps.backoffice.review.rules.known_false_positives import (
    EntryFacts,
    WakeReason,
    find_covering_entries,
    find_wake_reason,
    get_list_of_entity,
    has_all_facts,
)

Rows = Sequence[KnownFalsePositive]
Party = tuple[str, str, str, str]  # client, name, LEI, and the list


def load_current_entries(kind: str, keys: Collection[str]) -> Mapping[str, ListEntry]:
    """Return listed entries as they are now; none of a kind that left."""
    ask = case_types.get_case_type(kind).entries if kind in CASE_TYPES else None
    return ask(keys) if ask and keys else {}


@dataclass(frozen=True, slots=True)
class EntryChange:
    """A listed entry that differs from the one that was judged.

    `why` says whether that ends the finding; `entry` is its digest now, empty if its reference left
    the list.
    """

    why: WakeReason
    entry: str


def find_entry_changes(rows: Rows) -> dict[int, EntryChange]:
    """Return the changed entries of known false positives, by their number.

    Those whose entry is unchanged are left out. A few queries for each kind of case, and a few more
    if an entry differs.
    """
    by_kind: dict[str, list[KnownFalsePositive]] = defaultdict(list)
    for row in rows:
        by_kind[row.kind].append(row)
    entry_changes: dict[int, EntryChange] = {}
    for kind, group in by_kind.items():
        entries = load_current_entries(kind, sorted({positive.entity for positive in group}))
        digests = {key: entry.digest for key, entry in entries.items()}
        others = [
            positive
            for positive in group
            if find_wake_reason(then=positive.entry, now=digests.get(positive.entity))
        ]
        still = set(_find_still_as_judged(kind, others, entries)) if others else set()
        for other in others:
            now = digests.get(other.entity, "")
            why = "" if other.pk in still else find_wake_reason(then=other.entry, now=now)
            entry_changes[other.pk] = EntryChange(why, now)
    return entry_changes


def _find_still_as_judged(kind: str, rows: Rows, entries: Mapping[str, ListEntry]) -> Iterator[int]:
    """Yield those of which a list says what was judged, be it under another reference or merged."""
    # 1. what was judged of these, and of the same parties: a list may have merged the entries
    beside = _load_related_known(rows)
    facts = {pk: get_judged_facts(events) for pk, events in load_known_events({*beside}).items()}
    listed = load_current_entries(kind, sorted({positive.entity for positive in beside.values()}))
    # 2. entries that left: where their facts are listed now
    gone = {row.entity: facts.get(row.pk, {}) for row in rows if row.entity not in entries}
    follow = case_types.get_case_type(kind).successors if kind in CASE_TYPES else None
    followed = follow(gone) if follow and gone else {}
    for row in rows:
        own = facts.get(row.pk, {})
        # 3. the entry under its own reference, else each that may have replaced it
        here = {row.entity: entries[row.entity].facts} if row.entity in entries else {}
        for key, now in (here or followed.get(row.entity, {})).items():
            judged = {
                pk: facts.get(pk, {})
                for pk, other in beside.items()
                if _get_party_key(other) == _get_party_key(row)
                # a judged entry that is still listed by itself was not merged into this one
                if other.entity == key or other.entity not in listed
            }
            if has_all_facts(now, own) and find_covering_entries(now, judged=judged):
                yield row.pk
                break


def _load_related_known(rows: Rows) -> dict[int, KnownFalsePositive]:
    """Return these, and what else is in force for the same parties."""
    condition = Q(pk__in=[row.pk for row in rows])
    for owner, key, lei, _ in {_get_party_key(row) for row in rows}:
        condition |= Q(owner=owner, party_key=key, lei=lei, state=KnownState.IN_FORCE)
    return {
        known_false_positive.pk: known_false_positive
        for known_false_positive in KnownFalsePositive.objects.filter(condition)
    }


def _get_party_key(false_positive: KnownFalsePositive) -> Party:
    return (
        false_positive.owner,
        false_positive.party_key,
        false_positive.lei,
        get_list_of_entity(false_positive.entity),
    )


def find_merged_or_renamed(keys: Mapping[str, EntryFacts], rows: Rows, *, kind: str) -> set[int]:
    """Return the known false positives of entries that now have one of these keys."""
    listed = load_current_entries(kind, sorted({row.entity for row in rows}))
    left = [row for row in rows if row.entity not in listed]
    facts = {
        pk: get_judged_facts(events)
        for pk, events in load_known_events({o.pk for o in left}).items()
    }
    return {
        positive.pk
        for positive in left
        for key, now in keys.items()
        if get_list_of_entity(key) == get_list_of_entity(positive.entity)
        and has_all_facts(now, facts.get(positive.pk, {}))
    }
