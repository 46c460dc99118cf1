"""What a transaction must keep: every rule, on both sides of its boundary."""

from datetime import UTC, datetime

import pytest

from apps.payments.payments.pain001.rules import MESSAGE_RULES, TRANSACTION_RULES, is_past
from tests.payments.pain001.message_reader import NOW, codes, read, refusal
from tests.payments.pain001.messages import DAY, LEI, WALLET, account, message, transaction

BAD_LEI = "INR2EJN1ERAN0W5ZP975"
BAD = f"<Nm>A</Nm><Id><OrgId><LEI>{BAD_LEI}</LEI></OrgId></Id>"
LEGACY = "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"
BECH32 = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
TAPROOT = "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0"


def _of(*parts: str, **said: str) -> list[set[str]]:
    return codes(read(message(*parts, **said)))


def _local(text: str) -> str:
    return f"<PmtTpInf><LclInstrm><Prtry>{text}</Prtry></LclInstrm></PmtTpInf>"


def _amount(text: str, currency: str = "USD") -> str:
    return transaction(amount=f'<InstdAmt Ccy="{currency}">{text}</InstdAmt>')


@pytest.mark.parametrize(
    ("amount", "currency", "code"),
    [
        ("0", "USD", {"AM01"}),
        ("0.00", "USD", {"AM01"}),
        ("0.01", "USD", set()),
        ("0.00001", "USD", {"AM12"}),
        ("250.001", "USD", {"AM12"}),
        ("250.10000", "USD", set()),
        ("+250.10", "USD", set()),
        ("999999999999.99", "USD", set()),
        ("1000000000000", "USD", {"AM12"}),
        ("250.00", "EUR", set()),
        ("250.00", "GBP", set()),
        ("250.00", "CHF", {"AM03"}),
        ("250", "JPY", {"AM03"}),
    ],
)
def test_amounts_and_currencies(amount: str, currency: str, code: set[str]) -> None:
    said = f"<CtrlSum>{amount}</CtrlSum>"
    assert _of(_amount(amount, currency), sum=said) == [code]


def test_an_equivalent_amount_is_refused() -> None:
    amount = '<EqvtAmt><Amt Ccy="EUR">10.00</Amt><CcyOfTrf>USD</CcyOfTrf></EqvtAmt>'
    assert _of(transaction(amount=amount)) == [{"AM12"}]


@pytest.mark.parametrize(
    ("day", "code"),
    [
        ("2026-11-21", {"DT01"}),
        ("2026-11-22", {"DT01"}),
        ("2026-11-23", set()),
        ("2027-11-24", set()),
        ("2027-11-25", {"CH03"}),
    ],
)
def test_days(day: str, code: set[str]) -> None:
    assert _of(day=f"<Dt>{day}</Dt>") == [code]


def test_a_day_is_past_when_it_has_ended_everywhere() -> None:
    last = datetime(2026, 11, 24, 11, 59, 59, tzinfo=UTC)
    assert not is_past(NOW.date(), last)
    assert is_past(NOW.date(), datetime(2026, 11, 24, 12, tzinfo=UTC))


@pytest.mark.parametrize(
    ("address", "code"),
    [
        (WALLET, set()),
        (WALLET.lower(), set()),
        (WALLET.replace("E7", "e7"), {"AC03"}),
        (WALLET[:-1], {"AC03"}),
        (f"0x{0:040x}", {"AC03"}),
        (LEGACY, set()),
        (LEGACY[:-1] + "b", {"AC03"}),
        (BECH32, set()),
        (BECH32[:-1] + "5", {"AC03"}),
        (TAPROOT, set()),
        (TAPROOT[:-1] + "1", {"AC03"}),
    ],
)
def test_checksums_of_wallets(address: str, code: set[str]) -> None:
    assert _of(transaction(account=account(address))) == [code]


@pytest.mark.parametrize(("name", "code"), [("N" * 100, set()), ("N" * 101, {"RR03"})])
def test_a_name_of_the_creditor_is_never_cut(name: str, code: set[str]) -> None:
    assert _of(transaction(creditor=f"<Nm>{name}</Nm>")) == [code]


@pytest.mark.parametrize(("name", "code"), [("N" * 100, set()), ("N" * 101, {"RR02"})])
def test_a_name_of_the_debtor_is_never_cut(name: str, code: set[str]) -> None:
    assert _of(debtor=f"<Nm>{name}</Nm>") == [code]


