"""The way in for an agent: with its own secret, to what is its own."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.http import HttpRequest

from apps.access import limits
from apps.access.gates import MissingKey, UnknownKey, challenge, presented
from apps.agents import secrets
from apps.core.callers import Caller
from apps.core.endpoints import Endpoint
from apps.core.gates import Ticket
from apps.core.problems import DomainError
from config.rates import AGENT_RATE

KIND = "AGENT"
HEADER = "Authorization"


class AgentGate:
    """Lets in who sends an agent's secret, where the row is about agents.

    A revoked agent is let in as well: each row says what becomes of it.
    """

    def admit(self, *, row: Endpoint, request: HttpRequest, now: datetime) -> Ticket | None:
        """Return the agent's ticket; 401 for a secret of none. A key is left to its own gate."""
        if not row.access.agent:
            return None
        secret = presented(request, HEADER)
        if not secret.startswith(secrets.PREFIX):
            return None
        agent = secrets.find(secret)
        if agent is None:
            limits.refuse(request=request, now=now)
            raise UnknownKey("The agent's secret is not known.", headers=challenge([HEADER]))
        window = limits.hit(bucket=f"agent:{agent.pk}", limit=AGENT_RATE, now=now)
        return Ticket(Caller(agent.ref, KIND, agent.name), window.headers())

    def challenge(
        self, *, row: Endpoint, request: HttpRequest, values: Mapping[str, Any] | None
    ) -> DomainError | None:
        """Say which secret to send, and where."""
        if not row.access.agent:
            return None
        also = " or a signing key" if row.access.keys else ""
        return MissingKey(
            f"Send the agent's secret{also} in the header {HEADER}: Bearer.",
            headers=challenge([HEADER]),
        )
