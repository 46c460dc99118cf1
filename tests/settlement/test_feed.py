"""What became of a settlement stands in its institution's feed, as GET answers it."""

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.backoffice.review.models import Case
from apps.payments.chain.expected_transfers import TransferStatus
from apps.payments.settlement.models import Settlement
from apps.payments.settlement.services import apply_chain_transfer_status
from apps.platform.common.clock import now
from tests.api.endpoint_walk import key_client
from tests.settlement.test_held_settlements import decide
from tests.settlement.test_production import HASH

pytestmark = pytest.mark.django_db
FEED = "/integration/payments/events"


@pytest.fixture
def send(known: str, bank: APIClient, settle: Callable[..., Any]) -> Callable[..., Any]:
    """Settle in production under one reference."""

    def call(**changes: Any) -> Any:
        return settle(**{"sandbox": False, "client": bank, "referenceId": "R-1"} | changes)

    return call


def feed(client: APIClient) -> list[dict[str, Any]]:
    return list(client.get(FEED).json()["items"])


def tell(state: Any, place: int = 3) -> None:
    row = Settlement.objects.get()
    apply_chain_transfer_status.apply_chain_transfer_status(
        row.order_id, TransferStatus(state=state, tx_hash=HASH, log_index=place), now()
    )


def test_each_step_is_told_once_and_as_get_answers_it(
    send: Callable[..., Any], bank: APIClient
) -> None:
    made = send()
    send(status=200)
    for state in ("CONFIRMING", "FINAL", "FINAL", "CONFLICT", "FINAL"):
        tell(state)
    found = feed(bank)
    assert [one["event"] for one in found] == [
        "settlement.awaiting_settlement",
        "settlement.settled",
        "settlement.awaiting_settlement",
        "settlement.settled",
    ]
    assert {one["svcPaymentId"] for one in found} == {made["settlementId"]}
    assert found[0]["data"] == made
    assert found[-1]["data"] == bank.get(f"/settlement/settle/{made['settlementId']}").json()


def test_what_nobody_executed_is_told_as_expired(send: Callable[..., Any], bank: APIClient) -> None:
    send()
    tell("EXPIRED")
    assert [one["event"] for one in feed(bank)][1:] == ["settlement.expired"]


@pytest.mark.parametrize(
    ("outcome", "reason", "event"),
    [
        ("APPROVE", "EXPOSURE_ACCEPTED", "settlement.released"),
        ("REJECT", "PEG_AT_RISK", "settlement.blocked"),
    ],
)
def test_a_decision_is_told_and_nothing_of_who_decided_or_why(
    send: Callable[..., Any],
    bank: APIClient,
    says: Callable[[str], None],
    outcome: str,
    reason: str,
    event: str,
) -> None:
    says("UNSTABLE")
    made = send()
    decide(Case.objects.get(), outcome, reason)
    held, decided = feed(bank)
    assert (held["event"], decided["event"]) == ("settlement.held", event)
    path = f"/settlement/settle/{made['settlementId']}"
    assert decided["data"] == bank.get(path).json()
    assert reason not in str(decided) and "olivia" not in str(decided)


def test_nobody_else_is_told_and_nothing_of_a_rehearsal(
    send: Callable[..., Any], bank: APIClient
) -> None:
    send()
    send(sandbox=True, referenceId="R-2")
    assert len(feed(bank)) == 1
    assert not feed(key_client("Birch Bank", "INSTITUTION"))
