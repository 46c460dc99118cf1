"""Build the case page's view of a registration from its evidence: both sides.

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
    submitted = evidence.get("submitted", {})
    subject = Subject(
        name=submitted.get("legalName", ""),
        aliases=tuple(submitted.get("aliases") or ()),
        lei=submitted.get("lei", ""),
        wallet=submitted.get("wallet", ""),
    )
    versions = evidence.get("versions", {})
    return {
        "request": {"payment": list(_submission_rows(submitted)), "party": [], "missing": ""},
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


def _submission_rows(submitted: Row) -> Iterator[Row]:
    yield from build_fact_rows(
        ("Legal name", submitted.get("legalName", "")),
        ("Wallet", submitted.get("wallet", "")),
        ("Chain", submitted.get("chain", "")),
        ("LEI", submitted.get("lei", "")),
        ("Country", country_name(submitted.get("country", ""))),
        ("Aliases", "; ".join(submitted.get("aliases") or ())),
    )


def _gleif_rows(entity: Row) -> Iterator[Row]:
    states = (entity.get("registrationStatus", ""), entity.get("entityStatus", ""))
    words = ", ".join(state.replace("_", " ").lower() for state in states if state)
    lei_state = f"{entity['leiStatus']} ({words})" if entity.get("leiStatus") else ""
    yield from build_fact_rows(
        ("Legal name at GLEIF", entity.get("legalName", "")),
        ("Other names at GLEIF", "; ".join(entity.get("otherNames", ()))),
        ("State of the LEI", lei_state),
        ("Renewal due", format_day(entity.get("nextRenewal") or "")),
        ("Country at GLEIF", country_name(entity.get("country", ""))),
        ("Register number at GLEIF", entity.get("registeredAs", "")),
    )


def _registered_rows(evidence: Row) -> Iterator[Row]:
    """Show the wallet's registration when something else was submitted for it."""
    stands, submitted = evidence.get("stands", {}), evidence.get("submitted", {})
    # a submission for a wallet of another entity; otherwise both sides would say the same
    differs = any(stands.get(name) != submitted.get(name) for name in ("legalName", "lei"))
    if not (stands and differs):
        return
    yield from build_fact_rows(
        ("Registered legal name", stands.get("legalName", "")),
        ("Registered LEI", stands.get("lei", "") or "none"),
        ("Registered country", country_name(stands.get("country", ""))),
        ("Registered since", format_day(stands.get("registeredAt", "")[:10])),
    )


def _search_rows(evidence: Row) -> Iterator[Row]:
    for country in evidence.get("countries", ()):
        label = country["label"].replace("_", " ").lower()
        yield {"label": "Listed country", "value": f"{country_name(country['country'])}: {label}"}
    for sentence in evidence.get("unread", ()):
        yield {"label": "Name not fully checked", "value": sentence}
    nearest = evidence.get("nearest") or {}
    # shows the officer that the lists were searched, where nothing matched
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
