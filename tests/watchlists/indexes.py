"""Small indexes of hand-made names, and one of the real list, for tests of the matcher."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from apps.reference.watchlists import lookup
from apps.reference.watchlists.listed_entity import ListedEntity, ListedName, Schema
from apps.reference.watchlists.matches import ListMatch
from apps.reference.watchlists.matching.index import IndexEntry, MatchIndex, build_index
from apps.reference.watchlists.sources import ofac_csv
from apps.reference.watchlists.sources.parse_options import ParseOptions
from apps.reference.watchlists.subjects import Subject
from tests.shared_data import shared


def party(key: str, schema: Schema, *names: str, **known: Any) -> IndexEntry:
    """Return a listed party; its first name is the primary one."""
    spelt = tuple(ListedName(name, "alias" if at else "primary") for at, name in enumerate(names))
    entity = ListedEntity(entity_id=key, schema=schema, names=spelt, **known)
    return IndexEntry(ref=f"l:{key}", dataset="l", entity=entity)


def opened(entries: Iterable[IndexEntry], place: Path) -> MatchIndex:
    """Build an index in a folder and open it."""
    build_index(entries=entries, directory=place)
    return MatchIndex.open(place)


def index_of(listed: Iterable[tuple[str, Schema]], place: Path) -> MatchIndex:
    """Open an index of parties of one name each; the name is also the id."""
    entities = (
        ListedEntity(entity_id=name, schema=schema, names=(ListedName(name, "primary"),))
        for name, schema in listed
    )
    return opened((IndexEntry(entity.entity_id, "l", entity) for entity in entities), place)


def engine_of(entries: Iterable[IndexEntry], place: Path) -> Any:
    """Return an engine whose lists, of sanctions and of office holders, have these entries."""
    index = opened(entries, place)
    return SimpleNamespace(sanctions=index, pep=index)


def best_match(engine: Any, name: str, **known: Any) -> ListMatch:
    """Return the best match of a name on the lists of sanctions."""
    return lookup.match_sanctions(engine=engine, subject=Subject(name=name, **known)).matches[0]


def best_hit(index: MatchIndex, text: str) -> tuple[str, float]:
    """Return who is found best by a name field, and how well."""
    hits = lookup.find_sanction_hits(index=index, subject=Subject(name=text)).hits
    return (hits[0].name, hits[0].score) if hits else ("", 0.0)


def official_engine(place: Path) -> Any:
    """Return an engine of OFAC's list as it was in January 2022; skips where it is absent."""
    return SimpleNamespace(sanctions=opened(list(_ofac()), place))


def _ofac() -> Iterator[IndexEntry]:
    files = [shared(f"lists/ofac_2022_01/{name}.csv") for name in ("sdn", "alt", "add")]
    with ExitStack() as stack:
        streams = [stack.enter_context(file.open("rb")) for file in files]
        for entity in ofac_csv.parse(streams, ParseOptions()):
            yield IndexEntry(ref=f"ofac:{entity.entity_id}", dataset="ofac", entity=entity)
