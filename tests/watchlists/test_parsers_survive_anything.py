"""Any bytes either parse or are refused with FormatError; never another exception."""

import io
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.reference.watchlists.listed_entity import (
    ListedEntity,
    deserialize_entity,
    serialize_entity,
)
from apps.reference.watchlists.sources import FORMATS, FormatError, ParseOptions
from apps.reference.watchlists.sources.opensanctions_delta import parse_delta
from tests.watchlists.test_source_eu_uk import EU_CSV, EU_XML, UK_CSV
from tests.watchlists.test_source_in_house import LIST as IN_HOUSE
from tests.watchlists.test_source_ofac import ADVANCED, ALT, SDN
from tests.watchlists.test_source_un import LIST as UN

FTM = (
    '{"id": "Q1", "schema": "Person", "target": true, "properties": {"name": ["A B"],'
    ' "topics": ["sanction"], "birthDate": ["1962-09-02"], "publicKey": ["1Q9UAQ"]}}\n'
    '{"id": "O1", "schema": "Occupancy", "properties": {"holder": ["Q1"], "post": ["P1"]}}\n'
    '{"id": "P1", "schema": "Position", "properties": {"name": ["King"], "country": ["gb"]}}\n'
)
SIMPLE = (
    '"id","schema","name","aliases","birth_date","countries","addresses","identifiers",'
    '"sanctions","phones","emails","dataset","first_seen","last_seen","last_change"\n'
    '"NK-1","Person","A","B;C","1992-06-28","ru;tj","","IMO9253325","x","","","D","2024","",""\n'
)
SAMPLES = {
    "ofac-csv": SDN,
    "ofac-xml": ADVANCED,
    "un-xml": UN,
    "eu-csv": EU_CSV,
    "eu-xml": EU_XML,
    "uk-csv": UK_CSV,
    "opensanctions-csv": SIMPLE,
    "ftm": FTM,
    "csv": IN_HOUSE,
}


def read(form: str, *files: bytes) -> Iterable[ListedEntity]:
    try:
        found = list(FORMATS[form].parse([io.BytesIO(file) for file in files], ParseOptions()))
    except FormatError as error:
        assert "expected" in str(error)
        return []
    for entity in found:
        assert entity.names
        assert 0 < len(entity.entity_id) <= 190
        assert deserialize_entity(serialize_entity(entity)) == entity
    return found


def test_every_format_has_a_sample_here() -> None:
    assert set(SAMPLES) == set(FORMATS)


@pytest.mark.parametrize("form", SAMPLES)
def test_the_samples_themselves_parse(form: str) -> None:
    assert read(form, SAMPLES[form].encode())


@pytest.mark.parametrize("form", FORMATS)
@settings(max_examples=60, deadline=None)
@given(data=st.binary(max_size=300))
def test_any_bytes_parse_or_are_refused(form: str, data: bytes) -> None:
    read(form, data)


@pytest.mark.parametrize("form", FORMATS)
@settings(max_examples=60, deadline=None)
@given(
    at=st.integers(0, 10_000),
    cut=st.integers(0, 40),
    put=st.one_of(
        st.binary(max_size=12), st.sampled_from([b'"', b"\x00", b"\xff", b"<", b";", b","])
    ),
)
def test_damaged_files_parse_or_are_refused(form: str, at: int, cut: int, put: bytes) -> None:
    whole = SAMPLES[form].encode()
    place = at % len(whole)
    read(form, whole[:place] + put + whole[place + cut :])


@settings(max_examples=60, deadline=None)
@given(data=st.binary(max_size=200))
def test_any_side_files_of_ofac_parse_or_are_refused(data: bytes) -> None:
    read("ofac-csv", SDN.encode(), ALT.encode(), data)


@settings(deadline=None)
@given(data=st.one_of(st.binary(max_size=200), st.text(max_size=200).map(str.encode)))
def test_any_delta_parses_or_is_refused(data: bytes) -> None:
    try:
        list(parse_delta([io.BytesIO(data)], ParseOptions()))
    except FormatError as error:
        assert "expected" in str(error)


@pytest.mark.parametrize("form", FORMATS)
def test_no_file_at_all_is_refused(form: str) -> None:
    with pytest.raises(FormatError):
        list(FORMATS[form].parse([], ParseOptions()))
