"""Turns a screen's stored evidence into what the case page draws.

apps/review/pages/evidence.py has the shapes.
"""

from collections.abc import Iterator
from typing import Any

from apps.core.places import country_name
from apps.desk.times import day
from apps.screening.combined.owners_drawn import ascending
from apps.screening.combined.requested import asked_of, in_usd, request_rows
from apps.watchlists.drawn import scored
from apps.watchlists.drawn.match import TITLES, lists, match
from apps.watchlists.subjects import Subject

EMBARGOED = "under a comprehensive embargo"
ROLES = {
    "SUBJECT": "Subject",
    "DIRECT_PARENT": "Direct parent",
    "INTERMEDIATE": "Intermediate owner",
    "ULTIMATE_PARENT": "Ultimate parent",
}
STANDINGS = {  # labels of countries (apps/countries/rules.py) in words
    "STANDARD": "on the list of neither FATF nor the EU",
    "CALL_FOR_ACTION": "on the FATF call for action",
    "INCREASED_MONITORING": "under FATF increased monitoring",
    "EU_HIGH_RISK": "an EU high-risk third country",
    "NOT_PROVIDED": "not given",
    "EMBARGO": EMBARGOED,
}
SANCTIONS, PEP = "Sanctions", "Politically exposed"
Row = dict[str, Any]


def picture(evidence: dict[str, Any]) -> dict[str, Any]:
    """Return request, matches, facts, chain and versions; empty parts are left empty."""
    subject = asked_of(evidence).subject
    versions = evidence.get("versions", {})
    own = [match(SANCTIONS, subject, row) for row in evidence.get("sanctions", ())]
    listed = sorted((*own, *_owned(evidence.get("chain", ()))), key=lambda one: -one["score"])
    return {
        "request": request_rows(evidence),
        "matches": [
            *listed,
            *(match(PEP, subject, row) for row in evidence.get("pep", ())),
        ],
        "facts": list(_facts(evidence)),
        "chain": [
            _owner(row) | {"level": level, "owns": owns}
            for row, level, owns in ascending(evidence.get("chain", ()), evidence.get("ties", ()))
        ],
        "lists": list(lists(evidence)),
        "record": [
            {"label": f"{name.capitalize()} version", "value": str(versions[name])}
            for name in ("rules", "matcher")
            if versions.get(name)
        ],
    }


def _facts(evidence: dict[str, Any]) -> Iterator[Row]:
    for sentence in evidence.get("unread", ()):
        yield {"label": "Name not fully checked", "value": sentence}
    nearest = evidence.get("nearest") or {}
    if nearest.get("name") and not evidence.get("sanctions"):
        value = f"{nearest['name']} at {nearest['score']} %: too little for a match"
        yield {"label": "Nearest on the lists", "value": value}
    labels = evidence.get("labels", {})
    for end in ("source", "destination"):
        if labels.get(end):
            yield {"label": f"{end.capitalize()} country is", "value": _standing(evidence, end)}
    if evidence.get("address"):
        yield {"label": f"A{str(evidence['address'])[1:]}", "value": _words(labels["address"])}
    yield from _rate(evidence.get("rate"))
    lei = evidence.get("lei", {})
    if lei.get("counts") or lei.get("note"):
        value = "counts" if lei["counts"] else f"does not count: {lei['note']}"
        yield {"label": "LEI", "value": value}
    for role, reason in evidence.get("gaps", ()):
        words = str(reason).replace("_", " ").lower()
        yield {"label": f"{ROLES.get(role, role)} not named", "value": words}
    yield from _shares(evidence)


def _standing(evidence: dict[str, Any], end: str) -> str:
    """Say how a country of the payment is listed."""
    words = _words(evidence["labels"][end])
    return f"{EMBARGOED}; {words}" if end in evidence.get("embargoed", ()) else words


def _words(label: Any) -> str:
    return STANDINGS.get(label) or str(label).replace("_", " ").lower()


def _rate(rate: dict[str, Any] | None) -> Iterator[Row]:
    """Show at which rate an amount was turned into USD; USD needs none."""
    if rate and rate["source"] != "USD":
        price = f"{scored.number(rate['rate']):.6g}"
        value = f"{in_usd(rate['usd'])} at {price} of {day(rate['date'])} ({rate['source']})"
        yield {"label": "Amount in USD", "value": value}


def _shares(evidence: dict[str, Any]) -> Iterator[Row]:
    """Show who holds how much of whom, where the records say it."""
    names = {row["lei"]: row["name"] for row in evidence.get("chain", ())}
    for child, parent, _, share in evidence.get("ties", ()):
        if share is not None:
            value = f"{share} % of {names.get(child, child)}"
            yield {"label": f"{names.get(parent, parent)} holds", "value": value}


def _owned(chain: Any) -> Iterator[Row]:
    """Draw what the lists say of each entity above a party."""
    for node in chain:
        for row in node["matches"]:
            kind = "" if node["category"] == "SOLE_PROPRIETOR" else "company"
            country = node["country"] or node["jurisdiction"][:2]
            known = Subject(
                name=node["name"],
                aliases=tuple(node["also"]),
                entity_type=kind,
                nationality=country,
                lei=node["lei"],
            )
            role = ROLES.get(node["role"], node["role"])
            yield match(f"{SANCTIONS}, {role.lower()}", known, row) | {"of": role}


def _owner(row: Row) -> Row:
    best = row["matches"][0] if row["matches"] else None
    finding = {"CLEAR": "no match", "NOT_CHECKED": "not checked"}.get(row["status"], "")
    if best and not finding:
        title = TITLES.get(best["dataset"], best["dataset"])
        finding = f"{best['name']} ({title}) at {best['score']} %"
    places = (row[name] for name in ("jurisdiction", "country", "headquarters"))
    return {
        "role": ROLES.get(row["role"], row["role"]),
        "name": row["name"],
        "lei": row["lei"],
        "country": ", ".join(dict.fromkeys(country_name(place) for place in places if place)),
        "finding": finding,
        "hit": row["status"] in ("MATCH", "PARTIAL"),
    }


def listed_parties(evidence: dict[str, Any]) -> set[str]:
    """Return the listed parties that a screen's evidence matches, as `list:id`."""
    found = (*evidence.get("sanctions", ()), *evidence.get("pep", ()))
    return {f"{row['dataset']}:{row['entityId']}" for row in found}


def sanctions_lists(evidence: dict[str, Any]) -> set[str]:
    """Return the short names of the lists on which the party or an owner is matched."""
    owners = [row for node in evidence.get("chain", ()) for row in node.get("matches", ())]
    return {row["dataset"] for row in (*evidence.get("sanctions", ()), *owners)}
