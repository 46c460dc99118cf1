"""Answers `POST /register` and `DELETE /register/:wallet`."""

from datetime import datetime
from typing import Any

from apps.core.callers import Caller
from apps.core.pipeline import Answer, Refusal
from apps.registry.deciding import deactivate
from apps.registry.reads import entry
from apps.registry.register.asked import Asked, Who
from apps.registry.register.gather import Gathered
from apps.registry.register.write import submit


def conclude(
    *, asked: Asked, gathered: Gathered, caller: Caller, now: datetime
) -> Answer | Refusal:
    """Write a submission: 201 for a new registration, 200 for one that stood, or its refusal."""
    found = submit(asked=asked, gathered=gathered, who=Who(caller.ref), now=now)
    if found.refused is not None:
        return Refusal(found.refused)
    if found.registration is None:
        raise AssertionError("what is not refused stands")
    status = 201 if found.step == "REGISTER" else 200
    return Answer(entry(found.registration, now=now), status=status)


def ended(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Deactivate a wallet; NotFound when no registration stands for it."""
    row = deactivate(wallet=asked["wallet"], who=Who(caller.ref), now=now)
    return {"wallet_address": row.wallet, "active": row.active, "deactivated_at": now}
