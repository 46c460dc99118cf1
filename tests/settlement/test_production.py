"""A settlement in production: who may, what it leaves, what it waits for."""

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from rest_framework.test import APIClient

from apps.compliance.aml.models import AmlScreen
from apps.compliance.screening.models import Screen
from apps.insight.stability.models import Quote
from apps.payments.chain.expected_transfers import TransferStatus
from apps.payments.chain.models import Order
from apps.payments.payments.models import MonthVolume
from apps.payments.payments.selectors import esg_score
from apps.payments.settlement.models import Settlement, SettlementAccess, SettlementEvent
from apps.payments.settlement.services import apply_chain_transfer_status
from apps.platform.common.clock import now
from tests.api.endpoint_walk import key_client
from tests.payees.registration.conftest import wallet
from tests.settlement.conftest import PAYER, approved
from tests.settlement.test_flow_check import LISTED

pytestmark = pytest.mark.django_db
HASH = f"0x{'ab' * 32}"


class TestEntitled:
    """Who settles in production: a key, an approval of two people, a wallet that is listed."""

    def test_without_a_key_it_is_refused(self, steady: None, settle: Callable[..., Any]) -> None:
        assert settle(sandbox=False, status=401)["code"] == "missing_key"

    def test_a_key_of_another_kind_is_refused(
        self, steady: None, settle: Callable[..., Any]
    ) -> None:
        settle(sandbox=False, client=key_client("Alder Bank", "DATA"), status=401)

    def test_without_an_approval_it_is_refused(
        self, steady: None, settle: Callable[..., Any]
    ) -> None:
        bank = key_client("Alder Bank", "INSTITUTION")
        told = settle(sandbox=False, client=bank, status=403)
        assert told["code"] == "settlement_not_approved"
        assert not Settlement.objects.exists()

    def test_from_a_wallet_that_is_not_listed_it_is_refused(
        self, bank: APIClient, settle: Callable[..., Any]
    ) -> None:
        told = settle(sandbox=False, client=bank, settlementWallet=wallet(9), status=403)
        assert told["code"] == "wallet_not_whitelisted"

    def test_an_approval_that_was_altered_is_not_believed(
        self, bank: APIClient, settle: Callable[..., Any]
    ) -> None:
        SettlementAccess.objects.update(wallets=[wallet(9)])
        told = settle(sandbox=False, client=bank, status=503)
        assert told["code"] == "settlement_access_unproved"


@pytest.fixture
def made(known: str, steady: None, bank: APIClient, settle: Callable[..., Any]) -> dict[str, Any]:
    """A settlement that was let go."""
    return dict(settle(sandbox=False, client=bank, referenceId="R-1"))


def test_it_waits_for_its_caller_to_execute_the_transfer(made: dict[str, Any]) -> None:
    assert (made["status"], made["network"]) == ("awaiting_settlement", "base-mainnet")
    order = Order.objects.get()
    execution = made["execution"]
    assert execution["reference"] == order.reference and execution["amount"] == made["quote"]["net"]
    assert (execution["chainId"], execution["asset"], order.sender) == (8453, "USDC", PAYER)
    assert Quote.objects.get().used_by == f"settlement:{made['settlementId']}"


def test_its_checks_are_recorded_as_those_of_a_payment(made: dict[str, Any]) -> None:
    screen, aml = Screen.objects.get(), AmlScreen.objects.get()
    assert (screen.decision, aml.action, aml.wallet) == ("APPROVED", "PROCEED", PAYER)
    assert aml.counted
    event = SettlementEvent.objects.get()
    assert (event.event, event.state, event.turn) == ("ASKED", "AWAITING_SETTLEMENT", "SET-3")


def test_it_is_the_same_under_its_reference(
    made: dict[str, Any], bank: APIClient, settle: Callable[..., Any]
) -> None:
    assert settle(sandbox=False, client=bank, referenceId="R-1", status=200) == made
    assert AmlScreen.objects.count() == Quote.objects.count() == Order.objects.count() == 1


