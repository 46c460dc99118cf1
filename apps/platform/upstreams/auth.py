"""Our credentials at an upstream; secrets never appear in a text that could be logged."""

import base64
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class BearerAuth:
    """`Authorization: Bearer TOKEN`."""

    token: str = field(repr=False)

    def headers(self) -> dict[str, str]:
        """Return the header to send."""
        return {"Authorization": f"Bearer {self.token}"}


@dataclass(frozen=True, slots=True)
class BasicAuth:
    """`Authorization: Basic …` (RFC 7617, UTF-8)."""

    user: str
    password: str = field(repr=False)

    def headers(self) -> dict[str, str]:
        """Return the header to send."""
        packed = base64.b64encode(f"{self.user}:{self.password}".encode()).decode()
        return {"Authorization": f"Basic {packed}"}


@dataclass(frozen=True, slots=True)
class HeaderAuth:
    """A header that the upstream defines, such as `X-API-Key`."""

    name: str
    value: str = field(repr=False)

    def headers(self) -> dict[str, str]:
        """Return the header to send."""
        return {self.name: self.value}


Auth = BearerAuth | BasicAuth | HeaderAuth
