"""Viewsets of the agent registry (document 1 sections 2.10, 3 and 4)."""

from django.http.response import HttpResponseBase
from rest_framework.decorators import action
from rest_framework.request import Request

from apps.access.keys.models import KeyKind
from apps.compliance.agents import public_agents
from apps.compliance.agents.api.filters import RevocationFilter
from apps.compliance.agents.owner_proofs import RegistrationIntegrityError
from apps.compliance.agents.owner_screening import AgentRefused
from apps.compliance.agents.problems import AgentRevoked, OwnerNeeded, ProofRefused, UpgradeRequired
from apps.compliance.agents.selectors.integrity_checked_agents import AgentIntegrityError
from apps.compliance.agents.serializers import (
    AgentIn,
    AgentOut,
    MandateIn,
    MandateMade,
    RegisteredOut,
    RevocationsOut,
    RevocationsQuery,
    RevokedOut,
    VerifiedOut,
    VerifyIn,
)
from apps.compliance.agents.services import registration, revocation, verification
from apps.compliance.agents.services.mandates import conclude_mandate
from apps.platform.api.operations import Access, PathParameter, operation
from apps.platform.api.shapes import Text
from apps.platform.api.viewsets import OperationViewSet
from apps.platform.common.problems import NotFound
from apps.reference.watchlists.engine import ListsStale, ListsUnavailable

OWN = Access(keys=(KeyKind.SIGNING,), agent=True)
AGENT = PathParameter(
    Text(max_length=64),
    "The `agentId` of the answer.",
    made_by=("agent-register", "agentId"),
    owned=False,
)


class AgentViewSet(OperationViewSet):
    """Agents and their mandates (document 1 section 2.10)."""

    filterset_class = RevocationFilter
    path_parameters = {"agent_id": AGENT}

    @action(detail=False, methods=["post"])
    @operation(
        "agent-register",
        spec="1 §2.10",
        access=Access(open=True),
        request=AgentIn,
        response=RegisteredOut,
        example={
            "name": "Treasury agent",
            "framework": "custom",
            "protocols": ["x402"],
            "ownerEntity": "Blue Heron Stationery Limited",
            "ownerEmail": "treasury@blueheron.example",
            "mandate": {"maxNotionalUsd": 1000, "dailyCapUsd": 5000, "ap2Compatible": True},
        },
        statuses=(201,),
        problems=(UpgradeRequired, AgentRefused, ListsUnavailable, ListsStale),
        answers_secret=True,
    )
    def register(self, request: Request) -> HttpResponseBase:
        """Registers an agent; its level depends on what you state about the owner.

        With a name alone it is ANONYMOUS, with ownerEntity and ownerEmail REGISTERED, and VERIFIED
        with an ownerLei that is in force and, where ownerEntity is stated, belongs to that entity.
        `tierNote` gives the reason. Registering again creates a new agent. `agentSecret` is
        returned once, and again only under an `Idempotency-Key` that nobody can guess: a random
        UUID.
        """
        return self.run(
            registration.gather_agent_registration, registration.conclude_agent_registration
        )

    @action(detail=False, methods=["post"])
    @operation(
        "agent-mandate",
        spec="1 §4",
        access=OWN,
        request=MandateIn,
        response=MandateMade,
        example={"maxNotionalUsd": 1000, "dailyCapUsd": 5000, "esgFloor": 40},
        statuses=(201, 200),
        problems=(
            NotFound,
            UpgradeRequired,
            AgentRevoked,
            OwnerNeeded,
            ProofRefused,
            AgentIntegrityError,
            RegistrationIntegrityError,
        ),
    )
    def mandate(self, request: Request) -> HttpResponseBase:
        """Creates the mandate of an agent, or a new version of it.

        A field that is left out keeps its value; null as a cap, an empty list or an esgFloor of 0
        lifts a limit; a call that changes nothing creates no version. An agent can lower its limits
        by itself; lifting one needs `ownerProof` or a signing key. Caps of a REGISTERED agent are
        clamped to 25,000 USD, and `clamped` says so; an ANONYMOUS agent holds no mandate.
        Administrators must name the agent; agents need not.
        """
        return self.run(None, conclude_mandate)

    @action(detail=True, methods=["post"])
    @operation(
        "agent-verify",
        spec="1 §2.10",
        access=OWN,
        request=VerifyIn,
        response=VerifiedOut,
        problems=(
            NotFound,
            ProofRefused,
            AgentRefused,
            RegistrationIntegrityError,
            AgentIntegrityError,
            ListsUnavailable,
            ListsStale,
        ),
        idempotent=False,
    )
    def verify(self, request: Request, agent_id: str) -> HttpResponseBase:
        """Issues the agent's credential for one hour, after checking its LEI again.

        If the level has fallen since, `tierNote` says so. Send the credential in the header
        `X-Agent-Credential`; with `credentialJwt` anybody can verify the same claims (keys:
        `.well-known/jwks.json` of this service; revoked agents: `agent/revocations`). For a revoked
        agent `verified` is false, and nothing is issued.
        """
        return self.run(
            verification.gather_agent_verification, verification.conclude_agent_verification
        )

    @action(detail=False)
    @operation(
        "agent-revocations",
        spec="D §4",
        access=Access(open=True),
        request=RevocationsQuery,
        response=RevocationsOut,
    )
    def revocations(self, request: Request) -> HttpResponseBase:
        """Lists revoked agents, most recent first.

        A credential is valid for an hour: to check one, you only need the revocations of the last
        hour (`revokedFrom`).
        """
        return self.run_list(public_agents.list_revocations, public_agents.serialize_revocations)

    @operation(
        "agent",
        spec="1 §4",
        access=Access(open=True),
        response=AgentOut,
        problems=(NotFound, AgentIntegrityError),
    )
    def retrieve(self, request: Request, agent_id: str) -> HttpResponseBase:
        """Returns an agent's level, score, owner and mandate."""
        return self.run(None, public_agents.read_agent)

    @operation(
        "agent-revoke",
        spec="1 §3",
        access=OWN,
        response=RevokedOut,
        problems=(NotFound, AgentIntegrityError),
    )
    def destroy(self, request: Request, agent_id: str) -> HttpResponseBase:
        """Revokes an agent permanently: its credentials are invalid from this moment on.

        Revoking it again returns the same answer.
        """
        return self.run(None, revocation.conclude_revocation)
