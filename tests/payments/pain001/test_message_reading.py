"""How messages are written: what deviates harmlessly is read, what is hostile is refused."""

import gzip
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.payments.payments.instructions import Person, PersonalNumber, instruction_from_record
from apps.payments.payments.pain001.faults import InvalidMessage
from tests.payments.pain001.message_reader import codes, read, read_twin, refusal, same
from tests.payments.pain001.messages import (
    NAMESPACE,
    NONE,
    WALLET,
    account,
    message,
    transaction,
    twin,
)

PLAIN = message()
EMPTY = "<PstlAdr><StrtNm/><AdrLine> </AdrLine></PstlAdr>"
UTF7 = "+ADwAIQ-DOCTYPE a+AD4-"
DOCTYPE = '<!DOCTYPE Document [<!ENTITY a "aaaa">]>\n'
V09 = f"{NAMESPACE}pain.001.001.09"

PERSON = (
    "<Id><PrvtId><DtAndPlcOfBirth><BirthDt>1964-03-02Z</BirthDt><CityOfBirth>Bonn</CityOfBirth>"
    "<CtryOfBirth>DE</CtryOfBirth></DtAndPlcOfBirth>"
    "<Othr><Id>X 123</Id><SchmeNm><Cd>CCPT</Cd></SchmeNm><Issr>DE</Issr></Othr>"
    "<Othr><Id>77</Id><SchmeNm><Cd>CUST</Cd></SchmeNm></Othr></PrvtId></Id>"
)


def _plain() -> Any:
    return same(read(PLAIN))


def _prefixed(text: str) -> str:
    text = text.replace("</", "</p:").replace("<", "<p:").replace("<p:/p:", "</p:")
    return text.replace("<p:?xml", "<?xml").replace('xmlns="', 'xmlns:p="')


@pytest.mark.parametrize(
    "raw",
    [
        b"\xef\xbb\xbf" + PLAIN.encode(),
        PLAIN.replace("UTF-8", "UTF-16").encode("utf-16"),
        PLAIN.replace("UTF-8", "ISO-8859-1").encode("latin-1"),
        PLAIN.replace("UTF-8", "windows-1252").encode("cp1252"),
        PLAIN.replace('<?xml version="1.0" encoding="UTF-8"?>\n', "").encode(),
        _prefixed(PLAIN).encode(),
        PLAIN.replace("><", ">\r\n\t <").encode(),
        PLAIN.replace("<Nm>Blue Heron", "<Nm>\n   Blue Heron").encode(),
        PLAIN.replace("</CreDtTm>", "</CreDtTm><!-- a remark --><?a b?>").encode(),
        PLAIN.replace("<GrpHdr>", '<GrpHdr xmlns:x="urn:x">').encode(),
        PLAIN.replace("E2E-1", "<![CDATA[E2E-1]]>").encode(),
        PLAIN.replace("</Cdtr>", f"{EMPTY}</Cdtr>").encode(),
        PLAIN.replace("</Cdtr>", "<Id><OrgId><LEI></LEI></OrgId></Id></Cdtr>").encode(),
        (PLAIN + "\n\n<!-- the end -->\n").encode(),
    ],
)
def test_harmless_deviations_are_read_as_the_plain_message(raw: bytes) -> None:
    assert same(read(raw)) == _plain()


