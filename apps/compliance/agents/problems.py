"""How agents are refused."""

from apps.platform.common.problems import DomainError


class AgentRevoked(DomainError):
    """The agent is revoked: it holds no mandate, and none of its credentials is valid."""

    status, code, title = 403, "agent_revoked", "The agent is revoked"


class UpgradeRequired(DomainError):
    """An ANONYMOUS agent holds no mandate: register again with the owner."""

    status, code, title = 403, "upgrade_required", "The agent must be upgraded first"


class OwnerNeeded(DomainError):
    """Lifting a limit of an agent takes its owner's proof or a signing key."""

    status, code, title = 403, "owner_needed", "Owner's approval required"


class CredentialInvalid(DomainError):
    """The agent credential was not issued here, or was altered."""

    status, code, title = 401, "credential_invalid", "Invalid agent credential"


class CredentialExpired(DomainError):
    """The agent credential is more than an hour old."""

    status, code, title = 401, "credential_expired", "The agent credential has expired"


class ProofRefused(DomainError):
    """The proof of control is not valid."""

    status, code, title = 422, "proof_refused", "Invalid proof"
