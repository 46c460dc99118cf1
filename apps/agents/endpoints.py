"""The endpoints of the agent registry (document 1 sections 2.10, 3 and 4)."""

from apps.access.models import Kind
from apps.agents import mandates, registering, revoking, showing, verifying
from apps.agents.problems import AgentRevoked, ProofRefused, UpgradeRequired
from apps.agents.proof import AgentUnproved
from apps.agents.screening import AgentRefused
from apps.agents.serializers import (
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
from apps.agents.wallets import RegistrationUnproved
from apps.core.endpoints import Access, Endpoint, Id
from apps.core.problems import NotFound
from apps.core.shapes import Text
from apps.watchlists.engine import ListsStale, ListsUnavailable

SERVICE = "compliance"
OWN = Access(keys=(Kind.SIGNING,), agent=True)
AGENT = Id(
    Text(max_length=64),
    "The `agentId` of the answer.",
    made_by=("agent-register", "agentId"),
    owned=False,
)

ENDPOINTS = (
    Endpoint(
        name="agent-register",
        method="POST",
        path="agent/register",
        service=SERVICE,
        spec="1 §2.10",
        about="Registers an agent; its level follows from what is stated of the owner.\n\n"
        "A name alone is ANONYMOUS, with ownerEntity and ownerEmail it is REGISTERED, with an "
        "ownerLei that is ISSUED, and that ownerEntity names where it is stated, VERIFIED; "
        "`tierNote` says why, and why not. Registered again it is a new agent. `agentSecret` is "
        "told once, and again under an `Idempotency-Key` that nobody guesses: a random UUID.",
        access=Access(open=True),
        asks=AgentIn,
        answers=RegisteredOut,
        example={
            "name": "Treasury agent",
            "framework": "custom",
            "protocols": ["x402"],
            "ownerEntity": "Blue Heron Stationery Limited",
            "ownerEmail": "treasury@blueheron.example",
            "mandate": {"maxNotionalUsd": 1000, "dailyCapUsd": 5000, "ap2Compatible": True},
        },
        gather=registering.gather,
        conclude=registering.conclude,
        statuses=(201,),
        problems=(UpgradeRequired, AgentRefused, ListsUnavailable, ListsStale),
        secret=True,
    ),
    Endpoint(
        name="agent-mandate",
        method="POST",
        path="agent/mandate",
        service=SERVICE,
        spec="1 §4",
        about="Makes the mandate of an agent, or a new version of it.\n\n"
        "What is left out stays as it stands; null as a cap, an empty list or an esgFloor of 0 "
        "lifts a limit; what changes nothing makes no version. "
        "Caps of a REGISTERED agent are clamped to 25,000 USD, and `clamped` says so; an "
        "ANONYMOUS one holds none. An administrator names the agent, an agent need not.",
        access=OWN,
        asks=MandateIn,
        answers=MandateMade,
        example={"maxNotionalUsd": 1000, "dailyCapUsd": 5000, "esgFloor": 40},
        conclude=mandates.concluded,
        statuses=(201, 200),
        problems=(NotFound, UpgradeRequired, AgentRevoked, AgentUnproved),
    ),
    Endpoint(
        name="agent-verify",
        method="POST",
        path="agent/<str:agent_id>/verify",
        service=SERVICE,
        spec="1 §2.10",
        about="Issues the agent's credential for one hour, after its LEI was looked at again.\n\n"
        "A level that fell since is told in `tierNote`. The credential goes into the header "
        "`X-Agent-Credential`; `credentialJwt` says the same to anybody (keys: "
        "`.well-known/jwks.json` of this service; revoked agents: `agent/revocations`). Of a "
        "revoked agent `verified` is false, and nothing is issued.",
        access=OWN,
        ids={"agent_id": AGENT},
        asks=VerifyIn,
        answers=VerifiedOut,
        gather=verifying.gather,
        conclude=verifying.conclude,
        problems=(
            NotFound,
            ProofRefused,
            AgentRefused,
            RegistrationUnproved,
            AgentUnproved,
            ListsUnavailable,
            ListsStale,
        ),
        # a stored answer would still say `verified` of an agent that was revoked since
        idempotent=False,
    ),
    Endpoint(
        name="agent-revocations",
        method="GET",
        path="agent/revocations",
        service=SERVICE,
        spec="D §4",
        about="Lists the agents that were revoked, the last one first.\n\n"
        "A credential lasts an hour: who checks one needs those of the last hour alone "
        "(`revokedFrom`).",
        access=Access(open=True),
        asks=RevocationsQuery,
        answers=RevocationsOut,
        conclude=showing.revocations,
    ),
    Endpoint(
        name="agent",
        method="GET",
        path="agent/<str:agent_id>",
        service=SERVICE,
        spec="1 §4",
        about="Tells what is known of an agent: its level, score, owner and mandate.",
        access=Access(open=True),
        ids={"agent_id": AGENT},
        answers=AgentOut,
        conclude=showing.read,
        problems=(NotFound, AgentUnproved),
    ),
    Endpoint(
        name="agent-revoke",
        method="DELETE",
        path="agent/<str:agent_id>",
        service=SERVICE,
        spec="1 §3",
        about="Revokes an agent for good: its credentials count no more from this moment on.\n\n"
        "Revoked again it answers the same.",
        access=OWN,
        ids={"agent_id": AGENT},
        answers=RevokedOut,
        conclude=revoking.conclude,
        problems=(NotFound, AgentUnproved),
    ),
)
