"""Turns a screen's stored evidence into what the case page draws.

apps/review/pages/evidence.py has the shapes.
"""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from apps.watchlists.evidence import BOUNDS, WORDS
from apps.watchlists.rules import BLOCK_SCORE

HOW = {
    "exact": "the same",
    "transliteration": "same word in another spelling or script",
    "sense": "same name in another form",
    "edit": "differs by a slip",
    "phonetic": "sounds alike",
    "initial": "initial",
    "abbreviation": "abbreviation",
    "joined": "written together",
    "skeleton": "same consonants",
}
ROLES = {
    "SUBJECT": "Subject",
    "DIRECT_PARENT": "Direct parent",
    "INTERMEDIATE": "Intermediate owner",
    "ULTIMATE_PARENT": "Ultimate parent",
}
TOLD = {
    "entityType": "Type as told",
    "birthDate": "Birth date as told",
    "nationality": "Nationality as told",
    "walletAddress": "Wallet address as told",
    "address": "Address as told",
}
# apps.watchlists.matching.explain.Step
STEPS = {
    "contradiction": "The names contradict each other",
    "single_shared_name": "Only one part of the name is shared",
    "single_shared_word": "Only one word is shared, beside others",
    "no_telling_token": "No telling word is shared",
    "other_characters": "The names share few characters",
    "other_reading": "A character of the name is not heard in the other",
    "run_together": "The same when written together",
    "number": "Numbers differ",
    "legal_form": "Legal forms differ",
    "place": "Places differ",
    "weak_alias": "The list calls this name weak: it counts below a match",
    "order": "The words stand in another order",
}


def picture(evidence: dict[str, Any]) -> dict[str, Any]:
    """Return facts, matches, chain and lists of a combined screen; empty parts are left empty."""
    return {
        "facts": list(_facts(evidence)),
        "matches": [_match("Sanctions", row) for row in evidence.get("sanctions", [])]
        + [_match("Politically exposed", row) for row in evidence.get("pep", [])],
        "chain": [_owner(row) for row in evidence.get("chain", [])],
        "lists": list(_lists(evidence)),
        "computed by": {
            name: evidence.get("versions", {}).get(name, "") for name in ("rules", "matcher")
        },
    }


def _lists(evidence: dict[str, Any]) -> Any:
    """Show what was screened against, and of when each list is; earlier records do not say."""
    published = evidence.get("published", {})
    for name, version in evidence.get("versions", {}).get("lists", {}).items():
        when = ""
        if name in published:
            when = _moment(published[name]) if published[name] else "at a time not known"
        yield {"name": name, "version": str(version), "published": when}


def _moment(text: str) -> str:
    return f"{datetime.fromisoformat(text).astimezone(UTC):%d %b %Y %H:%M} UTC"


def _told(told: dict[str, Any]) -> Any:
    """Show what the caller said of the party beside its name."""
    for name, label in TOLD.items():
        if told.get(name):
            yield {"label": label, "value": str(told[name])}
    for one in told.get("identifiers", []):
        country = f" ({one['country']})" if one["country"] else ""
        label = f"{WORDS.get(one['type'], one['type'])} as told"
        yield {"label": label, "value": f"{one['value']}{country}"}
    if told.get("aliases"):
        yield {"label": "Other names as told", "value": "; ".join(told["aliases"])}


def _facts(evidence: dict[str, Any]) -> Any:
    yield from _told(evidence.get("told", {}))
    for sentence in evidence.get("unread", []):
        yield {"label": "Name not fully checked", "value": sentence}
    nearest = evidence.get("nearest") or {}
    if nearest.get("name") and not evidence.get("sanctions"):
        value = f"{nearest['name']} at {nearest['score']} %: too little for a match"
        yield {"label": "Nearest on the lists", "value": value}
    labels = evidence.get("labels", {})
    for end in ("source", "destination"):
        if labels.get(end):
            words = str(labels[end]).replace("_", " ").lower()
            yield {"label": f"{end.capitalize()} country is", "value": words}
    if evidence.get("address"):
        words = str(labels["address"]).replace("_", " ").lower()
        yield {"label": f"A{str(evidence['address'])[1:]}", "value": words}
    rate = evidence.get("rate")
    if rate:
        value = f"{rate['usd']} at {rate['rate']} of {rate['date']} ({rate['source']})"
        yield {"label": "Amount in USD", "value": value}
    lei = evidence.get("lei", {})
    if lei.get("counts") or lei.get("note"):
        value = "counts" if lei["counts"] else f"does not count: {lei['note']}"
        yield {"label": "LEI", "value": value}
    for role, reason in evidence.get("gaps", []):
        words = str(reason).replace("_", " ").lower()
        yield {"label": f"{ROLES.get(role, role)} not named", "value": words}
    yield from _shares(evidence)