def test_letters_of_other_encodings_arrive() -> None:
    text = message(transaction(creditor="<Nm>Müller &amp; Søn</Nm>"))
    for name in ("ISO-8859-1", "UTF-8", "UTF-16"):
        (found,) = read(text.replace("UTF-8", name).encode(name))
        assert found.creditor == "Müller & Søn"


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (PLAIN.replace("<Document", DOCTYPE + "<Document", 1).encode(), "DOCTYPE"),
        (
            PLAIN.replace("UTF-8", "UTF-16")
            .replace("<Document", DOCTYPE + "<Document", 1)
            .encode("utf-16"),
            "DOCTYPE",
        ),
        (
            PLAIN.replace("UTF-8", "UTF-7").replace("<Document", f"{UTF7}<Document", 1).encode(),
            "",
        ),
        (gzip.compress(PLAIN.encode()), "gzip"),
        (b"PK\x03\x04" + PLAIN.encode(), "ZIP"),
        (b"", "well-formed"),
        (b"\x00" * 64, "well-formed"),
        (b"not a message", "well-formed"),
        (b'{"Document": {}}', "well-formed"),
        (PLAIN[:-20].encode(), "well-formed"),
        ((PLAIN + "<a/>").encode(), "well-formed"),
        (PLAIN.replace("E2E-1", "&nowhere;").encode(), ""),
        (b"<a/>", "Document"),
        (f"<a>{PLAIN.partition('?>')[2]}</a>".encode(), "root"),
        (PLAIN.replace(V09, f"{NAMESPACE}pain.001.001.05").encode(), "namespace"),
        (PLAIN.replace(V09, f"{NAMESPACE}pain.008.001.08").encode(), "namespace"),
        (PLAIN.replace(f' xmlns="{V09}"', "").encode(), "namespace"),
        (PLAIN.replace("<Nm>Blue", '<Nm xmlns="urn:other">Blue').encode(), "not known"),
        (PLAIN.replace("<Nm>Blue", '<Nm lang="en">Blue').encode(), "attribute"),
        (PLAIN.replace("</CdtTrfTxInf>", "loose</CdtTrfTxInf>").encode(), "text"),
        (PLAIN.replace("</PmtInf>", "loose</PmtInf>").encode(), "text"),
        (PLAIN.replace("</PmtInf>", "<Dbtr/></PmtInf>").encode(), "wrong place"),
        (PLAIN.replace("</GrpHdr>", "</GrpHdr><Extra/>").encode(), "not known"),
        (PLAIN.replace("</GrpHdr>", "</GrpHdr><GrpHdr/>").encode(), "once"),
        (PLAIN.replace("<MsgId>MSG-1</MsgId>", "").encode(), "MsgId is missing"),
        (PLAIN.replace("MSG-1", "M" * 36).encode(), "35"),
        (PLAIN.replace(transaction(), "").encode(), "CdtTrfTxInf is missing"),
        (("<a>" * 5000).encode(), ""),
        (f"<a b='{'x' * 12_000_000}'/>".encode(), ""),
        (PLAIN.replace("</Cdtr>", "<Nm/>" * 400_000 + "</Cdtr>").encode(), "bytes"),
    ],
)
def test_what_is_no_such_message_is_refused_in_a_sentence(raw: bytes, said: str) -> None:
    fault = refusal(raw).faults[0]
    assert fault.code == "FF01"
    assert said in fault.text and fault.text.endswith(".")


def test_a_fault_says_its_line_and_path() -> None:
    text = message(transaction(1), transaction(2, creditor=f"<Nm>{'N' * 141}</Nm>"))
    fault = refusal(text).faults[0]
    assert (fault.line, fault.path) == (7, "PmtInf[1]/CdtTrfTxInf[2]/Cdtr/Nm")
    assert "140" in fault.text


HELD = f"<Id><Othr><Id>{WALLET}</Id></Othr></Id>"
PROXY = f"<Prxy><Tp><Prtry>WALLET</Prtry></Tp><Id>{WALLET}</Id></Prxy>"
INTO = "with WALLET in Prxy/Tp/Prtry"


@pytest.mark.parametrize(
    ("version", "account", "says"),
    [
        ("09", HELD, INTO),
        ("13", HELD, INTO),
        ("09", HELD.replace("</Othr>", "<SchmeNm><Prtry>wallet</Prtry></SchmeNm></Othr>"), INTO),
        ("09", f"<Id><IBAN>{WALLET}</IBAN></Id>", INTO),
        ("09", HELD.replace(WALLET, f"0x{'aB' * 20}"), INTO),
        ("03", HELD, "send pain.001.001.09 or later"),
        ("08", HELD, "send pain.001.001.09 or later"),
        ("03", PROXY, "send pain.001.001.09 or later"),
        ("09", PROXY, "<Id><Othr><Id>NOTPROVIDED</Id></Othr></Id>"),
    ],
)
def test_a_wallet_where_none_goes_is_refused_with_where_it_goes(
    version: str, account: str, says: str
) -> None:
    fault = refusal(message(transaction(1, account=account), version=version)).faults[0]
    assert fault.path.startswith("PmtInf[1]/CdtTrfTxInf[1]/CdtrAcct") and says in fault.text


