"""OpenSanctions' exports: simple CSV, FollowTheMoney entities, deltas."""

import io
import json
from typing import Any

import pytest

from apps.reference.watchlists.listed_entity import (
    Identifier,
    ListedEntity,
    ListedName,
    Position,
    Topic,
)
from apps.reference.watchlists.sources import FORMATS, FormatError, ParseOptions
from apps.reference.watchlists.sources.opensanctions_delta import EntityChange, parse_delta
from tests.shared_data import shared


def statement(schema: str, key: str, **properties: Any) -> dict[str, Any]:
    target = properties.pop("target", False)
    listed = {
        name: [value] if isinstance(value, str) else value for name, value in properties.items()
    }
    return {"id": key, "schema": schema, "properties": listed, "target": target}


def ftm(*statements: dict[str, Any], topic: Topic = "pep") -> list[ListedEntity]:
    text = "\n".join(json.dumps(row) for row in statements)
    return list(FORMATS["ftm"].parse([io.BytesIO(text.encode())], ParseOptions(topic=topic)))


STARMER = statement(
    "Person", "Q1", name="Keir Starmer", topics="role.pep", nationality="gb", birthDate="1962-09-02"
)
PRIME_MINISTER = statement("Position", "P1", name="Prime Minister", country="gb")
IN_OFFICE = statement(
    "Occupancy", "O1", holder="Q1", post="P1", startDate="2024-07-05", endDate="2026-07-20"
)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_offices_are_found_wherever_their_parts_stand(order: tuple[int, ...]) -> None:
    rows = (STARMER, PRIME_MINISTER, IN_OFFICE)
    (person,) = ftm(*(rows[at] for at in order))
    assert person.topic == "pep"
    assert person.positions == (Position("Prime Minister", "GB", "2024-07-05", "2026-07-20"),)
    assert person.countries == ("GB",)
    assert person.birth_dates == ("1962-09-02",)


@pytest.mark.parametrize(
    ("topics", "target", "expected"),
    [
        (["role.pep"], True, "pep"),
        (["role.rca"], True, "pep"),
        (["sanction", "role.pep"], True, "sanction"),
        (["crime"], True, "other"),
        ([], True, "pep"),
        ([], False, None),
    ],
)
def test_the_topic_is_the_partys_own_else_the_sources(
    topics: list[str], target: bool, expected: str | None
) -> None:
    listed_entities = ftm(statement("Person", "Q1", name="A B", topics=topics, target=target))
    assert [entity.topic for entity in listed_entities] == ([expected] if expected else [])


def test_documents_wallets_addresses_and_programmes_join_their_party() -> None:
    listed_entities = ftm(
        statement("Organization", "N1", name="Acme", topics="sanction", addressEntity="A1",
                  leiCode="549300WE6TAF5EEWQS81", alias="ACME Ltd", weakAlias="AC",
                  previousName="Old Acme"),
        statement("Address", "A1", full="1 High Street, Minsk", country="by"),
        statement("Passport", "D1", holder="N1", number="X1", country="by"),
        statement("CryptoWallet", "W1", holder="N1",
                  publicKey="0x098B716B8Aaf21512996dC57EB0615e2383E2f96"),
        statement("Sanction", "S1", entity="N1", programId="EU-BLR", startDate="2022-03-01"),
    )  # fmt: skip
    (entity,) = listed_entities
    assert entity.addresses == ("1 High Street, Minsk",)
    assert entity.programs == ("EU-BLR",)
    assert entity.listed_on == "2022-03-01"
    assert set(entity.identifiers) == {
        Identifier("lei", "549300WE6TAF5EEWQS81"),
        Identifier("passport", "X1", "BY"),
        Identifier("wallet", "0x098B716B8Aaf21512996dC57EB0615e2383E2f96", asset="ETH"),
    }
    assert ListedName("AC", weak=True) in entity.names
    assert ListedName("Old Acme", "former") in entity.names


def test_a_wikidata_number_is_no_name() -> None:
    (person,) = ftm(statement("Person", "Q1", name=["Q121752240", "A B"], topics="role.pep"))
    assert [name.full for name in person.names] == ["A B"]


def test_halves_of_surrogate_pairs_and_zero_bytes_are_taken_out() -> None:
    (person,) = ftm(statement("Person", "Q1", name="A\ud800 B\x00", topics="role.pep"))
    assert person.names[0].full == "A B"


@pytest.mark.parametrize(
    "line",
    ["{", "[]", "7", '{"id": "a"}', '{"id": 1, "schema": "Person", "properties": {}}',
     '{"id": "a", "schema": "Person", "properties": []}', "[" * 100_000, ""],
)  # fmt: skip
def test_what_is_no_entity_is_refused(line: str) -> None:
    with pytest.raises(FormatError, match="expected"):
        list(FORMATS["ftm"].parse([io.BytesIO(line.encode())], ParseOptions()))


def test_the_real_pep_file_is_read() -> None:
    with shared("lists/opensanctions/sa_wiki_peps.entities.ftm.json").open("rb") as stream:
        found = list(FORMATS["ftm"].parse([stream], ParseOptions(topic="pep")))
    assert len(found) == 423
    assert {entity.topic for entity in found} == {"pep"}


@pytest.mark.parametrize(
    ("name", "topic", "parties"),
    [("interpol_red_notices", "other", 6561), ("ua_war_sanctions", "sanction", 5600)],
)
def test_the_real_simple_files_are_read(name: str, topic: Topic, parties: int) -> None:
    with shared(f"lists/opensanctions/{name}.targets.simple.csv").open("rb") as stream:
        found = list(FORMATS["opensanctions-csv"].parse([stream], ParseOptions(topic=topic)))
    assert len(found) == parties
    assert {entity.topic for entity in found} == {topic}


def test_a_simple_file_with_another_header_is_refused() -> None:
    text = b"id,schema,name\n1,Person,A\n"
    with pytest.raises(FormatError, match="aliases"):
        list(FORMATS["opensanctions-csv"].parse([io.BytesIO(text)], ParseOptions()))


def delta(*rows: Any) -> list[EntityChange]:
    text = "\n".join(json.dumps(row) for row in rows)
    return list(parse_delta([io.BytesIO(text.encode())], ParseOptions()))


def test_a_delta_adds_modifies_and_deletes() -> None:
    party = statement("Person", "Q1", name="A B", topics="sanction")
    entity_changes = delta(
        {"op": "ADD", "entity": party},
        {"op": "MOD", "entity": statement("Person", "Q2", name="C D", topics="sanction")},
        {"op": "DEL", "entity": {"id": "Q3"}},
        {"op": "ADD", "entity": statement("Address", "A1", full="Minsk")},
    )
    assert [(change.op, change.entity_id) for change in entity_changes] == [
        ("ADD", "Q1"), ("MOD", "Q2"), ("DEL", "Q3"),
    ]  # fmt: skip
    assert entity_changes[0].entity and entity_changes[0].entity.names[0].full == "A B"
    assert entity_changes[2].entity is None


def test_a_party_that_is_no_target_any_more_leaves_the_list() -> None:
    (change,) = delta({"op": "MOD", "entity": statement("Person", "Q1", name="A B")})
    assert change.entity is None


@pytest.mark.parametrize(
    "row", [{"op": "PUT", "entity": {}}, {"op": "ADD"}, {"op": "DEL", "entity": {}}, {}]
)
def test_an_unknown_change_is_refused(row: Any) -> None:
    with pytest.raises(FormatError, match="expected"):
        delta(row)
