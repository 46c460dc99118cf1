"""Office holders, innocent persons, and office holders' own names as others write them."""

import random
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from apps.reference.watchlists.listed_entity import ListedEntity, ListedName, Position
from apps.reference.watchlists.matching.index import IndexEntry
from apps.reference.watchlists.sources.countries import parse_country_code
from benchmarks.matching_data import rows

HOLDERS = "lists/pep/everypolitician_2015-11.csv"
INNOCENT = "matching/benign_persons_dev.csv"
SLIPS = ("swapped", "dropped", "doubled", "replaced")


def entries(folder: Path) -> Iterator[IndexEntry]:
    """Yield the office holders: members of parliaments, each with the names the file gives.

    The file has no dates; every office stands open, so that HIGH and MEDIUM both occur.
    """
    for row in rows(folder / HOLDERS):
        aliases = [name for name in row["aliases"].split(";") if name.strip()]
        country = parse_country_code(row["country"])
        title = f"Member of the {row['chamber'].replace('_', ' ')}"
        entity = ListedEntity(
            entity_id=row["id"],
            schema="Person",
            names=(ListedName(row["name"], "primary"), *map(ListedName, aliases)),
            topic="pep",
            countries=(country,) if country else (),
            positions=(Position(title, country),),
        )
        yield IndexEntry(ref=row["id"], dataset="everypolitician", entity=entity)


def innocent(folder: Path, *, at_most: int) -> list[str]:
    """Return names of athletes and laureates, drawn evenly."""
    names = [row["name"] for row in rows(folder / INNOCENT)]
    return names[:: max(1, len(names) // at_most)][:at_most]


def mutated(folder: Path, *, at_most: int) -> Iterator[tuple[str, str, str]]:
    """Yield (kind of change, name as another writes it, id of the office holder).

    Only what the file prints with two words or more: one word of a name is no name to screen.
    """
    holders = [row for row in rows(folder / HOLDERS) if len(row["name"].split()) > 1]
    draw = random.Random(11)
    for row in holders[:: max(1, len(holders) // at_most)][:at_most]:
        for kind, change in CHANGES.items():
            name = change(row["name"], draw)
            if name and name != row["name"]:
                yield kind, name, row["id"]


def _capitals(name: str, draw: random.Random) -> str:
    return name.upper()


def _surname_first(name: str, draw: random.Random) -> str:
    first, _, last = name.rpartition(" ")
    return "" if "," in name else f"{last}, {first}"


def _without_accents(name: str, draw: random.Random) -> str:
    apart = unicodedata.normalize("NFD", name)
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def _without_middle(name: str, draw: random.Random) -> str:
    words = name.split()
    return f"{words[0]} {words[-1]}" if len(words) > 2 and "," not in name else ""


def _with_title(name: str, draw: random.Random) -> str:
    return f"{draw.choice(('Mr', 'Dr', 'Hon.', 'Mrs'))} {name}"


def _slip(name: str, draw: random.Random) -> str:
    """Make one slip of the pen within the longest word, never in its first letter."""
    longest = max(name.split(), key=len)
    if len(longest) < 5:
        return ""
    at = draw.randrange(1, len(longest) - 1)
    one, other = longest[at], longest[at + 1]
    put = {
        "swapped": other + one,
        "dropped": other,
        "doubled": one + one + other,
        "replaced": draw.choice("aeinorst") + other,
    }[draw.choice(SLIPS)]
    return name.replace(longest, longest[:at] + put + longest[at + 2 :], 1)


CHANGES = {
    "capitals": _capitals,
    "surname first": _surname_first,
    "without accents": _without_accents,
    "without middle names": _without_middle,
    "with a title": _with_title,
    "slip of the pen": _slip,
}
