"""JSON-RPC 2.0 over our HTTP client, as blockchain nodes speak it."""

from typing import Any

from apps.platform.upstreams.http import Upstream, UpstreamError


class JsonRpc(Upstream):
    """One endpoint; set `name` and `base_url`. Every method raises UpstreamError."""

    largest = 4 * 1024 * 1024
    patience = 20.0

    def call(self, method: str, *params: Any, deadline: float | None = None) -> Any:
        """Return the result of one call; a permanent UpstreamError if it was refused."""
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": list(params)}
        reply = self.post_json(json=request, deadline=deadline)
        # JSON-RPC 2.0 section 5: an answer has a result or an error, and the id of its request;
        # some nodes leave the id out
        if not isinstance(reply, dict) or "result" not in reply or reply.get("id", 1) != 1:
            raise UpstreamError(f"{self.name}: {method} was refused", permanent=True)
        return reply["result"]