def test_what_is_said_to_put_beside_a_proxy_is_taken_and_later_versions_want_nothing() -> None:
    for version, held in (("09", f"<Id>{NONE}</Id>{PROXY}"), ("11", PROXY)):
        (found,) = read(message(transaction(1, account=held), version=version))
        assert found.instruction is not None and not found.faults


def test_the_wallet_of_a_debtor_is_told_where_it_goes_too_and_any_other_number_is_not() -> None:
    assert INTO in refusal(message(transaction(), **{"from": HELD})).faults[0].text
    number = HELD.replace(WALLET, "4" * 35)
    assert "Prxy" not in refusal(message(transaction(1, account=number))).faults[0].text
    (twins,) = refusal(json.dumps(twin(message(transaction(1, account=HELD)))), kind="JSON",
                       version="pain.001.001.09").faults  # fmt: skip
    assert INTO in twins.text


def test_a_line_beyond_65535_is_told_too() -> None:
    text = PLAIN.replace("</GrpHdr>", "</GrpHdr>" + "\n" * 70_000).replace('"USD"', '"USDC"')
    assert refusal(text).faults[0].line > 70_000


# --- the twin in JSON -------------------------------------------------------------------


def test_the_order_of_keys_does_not_count() -> None:
    document = twin(PLAIN)
    assert same(read_twin(_turned(document))) == _plain()


def _turned(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _turned(value[name]) for name in reversed(value)}
    return [_turned(one) for one in value] if isinstance(value, list) else value


def test_bare_values_numbers_and_null_are_read() -> None:
    document = twin(PLAIN)
    root = document["Document"]["CstmrCdtTrfInitn"]
    root["GrpHdr"]["NbOfTxs"], root["GrpHdr"]["FwdgAgt"] = 1, None
    root["PmtInf"] = root["PmtInf"][0]
    root["PmtInf"]["CdtTrfTxInf"] = root["PmtInf"]["CdtTrfTxInf"][0]
    root["PmtInf"]["CdtTrfTxInf"]["Amt"]["InstdAmt"]["amt"] = 250
    text = json.dumps(document).replace('"amt": 250', '"amt": 250.00')
    assert same(read_twin(text)) == _plain()
    assert same(read_twin("\ufeff" + text)) == _plain()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        "{}",
        '{"Document": []}',
        '{"Document": {"CstmrCdtTrfInitn": []}}',
        '{"Document": {"CstmrCdtTrfInitn": {}}, "more": 1}',
        '{"Document": {"CstmrCdtTrfInitn": {"PmtInf": [[]]}}}',
        json.dumps(twin(PLAIN))[:-1],
        json.dumps(twin(PLAIN)) + "x",
        json.dumps(twin(PLAIN)).replace('"MSG-1"', '"MSG-1", "MsgId": "MSG-2"'),
        json.dumps(twin(PLAIN)).replace('"MSG-1"', "NaN"),
        json.dumps(twin(PLAIN)).replace('"MSG-1"', '"\\ud800"'),
        json.dumps(twin(PLAIN)).replace("Blue Heron", "Blue\\u0000Heron"),
        json.dumps(twin(PLAIN)).replace("Blue Heron", "Blue\\uffffHeron"),
        json.dumps(twin(PLAIN)).replace('"MSG-1"', "[" * 100_000 + "]" * 100_000),
        json.dumps(twin(PLAIN)).replace('"MSG-1"', '{"a": 1}'),
        json.dumps(twin(PLAIN)).replace('"250.00"', "1e2"),
        json.dumps(twin(PLAIN)).replace('"MSG-1"', '"' + "x" * 2_000_000 + '"'),
    ],
)
def test_what_is_no_twin_is_refused(text: str) -> None:
    with pytest.raises(InvalidMessage) as found:
        read_twin(text)
    assert found.value.faults[0].code == "FF01"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"Document":' + '{"a":' * 300 + "1" + "}" * 301, "nested too deeply"),
        ('{"Document":[' + "{}," * 2_000_001 + "{}]}", "too many objects"),
    ],
    ids=["deep", "many"],
)
def test_a_twin_that_would_take_long_is_refused_before_it_is_walked(text: str, why: str) -> None:
    with pytest.raises(InvalidMessage, match=why):
        read_twin(text)


