"""Decide which matches of a re-screening are new, and which officers have judged already."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.backoffice.review import case_types
from apps.backoffice.review.models import UNDECIDED, Case
from apps.backoffice.review.rules.case_keys import build_party_key
from apps.backoffice.review.rules.known_false_positives import (
    find_covering_entries,
    get_list_of_entity,
)
from apps.backoffice.review.selectors.known_false_positives import get_party_details
from apps.backoffice.review.selectors.suppressions import ActiveSuppression, load_suppressions
from apps.compliance.screening.combined.listed_labels import listed_parties
from apps.compliance.screening.rescreening.entry_matcher import EntryMatch
from apps.compliance.screening.rescreening.evidence_view import party_rows
from apps.compliance.screening.rules.rescreening import (
    MatchPair,
    Ruling,
    is_same_party,
    select_ruling,
)
from apps.reference.watchlists.models import Party
from apps.reference.watchlists.selectors.list_entries import build_entry_facts, load_entries


@dataclass(frozen=True, slots=True)
class JudgedMatch:
    """A changed entry that a party matches, and what holds of the pair."""

    found: EntryMatch
    ruling: Ruling


def judge_matches(
    *, party: Party, entry_matches: Sequence[EntryMatch], now: datetime
) -> list[JudgedMatch]:
    """Return what holds of each pair of a party; two to three queries."""
    keys = {entry_key(match): match for match in entry_matches}
    key, lei = build_party_key(party.name), party.known.get("lei", "")
    suppressions = load_suppressions(
        owner=party.owner, party_key=key, lei=lei, entities=list(keys), now=now
    )
    # cases of the same name; whether they are about this party is decided by its facts below
    cases = Case.objects.filter(owner=party.owner, party_key=key).filter(status__in=UNDECIDED)
    rows = _party_rows(party)
    open_ones = {
        listed_party
        for case in cases
        if is_same_party(
            # a known party has no aliases: each alias of a screen is a party of its own
            get_party_details(case_types.draw_evidence(case.kind, case.evidence)),
            rows,
            whole=False,
        )
        for listed_party in listed_parties(case.evidence)
    }
    theirs = {
        entity: suppression
        for entity, suppression in suppressions.items()
        if not suppression.woken and _is_exactly_this_party(suppression, party, key, lei)
    }
    listed = load_entries(list(theirs)) if theirs else {}
    pairs = {
        entity: MatchPair(
            now=match.match.score,
            before=match.before,
            standing=entity in open_ones,
            known=(as_is := _was_judged_as_is(entity, match, theirs, listed)),
            woken=not as_is and _was_judged_before_change(match, suppressions.get(entity)),
            holder=match.holder,
        )
        for entity, match in keys.items()
    }
    return [JudgedMatch(match, select_ruling(pairs[entity])) for entity, match in keys.items()]


def _is_exactly_this_party(
    active_suppression: ActiveSuppression, party: Party, key: str, lei: str
) -> bool:
    """Return whether officers judged exactly this party, and not a namesake."""
    named = active_suppression.party_key == key and active_suppression.lei == lei
    return named and is_same_party(active_suppression.party, _party_rows(party), whole=True)


def _party_rows(party: Party) -> list[tuple[str, str]]:
    return [(row["label"], row["value"]) for row in party_rows(serialize_party(party))]


def _was_judged_as_is(
    entity: str,
    entry_match: EntryMatch,
    theirs: Mapping[str, ActiveSuppression],
    listed: Collection[str],
) -> bool:
    """Return whether officers judged what an entry says now, under this reference or older ones."""
    own = theirs.get(entity)
    if own and own.entry == entry_match.change.digest:
        return True
    before = {
        key: known.facts
        for key, known in theirs.items()
        if key == entity
        or (get_list_of_entity(key) == get_list_of_entity(entity) and key not in listed)
    }
    return bool(find_covering_entries(build_entry_facts(entry_match.match.entity), judged=before))


def _was_judged_before_change(
    entry_match: EntryMatch, active_suppression: ActiveSuppression | None
) -> bool:
    """Return whether officers judged what an entry said before it changed."""
    if active_suppression is None or not entry_match.change.former:
        return False
    before = entry_match.change.office if entry_match.holder else entry_match.change.before
    same = before is not None and build_entry_facts(before) == active_suppression.facts
    return same or active_suppression.entry == entry_match.change.former


def entry_key(entry_match: EntryMatch) -> str:
    """Return a matched entry as cases name it."""
    return f"{entry_match.match.dataset}:{entry_match.match.ref}"


def count_unopened_pairs(rows: Sequence[JudgedMatch]) -> Counter[str]:
    """Count the pairs that open nothing, by why."""
    return Counter(row.ruling.code for row in rows if not row.ruling.opens)


def serialize_party(party: Party) -> dict[str, Any]:
    """Return a party as the evidence of its case has it."""
    known = {"name": party.name, "schema": party.schema, "country": party.country}
    known |= {"birthDate": party.birth_date, **party.known}
    return known | {"kind": party.kind, "reference": party.reference}
