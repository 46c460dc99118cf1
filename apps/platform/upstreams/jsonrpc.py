"""JSON-RPC 2.0 over the one HTTP client, as nodes of chains speak it."""

from typing import Any

from apps.platform.upstreams.http import Upstream, UpstreamError


class JsonRpc(Upstream):
    """One endpoint; give `name` and `base_url`. Every method raises UpstreamError."""

    largest = 4 * 1024 * 1024
    patience = 20.0

    def call(self, method: str, *params: Any, deadline: float | None = None) -> Any:
        """Return the result of one call; a permanent UpstreamError where it was refused."""
        asked = {"jsonrpc": "2.0", "id": 1, "method": method, "params": list(params)}
        said = self.post_json(json=asked, deadline=deadline)
        if not isinstance(said, dict) or "result" not in said or said.get("id", 1) != 1:
            raise UpstreamError(f"{self.name}: {method} was refused", permanent=True)
        return said["result"]
