"""Agents are what their ledger says: whoever changes the rows alone is found."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction

from apps.compliance.agents.integrity import verify_all_agents
from apps.compliance.agents.models import Agent, AgentEvent
from apps.platform.ledger import sealer
from tests.agents.conftest import ALICE_LEI, OWNED, Acting
from tests.attacks import tables
from tests.conftest import NOON


def found() -> list[str]:
    return list(verify_all_agents(lambda _: None))


@pytest.fixture
def agent(register: Callable[..., Acting]) -> Acting:
    acting = register(**OWNED, mandate={"dailyCapUsd": 5000.5, "esgFloor": 40})
    acting.mandate(currencyPairs=["USD|EUR"])
    acting.verify()
    register(ownerLei=ALICE_LEI).revoke()
    return acting


def test_what_was_done_by_the_platform_is_in_order(agent: Acting) -> None:
    assert found() == []


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"level": "VERIFIED", "owner_lei": ALICE_LEI}, "its level is VERIFIED"),
        ({"owner_entity": "Bob SA"}, "ownerEntity differs from the registration"),
        ({"digest": "0" * 64}, "secretDigest differs from the registration"),
        ({"owner_wallet": "0xmine"}, "its wallet differs from the proved one"),
        ({"key_thumbprint": "mine"}, "its key differs from the proved one"),
        ({"status": "REVOKED", "revoked_at": NOON}, "it is REVOKED, recorded is ACTIVE"),
    ],
)
def test_a_row_that_was_changed_is_found(agent: Acting, change: Any, says: str) -> None:
    Agent.objects.filter(agent_id=agent.id).update(**change)
    assert any(says in fault and agent.id in fault for fault in found())


def test_an_agent_that_is_gone_is_missed(agent: Acting) -> None:
    """Nor does it come back by being registered anew: it was recorded under its own id."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA defer_foreign_keys = 1") if connection.vendor == "sqlite" else None
        cursor.execute("DELETE FROM agents_agent WHERE agent_id = %s", [agent.id])
        assert f"agent {agent.id}: it is recorded, but its row is missing" in found()
        transaction.set_rollback(True)


def test_a_revocation_that_was_undone_is_found(agent: Acting) -> None:
    Agent.objects.filter(status="REVOKED").update(status="ACTIVE", revoked_at=None)
    assert any("it is ACTIVE, recorded is REVOKED" in fault for fault in found())


def test_a_version_that_nobody_recorded_is_found(agent: Acting) -> None:
    mandate = Agent.objects.get(agent_id=agent.id).mandates.order_by("-version")[0]
    mandate.pk, mandate.version, mandate.daily_cap = None, 3, Decimal(25000)
    mandate.save(force_insert=True)
    assert any("3 versions of a mandate, recorded are 2" in fault for fault in found())


def test_the_ledger_verifies_and_a_purged_payload_is_no_fault(agent: Acting) -> None:
    sealer.seal_all_ledgers(now=NOON)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE agents_agentevent SET payload = '', salt = ''")
    assert found() == []


def test_what_is_stated_stays_while_the_agent_acts_and_leaves_after(
    register: Callable[..., Acting],
) -> None:
    acting, idle = register(**OWNED), register(**OWNED)
    acting.verify()
    cutoff = NOON + timedelta(days=-1)
    spared = AgentEvent.objects.filter(AgentEvent.spared(before=cutoff))
    assert set(spared.values_list("agent", flat=True)) == {acting.id}
    idle.revoke()
    assert set(spared.values_list("agent", flat=True)) == {acting.id, idle.id}
    late = AgentEvent.objects.filter(AgentEvent.spared(before=NOON + timedelta(seconds=1)))
    assert not late.exists()


def test_verify_ledger_runs_it(agent: Acting) -> None:
    sealer.seal_all_ledgers(now=NOON)
    out = StringIO()
    call_command("verify_ledger", "agents", stdout=out)
    assert "agents" in out.getvalue()


def test_no_column_of_a_revocation_can_be_changed_unseen(agent: Acting) -> None:
    assert tables.undetected("agents.Revocation") == []
