"""Build the case page's view of a re-screen: both sides, and what changed.

apps/backoffice/review/views/evidence.py has the shapes.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from apps.compliance.screening.combined.listed_labels import list_matched_rows
from apps.compliance.screening.rescreening.subjects import TYPES
from apps.compliance.screening.rules.rescreening import RULINGS, WORDS
from apps.platform.common.country_names import country_name
from apps.platform.desk.record_page import build_fact_rows
from apps.platform.desk.time_formats import format_moment
from apps.reference.watchlists.listed_entity import Identifier
from apps.reference.watchlists.match_effects import WORDS as EFFECT_LABELS
from apps.reference.watchlists.models import PartyKind
from apps.reference.watchlists.presenters.matches import TITLES, iter_screened_lists, present_match
from apps.reference.watchlists.subjects import Subject

Row = dict[str, Any]
SANCTIONS, PEP = "Sanctions", "Politically exposed"
PLACES = {"screen": "a screen", "registration": "a registration", "lei": "LEI record"}


def build_evidence_view(evidence: Row) -> Row:
    """Return the party, its matches, the changes, where it was screened, and versions."""
    party = evidence.get("party", {})
    subject = Subject(
        name=party.get("name", ""),
        entity_type=TYPES.get(party.get("schema", ""), ""),
        birth_date=party.get("birthDate", ""),
        # the country of a registration or an owner is a location (subjects.py)
        nationality=party.get("country", "") if party.get("kind") == "screened" else "",
        lei=party.get("lei", ""),
        wallet=party.get("wallet", ""),
        address=party.get("address", ""),
        identifiers=tuple(Identifier(**identifier) for identifier in party.get("identifiers", ())),
    )
    return {
        "request": {"payment": [], "party": list(party_rows(party)), "missing": ""},
        "matches": [
            *(present_match(SANCTIONS, subject, row) for row in evidence.get("sanctions", ())),
            *(present_match(PEP, subject, row) for row in evidence.get("pep", ())),
        ],
        "facts": [*_change_rows(evidence), *_encounter_rows(evidence)],
        "lists": list(iter_screened_lists(evidence)),
        "record": list(_record_rows(evidence)),
    }


def party_rows(party: Row) -> Iterator[Row]:
    """Yield the known facts of a party by label; `party` as in the evidence."""
    country = country_name(party.get("country", ""))
    person = party.get("kind") == "screened"
    yield from build_fact_rows(
        ("Type", TYPES.get(party.get("schema", ""), "")),
        ("Birth date", party.get("birthDate", "")),
        ("Nationality" if person else "Country", country),
        ("LEI", party.get("lei", "")),
        *map(_identifier_row, party.get("identifiers", ())),
        ("Wallet address", party.get("wallet", "")),
        ("Address", party.get("address", "")),
    )


def _identifier_row(identifier: Row) -> tuple[str, str]:
    country = f" ({country_name(identifier['country'])})" if identifier.get("country") else ""
    kind = str(identifier["kind"])
    return EFFECT_LABELS.get(kind, kind), f"{identifier['value']}{country}"


def _change_rows(evidence: Row) -> Iterator[Row]:
    """Describe for each matched entry why it is new, and what changed."""
    why = {ruling.code: ruling.title for ruling in RULINGS}
    names = {row["entityId"]: row["name"] for row in list_matched_rows(evidence)}
    for change in evidence.get("changes", ()):
        name = names.get(change["entityId"], change["entityId"])
        sentence = f"{why.get(change['why'], change['why'])}."
        if change["before"] is not None:
            fields = ", ".join(WORDS.get(field, field).lower() for field in change["fields"])
            sentence += f" Changed: {fields}. Before the change it scored {change['before']} %."
        yield {"label": f"What changed: {name}", "value": sentence}


def _encounter_rows(evidence: Row) -> Iterator[Row]:
    party, seen = evidence.get("party", {}), evidence.get("seen", {})
    kind, _, number = party.get("reference", "").partition(":")
    kinds = {party_kind.value: str(party_kind.label) for party_kind in PartyKind}
    place = f"{PLACES.get(kind, kind)} ({number})" if number else ""
    yield from build_fact_rows(
        ("Screened as", kinds.get(party.get("kind", ""), "")),
        ("First screened", _format_moment(seen.get("first"))),
        ("Last screened", _format_moment(seen.get("last"))),
        ("Last seen in", place),
    )


def _format_moment(text: str | None) -> str:
    return format_moment(datetime.fromisoformat(text)) if text else ""


def _record_rows(evidence: Row) -> Iterator[Row]:
    versions, run = evidence.get("versions", {}), evidence.get("run", {})
    title = TITLES.get(run.get("list", ""), run.get("list", ""))
    change = f"{title}, version {run.get('since')} to {run.get('through')}" if run else ""
    yield from build_fact_rows(
        ("Change of the list", change),
        ("Run", str(run.get("number", ""))),
        ("Rules version", str(versions.get("rules", ""))),
        ("Matcher version", str(versions.get("matcher", ""))),
    )