def _shares(evidence: dict[str, Any]) -> Any:
    """Show who holds how much of whom, where the records say it."""
    names = {row["lei"]: row["name"] for row in evidence.get("chain", [])}
    for child, parent, _, share in evidence.get("ties", []):
        if share is not None:
            value = f"{share} % of {names.get(child, child)}"
            yield {"label": f"{names.get(parent, parent)} holds", "value": value}


def _likeness(similarity: Any) -> str:
    return f"{int(Decimal(str(similarity)) * 100)} %"


def _match(check: str, row: dict[str, Any]) -> dict[str, Any]:
    why = row.get("explanation") or {}
    return {
        "check": check,
        "list": row["dataset"],
        "name": row["name"],
        "entity": row["entityId"],
        "score": int(row["score"]),
        "pairs": [
            {
                "asked": pair["query"],
                "listed": pair["listed"],
                "how": HOW.get(pair["kind"], pair["kind"]),
                "same": pair["kind"] == "exact",
                "likeness": _likeness(pair["similarity"]),
            }
            for pair in why.get("matches", [])
        ],
        "only_asked": [left["token"] for left in why.get("query_left", [])],
        "only_listed": [left["token"] for left in why.get("listed_left", [])],
        # records from before have only what moved a score
        "qualifiers": [_moved(one) for one in row.get("effects", why.get("qualifiers", []))],
        "steps": [
            {"what": STEPS.get(one["what"], one["what"]), "effect": _points(one["effect"])}
            for one in (*why.get("steps", []), *_weak(row, why))
        ],
        "details": list(_details(row.get("entity", {}), exact=bool(row.get("exact")))),
    }


def _moved(one: dict[str, Any]) -> dict[str, Any]:
    """Return what one given field did; of an address the city alone is no agreement."""
    what, city = WORDS.get(one["what"], one["what"]), False
    if one["what"] == "address" and one["listed"]:
        city = not Decimal(str(one["effect"]))
    return {
        "what": f"{what}: the city alone" if city else what,
        "asked": one["query"],
        "listed": one["listed"],
        "alone": one["what"] == BOUNDS or city,
        "agrees": not str(one["effect"]).startswith("-"),
        "effect": _points(one["effect"]),
    }


def _weak(row: dict[str, Any], why: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the step that holds an alias which the list itself calls weak below a match."""
    if not why.get("weak_alias") or int(row["score"]) >= BLOCK_SCORE:
        return []
    return [{"what": "weak_alias", "effect": 0}]


def _points(effect: Any) -> str:
    """Return how far a score moved, in points of 100: `-25`, `+3`, `0`."""
    points = round(100 * Decimal(str(effect)))
    return f"{points:+d}" if points else "0"


def _details(entity: dict[str, Any], *, exact: bool) -> Any:
    if exact:
        yield {"label": "Found by", "value": "identifier"}
    listed = (
        ("Type", [entity.get("schema", "")]),
        ("Listed on", [entity.get("listedOn", "")]),
        ("Other names", entity.get("names", [])[1:8]),
        ("Countries", entity.get("countries", [])),
        ("Born", entity.get("birthDates", [])),
        ("Programmes", entity.get("programs", [])),
    )
    for label, values in listed:
        if any(values):
            yield {"label": label, "value": ", ".join(values)}
    for office in entity.get("positions", []):
        until = f" – {office['until']}" if office["until"] else " – end not known"
        span = f"{office['since'] or 'beginning not known'}{until}"
        parts = [office["title"], office["country"], span]
        yield {"label": "Office", "value": ", ".join(part for part in parts if part)}
    for one in entity.get("identifiers", [])[:6]:
        yield {"label": one["kind"].upper(), "value": one["value"]}
    if entity.get("remarks"):
        yield {"label": "Remarks", "value": entity["remarks"]}


def _owner(row: dict[str, Any]) -> dict[str, Any]:
    best = row["matches"][0] if row["matches"] else None
    finding = {"CLEAR": "no match", "NOT_CHECKED": "not checked"}.get(row["status"], "")
    if best and not finding:
        finding = f"{best['name']} ({best['dataset']}) at {best['score']}%"
    return {
        "role": ROLES.get(row["role"], row["role"]),
        "name": row["name"],
        "lei": row["lei"],
        "country": ", ".join(
            dict.fromkeys(
                row[name] for name in ("jurisdiction", "country", "headquarters") if row.get(name)
            )
        ),
        "finding": finding,
        "hit": row["status"] in ("MATCH", "PARTIAL"),
    }


def listed_parties(evidence: dict[str, Any]) -> set[str]:
    """Return the listed parties that a screen's evidence matches, as `list:id`."""
    found = (*evidence.get("sanctions", ()), *evidence.get("pep", ()))
    return {f"{row['dataset']}:{row['entityId']}" for row in found}
