"""Addresses of wallets: one form for each, their chain's checksums, and what is no address.

Vectors: EIP-55, BIP-173, BIP-350, SEP-23, and addresses that the chains publish.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.compliance.payees.wallets import BadWallet, Family, parse_wallet

EIP_55 = (
    "0x52908400098527886E0F7030069857D2E4169EE7",
    "0xde709f2102306220921060314715629080e2fb77",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
)
OF_CHAINS = (
    (Family.BITCOIN, "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"),
    (Family.BITCOIN, "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy"),
    (Family.BITCOIN, "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"),
    (Family.BITCOIN, "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0"),
    (Family.TRON, "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"),
    (Family.XRPL, "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh"),
    (Family.STELLAR, "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ"),
    (Family.SOLANA, "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"),
)
CARDANO = (
    "addr1qx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3jcu5d8ps7zex2k2xt3uqxgjqnnj83ws8lhrn648"
    "jjxtwq2ytjqp"
)


@pytest.mark.parametrize("address", EIP_55)
def test_an_evm_address_in_any_one_case_becomes_its_checksum_form(address: str) -> None:
    spelt = (address, address.lower(), "0x" + address[2:].upper(), address.upper())
    assert {parse_wallet(one).address for one in spelt} == {address}
    assert parse_wallet(address).family is Family.EVM and parse_wallet(address).checked


def test_a_mixed_case_that_is_not_the_checksum_is_a_slip_of_somebody() -> None:
    right = EIP_55[2]
    wrong = right[:2] + right[2:].swapcase()
    with pytest.raises(BadWallet, match="EIP-55"):
        parse_wallet(wrong)


@pytest.mark.parametrize(("family", "address"), OF_CHAINS)
def test_an_address_of_a_known_chain_is_taken_as_it_is(family: Family, address: str) -> None:
    wallet = parse_wallet(address)
    assert (wallet.family, wallet.address, wallet.checked) == (family, address, True)


@pytest.mark.parametrize(
    "address", [address for family, address in OF_CHAINS if family is not Family.SOLANA]
)
def test_a_letter_that_slipped_is_refused_where_the_chain_has_a_checksum(address: str) -> None:
    for place in range(8, len(address), 5):
        other = "q" if address[place] != "q" else "p"
        if address.startswith("G"):
            other = other.upper()
        with pytest.raises(BadWallet):
            parse_wallet(address[:place] + other + address[place + 1 :])


def test_bech32_is_taken_in_capitals_and_never_in_both_cases() -> None:
    low = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"
    assert parse_wallet(low.upper()).address == low
    with pytest.raises(BadWallet, match="BIP-173"):
        parse_wallet("bc1Q" + low[4:])


def test_an_account_of_another_version_is_none_of_that_chain() -> None:
    # a Bitcoin address of a script (version 5) in the alphabet of the XRP Ledger
    with pytest.raises(BadWallet):
        parse_wallet("rwkL8ZzzCTmMLcAvDmzU8fQaLeyBUyrCNk")


@pytest.mark.parametrize(
    "address", [CARDANO, "0x" + "ab" * 32, "cosmos1q6hag67dl53wl99vzg42z8eyzfz2"]
)
def test_an_address_of_another_chain_is_kept_as_written_and_said_to_be_unchecked(
    address: str,
) -> None:
    wallet = parse_wallet(address)
    assert (wallet.address, wallet.family, wallet.checked) == (address, Family.OTHER, False)


@pytest.mark.parametrize(
    "text",
    ["", "short", "0x" + "0" * 40, "0x" + "0" * 39, "0x" + "g" * 40, "0x1234567890", "with blank",
     "eip155:1/0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "x" * 129, "ümlaut-address-here"],
)  # fmt: skip
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(BadWallet):
        parse_wallet(text)


EVM_ACCOUNT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"


@pytest.mark.parametrize(
    "text",
    [f"eip155:1:{EVM_ACCOUNT}", f"eip155:8453:{EVM_ACCOUNT.lower()}", f"ethereum:{EVM_ACCOUNT}",
     EVM_ACCOUNT[2:], EVM_ACCOUNT[2:].lower(), f"eip155:1:{EVM_ACCOUNT[2:]}",
     f"eip155-1-{EVM_ACCOUNT}", f"0x{'0' * 24}{EVM_ACCOUNT[2:].lower()}"],
)  # fmt: skip
def test_a_chain_before_an_address_and_a_lost_0x_make_no_other_wallet(text: str) -> None:
    assert parse_wallet(text) == parse_wallet(EVM_ACCOUNT)


@pytest.mark.parametrize(
    "text",
    ["tr7nhqjekqxgtci8q8zy4pl8otszgjlj6t", "TR7NHQJEKQXGTCI8Q8ZY4PL8OTSZGJLJ6T",
     "1a1zp1ep5qgefi2dmptftl5slmv7divfna", "tron:tr7nhqjekqxgtci8q8zy4pl8otszgjlj6t",
     f"eip155:1:{EVM_ACCOUNT[:-1]}D"],
)  # fmt: skip
def test_an_address_that_lost_its_capitals_or_its_checksum_is_refused(text: str) -> None:
    with pytest.raises(BadWallet, match="copy it again"):
        parse_wallet(text)


@given(st.text(st.characters(codec="ascii", categories=("L", "N", "P")), max_size=130))
def test_whatever_is_read_is_read_again_as_the_same(text: str) -> None:
    try:
        wallet = parse_wallet(text)
    except BadWallet:
        return
    assert parse_wallet(wallet.address) == wallet
