"""What does not go: wallets nobody holds, office holders' names, access that was taken away."""

from collections.abc import Callable
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest

from apps.backoffice.review.models import Case
from apps.payments.chain import expected_transfers
from apps.payments.chain.models import Order
from apps.payments.settlement.case_types import SETTLEMENT
from apps.payments.settlement.models import Settlement
from apps.payments.settlement.services import apply_chain_transfer_status, route_bank_payment
from apps.platform.common.clock import now
from tests.payees.registration.conftest import wallet
from tests.settlement.conftest import PAYER, approved

pytestmark = pytest.mark.django_db
USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
SINKS = (USDC, "0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42", f"0x{'dead':0>40}", f"0x{'dead':0<40}")


@pytest.mark.parametrize("nobody", SINKS)
def test_what_nobody_holds_is_not_paid(
    steady: None, settle: Callable[..., Any], nobody: str
) -> None:
    told = settle(recipientAddress=nobody, status=400)
    assert "recipientAddress" in str(told)


def test_of_a_flow_to_a_token_s_contract_and_of_a_routed_payment_it_is_the_route_that_blocks(
    steady: None, flow: Callable[..., Any]
) -> None:
    found = flow(recipientAddress=USDC)
    assert (found["decision"], found["blockReason"]) == (
        "BLOCKED", "Routing: Nobody controls this wallet: money paid to it is lost.",
    )  # fmt: skip
    flow_request = route_bank_payment.build_flow_request(
        amount_usd=Decimal(10), destination="USD", recipient=USDC
    )
    assert (
        route_bank_payment.check_bank_payment(asked=flow_request, now=now()).judgement.rule.code
        == "FLOW-26"
    )


def test_the_wallet_that_pays_is_not_paid(bank: Any, settle: Callable[..., Any]) -> None:
    told = settle(sandbox=False, client=bank, recipientAddress=PAYER, status=400)
    assert "paying wallet" in str(told)


def test_without_a_rate_it_says_so_and_not_to_ask_again(
    known: str, steady: None, flow: Callable[..., Any]
) -> None:
    aml = next(check for check in flow(**{"from": "RUB"})["checks"] if check["name"] == "aml")
    assert (aml["outcome"], aml["rule"]) == ("NOT_RUN", "FLOW-24")
    assert "No rate" in aml["message"] and "try again" not in aml["message"]


def test_the_rate_of_what_arrives_is_told(
    known: str, steady: None, settle: Callable[..., Any]
) -> None:
    made = settle(destinationCurrency="EUR")
    quote = made["quote"]
    paid = (
        Decimal(quote["net"]) * Decimal(quote["exchangeRate"]) / Decimal(quote["destinationRate"])
    )
    assert abs(paid - Decimal(made["execution"]["amount"])) < Decimal("0.000002")
    assert "destinationRate" not in settle()["quote"]


def test_the_name_of_an_office_holder_is_held_and_nobody_is_told_by_what(
    bank: Any, settle: Callable[..., Any], register: Callable[..., Any]
) -> None:
    register(71, legalName="Keir Starmer", country="GB")
    made = settle(sandbox=False, client=bank, recipientAddress=wallet(71))
    assert made["status"] == "held" and "FLOW-25" not in str(made) and "ffice" not in str(made)
    lookup_result = Settlement.objects.get().found["checks"]["sanctions"]
    assert (lookup_result["rule"], lookup_result["kept"]["officeHolder"]) == (
        "FLOW-25",
        "Keir Starmer",
    )
    assert Case.objects.filter(kind="settlement").exists()


def test_two_officers_decide_from_100000_usd_on() -> None:
    two = SETTLEMENT.seconds[1]
    sized = [two.when(SimpleNamespace(usd=Decimal(one))) for one in ("99999.99", "100000")]
    assert sized == [False, True]


@pytest.mark.parametrize("left", [(), (wallet(53),)])
def test_once_access_is_taken_away_no_transfer_is_told_or_expected(
    known: str, bank: Any, settle: Callable[..., Any], left: tuple[str, ...]
) -> None:
    made = settle(sandbox=False, client=bank)
    path = f"/settlement/settle/{made['settlementId']}"
    approved(bank, *left, allowed=bool(left))
    body = bank.get(path).json()
    assert "execution" not in body and "do not execute" in body["note"]
    answer = bank.post(f"{path}/transaction", {"txHash": f"0x{'ab' * 32}"}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "nothing_expected")
    order = Order.objects.get()
    apply_chain_transfer_status.apply_chain_transfer_status(
        order.order_id, expected_transfers.load_transfer_status(order.order_id), now()
    )
    assert bank.get(path).json()["status"] == "expired"


def test_an_access_that_keeps_the_wallet_ends_nothing(
    known: str, bank: Any, settle: Callable[..., Any]
) -> None:
    made = settle(sandbox=False, client=bank)
    approved(bank, PAYER, wallet(53))
    assert "execution" in bank.get(f"/settlement/settle/{made['settlementId']}").json()