def test_another_institution_does_not_see_it(made: dict[str, Any], api: APIClient) -> None:
    path = f"/settlement/settle/{made['settlementId']}"
    for other in (api, key_client("Birch Bank", "INSTITUTION")):
        assert other.get(path).status_code == 404
    other = key_client("Birch Bank", "INSTITUTION")
    answer = other.post(f"{path}/transaction", {"txHash": HASH}, format="json")
    assert answer.status_code == 404


def test_a_hash_is_told_and_proves_nothing(made: dict[str, Any], bank: APIClient) -> None:
    path = f"/settlement/settle/{made['settlementId']}"
    body = bank.post(f"{path}/transaction", {"txHash": HASH}, format="json").json()
    assert body["status"] == "awaiting_settlement"
    assert Order.objects.get().named == HASH
    bad = bank.post(f"{path}/transaction", {"txHash": "0x12"}, format="json")
    assert (bad.status_code, bad.json()["code"]) == (400, "bad_tx_hash")


def standing(state: Any) -> TransferStatus:
    return TransferStatus(state=state, tx_hash=HASH, log_index=3, confirmations=9, needed=9)


def tell(state: str) -> Settlement:
    """Let the chain tell of the transfer, twice."""
    row = Settlement.objects.get()
    for _ in range(2):
        apply_chain_transfer_status.apply_chain_transfer_status(
            row.order_id, standing(state), now()
        )
    return Settlement.objects.get()


def test_it_is_settled_once_the_transfer_is_final(made: dict[str, Any]) -> None:
    assert tell("CONFIRMING").state == "AWAITING_SETTLEMENT"
    row = tell("FINAL")
    assert (row.state, row.tx_hash) == ("SETTLED", HASH) and row.settled_at
    assert MonthVolume.objects.get().settled_usd == Decimal(100)
    assert [
        settlement_event.event for settlement_event in SettlementEvent.objects.order_by("pk")
    ] == ["ASKED", "CONFIRMED"]


def test_what_the_chain_takes_back_is_not_settled(made: dict[str, Any]) -> None:
    tell("FINAL")
    row = tell("CONFLICT")
    assert (row.state, row.tx_hash, row.settled_at) == ("AWAITING_SETTLEMENT", "", None)
    assert tell("FINAL").state == "SETTLED"


def test_one_transaction_settles_as_many_as_it_has_transfers_for(
    made: dict[str, Any], bank: APIClient, settle: Callable[..., Any]
) -> None:
    """A wallet that pays two in one batch: one transaction, two logs, an order for each."""
    settle(sandbox=False, client=bank, referenceId="R-2", amount=200)
    for place, row in enumerate(Settlement.objects.order_by("pk")):
        transfer_status = TransferStatus(state="FINAL", tx_hash=HASH, log_index=place)
        apply_chain_transfer_status.apply_chain_transfer_status(
            row.order_id, transfer_status, now()
        )
    rows = Settlement.objects.order_by("pk").values_list("state", "tx_hash", "tx_place")
    assert list(rows) == [("SETTLED", HASH, 0), ("SETTLED", HASH, 1)]


def test_one_transfer_settles_one(
    made: dict[str, Any], bank: APIClient, settle: Callable[..., Any]
) -> None:
    settle(sandbox=False, client=bank, referenceId="R-2", amount=200)
    first, second = Settlement.objects.order_by("pk")
    apply_chain_transfer_status.apply_chain_transfer_status(
        first.order_id, standing("FINAL"), now()
    )
    with pytest.raises(IntegrityError), transaction.atomic():
        apply_chain_transfer_status.apply_chain_transfer_status(
            second.order_id, standing("FINAL"), now()
        )


def test_a_month_counts_a_settlement_once_however_often_the_chain_turns(
    made: dict[str, Any],
) -> None:
    for place, state in enumerate(("FINAL", "CONFLICT", "FINAL", "CONFLICT", "FINAL", "FINAL")):
        transfer_status = TransferStatus(state=state, tx_hash=HASH, log_index=place)  # type: ignore[arg-type]
        apply_chain_transfer_status.apply_chain_transfer_status(
            Settlement.objects.get().order_id, transfer_status, now()
        )
    row = Settlement.objects.get()
    assert (row.state, row.tx_place) == ("SETTLED", 5)
    assert MonthVolume.objects.get().settled_usd == Decimal(100)