# --- whatever comes ---------------------------------------------------------------------


@settings(deadline=None)
@given(st.data())
def test_a_mutated_message_is_read_or_refused(data: st.DataObject) -> None:
    raw = bytearray(data.draw(st.sampled_from([PLAIN, json.dumps(twin(PLAIN))])).encode())
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at : at + data.draw(st.integers(0, 9))] = data.draw(st.binary(max_size=9))
    kind = "JSON" if raw[:1] == b"{" else "XML"
    try:
        read(bytes(raw), kind=kind, version="pain.001.001.09")
    except InvalidMessage as fault:
        assert fault.faults[0].code in ("FF01", "AM18", "AM10")


TEXTS = st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF), min_size=1, max_size=34)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


@settings(max_examples=80, deadline=None)
@given(TEXTS, TEXTS, st.decimals(0, 10**9, places=2), st.sampled_from(["USD", "EUR", "CHF"]))
def test_xml_and_its_twin_map_to_the_same(
    name: str, remark: str, amount: Any, currency: str
) -> None:
    one = transaction(
        amount=f'<InstdAmt Ccy="{currency}">{amount}</InstdAmt>',
        creditor=f"<Nm>{_escaped(name)}</Nm>",
        after=f"<RmtInf><Ustrd>{_escaped(remark)}</Ustrd></RmtInf>",
    )
    text = message(one, sum="")
    try:
        xml: Any = same(read(text))
    except InvalidMessage as fault:  # a text of blanks alone is empty
        xml = [one.text for one in fault.faults]
    try:
        json_: Any = same(read_twin(twin(text)))
    except InvalidMessage as fault:
        json_ = [one.text for one in fault.faults]
    assert xml == json_


def test_the_wallet_stands_in_its_places_alone() -> None:
    tron = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"
    othr = f"<Id><Othr><Id>{tron}</Id><SchmeNm><Prtry>WALLET</Prtry></SchmeNm></Othr></Id>"
    ewal = account().replace("<Prtry>WALLET</Prtry>", "<Cd>EWAL</Cd>")
    plain = account().replace("WALLET", "OTHER")
    assert codes(read(message(transaction(account=othr)))) == [set()]
    assert codes(read(message(transaction(account=ewal)))) == [set()]
    assert codes(read(message(transaction(account=plain)))) == [{"AC03"}]


def test_two_wallets_that_differ_are_refused_and_one_told_twice_is_taken() -> None:
    tron = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"
    othr = f"<Id><Othr><Id>{tron}</Id><SchmeNm><Prtry>WALLET</Prtry></SchmeNm></Othr></Id>"
    twice = [
        othr + account(one).partition("</Id>")[2].partition("</Id>")[2] for one in (tron, WALLET)
    ]
    (found,) = read(message(transaction(account=twice[0])))
    assert found.instruction is not None and found.instruction.creditor.wallet == tron
    (other,) = read(message(transaction(account=twice[1])))
    assert other.instruction is None and codes([other]) == [{"AC03"}]
    assert "Two wallets" in other.faults[0].text


def test_the_chain_of_the_asset_is_part_of_what_is_instructed() -> None:
    named = "<PmtTpInf><LclInstrm><Prtry>USDC:eip155:8453</Prtry></LclInstrm></PmtTpInf>"
    (plain,) = read(message(transaction()))
    (chained,) = read(message(transaction(before=named)))
    assert plain.instruction is not None and chained.instruction is not None
    assert (plain.instruction.chain, chained.instruction.chain) == ("", "eip155:8453")
    assert (chained.instruction.asset, "chain" in plain.instruction.recorded()) == ("USDC", False)
    assert instruction_from_record(chained.instruction.recorded()) == chained.instruction
    assert chained.instruction.fingerprint != plain.instruction.fingerprint


