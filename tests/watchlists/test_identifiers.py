"""Identifiers whose kind a list does not print."""

import pytest

from apps.reference.watchlists.sources.identifier_kinds import (
    classify_identifier,
    detect_wallet_asset,
    is_lei_value,
    parse_imo_number,
)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("549300WE6TAF5EEWQS81", ("lei", "")),
        ("549300WE6TAF5EEWQS82", ("other", "")),
        ("IMO9187629", ("imo", "")),
        ("IMO9187628", ("other", "")),
        ("9187629", ("other", "")),
        ("0x098B716B8Aaf21512996dC57EB0615e2383E2f96", ("wallet", "ETH")),
        ("0x098B716B8Aaf21512996dC57EB0615e2383E2f9", ("other", "")),
        ("1Q9UAQbcDezmyouFrzt94t4dSMxgsUfW1X", ("wallet", "XBT")),
        ("1Q9UAQbcDezmyouFrzt94t4dSMxgsUfW1Y", ("other", "")),
        ("7707083893", ("other", "")),
        ("", ("other", "")),
    ],
)
def test_check_digits_tell_what_a_bare_value_is(value: str, kind: tuple[str, str]) -> None:
    assert classify_identifier(value) == kind


def test_an_imo_number_is_seven_digits_whose_last_one_holds() -> None:
    assert parse_imo_number("IMO 9187629") == "9187629"
    assert parse_imo_number("IMO 9187620") == ""
    assert parse_imo_number("918762") == ""


def test_an_lei_may_be_written_small() -> None:
    assert is_lei_value("549300we6taf5eewqs81")
    assert not is_lei_value("549300WE6TAF5EEWQS8")


def test_bech32_addresses_are_wallets() -> None:
    assert detect_wallet_asset("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq") == "XBT"
