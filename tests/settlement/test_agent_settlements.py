"""An agent that settles: its credential holds, and its mandate, however many settle at once."""

import base64
import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.backoffice.review.models import Case
from apps.compliance.agents.models import Agent, Spend
from apps.compliance.agents.services import agent_spends
from apps.payments.chain.models import Order
from apps.payments.settlement.models import Settlement
from apps.payments.settlement.services import apply_chain_transfer_status
from apps.payments.settlement.services.recorded_checks import RecordedChecks
from apps.platform.common.clock import now
from tests.payees.registration.conftest import wallet
from tests.paywall.test_races import at_once
from tests.settlement.conftest import SETTLE, asks
from tests.settlement.test_production import standing

Settle = Callable[..., Any]
HEADER = "X-Agent-Credential"
KEYED = {"Idempotency-Key": "b2f7c1d0-1"}


class Agents:
    """One agent with a mandate, and its credential."""

    def __init__(self, **terms: Any) -> None:
        self.client = APIClient()
        stated = {"ownerEntity": "Alder Trading Limited", "ownerEmail": "owner@alder.example"}
        mandate = {"maxNotionalUsd": 500, "dailyCapUsd": 1000, "ap2Compatible": True} | terms
        body = {"name": "settler", "framework": "custom", "mandate": mandate, **stated}
        document = self.client.post("/compliance/agent/register", body, format="json").json()
        self.id = document["agentId"]
        self.client.credentials(HTTP_AUTHORIZATION=f"Bearer {document['agentSecret']}")

    @property
    def credential(self) -> dict[str, str]:
        path = f"/compliance/agent/{self.id}/verify"
        said = self.client.post(path, {}, format="json").json()["credential"]
        return {HEADER: base64.b64encode(json.dumps(said).encode()).decode()}

    def revoke(self) -> None:
        self.client.delete(f"/compliance/agent/{self.id}")

    @property
    def spent(self) -> Decimal:
        agent = Agent.objects.get(agent_id=self.id)
        return agent_spends.sum_spent_on(agent=agent, day=now().date())


@pytest.mark.django_db
class TestCredentials:
    def test_it_is_taken_and_in_the_sandbox_nothing_is_counted(
        self, known: str, steady: None, settle: Settle
    ) -> None:
        agent = Agents()
        assert settle(headers=agent.credential)["status"] == "settled"
        assert Settlement.objects.get().agent_id == agent.id and agent.spent == 0

    def test_one_of_a_revoked_agent_is_refused(
        self, known: str, steady: None, settle: Settle
    ) -> None:
        agent = Agents()
        credential = agent.credential
        agent.revoke()
        assert settle(headers=credential, status=403)["code"] == "agent_revoked"

    @pytest.mark.parametrize("text", ["nonsense", "e30=", "{}", "a.b.c"])
    def test_one_that_was_not_issued_here_is_refused(
        self, known: str, steady: None, settle: Settle, text: str
    ) -> None:
        assert settle(headers={HEADER: text}, status=401)["code"] == "credential_invalid"

    def test_one_that_is_too_long_is_refused(
        self, known: str, steady: None, settle: Settle
    ) -> None:
        settle(headers={HEADER: "a" * 8193}, status=400)

    @pytest.mark.parametrize(("amount", "status"), [(500, 201), (500.01, 403)])
    def test_its_mandate_holds_in_the_sandbox_as_well(
        self, known: str, steady: None, settle: Settle, amount: float, status: int
    ) -> None:
        told = settle(headers=Agents().credential, amount=amount, status=status)
        assert told.get("code") in (None, "mandate_refused")

    def test_a_pair_that_the_mandate_does_not_list_is_refused(
        self, known: str, steady: None, settle: Settle
    ) -> None:
        agent = Agents(currencyPairs=["USD|GBP"])
        settle(headers=agent.credential, destinationCurrency="EUR", status=403)

    @pytest.mark.parametrize(("pair", "status"), [("USD|USD", 201), ("USD|EUR", 403)])
    def test_what_is_paid_in_one_currency_is_a_pair_of_it(
        self, known: str, steady: None, settle: Settle, pair: str, status: int
    ) -> None:
        agent = Agents(currencyPairs=[pair])
        told = settle(headers=agent.credential, destinationCurrency="USD", status=status)
        assert status == 201 or "USD|USD" in told["detail"]


@pytest.mark.django_db
class TestAgainUnderAKey:
    def test_the_same_agent_gets_the_same_answer_by_a_newer_credential(
        self, known: str, steady: None, settle: Settle
    ) -> None:
        agent = Agents()
        first = settle(headers=agent.credential | KEYED)
        assert settle(headers=agent.credential | KEYED) == first
        assert Settlement.objects.count() == 1

    def test_a_revoked_agent_is_not_given_what_it_was_answered(
        self, known: str, steady: None, settle: Settle
    ) -> None:
        agent = Agents()
        credential = agent.credential
        settle(headers=credential | KEYED)
        agent.revoke()
        assert settle(headers=credential | KEYED, status=403)["code"] == "agent_revoked"

    def test_another_agent_nobody_and_nonsense_are_not_given_it(
        self, known: str, steady: None, settle: Settle
    ) -> None:
        settle(headers=Agents().credential | KEYED)
        for shown in (Agents(maxNotionalUsd=1).credential, {}):
            told = settle(headers=shown | KEYED, status=409)
            assert told["code"] == "idempotency_key_reused"
        bad = settle(headers={HEADER: "nonsense"} | KEYED, status=401)
        assert bad["code"] == "credential_invalid"
        assert Settlement.objects.count() == 1