@pytest.mark.parametrize(
    ("parts", "code"),
    [
        ({"creditor": ""}, {"RR03"}),
        ({"creditor": "<Nm>---</Nm>"}, {"RR03"}),
        ({"creditor": "<Nm>Blue\u202eHeron</Nm>"}, {"RR03"}),
        ({"creditor": "<Nm>A</Nm><PstlAdr><Ctry>UK</Ctry></PstlAdr>"}, {"RR03"}),
        ({"creditor": "<Nm>A</Nm><PstlAdr><Ctry>GB</Ctry></PstlAdr>"}, set()),
        ({"creditor": f"<Nm>A</Nm><Id><OrgId><LEI>{BAD_LEI}</LEI></OrgId></Id>"}, {"BE17"}),
        ({"account": ""}, {"AC03"}),
        ({"account": "<Id><IBAN>CH9009808930715794848</IBAN></Id>"}, {"AC03"}),
        ({"agent": f"<CdtrAgt><FinInstnId><LEI>{BAD_LEI}</LEI></FinInstnId></CdtrAgt>"}, {"AGNT"}),
        ({"mid": "<UltmtDbtr><Nm>" + "N" * 101 + "</Nm></UltmtDbtr>"}, {"RR02"}),
        ({"after": "<UltmtCdtr><Nm>" + "N" * 101 + "</Nm></UltmtCdtr>"}, {"RR03"}),
        (
            {"after": f"<UltmtCdtr>{BAD}</UltmtCdtr>"},
            {"BE17"},
        ),
        ({"mid": f"<UltmtDbtr>{BAD}</UltmtDbtr>"}, {"BE16"}),
        ({"mid": f"<UltmtDbtr><Id><OrgId><LEI>{LEI}</LEI></OrgId></Id></UltmtDbtr>"}, {"RR02"}),
        ({"after": f"<UltmtCdtr><Id><OrgId><LEI>{LEI}</LEI></OrgId></Id></UltmtCdtr>"}, {"RR03"}),
        ({"mid": "<UltmtDbtr/>", "after": "<UltmtCdtr/>"}, set()),
        ({"before": _local("USDC:eip155:1")}, set()),
        ({"before": _local("USDC:eip155:8453")}, set()),
        ({"before": _local("USDC:eip155:137")}, {"FF05"}),
        ({"before": _local("EURC:solana:x")}, {"FF05"}),
        ({"before": "<PmtTpInf><LclInstrm><Prtry>DOGE</Prtry></LclInstrm></PmtTpInf>"}, {"FF05"}),
        ({"before": "<PmtTpInf><LclInstrm><Prtry>EURC</Prtry></LclInstrm></PmtTpInf>"}, set()),
    ],
)
def test_parties_accounts_agents_and_assets(parts: dict[str, str], code: set[str]) -> None:
    assert _of(transaction(**parts)) == [code]


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"debtor": f"<Nm>A</Nm><Id><OrgId><LEI>{BAD_LEI}</LEI></OrgId></Id>"}, {"BE16"}),
        ({"debtor": "<PstlAdr><Ctry>US</Ctry></PstlAdr>"}, {"RR02"}),
        ({"debtor": "<Nm>A</Nm><CtryOfRes>XX</CtryOfRes>"}, {"RR02"}),
        ({"from": account(WALLET.replace("E7", "e7"))}, {"AC02"}),
        ({"from": account(WALLET)}, set()),
        ({"method": "CHK"}, {"AG01"}),
        ({"method": "TRA"}, {"AG01"}),
    ],
)
def test_what_a_pmtinf_says(said: dict[str, str], code: set[str]) -> None:
    assert _of(**said) == [code]


def test_an_end_to_end_id_that_comes_twice_is_refused_the_second_time() -> None:
    twice = (transaction(1), transaction(2, ids="<EndToEndId>E2E-1</EndToEndId>"))
    assert _of(*twice) == [set(), {"AM05"}]


def test_notprovided_is_no_key() -> None:
    none = "<EndToEndId>NOTPROVIDED</EndToEndId>"
    mapped_transactions = read(message(transaction(1, ids=none), transaction(2, ids=none)))
    assert [one.instruction.reference for one in mapped_transactions if one.instruction] == [
        "MSG-1/1",
        "MSG-1/2",
    ]


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"count": 2}, "AM18"),
        ({"count": 0}, "AM18"),
        ({"sum": "<CtrlSum>250.01</CtrlSum>"}, "AM10"),
        ({"totals": "<NbOfTxs>2</NbOfTxs>"}, "AM18"),
        ({"totals": "<CtrlSum>249.99</CtrlSum>"}, "AM10"),
    ],
)
def test_counts_and_sums(said: dict[str, str], code: str) -> None:
    assert [fault.code for fault in refusal(message(**said)).faults] == [code]


@pytest.mark.parametrize("said", ["", "<CtrlSum>250</CtrlSum>", "<CtrlSum>+250.000</CtrlSum>"])
def test_a_sum_is_compared_as_a_number_and_may_be_left_out(said: str) -> None:
    assert _of(sum=said) == [set()]


def test_a_sum_counts_amounts_of_all_currencies() -> None:
    euro = transaction(2, amount='<InstdAmt Ccy="EUR">1.50</InstdAmt>')
    assert _of(transaction(1), euro, sum="<CtrlSum>251.5</CtrlSum>") == [set(), set()]


def test_every_fault_of_a_transaction_is_told() -> None:
    bad = transaction(amount='<InstdAmt Ccy="CHF">0</InstdAmt>', creditor="", account="")
    (found,) = read(message(bad, day="<Dt>2026-01-01</Dt>"))
    assert {fault.code for fault in found.faults} == {"AM01", "AM03", "RR03", "AC03", "DT01"}
    where = {fault.code: fault.path for fault in found.faults}
    assert where["AC03"] == "PmtInf[1]/CdtTrfTxInf[1]/CdtrAcct"
    assert where["DT01"] == "PmtInf[1]/ReqdExctnDt"


def test_rules_have_codes_of_their_own() -> None:
    every = [rule.code for rule in (*TRANSACTION_RULES, *MESSAGE_RULES)]
    assert len(set(every)) == len(every)
    assert DAY > "2026-11-23"
