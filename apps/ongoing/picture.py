"""Turns the evidence of a re-screen into what the case page draws: both sides, and what changed.

apps/review/pages/evidence.py has the shapes.
"""

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from typing import Any

from apps.core.places import country_name
from apps.desk.times import stamped
from apps.ongoing.rules import RULINGS, WORDS
from apps.review.kinds import Listed
from apps.watchlists.drawn.match import TITLES, lists, match
from apps.watchlists.entries import digests
from apps.watchlists.evidence import WORDS as NUMBERS
from apps.watchlists.models import PartyKind
from apps.watchlists.subjects import Subject
from apps.watchlists.values import Identifier

Row = dict[str, Any]
SANCTIONS, PEP = "Sanctions", "Politically exposed"
TYPES = {"Person": "person", "Organization": "company", "Vessel": "vessel", "Aircraft": "aircraft"}
PLACES = {"screen": "a screen", "registration": "a registration", "lei": "the record of an LEI"}


def picture(evidence: Row) -> Row:
    """Return whom it is about, matches, what changed, where the party came up, and versions."""
    party = evidence.get("party", {})
    subject = Subject(
        name=party.get("name", ""),
        entity_type=TYPES.get(party.get("schema", ""), ""),
        birth_date=party.get("birthDate", ""),
        nationality=party.get("country", "") if party.get("kind") == "screened" else "",
        lei=party.get("lei", ""),
        wallet=party.get("wallet", ""),
        address=party.get("address", ""),
        identifiers=tuple(Identifier(**one) for one in party.get("identifiers", ())),
    )
    return {
        "request": {"payment": [], "party": list(party_rows(party)), "missing": ""},
        "matches": [
            *(match(SANCTIONS, subject, row) for row in evidence.get("sanctions", ())),
            *(match(PEP, subject, row) for row in evidence.get("pep", ())),
        ],
        "facts": [*_changes(evidence), *_met(evidence)],
        "lists": list(lists(evidence)),
        "record": list(_record(evidence)),
    }


def _rows(*pairs: tuple[str, str]) -> Iterator[Row]:
    yield from ({"label": label, "value": value} for label, value in pairs if value)


def party_rows(party: Row) -> Iterator[Row]:
    """Yield what is known of a party, by label; `party` as evidence has it."""
    country = country_name(party.get("country", ""))
    person = party.get("kind") == "screened"
    yield from _rows(
        ("Type", TYPES.get(party.get("schema", ""), "")),
        ("Birth date", party.get("birthDate", "")),
        ("Nationality" if person else "Country", country),
        ("LEI", party.get("lei", "")),
        *map(_number, party.get("identifiers", ())),
        ("Wallet address", party.get("wallet", "")),
        ("Address", party.get("address", "")),
    )


def _number(one: Row) -> tuple[str, str]:
    country = f" ({country_name(one['country'])})" if one.get("country") else ""
    kind = str(one["kind"])
    return NUMBERS.get(kind, kind), f"{one['value']}{country}"


def _changes(evidence: Row) -> Iterator[Row]:
    """Say of each matched entry why it is news, and what of it is another than before."""
    why = {one.code: one.title for one in RULINGS}
    names = {row["entityId"]: row["name"] for row in _matched(evidence)}
    for one in evidence.get("changes", ()):
        name = names.get(one["entityId"], one["entityId"])
        said = f"{why.get(one['why'], one['why'])}."
        if one["before"] is not None:
            fields = ", ".join(WORDS.get(field, field).lower() for field in one["fields"])
            said += f" Changed: {fields}. Before the change it was {one['before']} % like it."
        yield {"label": f"What changed: {name}", "value": said}


def _met(evidence: Row) -> Iterator[Row]:
    party, seen = evidence.get("party", {}), evidence.get("seen", {})
    kind, _, number = party.get("reference", "").partition(":")
    kinds = {one.value: str(one.label) for one in PartyKind}
    place = f"{PLACES.get(kind, kind)} ({number})" if number else ""
    yield from _rows(
        ("Came up as", kinds.get(party.get("kind", ""), "")),
        ("Came up first", _moment(seen.get("first"))),
        ("Came up last", _moment(seen.get("last"))),
        ("Last in", place),
    )


def _moment(text: str | None) -> str:
    return stamped(datetime.fromisoformat(text)) if text else ""


def _record(evidence: Row) -> Iterator[Row]:
    versions, run = evidence.get("versions", {}), evidence.get("run", {})
    title = TITLES.get(run.get("list", ""), run.get("list", ""))
    change = f"{title}, version {run.get('since')} to {run.get('through')}" if run else ""
    yield from _rows(
        ("Change of the list", change),
        ("Run", str(run.get("number", ""))),
        ("Rules version", str(versions.get("rules", ""))),
        ("Matcher version", str(versions.get("matcher", ""))),
    )


def _matched(evidence: Mapping[str, Any]) -> list[Row]:
    """Return the rows of all listed parties that evidence of any kind has; only our shape."""
    found = (*(evidence.get("sanctions") or ()), *(evidence.get("pep") or ()))
    return [row for row in found if "dataset" in row]


def listed_labels(evidence: Mapping[str, Any]) -> list[Listed]:
    """Return the listed parties that a party matches, each once and with its list."""
    found: dict[str, str] = {}
    for row in _matched(evidence):
        name = row["entity"]["primary"]
        title = TITLES.get(row["dataset"], row["dataset"])
        found.setdefault(f"{row['dataset']}:{row['entityId']}", f"{name} ({title})")
    return [Listed(key, label) for key, label in found.items()]


def listed_parties(evidence: Mapping[str, Any]) -> set[str]:
    """Return the listed parties of the evidence of a case of any kind, as `list:id`."""
    return {f"{row['dataset']}:{row['entityId']}" for row in _matched(evidence)}


def sanctions_lists(evidence: Row) -> set[str]:
    """Return the short names of the lists on which the party is matched."""
    return {row["dataset"] for row in evidence.get("sanctions", ())}


def entries(keys: Collection[str], *, seen: Mapping[str, Any] | None = None) -> Mapping[str, str]:
    """Return digests of listed entries (apps/review/kinds.py, Entries)."""
    versions = None if seen is None else seen.get("versions", {}).get("lists", {})
    refs = {_ref(key): key for key in keys}
    return {refs[ref]: digest for ref, digest in digests(refs, versions=versions).items()}


def _ref(key: str) -> str:
    slug, _, entity = key.partition(":")
    return entity if entity.startswith(f"{slug}:") else key
