"""OpenSanctions deltas: `delta.json` names the versions, `entities.delta.json` holds the changes.

Each line is `{"op": "ADD" | "MOD" | "DEL", "entity": {…}}`. Applying a delta twice changes nothing,
so deltas that the list already has are harmless.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, Literal

from apps.reference.watchlists.listed_entity import ListedEntity
from apps.reference.watchlists.sources import ftm
from apps.reference.watchlists.sources.ftm_links import StatementLinks
from apps.reference.watchlists.sources.parse_options import ParseOptions
from apps.reference.watchlists.sources.stream_readers import FormatError, read_json_lines

Op = Literal["ADD", "MOD", "DEL"]
OPS = ("ADD", "MOD", "DEL")


@dataclass(frozen=True, slots=True)
class EntityChange:
    """One change of a list; `entity` is None when the party left it or is no target any more."""

    op: Op
    entity_id: str
    entity: ListedEntity | None


def parse_delta(files: Sequence[BinaryIO], options: ParseOptions) -> Iterator[EntityChange]:
    """Yield the changes of delta files, oldest file first, in the order they happened.

    Links (offices, documents) are known only as far as the deltas carry them.
    """
    if not files:
        raise FormatError("expected at least one entities.delta.json, found none")
    with StatementLinks() as links:
        for stream in files:
            for op, statement in _iter_operations(stream):
                if op != "DEL":
                    links.add(statement)
            stream.seek(0)
        for stream in files:
            for op, statement in _iter_operations(stream):
                if change := _build_change(op, statement, links, options):
                    yield change


def _iter_operations(stream: BinaryIO) -> Iterator[tuple[Op, Mapping[str, Any]]]:
    for line in read_json_lines(stream):
        op, statement = line.get("op"), line.get("entity")
        if op not in OPS or not isinstance(statement, dict):
            raise FormatError(f"expected op {'|'.join(OPS)} and entity, found {sorted(line)[:10]}")
        if op == "DEL":
            if not isinstance(statement.get("id"), str):
                raise FormatError("expected the id of a deleted entity, found none")
        else:
            ftm.check_statement(statement)
        yield op, statement


def _build_change(
    op: Op, statement: Mapping[str, Any], links: StatementLinks, options: ParseOptions
) -> EntityChange | None:
    if op == "DEL":
        return EntityChange("DEL", statement["id"], None)
    known = statement["schema"] in ftm.SCHEMAS
    # an address, an office and the like: no party, so nothing leaves the list
    if not known and not ftm.is_listed_party(statement, options):
        return None
    party = ftm.build_party(statement, links, options.topic)
    if party is None and ftm.topic_of_statement(statement, options.topic) is not None:
        # still listed, but without a name that can be compared: its last state is better than none
        options.reading.losses["dropped"] += 1
        return None
    return EntityChange(op, statement["id"], party)
