"""The checks that were made of a wallet, as anybody may read them (document 1 section 4)."""

from datetime import datetime
from typing import Any

from apps.compliance.payees.models import Registration
from apps.compliance.payees.models.payee_checks import VopCheck
from apps.platform.api.callers import Caller
from apps.platform.ledger.verification.verified_reads import filter_verified_records

HISTORY_LENGTH = 50  # document 1 section 8, History length


def list_past_checks(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> Any:
    """Return the last 50 checks of a wallet: results, never the names that others submitted.

    Each names the registered entity: a wallet may have had several. Records that fail the integrity
    check are left out. A wallet that was never checked has none.
    """
    wallet = asked["wallet"]
    present = Registration.objects.of(wallet)
    vop_checks = filter_verified_records(
        list(VopCheck.objects.filter(wallet=wallet).order_by("-pk")[:HISTORY_LENGTH])
    )
    checks = [
        {
            "request_id": check.request_id,
            "result": check.result,
            "score": check.score,
            "resolved_by": check.resolved_by,
            "proceed_safe": check.result != "BLOCKED",
            "checked_at": check.recorded_at,
            **_serialize_checked_entity(check, present),
        }
        for check in vop_checks
    ]
    return {"wallet_address": wallet, "checks": checks}


def _serialize_checked_entity(check: VopCheck, present: Registration | None) -> dict[str, Any]:
    """Return the registration that a check was made against, as of then; empty if none.

    It is the present one while neither wallet nor entity has changed hands since.
    """
    registered = check.data.get("evidence", {}).get("registered") or {}
    if not registered:
        return {"present_entity": False}
    at = datetime.fromisoformat(registered["registered_at"])
    # the moment tells two registrations of one entity apart, the names an entity change within one
    same = present is not None and (present.registered_at, present.legal_name, present.lei) == (
        at, registered["legal_name"], registered["lei"],
    )  # fmt: skip
    return {
        "registered_name": registered["legal_name"],
        "registered_lei": check.data["response"]["registeredLei"],
        "registered_at": at,
        "present_entity": same,
    }
