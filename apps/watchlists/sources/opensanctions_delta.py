"""OpenSanctions deltas: `delta.json` names the versions, `entities.delta.json` holds the changes.

Each line is `{"op": "ADD" | "MOD" | "DEL", "entity": {…}}`. Applying a delta twice changes nothing,
so deltas that the list already has are harmless.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, Literal

from apps.watchlists.sources import ftm
from apps.watchlists.sources.ftm_links import Links
from apps.watchlists.sources.options import Options
from apps.watchlists.sources.reading import FormatError, json_lines
from apps.watchlists.values import ListedEntity

Op = Literal["ADD", "MOD", "DEL"]
OPS = ("ADD", "MOD", "DEL")


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a list; `entity` is None when the party left it or is no target any more."""

    op: Op
    entity_id: str
    entity: ListedEntity | None


def parse(files: Sequence[BinaryIO], options: Options) -> Iterator[Change]:
    """Yield the changes of delta files, oldest file first, in the order they happened.

    Links (offices, documents) are known only as far as the deltas carry them.
    """
    if not files:
        raise FormatError("expected at least one entities.delta.json, found none")
    with Links() as links:
        for stream in files:
            for op, statement in _lines(stream):
                if op != "DEL":
                    links.add(statement)
            stream.seek(0)
        for stream in files:
            for op, statement in _lines(stream):
                if change := _change(op, statement, links, options):
                    yield change


def _lines(stream: BinaryIO) -> Iterator[tuple[Op, Mapping[str, Any]]]:
    for line in json_lines(stream):
        op, statement = line.get("op"), line.get("entity")
        if op not in OPS or not isinstance(statement, dict):
            raise FormatError(f"expected op {'|'.join(OPS)} and entity, found {sorted(line)[:10]}")
        if op == "DEL":
            if not isinstance(statement.get("id"), str):
                raise FormatError("expected the id of a deleted entity, found none")
        else:
            ftm.check(statement)
        yield op, statement


def _change(op: Op, statement: Mapping[str, Any], links: Links, options: Options) -> Change | None:
    if op == "DEL":
        return Change("DEL", statement["id"], None)
    known = statement["schema"] in ftm.SCHEMAS
    if not known and not ftm.is_party(statement, options):
        return None
    return Change(op, statement["id"], ftm.party(statement, links, options.topic))
