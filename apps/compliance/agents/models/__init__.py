"""Agents, their mandates, credentials, what they spent, and the ledger of all of it."""

from apps.compliance.agents.models.agents import Agent, Level, Revocation, Status
from apps.compliance.agents.models.credentials import Credential
from apps.compliance.agents.models.events import AgentEvent, Step
from apps.compliance.agents.models.mandates import Mandate
from apps.compliance.agents.models.spends import Spend

__all__ = [
    "Agent",
    "AgentEvent",
    "Credential",
    "Level",
    "Mandate",
    "Revocation",
    "Spend",
    "Status",
    "Step",
]
