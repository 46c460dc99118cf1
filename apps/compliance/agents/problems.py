"""How agents are refused."""

from apps.platform.core.problems import DomainError


class AgentRevoked(DomainError):
    """The agent is revoked: it holds no mandate and no credential of it counts."""

    status, code, title = 403, "agent_revoked", "The agent is revoked"


class UpgradeRequired(DomainError):
    """An ANONYMOUS agent holds no mandate: register again with the owner."""

    status, code, title = 403, "upgrade_required", "The agent must be upgraded first"


class OwnerNeeded(DomainError):
    """An agent lowers its own limits; to lift one takes its owner's proof or a signing key."""

    status, code, title = 403, "owner_needed", "The owner has to allow it"


class CredentialInvalid(DomainError):
    """The agent credential was not issued here, or was altered."""

    status, code, title = 401, "credential_invalid", "The agent credential is not valid"


class CredentialExpired(DomainError):
    """The agent credential is past its hour."""

    status, code, title = 401, "credential_expired", "The agent credential has expired"


class ProofRefused(DomainError):
    """The proof of control does not hold."""

    status, code, title = 422, "proof_refused", "The proof does not hold"
