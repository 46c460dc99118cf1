"""Secrets of agents: 256 random bits, told once, kept as a digest alone."""

import hashlib
import secrets
import string

from apps.compliance.agents.models import Agent
from apps.compliance.agents.models.agents import LOOKUP_LENGTH

PREFIX = "svc_agt_"
AGENT_PREFIX, MANDATE_PREFIX = "agt_", "mnd_"
ALPHABET = string.ascii_letters + string.digits
SECRET_LENGTH = 43  # 62^43 is just over 2^256
ID_LENGTH = 22  # 62^22 is just over 2^128


def random_text(length: int) -> str:
    """Return so many random letters and digits."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def generate_id(prefix: str) -> str:
    """Return a new id that nobody guesses."""
    return prefix + random_text(ID_LENGTH)


def digest_secret(secret: str) -> str:
    """Return a secret's SHA-256; secrets are random, so no slow hash is needed."""
    return hashlib.sha256(secret.encode()).hexdigest()


def generate_secret() -> tuple[str, str, str]:
    """Return a new secret, the part that finds it, and the digest that proves it."""
    lookup = random_text(LOOKUP_LENGTH)
    secret = f"{PREFIX}{lookup}{random_text(SECRET_LENGTH)}"
    return secret, lookup, digest_secret(secret)


def find_agent_by_secret(secret: str) -> Agent | None:
    """Return the agent that a secret proves, revoked or not; None for a secret of none."""
    lookup = secret[len(PREFIX) : len(PREFIX) + LOOKUP_LENGTH]
    known = secret.startswith(PREFIX) and secret.isascii() and secret.isprintable()
    agent = Agent.objects.filter(lookup=lookup).first() if known else None
    # an unknown secret costs the same work as a known one
    proved = (agent or Agent(digest="0" * 64)).matches(digest_secret(secret))
    return agent if agent is not None and proved else None
