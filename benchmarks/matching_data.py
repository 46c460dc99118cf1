"""The labelled sets and lists that the matching benchmark reads, and a constructed large list."""

import csv
import os
import random
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from apps.reference.watchlists.listed_entity import ListedEntity, ListedName
from apps.reference.watchlists.matching.index import IndexEntry
from apps.reference.watchlists.sources import ofac_csv, un_xml
from apps.reference.watchlists.sources.parse_options import ParseOptions

LIST = "lists/sanctions_ofac.csv"
OFFICIAL = "lists/ofac_2022_01"
UNITED_NATIONS = "lists/un/un_consolidated_2026-02-27.xml"


@dataclass(frozen=True, slots=True)
class Sought:
    """A query whose listed party is known, and the name withheld from the list for it, if any."""

    query: str
    schema: str
    refs: frozenset[str]
    withheld: str = ""


@dataclass(slots=True)
class Data:
    """Everything the benchmark reads."""

    folder: Path
    pairs: list[dict[str, str]]
    listed: list[dict[str, str]]
    benign: dict[str, list[str]] = field(default_factory=dict)

    @property
    def refs(self) -> dict[str, set[str]]:
        """Return which parties bear each listed name."""
        bearers: dict[str, set[str]] = defaultdict(set)
        for row in self.listed:
            bearers[row["name"]].add(row["entity_id"])
        return bearers


def default_folder() -> Path:
    """Return where the shared data lie: SHARED_DATA, or beside the checkout."""
    beside = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
    return Path(os.environ.get("SHARED_DATA") or beside)


def load(*, folder: Path, at_most: int | None) -> Data:
    """Read the sets; `at_most` benign names of each kind, drawn evenly, or all of them."""
    skipped = {row["name"] for row in rows(folder / "matching/benign_possibly_listed.csv")}
    data = Data(
        folder=folder,
        pairs=rows(folder / "matching/pairs_dev.csv"),
        listed=rows(folder / LIST),
    )
    for schema, name in (("Person", "persons"), ("Organization", "companies")):
        names = [row["name"] for row in rows(folder / f"matching/benign_{name}_dev.csv")]
        names = [name for name in names if name not in skipped]
        step = max(1, len(names) // at_most) if at_most else 1
        data.benign[schema] = names[::step]
    return data


def rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as source:
        return list(csv.DictReader(source))


def entries(listed: list[dict[str, str]], *, without: frozenset[str] = frozenset()) -> Iterator:
    """Yield the list as index entries, leaving out the names withheld."""
    parties: dict[tuple[str, str], list[ListedName]] = defaultdict(list)
    for row in listed:
        if row["name"] not in without:
            kind = "primary" if row["name_type"] == "primary" else "alias"
            parties[row["entity_id"], row["schema"]].append(ListedName(row["name"], kind))
    for (entity_id, schema), names in parties.items():
        entity = ListedEntity(entity_id=entity_id, schema=schema, names=tuple(names))
        yield IndexEntry(ref=entity_id, dataset="ofac", entity=entity)


def official(folder: Path) -> list[IndexEntry] | None:
    """Return the parties of the official files, None where they are not held."""
    files = [folder / OFFICIAL / name for name in ("sdn.csv", "alt.csv", "add.csv")]
    if not all(file.exists() for file in files):
        return None
    with ExitStack() as opened:
        streams = [opened.enter_context(file.open("rb")) for file in files]
        return [
            IndexEntry(ref=f"ofac:{entity.entity_id}", dataset="ofac", entity=entity)
            for entity in ofac_csv.parse(streams, ParseOptions())
        ]


def official_lists(folder: Path) -> list[IndexEntry] | None:
    """Return the parties of the official files of OFAC and the UN, None where either is absent."""
    ofac, path = official(folder), folder / UNITED_NATIONS
    if ofac is None or not path.exists():
        return None
    with path.open("rb") as stream:
        return ofac + [
            IndexEntry(ref=f"un:{entity.entity_id}", dataset="un", entity=entity)
            for entity in un_xml.parse([stream], ParseOptions())
        ]


def sought(data: Data) -> dict[str, list[Sought]]:
    """Return the queries of treated names and of aliases, with the parties that they mean.

    An alias is only sought where its party keeps a name once the alias is withheld.
    """
    bearers = data.refs
    kept: dict[str, set[str]] = defaultdict(set)
    for name, refs in bearers.items():
        for ref in refs:
            kept[ref].add(name)
    found: dict[str, list[Sought]] = {"treated": [], "alias": []}
    for row in data.pairs:
        query, schema = row["query"], row["schema"]
        if row["source"] == "sdn_treated":
            refs = frozenset(bearers[row["candidate"]])
            found["treated"].append(Sought(query, schema, refs))
        elif row["source"] == "ofac_alias":
            known = bearers[query] | bearers[row["candidate"]]
            refs = frozenset(ref for ref in known if kept[ref] - {query})
            if refs:
                found["alias"].append(Sought(query, schema, refs, withheld=query))
    return found


def batches(aliases: list[Sought]) -> list[list[Sought]]:
    """Split the aliases so that within a batch no party loses more than one name."""
    split: list[tuple[list[Sought], set[str]]] = []
    for alias in aliases:
        for batch, refs in split:
            if not refs & alias.refs:
                batch.append(alias)
                refs.update(alias.refs)
                break
        else:
            split.append(([alias], set(alias.refs)))
    return [batch for batch, _refs in split]


def constructed(data: Data, *, names: int) -> Iterator[IndexEntry]:
    """Yield a list of so many names: real tokens recombined, one in five with a letter changed."""
    draw = random.Random(20)
    tokens = {
        schema: sorted(
            {
                token
                for row in data.listed
                if row["schema"] == schema
                for token in row["name"].split()
            }
            | {token for name in data.benign[schema] for token in name.split()}
        )
        for schema in ("Person", "Organization")
    }
    for number in range(names // 2):
        schema = "Person" if number % 2 else "Organization"
        both = tuple(ListedName(_drawn(draw, tokens[schema])) for _name in range(2))
        entity = ListedEntity(entity_id=str(number), schema=schema, names=both)
        yield IndexEntry(ref=f"made-{number}", dataset="made", entity=entity)


def _drawn(draw: random.Random, tokens: list[str]) -> str:
    chosen = []
    for _token in range(draw.choice((2, 2, 3, 3, 4))):
        token = tokens[int(len(tokens) * draw.random() ** 2)] if draw.random() < 0.5 else ""
        token = token or draw.choice(tokens)
        if draw.random() < 0.2 and len(token) > 3:
            place = draw.randrange(len(token))
            token = token[:place] + draw.choice("aeioulrnst") + token[place + 1 :]
        chosen.append(token)
    return " ".join(chosen)
