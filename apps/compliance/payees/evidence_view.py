"""Turns the evidence of a registration into what the case page draws: both sides.

apps/backoffice/review/views/evidence.py has the shapes.
"""

from collections.abc import Iterator
from typing import Any

from apps.platform.common.country_names import country_name
from apps.platform.desk.record_page import build_fact_rows
from apps.platform.desk.time_formats import format_day
from apps.reference.watchlists.presenters.matches import iter_screened_lists, present_match
from apps.reference.watchlists.subjects import Subject

Row = dict[str, Any]
SANCTIONS = "Sanctions"


def build_evidence_view(evidence: dict[str, Any]) -> dict[str, Any]:
    """Return what was submitted, matches, what GLEIF and the registry have, and versions."""
    given = evidence.get("submitted", {})
    subject = Subject(
        name=given.get("legalName", ""),
        aliases=tuple(given.get("aliases") or ()),
        lei=given.get("lei", ""),
        wallet=given.get("wallet", ""),
    )
    versions = evidence.get("versions", {})
    return {
        "request": {"payment": list(_submission_rows(given)), "party": [], "missing": ""},
        "matches": [
            present_match(SANCTIONS, subject, row) for row in evidence.get("sanctions", ())
        ],
        "facts": [
            *_gleif_rows(evidence.get("gleif") or {}),
            *_registered_rows(evidence),
            *_search_rows(evidence),
        ],
        "lists": list(iter_screened_lists(evidence)),
        "record": [
            {"label": label, "value": str(value)}
            for label, value in (
                ("Rules version", evidence.get("rules", "")),
                ("Matcher version", versions.get("matcher", "")),
                ("Registration", evidence.get("registration", "")),
            )
            if value
        ],
    }


def _submission_rows(given: Row) -> Iterator[Row]:
    yield from build_fact_rows(
        ("Legal name", given.get("legalName", "")),
        ("Wallet", given.get("wallet", "")),
        ("Chain", given.get("chain", "")),
        ("LEI", given.get("lei", "")),
        ("Country", country_name(given.get("country", ""))),
        ("Aliases", "; ".join(given.get("aliases") or ())),
    )


def _gleif_rows(held: Row) -> Iterator[Row]:
    yield from build_fact_rows(
        ("Legal name at GLEIF", held.get("legalName", "")),
        ("Other names at GLEIF", "; ".join(held.get("otherNames", ()))),
        ("State of the LEI", _describe_lei_state(held)),
        ("Renewal due", format_day(held.get("nextRenewal") or "")),
        ("Country at GLEIF", country_name(held.get("country", ""))),
        ("Register number at GLEIF", held.get("registeredAs", "")),
    )


def _describe_lei_state(held: Row) -> str:
    """Return the state in our word, and GLEIF's words where they say more."""
    told = (held.get("registrationStatus", ""), held.get("entityStatus", ""))
    words = ", ".join(one.replace("_", " ").lower() for one in told if one)
    return f"{held['leiStatus']} ({words})" if held.get("leiStatus") else ""


def _registered_rows(evidence: Row) -> Iterator[Row]:
    """Show how the wallet stands where something else was submitted for it."""
    held, given = evidence.get("stands", {}), evidence.get("submitted", {})
    differs = any(held.get(name) != given.get(name) for name in ("legalName", "lei"))
    if not (held and differs):
        return
    yield from build_fact_rows(
        ("Registered legal name", held.get("legalName", "")),
        ("Registered LEI", held.get("lei", "") or "none"),
        ("Registered country", country_name(held.get("country", ""))),
        ("Registered since", format_day(held.get("registeredAt", "")[:10])),
    )


def _search_rows(evidence: Row) -> Iterator[Row]:
    for one in evidence.get("countries", ()):
        label = one["label"].replace("_", " ").lower()
        yield {"label": "Listed country", "value": f"{country_name(one['country'])}: {label}"}
    for sentence in evidence.get("unread", ()):
        yield {"label": "Name not fully checked", "value": sentence}
    nearest = evidence.get("nearest") or {}
    if nearest.get("name") and not evidence.get("sanctions"):
        value = f"{nearest['name']} at {nearest['score']} %: too little for a match"
        yield {"label": "Nearest on the lists", "value": value}
    if evidence.get("searched"):
        yield {"label": "Names searched", "value": "; ".join(evidence["searched"])}


def listed_parties(evidence: Row) -> set[str]:
    """Return the listed parties that a registration's evidence matches, as `list:id`."""
    return {f"{row['dataset']}:{row['entityId']}" for row in evidence.get("sanctions", ())}


def sanctions_lists(evidence: Row) -> set[str]:
    """Return the short names of the lists on which the party is matched."""
    return {row["dataset"] for row in evidence.get("sanctions", ())}
