"""What nodes answer: read whole, or not at all."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.access.paywall.clients.evm_node import TRANSFER, USED
from apps.payments.chain.clients.node_parser import (
    MalformedAnswer,
    address_to_topic,
    parse_block,
    parse_logs,
    parse_receipt,
    parse_transfers,
)

TX, BLOCK = "0x" + "ab" * 32, "0x" + "cd" * 32
TOKEN, PAYER, PAYEE = (f"0x{digit * 40}" for digit in "123")
NONCE = "0x" + "ef" * 32
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=80),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner),
    max_leaves=12,
)


def log(index: int, *topics: str, data: str = "0x", address: str = TOKEN, **more: Any) -> Any:
    """Return a log as nodes write it."""
    return {
        "address": address, "topics": list(topics), "data": data, "blockNumber": "0x10",
        "blockHash": BLOCK, "transactionHash": TX, "logIndex": hex(index),
    } | more  # fmt: skip


def moved(index: int, units: int = 250, payer: str = PAYER) -> Any:
    """Return the log of a transfer."""
    return log(
        index, TRANSFER, address_to_topic(payer), address_to_topic(PAYEE), data=f"0x{units:064x}"
    )


def used(index: int, by: str = PAYER, **more: Any) -> Any:
    """Return the log of an authorization that was used."""
    return log(index, USED, address_to_topic(by), NONCE, **more)


def receipt(*logs: Any, **more: Any) -> Any:
    """Return a receipt as nodes write it."""
    return {
        "transactionHash": TX, "status": "0x1", "blockNumber": "0x10", "blockHash": BLOCK,
        "logs": list(logs),
    } | more  # fmt: skip


@pytest.mark.parametrize(
    ("logs", "references"),
    [
        ([moved(0)], [""]),
        ([used(0), moved(1)], [NONCE]),
        ([moved(1), used(0)], [NONCE]),
        ([used(0), moved(1), moved(2)], [NONCE, ""]),
        ([used(0, by=PAYEE), moved(1)], [""]),
        ([used(0, address=PAYER), moved(1)], [""]),
        ([moved(0), used(1)], [""]),
        ([used(0), moved(1, payer=PAYEE), moved(2)], ["", ""]),
    ],
)
def test_a_reference_belongs_to_the_transfer_that_it_authorized(
    logs: list[Any], references: list[str]
) -> None:
    read = parse_receipt(receipt(*logs), asked=TX)
    assert read is not None
    assert [transfer.reference for transfer in parse_transfers(read)] == references


def test_a_reverted_transaction_moved_nothing() -> None:
    read = parse_receipt(receipt(moved(0), status="0x0"), asked=TX)
    assert read is not None and not read.ok and parse_transfers(read) == []


@pytest.mark.parametrize(
    "topics",
    [
        (TRANSFER, address_to_topic(PAYER)),
        (TRANSFER, address_to_topic(PAYER), address_to_topic(PAYEE), NONCE),
        (),
    ],
)
def test_an_event_of_another_form_is_no_transfer(topics: tuple[str, ...]) -> None:
    """A token that is one of a kind (ERC-721) has the same event with a fourth topic."""
    read = parse_receipt(receipt(log(0, *topics, data=f"0x{1:064x}")), asked=TX)
    assert read is not None and parse_transfers(read) == []


@pytest.mark.parametrize("said", [None, {"blockHash": None}])
def test_a_transaction_in_no_block_has_no_receipt(said: Any) -> None:
    assert parse_receipt(said, asked=TX) is None


@pytest.mark.parametrize(
    "change",
    [
        {"transactionHash": BLOCK},
        {"status": "0x2"},
        {"status": None},
        {"blockNumber": 16},
        {"blockNumber": "0x"},
        {"blockNumber": "0x" + "f" * 17},
        {"blockHash": "0x12"},
        {"logs": None},
        {"logs": [moved(0) | {"transactionHash": BLOCK}]},
        {"logs": [moved(0) | {"blockHash": TX}]},
        {"logs": [moved(0) | {"topics": [1]}]},
        {"logs": [moved(0) | {"data": "250"}]},
        {"logs": [moved(0) | {"address": "0x12"}]},
        {"logs": [moved(2**31)]},
        {"logs": [moved(2**40)]},
        {"blockNumber": hex(2**63)},
    ],
)
def test_a_receipt_that_is_not_as_it_must_be_is_none(change: dict[str, Any]) -> None:
    with pytest.raises(MalformedAnswer):
        parse_receipt(receipt(moved(0)) | change, asked=TX)


def test_a_place_is_as_large_as_is_kept() -> None:
    read = parse_receipt(receipt(moved(2**31 - 1)), asked=TX)
    assert read is not None and parse_transfers(read)[0].index == 2**31 - 1


def test_a_strangers_long_log_hides_no_transfer_beside_it() -> None:
    """Whoever pays a recipient may have any contract log what it likes in the same transaction."""
    long = log(0, data="0x" + "ab" * 200_000, address=PAYER)
    read = parse_receipt(receipt(long, moved(1)), asked=TX)
    assert read is not None and [transfer.units for transfer in parse_transfers(read)] == [250]


def test_a_log_that_is_told_twice_is_one_and_a_removed_one_is_none() -> None:
    assert len(parse_logs([moved(0), moved(0), moved(1) | {"removed": True}])) == 1


@given(ANY)
def test_whatever_a_node_answers_is_read_or_malformed(said: Any) -> None:
    for read in (parse_block, parse_logs, lambda one: parse_receipt(one, asked=TX)):
        try:
            read(said)
        except MalformedAnswer:
            continue
