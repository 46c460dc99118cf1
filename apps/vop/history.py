"""The checks that were made of a wallet, as anybody may read them (document 1 section 4)."""

from datetime import datetime
from typing import Any

from apps.core.callers import Caller
from apps.core.chain import proven
from apps.vop.models import VopCheck

LAST = 50  # document 1 section 8, History length


def history(*, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime) -> Any:
    """Return the last 50 checks of a wallet: results, never the names that others submitted.

    A record that is not proved to be ours is left out. A wallet that was never checked has none.
    """
    wallet = asked["wallet"]
    found = proven(list(VopCheck.objects.filter(wallet=wallet).order_by("-pk")[:LAST]))
    checks = [
        {
            "request_id": one.request_id,
            "result": one.result,
            "score": one.score,
            "resolved_by": one.resolved_by,
            "proceed_safe": one.result != "BLOCKED",
            "checked_at": one.recorded_at,
        }
        for one in found
    ]
    return {"wallet_address": wallet, "checks": checks}
