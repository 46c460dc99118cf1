"""Authenticate an agent by its own secret, for its own data."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.http import HttpRequest

from apps.access.keys import rate_limits
from apps.access.keys.authentication import (
    MissingKey,
    UnknownKey,
    build_challenge,
    get_presented_key,
    list_key_headers,
)
from apps.compliance.agents import secrets
from apps.platform.api.authentication import Grant, GrantAuthentication, RateLimit
from apps.platform.api.callers import Caller
from apps.platform.api.operations import Access, Operation
from apps.platform.common.problems import DomainError
from config.rate_limits import AGENT_RATE

KIND = "AGENT"
HEADER = "Authorization"


class AgentAuthentication(GrantAuthentication):
    """Lets in who sends an agent's secret, where the operation is about agents.

    A revoked agent is let in as well: each operation says what becomes of it.
    """

    def admit(self, *, operation: Operation, request: HttpRequest, now: datetime) -> Grant | None:
        """Return the agent's grant; 401 for a secret of none. A key has a class of its own."""
        if not operation.access.agent:
            return None
        secret = get_presented_key(request, HEADER)
        # another kind of secret in the same header: ApiKeyAuthentication reads it
        if not secret.startswith(secrets.PREFIX):
            return None
        # revoked agents too: verify answers 200 with `verified` false (DESIGN section 4)
        agent = secrets.find_agent_by_secret(secret)
        if agent is None:
            rate_limits.count_refused_call(request=request, now=now)
            raise UnknownKey("The agent's secret is unknown.", headers=build_challenge([HEADER]))
        return Grant(
            Caller(agent.ref, KIND, agent.name), RateLimit(f"agent:{agent.pk}", AGENT_RATE)
        )

    def challenge(
        self, *, operation: Operation, request: HttpRequest, values: Mapping[str, Any] | None
    ) -> DomainError | None:
        """Say which secret to send, and where."""
        if not operation.access.agent:
            return None
        also = " or a signing key" if operation.access.keys else ""
        return MissingKey(
            f"Send the agent's secret{also} in the header {HEADER}: Bearer.",
            headers=build_challenge([HEADER]),
        )

    def requirements(self, access: Access) -> Iterable[tuple[str, ...]]:
        # a key in the same header is the same to OpenAPI
        return [(HEADER,)] if access.agent and HEADER not in list_key_headers(access.known) else []