def test_what_is_taken_back_leaves_the_month_in_which_it_settled(made: dict[str, Any]) -> None:
    order = Settlement.objects.get().order_id
    for state, month in (("FINAL", 1), ("CONFLICT", 2), ("FINAL", 3)):
        apply_chain_transfer_status.apply_chain_transfer_status(
            order, standing(state), datetime(2027, month, 3, tzinfo=UTC)
        )
    held = MonthVolume.objects.order_by("month").values_list("month__month", "settled_usd")
    assert list(held) == [(1, Decimal(0)), (3, Decimal(100))]


def test_what_nobody_executed_expires(made: dict[str, Any], bank: APIClient) -> None:
    assert tell("EXPIRED").state == "EXPIRED"
    body = bank.get(f"/settlement/settle/{made['settlementId']}").json()
    assert body["status"] == "expired"


def test_a_settlement_that_was_altered_is_neither_told_nor_settled(
    made: dict[str, Any], bank: APIClient
) -> None:
    Settlement.objects.update(recipient=wallet(66))
    answer = bank.get(f"/settlement/settle/{made['settlementId']}")
    assert (answer.status_code, answer.json()["code"]) == (503, "settlement_unproved")
    with pytest.raises(Exception, match="Integrity check failed"):
        tell("FINAL")
    assert Settlement.objects.get().state == "AWAITING_SETTLEMENT"


def test_a_listed_recipient_is_blocked_and_logged(
    steady: None, bank: APIClient, settle: Callable[..., Any]
) -> None:
    made = settle(sandbox=False, client=bank, recipientAddress=LISTED)
    assert made["status"] == "blocked" and not Order.objects.exists()
    assert AmlScreen.objects.get().action == "BLOCK"


class TestQuotes:
    """A quote that is brought in production is no better than what holds here."""

    def quote(self, api: APIClient, **changes: Any) -> str:
        body = {"amountUsd": 100, "esgScore": 80} | changes
        return str(api.post("/stability/quote", body, format="json").json()["quoteId"])

    @pytest.mark.parametrize(
        ("asked", "status"),
        [
            ({}, 201),
            ({"esgScore": 79.5}, 201),
            ({"esgScore": 80.000001}, 409),
            ({"monthlyVolumeUsd": 0.01}, 409),
        ],
    )
    def test_its_score_and_volume_may_not_be_better_than_ours(
        self,
        known: str,
        bank: APIClient,
        api: APIClient,
        settle: Callable[..., Any],
        asked: dict[str, Any],
        status: int,
    ) -> None:
        quote = self.quote(api, **asked)
        told = settle(sandbox=False, client=bank, quoteId=quote, status=status)
        if status == 201:
            assert told["quote"]["quoteId"] == quote
        else:
            assert told["code"] == "quote_of_another" and not Settlement.objects.exists()

    def test_the_score_of_when_it_was_given_counts_as_well(
        self,
        known: str,
        bank: APIClient,
        api: APIClient,
        settle: Callable[..., Any],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        quote = self.quote(api)
        fell = esg_score.EsgScore(Decimal(60), 1, "LIVE", sample=False)
        monkeypatch.setattr(
            "apps.payments.settlement.services.pricing.esg_score.load_live_esg_score",
            lambda now: fell,
        )
        assert settle(sandbox=False, client=bank, quoteId=quote)["quote"]["quoteId"] == quote


@pytest.mark.parametrize("more", [1, 2])
def test_who_settles_from_several_wallets_has_to_name_one(
    known: str, bank: Any, settle: Callable[..., Any], more: int
) -> None:
    others = [wallet(60 + number) for number in range(more)]
    approved(bank, PAYER, *others)
    told = settle(sandbox=False, client=bank, status=403)
    assert told["code"] == "wallet_not_whitelisted" and not Settlement.objects.exists()
    settle(sandbox=False, client=bank, settlementWallet=others[-1])
    assert Order.objects.get().sender == others[-1]
