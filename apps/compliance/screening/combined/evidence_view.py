"""Build the case page's view of a screen from its stored evidence.

apps/backoffice/review/views/evidence.py has the shapes.
"""

from collections.abc import Iterator
from typing import Any

from django.utils.text import capfirst

from apps.compliance.screening.combined.ownership_order import order_owners_upward
from apps.compliance.screening.combined.request_rows import (
    build_request_rows,
    format_usd_cents,
    parse_evidence_request,
)
from apps.platform.common.country_names import country_name
from apps.platform.desk.time_formats import format_day
from apps.reference.watchlists.presenters import score_breakdown
from apps.reference.watchlists.presenters.matches import TITLES, iter_screened_lists, present_match
from apps.reference.watchlists.subjects import Subject

EMBARGOED = "under a comprehensive embargo"
ROLES = {
    "SUBJECT": "Subject",
    "DIRECT_PARENT": "Direct parent",
    "INTERMEDIATE": "Intermediate owner",
    "ULTIMATE_PARENT": "Ultimate parent",
}
STANDINGS = {  # labels of countries (apps/reference/countries/rules.py) in words
    "STANDARD": "on the list of neither FATF nor the EU",
    "CALL_FOR_ACTION": "on the FATF call for action",
    "INCREASED_MONITORING": "under FATF increased monitoring",
    "EU_HIGH_RISK": "an EU high-risk third country",
    "NOT_PROVIDED": "not given",
    "EMBARGO": EMBARGOED,
}
SANCTIONS, PEP = "Sanctions", "Politically exposed"
Row = dict[str, Any]


def build_evidence_view(evidence: dict[str, Any]) -> dict[str, Any]:
    """Return request, matches, facts, chain and versions; empty parts are left empty."""
    subject = parse_evidence_request(evidence).subject
    versions = evidence.get("versions", {})
    own = [present_match(SANCTIONS, subject, row) for row in evidence.get("sanctions", ())]
    listed = sorted(
        (*own, *_owner_match_rows(evidence.get("chain", ()))), key=lambda match: -match["score"]
    )
    return {
        "request": build_request_rows(evidence),
        "matches": [
            *listed,
            *(present_match(PEP, subject, row) for row in evidence.get("pep", ())),
        ],
        "facts": list(_fact_rows(evidence)),
        "chain": [
            _owner_row(row) | {"level": level, "owns": owns}
            for row, level, owns in order_owners_upward(
                evidence.get("chain", ()), evidence.get("ties", ())
            )
        ],
        "lists": list(iter_screened_lists(evidence)),
        "record": [
            {"label": f"{name.capitalize()} version", "value": str(versions[name])}
            for name in ("rules", "matcher")
            if versions.get(name)
        ],
    }


def _fact_rows(evidence: dict[str, Any]) -> Iterator[Row]:
    for sentence in evidence.get("unread", ()):
        yield {"label": "Name not fully checked", "value": sentence}
    nearest = evidence.get("nearest") or {}
    # below 45 % nothing is kept as a match; officers still see what came closest
    if nearest.get("name") and not evidence.get("sanctions"):
        value = f"{nearest['name']} at {nearest['score']} %: too little for a match"
        yield {"label": "Nearest on the lists", "value": value}
    labels = evidence.get("labels", {})
    for end in ("source", "destination"):
        if labels.get(end):
            yield {
                "label": f"{end.capitalize()} country is",
                "value": _describe_country_listing(evidence, end),
            }
    if evidence.get("address"):
        yield {
            "label": capfirst(evidence["address"]),
            "value": _format_country_label(labels["address"]),
        }
    yield from _rate_rows(evidence.get("rate"))
    lei = evidence.get("lei", {})
    if lei.get("counts") or lei.get("note"):
        value = "counts" if lei["counts"] else f"does not count: {lei['note']}"
        yield {"label": "LEI", "value": value}
    for role, reason in evidence.get("gaps", ()):
        words = str(reason).replace("_", " ").lower()
        yield {"label": f"{ROLES.get(role, role)} not named", "value": words}
    yield from _share_rows(evidence)


def _describe_country_listing(evidence: dict[str, Any], end: str) -> str:
    """Say how a country of the payment is listed."""
    words = _format_country_label(evidence["labels"][end])
    return f"{EMBARGOED}; {words}" if end in evidence.get("embargoed", ()) else words


def _format_country_label(label: Any) -> str:
    return STANDINGS.get(label) or str(label).replace("_", " ").lower()


def _rate_rows(rate: dict[str, Any] | None) -> Iterator[Row]:
    """Show at which rate an amount was turned into USD; USD needs none."""
    if rate and rate["source"] != "USD":
        price = f"{score_breakdown.to_decimal(rate['rate']):.6g}"
        value = (
            f"{format_usd_cents(rate['usd'])} at {price} of {format_day(rate['date'])} "
            f"({rate['source']})"
        )
        yield {"label": "Amount in USD", "value": value}


def _share_rows(evidence: dict[str, Any]) -> Iterator[Row]:
    """Show who holds how much of whom, where the records say it."""
    names = {row["lei"]: row["name"] for row in evidence.get("chain", ())}
    for child, parent, _, share in evidence.get("ties", ()):
        if share is not None:
            value = f"{share} % of {names.get(child, child)}"
            yield {"label": f"{names.get(parent, parent)} holds", "value": value}


def _owner_match_rows(chain: Any) -> Iterator[Row]:
    """Draw what the lists say of each entity above a party."""
    for node in chain:
        for row in node["matches"]:
            # a person trades under such an LEI, so its type says nothing (as in
            # ubo/screened_nodes.py)
            kind = "" if node["category"] == "SOLE_PROPRIETOR" else "company"
            # a jurisdiction may be a subdivision (`US-DE`)
            country = node["country"] or node["jurisdiction"][:2]
            subject = Subject(
                name=node["name"],
                aliases=tuple(node["also"]),
                entity_type=kind,
                nationality=country,
                lei=node["lei"],
            )
            role = ROLES.get(node["role"], node["role"])
            yield present_match(f"{SANCTIONS}, {role.lower()}", subject, row) | {"of": role}


def _owner_row(row: Row) -> Row:
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
    matches = (*evidence.get("sanctions", ()), *evidence.get("pep", ()))
    return {f"{row['dataset']}:{row['entityId']}" for row in matches}


def sanctions_lists(evidence: dict[str, Any]) -> set[str]:
    """Return the short names of the lists on which the party or an owner is matched."""
    owners = [row for node in evidence.get("chain", ()) for row in node.get("matches", ())]
    return {row["dataset"] for row in (*evidence.get("sanctions", ()), *owners)}