def test_birth_and_numbers_of_a_person_are_read() -> None:
    (found,) = read(message(transaction(creditor=f"<Nm>Anna Berg</Nm>{PERSON}")))
    assert found.instruction is not None and found.instruction.source is not None
    assert found.instruction.creditor.person == Person(
        "1964-03-02", "Bonn", "DE", (PersonalNumber("CCPT", "X 123", "DE"),)
    )
    assert found.instruction.source.unmapped == (
        "PmtInf/CdtTrfTxInf/Cdtr/Id/PrvtId/Othr/Id",
        "PmtInf/CdtTrfTxInf/Cdtr/Id/PrvtId/Othr/SchmeNm/Cd",
    )
    assert instruction_from_record(found.instruction.recorded()) == found.instruction


@pytest.mark.parametrize("version", ["03", "08"])
def test_without_proxies_a_name_is_a_wallet_only_where_the_profile_says_so(version: str) -> None:
    held = f"<Id><Othr><Id>NOTPROVIDED</Id></Othr></Id><Nm>WALLET:{WALLET}</Nm>"
    old = message(transaction(account=held), version=version)
    assert codes(read(old)) == [{"AC03"}]
    (found,) = read(old, in_name=True)
    assert found.instruction is not None and found.instruction.creditor.wallet == WALLET
    new = message(transaction(account=held))
    assert codes(read(new)) == [{"AC03"}]


@pytest.mark.parametrize(
    ("version", "says"), [("03", "no Prxy"), ("08", "no Prxy"), ("09", "CdtrAcct/Prxy/Id")]
)
def test_where_a_wallet_goes_is_said_for_the_version_of_the_message(
    version: str, says: str
) -> None:
    held = "<Id><Othr><Id>NOTPROVIDED</Id></Othr></Id>"
    (found,) = read(message(transaction(account=held), version=version))
    (said,) = [fault.text for fault in found.faults if fault.code == "AC03"]
    assert says in said and ("WALLET:address" in said) is (version != "09")


@pytest.mark.parametrize("version", ["08", "09", "10", "11", "12", "13"])
def test_every_version_is_read_by_its_structure(version: str) -> None:
    account_ = account()
    if version == "08":
        tron = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"
        scheme = "<SchmeNm><Prtry>WALLET</Prtry></SchmeNm>"
        account_ = f"<Id><Othr><Id>{tron}</Id>{scheme}</Othr></Id>"
    (found,) = read(message(transaction(account=account_), version=version))
    assert found.instruction is not None, found.faults
    assert found.instruction.source is not None
    assert found.instruction.source.version == f"pain.001.001.{version}"


def test_unmapped_paths_are_told() -> None:
    kind = "<PmtTpInf><InstrPrty>HIGH</InstrPrty></PmtTpInf>"
    (found,) = read(message(transaction(after="<Tax><RefNb>7</RefNb></Tax>"), kind=kind))
    assert found.instruction is not None and found.instruction.source is not None
    assert found.instruction.source.unmapped == (
        "PmtInf/PmtTpInf/InstrPrty",
        "PmtInf/CdtTrfTxInf/Tax/RefNb",
    )


@pytest.mark.parametrize(
    ("turned", "back"),
    [
        ("<CreDtTm>2026-11-20T09:30:00</CreDtTm><NbOfTxs>1</NbOfTxs>", "CreDtTm"),
        ("<PmtInfId>PMT-1</PmtInfId><PmtMtd>TRF</PmtMtd>", "PmtInfId"),
    ],
)
def test_elements_in_another_order_are_refused(turned: str, back: str) -> None:
    first, _, second = turned.partition("><")
    other = PLAIN.replace(turned, f"<{second}{first}>")
    fault = refusal(other).faults[0]
    assert fault.text == f"The element {back} is in the wrong place."
