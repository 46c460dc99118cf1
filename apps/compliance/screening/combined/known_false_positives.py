"""Known false positives in a live screen: what of its partial matches does not flag.

Per client: officers' findings for one client do not apply to another.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from apps.backoffice.review.case_types import ListEntry
from apps.backoffice.review.rules.case_keys import build_party_key
from apps.backoffice.review.rules.known_false_positives import (
    find_covering_entries,
    get_list_of_entity,
)
from apps.backoffice.review.selectors.suppressions import ActiveSuppression, load_suppressions
from apps.compliance.screening.combined.request_rows import build_request_rows
from apps.compliance.screening.combined.requests import ScreenRequest, serialize_screen_request
from apps.compliance.screening.combined.selectors import ScreenInputs
from apps.compliance.screening.rules.facts import ScreenFacts
from apps.compliance.screening.rules.known_false_positives import (
    ClearedMatch,
    ScoredMatch,
    can_clear_matches,
    exclude_known_matches,
    is_same_party,
)
from apps.reference.watchlists.matches import ListMatch, LookupResult
from apps.reference.watchlists.selectors.list_entries import load_entries

Party = Sequence[Mapping[str, str]]


def apply_known_false_positives(
    *,
    screen_request: ScreenRequest,
    gathered: ScreenInputs,
    owner: str,
    now: datetime,
    party: Party | None = None,
) -> ScreenInputs:
    """Return the gathered inputs without the known false positives of this client's party.

    `party` has the known facts by label, if more than this screen's request. No query without a
    partial match; else one, and a few more if there are known false positives.
    """
    sanctions = gathered.sanctions
    scores = [match.score for match in sanctions.matches]
    if not can_clear_matches(scores=scores, complete=sanctions.complete):
        return gathered
    known_party = party_rows(screen_request) if party is None else party
    cleared = _find_cleared_matches(screen_request, gathered, owner, known_party, now)
    facts = exclude_known_matches(
        gathered.facts, matches=_build_scored_matches(sanctions), cleared=cleared
    )
    return replace(gathered, facts=facts, known=tuple(cleared.values()))


def reapply_known_false_positives(
    facts: ScreenFacts, *, lookup_result: LookupResult, evidence: Mapping[str, Any]
) -> ScreenFacts:
    """Return facts of a replay: what was known then is taken from the record."""
    rows = evidence.get("knownFalse", ())
    cleared = {
        row["key"]: ClearedMatch(
            row["key"], row["ref"], date.fromisoformat(row["until"]), row["case"]
        )
        for row in rows
    }
    return exclude_known_matches(
        facts, matches=_build_scored_matches(lookup_result), cleared=cleared
    )


def _build_scored_matches(lookup_result: LookupResult) -> list[ScoredMatch]:
    return [
        ScoredMatch(_match_key(match), match.score, f"{match.name} ({match.dataset})", match.notes)
        for match in lookup_result.matches
    ]


def _match_key(match: ListMatch) -> str:
    return f"{match.dataset}:{match.ref}"


def party_rows(screen_request: ScreenRequest) -> Party:
    """Return the party's facts from a screen's request: rows of label and value."""
    rows: Party = build_request_rows({"request": serialize_screen_request(screen_request)})["party"]
    return rows


def _find_cleared_matches(
    screen_request: ScreenRequest, gathered: ScreenInputs, owner: str, party: Party, now: datetime
) -> dict[str, ClearedMatch]:
    # an LEI that belongs to another company does not identify this party
    matches = [_match_key(match) for match in gathered.sanctions.matches]
    lei = "" if gathered.facts.lei_of else screen_request.lei
    # cut as the column of cases and known false positives is
    key = build_party_key(screen_request.name)[:500]
    suppressions = load_suppressions(owner=owner, party_key=key, lei=lei, entities=matches, now=now)
    if not suppressions:
        return {}
    # entries as of the versions that this screen searched: a list may have gone live since
    served = {"versions": {"lists": gathered.engine.list_set.versions}}
    listed = load_entries({*suppressions, *matches}, seen=served)
    facts = [(row["label"], row["value"]) for row in party]
    theirs = {
        entity: suppression
        for entity, suppression in suppressions.items()
        if not suppression.woken
        and is_same_party(
            suppression.party, facts, keys=(suppression.party_key == key, suppression.lei == lei)
        )
    }
    cleared = {}
    for entity in matches:
        if judged_entries := _find_judged_entries(entity, theirs, listed):
            # where entries were merged, the finding holds only while it holds for each of them
            until = min(judged_entry.day for judged_entry in judged_entries)
            cleared[entity] = ClearedMatch(
                entity, judged_entries[0].ref, until, judged_entries[0].case
            )
    return cleared


def _find_judged_entries(
    entity: str, theirs: Mapping[str, ActiveSuppression], listed: Mapping[str, ListEntry]
) -> list[ActiveSuppression]:
    """Return what officers judged of a match: its entry as it is, or those that it came from.

    A list may give an entry another reference or make one of several: what officers knew holds
    where the entry says no more and nothing else than what they judged.
    """
    if entity not in listed:
        return []
    own = theirs.get(entity)
    if own and listed[entity].digest == own.entry:
        return [own]
    before = {
        key: suppression.facts
        for key, suppression in theirs.items()
        if key == entity
        or (get_list_of_entity(key) == get_list_of_entity(entity) and key not in listed)
    }
    return [theirs[key] for key in find_covering_entries(listed[entity].facts, judged=before)]
