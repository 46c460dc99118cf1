"""Turns the evidence of a registration into what the case page draws: both sides.

apps/review/pages/evidence.py has the shapes.
"""

from collections.abc import Iterator
from typing import Any

from apps.core.places import country_name
from apps.desk.times import day
from apps.watchlists.drawn.match import lists, match
from apps.watchlists.subjects import Subject

Row = dict[str, Any]
SANCTIONS = "Sanctions"


def picture(evidence: dict[str, Any]) -> dict[str, Any]:
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
        "request": {"payment": list(_submitted(given)), "party": [], "missing": ""},
        "matches": [match(SANCTIONS, subject, row) for row in evidence.get("sanctions", ())],
        "facts": [*_gleif(evidence.get("gleif") or {}), *_stands(evidence), *_searched(evidence)],
        "lists": list(lists(evidence)),
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


def _rows(*pairs: tuple[str, str]) -> Iterator[Row]:
    """Yield what is known as rows of label and value."""
    yield from ({"label": label, "value": value} for label, value in pairs if value)


def _submitted(given: Row) -> Iterator[Row]:
    yield from _rows(
        ("Legal name", given.get("legalName", "")),
        ("Wallet", given.get("wallet", "")),
        ("Chain", given.get("chain", "")),
        ("LEI", given.get("lei", "")),
        ("Country", country_name(given.get("country", ""))),
        ("Aliases", "; ".join(given.get("aliases") or ())),
    )


def _gleif(held: Row) -> Iterator[Row]:
    yield from _rows(
        ("Legal name at GLEIF", held.get("legalName", "")),
        ("Other names at GLEIF", "; ".join(held.get("otherNames", ()))),
        ("State of the LEI", _state(held)),
        ("Renewal due", day(held.get("nextRenewal") or "")),
        ("Country at GLEIF", country_name(held.get("country", ""))),
        ("Register number at GLEIF", held.get("registeredAs", "")),
    )


def _state(held: Row) -> str:
    """Return the state in our word, and GLEIF's words where they say more."""
    told = (held.get("registrationStatus", ""), held.get("entityStatus", ""))
    words = ", ".join(one.replace("_", " ").lower() for one in told if one)
    return f"{held['leiStatus']} ({words})" if held.get("leiStatus") else ""


def _stands(evidence: Row) -> Iterator[Row]:
    """Show how the wallet stands where something else was submitted for it."""
    held, given = evidence.get("stands", {}), evidence.get("submitted", {})
    differs = any(held.get(name) != given.get(name) for name in ("legalName", "lei"))
    if not (held and differs):
        return
    yield from _rows(
        ("Registered legal name", held.get("legalName", "")),
        ("Registered LEI", held.get("lei", "") or "none"),
        ("Registered country", country_name(held.get("country", ""))),
        ("Registered since", day(held.get("registeredAt", "")[:10])),
    )


def _searched(evidence: Row) -> Iterator[Row]:
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
