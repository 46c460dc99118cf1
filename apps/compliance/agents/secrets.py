"""Secrets of agents: 256 random bits, returned once, and stored only as a digest."""

from apps.compliance.agents.models import Agent
from apps.compliance.agents.models.agents import LOOKUP_LENGTH
from apps.platform.crypto.random_secrets import SECRET_LENGTH, generate_random_text, hash_secret

PREFIX = "svc_agt_"
AGENT_PREFIX, MANDATE_PREFIX = "agt_", "mnd_"
ID_LENGTH = 22  # 62^22 is just over 2^128


def generate_id(prefix: str) -> str:
    """Return a new unguessable id."""
    return prefix + generate_random_text(ID_LENGTH)


def generate_secret() -> tuple[str, str, str]:
    """Return a new secret, the part that finds it, and the digest that proves it."""
    lookup = generate_random_text(LOOKUP_LENGTH)
    secret = f"{PREFIX}{lookup}{generate_random_text(SECRET_LENGTH)}"
    return secret, lookup, hash_secret(secret)


def find_agent_by_secret(secret: str) -> Agent | None:
    """Return the agent that a secret proves, revoked or not; None for a secret of none."""
    lookup = secret[len(PREFIX) : len(PREFIX) + LOOKUP_LENGTH]
    # nothing else can be a secret, and PostgreSQL refuses a NUL in a query
    known = secret.startswith(PREFIX) and secret.isascii() and secret.isprintable()
    agent = Agent.objects.filter(lookup=lookup).first() if known else None
    # an unknown secret costs the same work as a known one
    proved = (agent or Agent(digest="0" * 64)).matches(hash_secret(secret))
    return agent if agent is not None and proved else None
