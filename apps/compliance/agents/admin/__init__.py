"""What the desk shows of agents: to read, and to revoke with a reason."""

from apps.compliance.agents.admin.agents import AgentAdmin
from apps.compliance.agents.admin.records import AgentEventAdmin, CredentialAdmin, MandateAdmin

__all__ = ["AgentAdmin", "AgentEventAdmin", "CredentialAdmin", "MandateAdmin"]
