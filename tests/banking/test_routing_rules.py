"""What becomes of a delivery: the table, row by row."""

from decimal import Decimal
from typing import Any

import pytest

from apps.payments.banking.rules.routes import (
    ROWS,
    DeliveryFacts,
    RoutedTerms,
    is_altered,
    is_undone,
    judge_delivery,
)
from apps.payments.banking.rules.settlement_tags import parse_evm_wallet, parse_tags
from tests.banking.webhook_deliveries import OTHER, WALLET

SENT = {"amount": Decimal("125.50"), "status": "sent", "note": f"svc:{WALLET}"}
BARE = {"amount": Decimal("125.50"), "status": "sent"}


WENT = RoutedTerms(Decimal("125.50"), WALLET, "USD")
ROUTED: dict[str, Any] = {"stands": "ROUTED", "went": WENT}


def facts(state: dict[str, Any] | None = None, **changes: Any) -> DeliveryFacts:
    known = SENT if state is None else state
    given = {"resource": "transaction", "operation": "create", "patch": known, "state": known}
    return DeliveryFacts(**(given | changes))


CASES: list[tuple[str, DeliveryFacts]] = [
    ("BR-1", facts(resource="checkingAccount")),
    ("BR-2", facts(operation="delete")),
    ("BR-3", facts(BARE)),
    ("BR-3", facts(BARE | {"metadata": {"svc_route": "false"}})),
    ("BR-3", facts(BARE | {"metadata": "svc_route"})),
    ("BR-3", facts(BARE | {"metadata": {"svc_recipient": " "}})),
    ("BR-4", facts(operation="update", patch={"status": "pending"})),
    ("BR-4", facts(operation="update", patch={"note": "x"})),
    ("BR-4", facts(operation="update", patch={"status": "failed"})),
    ("BR-21", facts(SENT | {"amount": Decimal(5)}, **ROUTED)),
    ("BR-21", facts(against=("BO-1",), **ROUTED)),
    ("BR-21", facts(operation="update", patch={"note": "x"}, against=("BO-3",), **ROUTED)),
    ("BR-4", facts(operation="update", patch={"note": "x"}, **ROUTED)),
    ("BR-5", facts(**ROUTED)),
    ("BR-5", facts(stands="ROUTED")),
    ("BR-5", facts(operation="update", patch={"status": "sent"}, stands="ROUTED")),
    ("BR-25", facts(SENT | {"status": "failed"}, **ROUTED)),
    ("BR-25", facts(SENT | {"status": "reversed"}, stands="SETTLED")),
    (
        "BR-25",
        facts(
            SENT | {"status": "failed"},
            operation="update",
            patch={"status": "failed"},
            stands="ROUTED",
        ),
    ),
    ("BR-23", facts(SENT | {"status": "failed"}, stands="CALLED_OFF")),
    ("BR-24", facts(stands="CALLED_OFF")),
    ("BR-4", facts(operation="update", patch={"note": "x"}, stands="CALLED_OFF")),
    ("BR-6", facts(stands="HALTED")),
    ("BR-6", facts(stands="REFUSED")),
    ("BR-7", facts(SENT | {"status": "failed"})),
    ("BR-7", facts(SENT | {"status": "reversed"})),
    ("BR-7", facts(SENT | {"status": " FAILED"})),
    ("BR-7", facts(SENT | {"status": "Cancelled"})),
    ("BR-22", facts(SENT | {"status": "rejected"})),
    ("BR-22", facts(SENT | {"status": "returned"})),
    ("BR-22", facts(SENT | {"status": 7})),
    ("BR-16", facts(SENT | {"status": "Sent"})),
    ("BR-16", facts(operation="update", patch={"status": "SENT"})),
    ("BR-8", facts({"status": "sent", "note": f"svc:{WALLET}"})),
    ("BR-9", facts(SENT | {"amount": 0})),
    ("BR-9", facts(SENT | {"amount": "125.50"})),
    ("BR-9", facts(SENT | {"amount": True})),
    ("BR-9", facts(SENT | {"amount": Decimal("0.005")})),
    ("BR-9", facts(SENT | {"amount": Decimal("1e12")})),
    ("BR-16", facts(SENT | {"amount": Decimal("-0.01")})),
    ("BR-20", facts(SENT | {"amount": Decimal("-0.01")}, unsure=True)),
    ("BR-11", facts(SENT | {"currency": "EUR"})),
    ("BR-12", facts(BARE | {"note": "svc:"})),
    ("BR-12", facts(BARE | {"note": "svc:0x123"})),
    ("BR-12", facts(BARE | {"note": f"svc:{WALLET[:-1]}D"})),
    ("BR-12", facts(BARE | {"note": "svc:0x" + "0" * 40})),
    ("BR-12", facts(BARE | {"metadata": {"svc_recipient": "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8"}})),
    ("BR-13", facts(SENT | {"metadata": {"svc_recipient": OTHER}})),
    ("BR-13", facts(BARE | {"note": f"svc:{WALLET} svc:{OTHER}"})),
    ("BR-14", facts(BARE | {"metadata": {"svc_route": "true"}})),
    ("BR-15", facts(SENT | {"metadata": {"destination_currency": "GBP"}})),
    ("BR-15", facts(SENT | {"metadata": {"destination_currency": 7}})),
    ("BR-16", facts()),
    ("BR-16", facts(SENT | {"status": "pending"})),
    ("BR-16", facts(operation="update", patch={"status": "sent"})),
    ("BR-16", facts(SENT | {"amount": Decimal("0.010")})),
    ("BR-16", facts(SENT | {"amount": Decimal("-12.50")}, ours=True)),
    ("BR-16", facts(stands="HELD")),
    ("BR-16", facts(SENT | {"metadata": {"svc_recipient": WALLET.lower()}})),
]


