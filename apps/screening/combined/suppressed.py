"""Known false positives in a live screen: what of its partial matches does not flag.

A client's own alone: what officers found for one client says nothing to another.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from apps.review.rules.keys import party_key
from apps.review.suppressing import Holding, holding
from apps.screening.combined.asked import Asked, to_record
from apps.screening.combined.gather import Gathered
from apps.screening.combined.known import entries
from apps.screening.combined.requested import request_rows
from apps.screening.rules.facts import Facts
from apps.screening.rules.known import Cleared, Scored, may_clear, same_party, without_known
from apps.watchlists.found import Found
from apps.watchlists.lookup import SHOWN


def settled(*, asked: Asked, gathered: Gathered, owner: str, now: datetime) -> Gathered:
    """Return what was gathered, without what officers know of this client's party.

    No query where nothing is matched partially; else one, and a few where something is known.
    """
    found = gathered.sanctions
    if not may_clear(scores=[one.score for one in found.matches], shown=SHOWN):
        return gathered
    cleared = _cleared(asked, gathered, owner, now)
    facts = without_known(gathered.facts, matches=_scored(found), cleared=cleared)
    return replace(gathered, facts=facts, known=tuple(cleared.values()))


def again(facts: Facts, *, found: Found, evidence: Mapping[str, Any]) -> Facts:
    """Return facts of a replay: what was known then is taken from the record."""
    rows = evidence.get("knownFalse", ())
    cleared = {
        row["key"]: Cleared(row["key"], row["ref"], date.fromisoformat(row["until"]), row["case"])
        for row in rows
    }
    return without_known(facts, matches=_scored(found), cleared=cleared)


def _scored(found: Found) -> list[Scored]:
    return [
        Scored(f"{one.dataset}:{one.ref}", one.score, f"{one.name} ({one.dataset})", one.notes)
        for one in found.matches
    ]


def _cleared(asked: Asked, gathered: Gathered, owner: str, now: datetime) -> dict[str, Cleared]:
    keys = [f"{one.dataset}:{one.ref}" for one in gathered.sanctions.matches]
    lei = "" if gathered.facts.lei_of else asked.lei
    key = party_key(asked.name)[:500]
    known = holding(owner=owner, party_key=key, lei=lei, entities=keys, now=now)
    if not known:
        return {}
    served = {"versions": {"lists": gathered.engine.list_set.versions}}
    listed = entries(list(known), seen=served)
    rows = request_rows({"request": to_record(asked)})["party"]
    told = [(row["label"], row["value"]) for row in rows]
    return {
        entity: Cleared(entity, one.ref, one.day, one.case)
        for entity, one in known.items()
        if not one.woken
        and listed.get(entity) == one.entry
        and same_party(one.party, told, keys=_keys(one, key, lei))
    }


def _keys(one: Holding, key: str, lei: str) -> tuple[bool, bool]:
    return one.party_key == key, one.lei == lei
