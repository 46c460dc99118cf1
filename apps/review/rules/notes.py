"""Notes for the examiner: what a template may say of a case, and when a note is finished. Pure.

A template says only what the case shows. Where an officer's own words are needed it ends in an
ellipsis, and a note that still lacks them is refused: notes must not be stamps.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

GAP = "…"
LEFT_OPEN = "Finish the note: where the template leaves off, say in your own words what you found."


@dataclass(frozen=True, slots=True)
class Compared:
    """One thing beside the name that was held against the list, as asked and as listed."""

    what: str
    asked: str
    listed: str


@dataclass(frozen=True, slots=True)
class Listed:
    """A listed party that the case resembles: what agrees and what differs."""

    name: str
    list: str
    entity: str
    score: str
    same: tuple[str, ...] = ()
    unlike: tuple[str, ...] = ()
    agrees: tuple[Compared, ...] = ()
    differs: tuple[Compared, ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """What a template may say: party, rules by reference with their sentences, parties, owners.

    `owners` are names of the chain above the subject, `hits` what was found of some, in words.
    """

    party: str
    rules: Mapping[str, str]
    listed: tuple[Listed, ...] = ()
    owners: tuple[str, ...] = ()
    hits: tuple[str, ...] = ()


Template = Callable[[Told], str]


def told(
    *, party: str, rules: Iterable[Mapping[str, str]], picture: Mapping[str, list[dict[str, Any]]]
) -> Told:
    """Return what a template may say of a case, from its rules and what its page draws."""
    chain = picture.get("chain", [])
    return Told(
        party=party,
        rules={one["ref"]: one["sentence"] for one in rules},
        listed=tuple(_listed(match) for match in picture.get("matches", [])),
        owners=tuple(node.get("name", "") for node in chain[1:]),
        hits=tuple(f"{n.get('name', '')}: {n.get('finding', '')}" for n in chain if n.get("hit")),
    )


def _listed(match: Mapping[str, Any]) -> Listed:
    pairs = match.get("pairs", [])
    unlike = [f"{p['asked']}/{p['listed']}" for p in pairs if not p.get("same")]
    unlike += [*match.get("only_asked", []), *match.get("only_listed", [])]
    rows = [
        (bool(one.get("agrees")), Compared(one["what"], str(one["asked"]), str(one["listed"])))
        for one in match.get("qualifiers", [])
        # "0": the list has nothing of it, so that nothing was compared
        if not one.get("alone") and one.get("effect") != "0" and one["asked"] and one["listed"]
    ]
    return Listed(
        name=str(match.get("name", "")),
        list=str(match.get("list", "")),
        entity=str(match.get("entity", "")),
        score=str(match.get("score", "")),
        same=tuple(p["asked"] for p in pairs if p.get("same")),
        unlike=tuple(unlike),
        agrees=tuple(row for agrees, row in rows if agrees),
        differs=tuple(row for agrees, row in rows if not agrees),
    )


def open_fault(*, note: str, template: str) -> str:
    """Return why a note is not finished, or an empty text."""
    given = note.strip()
    stub = template.endswith(GAP) and _bare(given) == _bare(template)
    return LEFT_OPEN if given.endswith(GAP) or stub else ""


def _bare(text: str) -> str:
    return " ".join(text.split()).rstrip(f"{GAP}. :;,")
