"""Turns a screen's stored evidence into what the case page draws.

apps/review/pages/evidence.py has the shapes.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

from apps.core.places import country_name
from apps.screening.combined import scored
from apps.screening.combined.compare import Compared, compared, primary_name
from apps.screening.combined.requested import asked_of, in_usd, request_rows
from apps.watchlists.catalog import CATALOG, SAMPLES
from apps.watchlists.subjects import Subject

ROLES = {
    "SUBJECT": "Subject",
    "DIRECT_PARENT": "Direct parent",
    "INTERMEDIATE": "Intermediate owner",
    "ULTIMATE_PARENT": "Ultimate parent",
}
SANCTIONS, PEP = "Sanctions", "Politically exposed"
MOST_NAMES = 8
TITLES = {known.slug: known.title for known in (*CATALOG, *(known for known, _ in SAMPLES))}
Row = dict[str, Any]


def picture(evidence: dict[str, Any]) -> dict[str, Any]:
    """Return request, matches, facts, chain and versions; empty parts are left empty."""
    subject = asked_of(evidence).subject
    versions = evidence.get("versions", {})
    own = [_match(SANCTIONS, subject, row) for row in evidence.get("sanctions", ())]
    listed = sorted((*own, *_owned(evidence.get("chain", ()))), key=lambda one: -one["score"])
    return {
        "request": request_rows(evidence),
        "matches": [
            *listed,
            *(_match(PEP, subject, row) for row in evidence.get("pep", ())),
        ],
        "facts": list(_facts(evidence)),
        "chain": [_owner(row) for row in evidence.get("chain", ())],
        "lists": list(_lists(evidence)),
        "record": [
            {"label": f"{name.capitalize()} version", "value": str(versions[name])}
            for name in ("rules", "matcher")
            if versions.get(name)
        ],
    }


def _lists(evidence: dict[str, Any]) -> Iterator[Row]:
    """Show what was screened against, and of when each list is; earlier records do not say."""
    published = evidence.get("published", {})
    for name, version in evidence.get("versions", {}).get("lists", {}).items():
        when = ""
        if name in published:
            when = _moment(published[name]) if published[name] else "at a time not known"
        yield {"name": name, "version": str(version), "published": when}


def _moment(text: str) -> str:
    return f"{datetime.fromisoformat(text).astimezone(UTC):%d %b %Y %H:%M} UTC"


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
            yield {"label": f"{end.capitalize()} country is", "value": _label(labels[end])}
    if evidence.get("address"):
        words = str(labels["address"]).replace("_", " ").lower()
        yield {"label": f"A{str(evidence['address'])[1:]}", "value": words}
    yield from _rate(evidence.get("rate"))
    lei = evidence.get("lei", {})
    if lei.get("counts") or lei.get("note"):
        value = "counts" if lei["counts"] else f"does not count: {lei['note']}"
        yield {"label": "LEI", "value": value}
    for role, reason in evidence.get("gaps", ()):
        words = str(reason).replace("_", " ").lower()
        yield {"label": f"{ROLES.get(role, role)} not named", "value": words}
    yield from _shares(evidence)


def _label(label: Any) -> str:
    return (
        "on no list of countries" if label == "STANDARD" else str(label).replace("_", " ").lower()
    )


def _rate(rate: dict[str, Any] | None) -> Iterator[Row]:
    """Show at which rate an amount was turned into USD; USD needs none."""
    if rate and rate["source"] != "USD":
        price = f"{scored.number(rate['rate']):.6g}"
        value = f"{in_usd(rate['usd'])} at {price} of {_day(rate['date'])} ({rate['source']})"
        yield {"label": "Amount in USD", "value": value}


def _shares(evidence: dict[str, Any]) -> Iterator[Row]:
    """Show who holds how much of whom, where the records say it."""
    names = {row["lei"]: row["name"] for row in evidence.get("chain", ())}
    for child, parent, _, share in evidence.get("ties", ()):
        if share is not None:
            value = f"{share} % of {names.get(child, child)}"
            yield {"label": f"{names.get(parent, parent)} holds", "value": value}


def _owned(chain: Any) -> Iterator[Row]:
    """Draw what the lists say of each entity above a party; earlier records name it alone."""
    for node in chain:
        for row in node["matches"]:
            if "entity" not in row:
                continue
            kind = "" if node.get("category") == "SOLE_PROPRIETOR" else "company"
            country = node.get("country") or str(node.get("jurisdiction", ""))[:2]
            known = Subject(
                name=node["name"],
                aliases=tuple(node.get("also", ())),
                entity_type=kind,
                nationality=country,
                lei=node["lei"],
            )
            role = ROLES.get(node["role"], node["role"])
            yield _match(f"{SANCTIONS}, {role.lower()}", known, row) | {"of": role}


def _match(check: str, subject: Subject, row: Row) -> Row:
    if not subject.name:  # of an earlier record: the name that was searched
        subject = replace(subject, name=str(row.get("asked", "")))
    entity, why = row.get("entity") or {}, row.get("explanation") or {}
    primary = primary_name(entity, row["name"])
    weak = bool(why.get("weak_alias")) or row["name"] in entity.get("weak", ())
    return {
        "check": check,
        "list": TITLES.get(row["dataset"], row["dataset"]),
        "name": primary,
        "alias": "" if row["name"] == primary else row["name"],
        "weak": weak,
        "standing": _standing(entity),
        "entity": row["entityId"],
        "score": int(row["score"]),
        "by_alias": row.get("asked", "") if row.get("by") == "ALIAS" else "",
        "compared": [_shown(one) for one in compared(subject=subject, row=row)],
        "details": list(_details(entity, {primary, row["name"]})),
    } | scored.told(row)


def _shown(one: Compared) -> Row:
    return {
        "what": one.what,
        "asked": one.asked,
        "listed": list(one.listed),
        "verdict": one.verdict,
        "words": one.words,
        "effect": scored.points(one.effect) if one.effect else "",
    }


def _standing(entity: dict[str, Any]) -> str:
    """Return under which programmes a party is listed, and since when."""
    since = str(entity.get("listedOn", ""))
    parts = ["; ".join(entity.get("programs", ())), f"listed on {_day(since)}" if since else ""]
    told = ", ".join(part for part in parts if part)
    return told[:1].upper() + told[1:]


def _day(text: str) -> str:
    """Return a day as people write it; a partial date stands as the list has it."""
    try:
        return f"{date.fromisoformat(text):%d %b %Y}"
    except ValueError:
        return text


def _details(entity: dict[str, Any], told: set[str]) -> Iterator[Row]:
    """Show what a list says of a party beside what is compared."""
    for office in entity.get("positions", ()):
        until = f" – {office['until']}" if office["until"] else " – end not known"
        span = f"{office['since'] or 'beginning not known'}{until}"
        parts = [office["title"], country_name(office["country"]), span]
        yield {"label": "Office", "value": ", ".join(part for part in parts if part)}
    others = [name for name in entity.get("names", ()) if name not in told]
    weak = entity.get("weak", ())
    names = [f"{name} (weak)" if name in weak else name for name in others[:MOST_NAMES]]
    more = len(others) - len(names)
    for label, values in (
        ("Gender", [entity.get("gender", "")]),
        ("Other names", [*names, *([f"and {more} more"] if more > 0 else [])]),
        ("Remarks", [entity.get("remarks", "")]),
    ):
        if any(values):
            yield {"label": label, "value": "; ".join(values)}


def _owner(row: Row) -> Row:
    best = row["matches"][0] if row["matches"] else None
    finding = {"CLEAR": "no match", "NOT_CHECKED": "not checked"}.get(row["status"], "")
    if best and not finding:
        finding = f"{best['name']} ({best['dataset']}) at {best['score']} %"
    places = (row.get(name) for name in ("jurisdiction", "country", "headquarters"))
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
