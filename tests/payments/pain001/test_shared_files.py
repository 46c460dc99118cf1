"""Real and hostile files beside the project: each is judged as the published schema judges it."""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from apps.payments.payments.pain001.faults import InvalidMessage
from apps.payments.payments.pain001.structure.from_xsd import TABLES, build_tables
from tests.payments.pain001.message_reader import codes, read, refusal, same
from tests.shared_data import folder, shared

IN_TIME = datetime(2026, 9, 1, tzinfo=UTC)
PLACE = folder() / "pain001"
VALID = sorted(path.name for path in PLACE.glob("xml/*.xml"))
TWINS = sorted(path.name for path in PLACE.glob("iso-json/*.json"))
# what the whole file, or its one transaction, is refused for; None: it is taken
HOSTILE = {
    "amount_6_decimals.xml": "FF01",
    "billion_laughs.xml": "FF01",
    "ccy_usdc.xml": "FF01",
    "deep_nesting.xml": "FF01",
    "external_dtd.xml": "FF01",
    "nboftxs_mismatch.xml": "AM18",
    "param_entity.xml": "FF01",
    "quadratic_blowup.xml": "FF01",
    "schemalocation.xml": None,
    "two_tx_ctrlsum_mismatch.xml": "AM10",
    "utf16_bom.xml": None,
    "wallet_in_othr_id.xml": "FF01",
    "xinclude.xml": "FF01",
    "xxe_file.xml": "FF01",
    "xxe_http.xml": "FF01",
}


def test_the_table_of_structures_is_that_of_the_published_schemas() -> None:
    import json

    assert json.loads(TABLES.read_text()) == build_tables(shared("pain001/xsd"))


@pytest.mark.parametrize("name", VALID or [pytest.param("", marks=pytest.mark.skip("no data"))])
def test_a_valid_file_is_mapped(name: str) -> None:
    mapped_transactions = read(shared(f"pain001/xml/{name}").read_bytes(), now=IN_TIME)
    raw = shared(f"pain001/xml/{name}").read_text()
    assert len(mapped_transactions) == raw.count("<CdtTrfTxInf>")
    # banks' files name accounts of banks: only the wallet is missing, or what we do not settle
    assert all(code <= {"AC03", "AM03", "FF05", "AG01"} for code in codes(mapped_transactions))
    assert [str(one.amount) for one in mapped_transactions] == re.findall(
        r"<InstdAmt[^>]*>([0-9.]+)<", raw
    )


def test_a_wallet_in_the_proxy_is_paid() -> None:
    (found,) = read(
        shared("pain001/xml/own__wallet_in_prxy_lei.pain.001.001.09.xml").read_bytes(), now=IN_TIME
    )
    assert found.instruction is not None
    assert found.instruction.creditor.wallet == "0x52908400098527886E0F7030069857D2E4169EE7"
    assert found.instruction.creditor.lei == "506700T7Z685VUOZL877"


@pytest.mark.parametrize("name", TWINS or [pytest.param("", marks=pytest.mark.skip("no data"))])
def test_the_twin_maps_to_the_same(name: str) -> None:
    version = re.search(r"pain\.001\.001\.\d\d", name)
    assert version
    twin = read(
        shared(f"pain001/iso-json/{name}").read_bytes(),
        kind="JSON",
        version=version.group(),
        now=IN_TIME,
    )
    xml = shared(f"pain001/xml/pain001corpus__{name.removesuffix('.iso.json')}.xml")
    assert same(twin) == same(read(xml.read_bytes(), now=IN_TIME))


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_a_hostile_file_is_refused_for_what_is_wrong(name: str) -> None:
    raw = shared(f"pain001/hostile/{name}").read_bytes()
    code = HOSTILE[name]
    if code is None:
        assert len(read(raw, now=IN_TIME)) == 1
    else:
        assert refusal(raw, now=IN_TIME).faults[0].code == code


def test_every_hostile_file_is_judged() -> None:
    there = {path.name for path in shared("pain001/hostile").glob("*.xml")}
    assert there == set(HOSTILE)


@pytest.mark.parametrize("name", [*VALID, *(one for one in HOSTILE)])
def test_the_verdict_is_that_of_the_published_schema(name: str) -> None:
    path = next((one for one in PLACE.glob(f"*/{name}")), None)
    if path is None:
        pytest.skip("needs the shared data (set SHARED_DATA to its folder)")
    ours = _taken(path.read_bytes())
    theirs = _valid(path)
    if theirs is None:  # no well-formed message, or one with a DOCTYPE: it is refused before
        assert not ours
    elif HOSTILE.get(name) not in ("AM18", "AM10"):  # of which a schema knows nothing
        assert ours == theirs


def _taken(raw: bytes) -> bool:
    try:
        read(raw)
    except InvalidMessage:
        return False
    return True


def _valid(path: Path) -> bool | None:
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    try:
        tree: Any = etree.parse(str(path), parser)
    except etree.XMLSyntaxError:
        return None
    if tree.docinfo.doctype:
        return None
    version = etree.QName(tree.getroot()).namespace.rpartition(":")[2]
    schema = etree.XMLSchema(etree.parse(str(shared(f"pain001/xsd/{version}.xsd"))))
    return bool(schema.validate(tree))
