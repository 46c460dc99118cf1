"""A settlement in the sandbox: the whole stack, without a key, and nothing on a chain."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.compliance.aml.models import AmlScreen
from apps.insight.stability.models import Quote
from apps.payments.chain.models import Order
from apps.payments.settlement.models import Settlement, SettlementEvent
from apps.payments.settlement.rules import status_notes
from apps.payments.settlement.rules.flow import BLOCKED_REASON
from tests.settlement.conftest import OFF_PEG
from tests.settlement.test_flow_check import LISTED

pytestmark = pytest.mark.django_db
Settle = Callable[..., Any]


def test_it_settles_with_a_labelled_id_and_nothing_is_expected_of_a_chain(
    known: str, steady: None, settle: Settle
) -> None:
    made = settle()
    assert (made["status"], made["sandbox"], made["network"]) == ("settled", True, "sandbox")
    assert made["settlementId"].startswith("SANDBOX-") and len(made["settlementId"]) == 72
    assert "SANDBOX" in made["note"] and "settledAt" in made
    assert made["execution"]["amount"] == made["quote"]["net"]
    assert not Order.objects.exists() and not SettlementEvent.objects.exists()
    assert not AmlScreen.objects.exists()


def test_fees_and_net_together_are_what_was_asked_for(
    known: str, steady: None, settle: Settle
) -> None:
    quote = settle(amount=10000)["quote"]
    parts = sum(Decimal(one) for one in quote["feesUsd"].values())
    assert parts == Decimal(quote["totalFeeUsd"])
    assert Decimal(quote["net"]) + Decimal(quote["fee"]) == 10000


def test_a_settlement_in_euro_is_paid_in_eurc_with_the_exchange_fee(
    known: str, steady: None, settle: Settle
) -> None:
    made = settle(destinationCurrency="EUR")
    assert made["asset"] == "EURC" and Decimal(made["quote"]["feesUsd"]["fx"]) > 0
    assert Decimal(made["execution"]["amount"]) < Decimal(made["quote"]["net"])


def test_a_listed_recipient_is_blocked_in_the_sandbox_as_well(steady: None, settle: Settle) -> None:
    made = settle(recipientAddress=LISTED)
    assert (made["status"], made["blockReason"]) == ("blocked", BLOCKED_REASON)
    assert not {"execution", "quote", "reasoning"} & made.keys()
    assert not Quote.objects.exists()


def test_an_unstable_oracle_halts_and_it_goes_once_that_is_over(
    known: str, settle: Settle, oracle: Callable[..., None], says: Callable[[str], None]
) -> None:
    oracle(**OFF_PEG)
    made = settle(referenceId="R-1")
    assert (made["status"], made["oracleStatus"]) == ("held", "UNSTABLE")
    assert made["oracleScore"] > 0 and "UNSTABLE" in made["reasoning"]
    assert settle(referenceId="R-1", status=200)["status"] == "held"
    says("STABLE")
    again = settle(referenceId="R-1", status=200)
    assert (again["status"], again["settlementId"]) == ("settled", made["settlementId"])


def test_of_a_held_rehearsal_neither_fees_nor_officers_are_promised(
    steady: None, settle: Settle
) -> None:
    made = settle(amount=1000)
    assert made["status"] == "held" and "quote" not in made
    assert "fees are computed" not in made["note"] and "fficer" not in made["reasoning"]
    assert made["reasoning"].endswith(status_notes.REHEARSAL_HELD)


def test_the_same_reference_is_the_same_settlement_and_another_one_is_refused(
    known: str, steady: None, settle: Settle
) -> None:
    first = settle(referenceId="R-1")
    assert settle(referenceId="R-1", status=200) == first
    assert settle(referenceId="R-1", amount=101, status=409)["code"] == "reference_taken"
    assert Settlement.objects.count() == 1


def test_anybody_reads_it_by_its_id_and_nobody_without(
    known: str, steady: None, settle: Settle, api: APIClient
) -> None:
    made = settle()
    assert api.get(f"/settlement/settle/{made['settlementId']}").json() == made
    assert api.get("/settlement/settle/SANDBOX-1").status_code == 404


@pytest.mark.parametrize(
    "change",
    [
        {"amount": -1}, {"amount": 0}, {"amount": "x"}, {"amount": None}, {"amount": 1.001},
        {"sourceCurrency": "DOLLARS"}, {"sourceCurrency": "JPY"}, {"destinationCurrency": "GBP"},
        {"recipientAddress": "nowhere"}, {"recipientAddress": None}, {"sandbox": None},
        {"recipientAddress": "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8"}, {"status": "settled"},
    ],
)  # fmt: skip
def test_what_is_no_settlement_is_refused(
    sample: Any, settle: Settle, change: dict[str, Any]
) -> None:
    settle(body=change, status=400)


class TestQuotes:
    """A quote that a caller brings is bound to this settlement, and taken once."""

    def quote(self, api: APIClient, **changes: Any) -> str:
        body = {"amountUsd": 100, "esgScore": 80, "sandbox": True} | changes
        return str(api.post("/stability/quote", body, format="json").json()["quoteId"])

    def test_it_is_taken_once(
        self, known: str, steady: None, settle: Settle, api: APIClient
    ) -> None:
        quote = self.quote(api)
        made = settle(quoteId=quote)
        assert made["quote"]["quoteId"] == quote
        assert settle(quoteId=quote, status=409)["code"] == "quote_used"
        assert Quote.objects.get().used_by == f"settlement:{made['settlementId']}"

    @pytest.mark.parametrize("change", [{"amountUsd": 99}, {"hasFx": True}, {"sandbox": False}])
    def test_one_that_was_given_for_something_else_is_refused(
        self, known: str, steady: None, settle: Settle, api: APIClient, change: dict[str, Any]
    ) -> None:
        made = settle(quoteId=self.quote(api, **change), status=409)
        assert made["code"] == "quote_of_another"
        assert not Settlement.objects.exists()

    def test_an_unknown_one_is_refused(self, known: str, steady: None, settle: Settle) -> None:
        unknown = "00000000-0000-4000-8000-000000000000"
        assert settle(quoteId=unknown, status=404)["code"] == "quote_unknown"

    def test_one_whose_fees_were_altered_is_refused(
        self, known: str, steady: None, settle: Settle, api: APIClient
    ) -> None:
        quote = self.quote(api)
        Quote.objects.update(core=0)
        assert settle(quoteId=quote, status=409)["code"] == "quote_of_another"
