"""Agents, their mandates, credentials, what they spent, and the ledger of all of it."""

from apps.agents.models.agents import Agent, Level, Revocation, Status
from apps.agents.models.credentials import Credential
from apps.agents.models.events import AgentEvent, Step
from apps.agents.models.mandates import Mandate
from apps.agents.models.spends import Spend

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