@pytest.mark.parametrize(("code", "given"), CASES)
def test_the_first_row_that_holds_decides(code: str, given: DeliveryFacts) -> None:
    assert judge_delivery(given).row.code == code


def test_every_row_of_the_table_has_a_case() -> None:
    assert {code for code, _ in CASES} == {row.code for row in ROWS}


@pytest.mark.parametrize(
    ("state", "default", "wallet", "destination"),
    [
        (SENT, "", WALLET, "USD"),
        (SENT | {"note": f"Invoice 7; SVC:{WALLET.lower()}."}, "", WALLET, "USD"),
        (BARE | {"metadata": {"svc_recipient": WALLET}}, OTHER, WALLET, "USD"),
        (BARE | {"metadata": {"svc_route": True}}, OTHER, OTHER, "USD"),
        (BARE | {"metadata": {"svc_route": "true"}, "externalMemo": f"svc:{WALLET}"}, OTHER,
         WALLET, "USD"),
        (SENT | {"metadata": {"destination_currency": "eur"}}, "", WALLET, "EUR"),
    ],
)  # fmt: skip
def test_what_is_routed_has_wallet_and_currency(
    state: dict[str, Any], default: str, wallet: str, destination: str
) -> None:
    judgement = judge_delivery(facts(state, default=default))
    assert (judgement.row.code, judgement.wallet, judgement.destination) == (
        "BR-16",
        wallet,
        destination,
    )
    assert judgement.amount == Decimal("125.50")


@pytest.mark.parametrize("note", [f"xsvc:{WALLET}", f"svc {WALLET}", WALLET, 7, None])
def test_what_only_resembles_a_tag_is_none(note: Any) -> None:
    assert not parse_tags({"note": note}).any


def test_a_wallet_of_another_chain_is_none_here() -> None:
    assert parse_evm_wallet("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq") == ""


@pytest.mark.parametrize(
    ("stands", "status", "expected"),
    [("ROUTED", "failed", True), ("ROUTED", "sent", False), ("SEEN", "failed", False)],
)
def test_a_routed_payment_that_fails_at_the_bank_is_undone(
    stands: str, status: str, expected: bool
) -> None:
    assert is_undone(facts(SENT | {"status": status}, stands=stands)) is expected


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, False),
        ({"amount": Decimal("125.5")}, False),
        ({"note": f"paid, svc:{WALLET.lower()}"}, False),
        ({"note": "", "metadata": {"svc_route": True}}, False),
        ({"amount": Decimal(5)}, True),
        ({"amount": Decimal("-125.50")}, False),
        ({"amount": None}, True),
        ({"currency": "EUR"}, True),
        ({"note": f"svc:{OTHER}"}, True),
        ({"note": f"svc:{WALLET} svc:{OTHER}"}, True),
        ({"note": "no tag any more"}, True),
        ({"metadata": {"destination_currency": "EUR"}}, True),
        ({"status": "returned"}, True),
    ],
)
def test_what_was_routed_and_is_told_otherwise_is_altered(
    change: dict[str, Any], expected: bool
) -> None:
    assert is_altered(facts(SENT | change, **ROUTED)) is expected
    assert not is_altered(facts(SENT | change, stands="WAITING"))
