"""In-house lists through a column mapping."""

import io

import pytest

from apps.reference.watchlists.listed_entity import Identifier, ListedEntity, ListedName, Position
from apps.reference.watchlists.sources import FORMATS, FormatError, ParseOptions
from tests.shared_data import shared

LIST = """entity_id,schema,name,name_type,country,program
a-1,Person,Olaf Scholz,primary,DE,X
a-1,Person,Olaf S.,weak alias,,Y
b-2,Company,Acme,primary,Narnia,
a-1,,Olaf Alt,former,Austria;CHE,
"""


def read(text: str, **options: object) -> dict[str, ListedEntity]:
    found = FORMATS["csv"].parse([io.BytesIO(text.encode())], ParseOptions(**options))  # type: ignore[arg-type]
    return {entity.entity_id: entity for entity in found}


def test_rows_of_an_entity_are_gathered_though_they_lie_apart() -> None:
    found = read(LIST)
    assert list(found) == ["a-1", "b-2"]
    assert found["a-1"].names == (
        ListedName("Olaf Scholz", "primary"),
        ListedName("Olaf S.", weak=True),
        ListedName("Olaf Alt", "former"),
    )
    assert found["a-1"].countries == ("DE", "AT", "CH")
    assert found["a-1"].programs == ("X", "Y")
    assert found["b-2"].schema == "Organization"
    assert found["b-2"].countries == ()


def test_a_mapping_names_the_columns() -> None:
    found = read(
        "ID,Nom,Pays\n1,Jean,FRA\n", columns={"entity_id": "id", "name": "Nom", "country": "Pays"}
    )
    assert found["1"].names[0].full == "Jean"
    assert found["1"].countries == ("FR",)


def test_offices_identifiers_and_birth_dates_have_columns() -> None:
    text = (
        "entity_id,name,topic,position,position_country,since,until,birth_date,lei,wallet,asset,imo\n"
        "1,A,pep,President,EU,2019-12-01,,1958-10-08,549300WE6TAF5EEWQS81,0xabc,ETH,123\n"
    )
    entity = read(text)["1"]
    assert entity.topic == "pep"
    assert entity.positions == (Position("President", "EU", "2019-12-01"),)
    assert entity.birth_dates == ("1958-10-08",)
    assert Identifier("lei", "549300WE6TAF5EEWQS81") in entity.identifiers
    assert Identifier("wallet", "0xabc", asset="ETH") in entity.identifiers
    assert Identifier("other", "123") in entity.identifiers


def test_a_pep_list_without_schema_lists_persons() -> None:
    text = "entity_id,name\n1,A B\n"
    assert read(text, topic="pep")["1"].schema == "Person"
    assert read(text)["1"].schema == "Unknown"


@pytest.mark.parametrize(
    ("text", "columns", "said"),
    [
        ("", {}, "'entity_id'"),
        ("entity_id\n1\n", {}, "'name'"),
        ("entity_id,name\n1,A,B\n", {}, "expected 2 fields at line 2"),
        ("entity_id,name\n,A\n", {}, "an entity id at line 2"),
        ("entity_id,name\n1,A\n", {"name": "Nom"}, "'nom'"),
        ("entity_id,name\n1,A\n", {"nmae": "name"}, "nmae"),
        ("entity_id,name,schema\n1,A,Robot\n", {}, "'Robot'"),
        ("entity_id,name,topic\n1,A,fish\n", {}, "'fish'"),
        ("entity_id,name\n" + "x" * 191 + ",A\n", {}, "1-190 characters"),
        ("entity_id,name\n1,\x80\n".encode("latin-1").decode("latin-1"), {}, ""),
    ],
)
def test_what_does_not_fit_is_refused(text: str, columns: dict[str, str], said: str) -> None:
    if not said:
        with pytest.raises(FormatError, match="utf-8"):
            list(FORMATS["csv"].parse([io.BytesIO(text.encode("latin-1"))], ParseOptions()))
        return
    with pytest.raises(FormatError, match=said):
        read(text, columns=columns)


@pytest.mark.parametrize(
    ("name", "parties", "names"),
    [("sanctions_ofac.csv", 22201, 37997), ("sanctions_un.csv", 1003, 4121)],
)
def test_the_real_lists_are_read_whole(name: str, parties: int, names: int) -> None:
    with shared(f"lists/{name}").open("rb") as stream:
        found = list(FORMATS["csv"].parse([stream], ParseOptions()))
    assert len(found) == parties
    assert sum(len(entity.names) for entity in found) == names


def test_a_file_of_politicians_is_read_through_a_mapping() -> None:
    columns = {"entity_id": "id", "position": "chamber"}
    with shared("lists/pep/everypolitician_2015-11.csv").open("rb") as stream:
        found = list(FORMATS["csv"].parse([stream], ParseOptions(topic="pep", columns=columns)))
    assert len(found) == 63876
    assert sum(len(entity.names) for entity in found) > 95_000
    assert {entity.schema for entity in found} == {"Person"}
