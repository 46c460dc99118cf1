"""Records as earlier releases wrote them: made from an answer of today by taking away."""

import copy
import json
import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from apps.screening.models import Screen

Payload = dict[str, Any]
THEN = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)


def _without_missing_shares(kept: Payload) -> None:
    del kept["response"]["checks"]["uboChain"]["sharesMissing"]


def _rules_by_reference(kept: Payload) -> None:
    answer = kept["response"]
    answer["rules"] = answer.pop("ruleReferences")
    del answer["attestations"]["fatfR16"]["note"]


def _without_owners(kept: Payload) -> None:
    for name in ("screened", "ownersIdentified", "exceptions"):
        del kept["response"]["checks"]["uboChain"][name]
    kept["evidence"].pop("ties")
    kept["evidence"]["lei"].pop("of")
    for row in kept["evidence"]["chain"]:
        for name in ("country", "headquarters", "category", "shown"):
            del row[name]


def _evidence_as_notes(kept: Payload) -> None:
    for match in kept["response"]["checks"]["sanctions"]["matches"]:
        match["notes"] = match.pop("evidence")


def _names_alone(kept: Payload) -> None:
    for match in kept["response"]["checks"]["sanctions"]["matches"]:
        kept_names = {"name": match["matchedName"]} | {
            name: match[name] for name in ("score", "dataset", "entityId")
        }
        match.clear()
        match.update(kept_names)
    for row in kept["evidence"]["sanctions"]:
        for name in ("asked", "by", "part", "effects"):
            del row[name]
    for name in (*TOLD, "nearest", "unread", "address", "sourcesMissing"):
        kept["request" if name in TOLD else "evidence"].pop(name, None)


TOLD = (
    *("entityType", "birthDate", "nationality", "identifiers", "walletAddress"),
    *("address", "aliases"),
)
# what each release, by the version of its rules, did not have yet; the newest first
RELEASES: dict[str, tuple[Callable[[Payload], None], ...]] = {
    "2026-11.6": (_without_missing_shares,),
    "2026-11.4": (_without_missing_shares, _rules_by_reference),
    "2026-11.3": (
        *(_without_missing_shares, _rules_by_reference, _without_owners),
        _evidence_as_notes,
    ),
    "2026-11.1": (
        *(_without_missing_shares, _rules_by_reference, _without_owners),
        _names_alone,
    ),
}


def written_by(release: str, like: dict[str, Any], **envelope: Any) -> Screen:
    """Write a screen as a release wrote it, like one that was answered today; returns it."""
    now = Screen.objects.get(screen_id=like["screenId"])
    kept = copy.deepcopy(now.data)
    for take_away in RELEASES[release]:
        take_away(kept)
    made = uuid.uuid4()
    kept["response"]["screenId"] = str(made)
    columns = {
        "owner": now.owner,
        "decision": now.decision,
        "risk_score": now.risk_score,
        "rules": "; ".join(kept["response"]["rules"]),
        "rules_version": release,
        "lists": now.lists,
        "sample": now.sample,
    }
    found: Screen = Screen.write(payload=kept, now=THEN, screen_id=made, **columns | envelope)
    return Screen.objects.get(pk=found.pk)


def plain(value: Any) -> Any:
    """Return a value as a client reads it."""
    return json.loads(json.dumps(value))