@pytest.mark.django_db
def test_what_is_let_go_is_counted_and_what_expires_is_counted_no_more(
    known: str, bank: Any, settle: Settle
) -> None:
    agent = Agents()
    settle(sandbox=False, client=bank, headers=agent.credential, amount=400)
    assert agent.spent == 400
    row = Settlement.objects.get()
    apply_chain_transfer_status.apply_chain_transfer_status(
        row.order_id, standing("EXPIRED"), now()
    )
    assert agent.spent == 0


@pytest.mark.django_db
def test_what_a_revoked_agent_asked_for_is_expected_no_more(
    known: str, bank: Any, settle: Settle
) -> None:
    revoked, other = Agents(), Agents()
    for reference, agent in (("R-1", revoked), ("R-2", revoked), ("R-3", other)):
        settle(
            sandbox=False, client=bank, headers=agent.credential, amount=50, referenceId=reference
        )
    paid = Settlement.objects.get(reference="R-2")
    Order.objects.filter(order_id=paid.order_id).update(state="CONFLICT")  # a transfer was seen
    revoked.revoke()
    assert Agent.objects.get(agent_id=revoked.id).status == "REVOKED"
    states = {settlement.reference: state_of(settlement) for settlement in Settlement.objects.all()}
    assert states == {"R-1": "EXPIRED", "R-2": "CONFLICT", "R-3": "OPEN"}


@pytest.mark.django_db
def test_an_order_that_was_altered_hinders_no_revocation(
    known: str, bank: Any, settle: Settle
) -> None:
    agent = Agents()
    settle(sandbox=False, client=bank, headers=agent.credential, amount=50)
    Order.objects.update(recipient=f"0x{7:040x}")
    agent.revoke()
    assert Agent.objects.get().status == "REVOKED" and Order.objects.get().state == "OPEN"


def state_of(row: Settlement) -> str:
    """Return how the transfer of a settlement stands."""
    return str(Order.objects.get(order_id=row.order_id).state)


@pytest.mark.django_db
def test_what_its_mandate_refuses_leaves_nothing(known: str, bank: Any, settle: Settle) -> None:
    agent = Agents()
    told = settle(sandbox=False, client=bank, headers=agent.credential, amount=501, status=403)
    assert told["code"] == "mandate_refused"
    assert not Settlement.objects.exists() and agent.spent == 0


@pytest.mark.django_db
@pytest.mark.parametrize("sandbox", [True, False])
@pytest.mark.parametrize(("cap", "status"), [(6000, 201), (5999.99, 403), (500, 403)])
def test_its_mandate_speaks_before_an_officer_is_asked(
    known: str, steady: None, bank: Any, settle: Settle, sandbox: bool, cap: float, status: int
) -> None:
    """To a wallet that nobody registered, which would be held."""
    told = settle(
        sandbox=sandbox,
        client=bank,
        headers=Agents(maxNotionalUsd=cap, dailyCapUsd=25000).credential,
        amount=6000,
        recipientAddress=wallet(77),
        status=status,
    )
    if status == 403:
        assert told["code"] == "mandate_refused"
        assert not Settlement.objects.exists() and not Case.objects.exists()
    else:
        assert told["status"] == "held"


@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    """Threads as in life: on PostgreSQL they truly run at once."""

    def ask(self, bank: Any, shown: dict[str, str], **changes: Any) -> Any:
        client = APIClient()  # one of its own for each thread
        client.credentials(**bank._credentials)
        body = asks(sandbox=False, **changes)
        return client.post(SETTLE, body, format="json", headers=shown)

    def test_fifty_at_once_never_spend_more_than_the_cap(
        self, known: str, bank: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # fifty payments of one wallet would be flagged: here the counting alone is looked at
        monkeypatch.setattr(
            "apps.payments.settlement.services.recorded_checks.record_checks",
            lambda *, row, check_result, event, now: RecordedChecks(check_result.facts, {}),
        )
        agent = Agents(dailyCapUsd=700, maxNotionalUsd=100)
        credential = agent.credential
        results = at_once(lambda _: self.ask(bank, credential), 50)
        codes = sorted(getattr(one, "status_code", 0) for one in results)
        assert codes == [201] * 7 + [403] * 43, [str(one) for one in results][:3]
        assert agent.spent == 700 == sum(Spend.objects.values_list("amount", flat=True))
        assert Settlement.objects.count() == 7

    def test_fifty_of_one_reference_are_one_settlement(self, known: str, bank: Any) -> None:
        agent = Agents()
        credential = agent.credential
        results = at_once(lambda _: self.ask(bank, credential, referenceId="R-1"), 50)
        codes = sorted(getattr(one, "status_code", 0) for one in results)
        assert codes == [200] * 49 + [201], [str(one) for one in results][:3]
        assert len({one.json()["settlementId"] for one in results}) == 1
        assert Settlement.objects.count() == 1 and agent.spent == 100
