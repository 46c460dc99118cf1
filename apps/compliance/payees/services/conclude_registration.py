"""Answers `POST /register` and `DELETE /register/:wallet`."""

from datetime import datetime
from typing import Any

from apps.compliance.payees.registration_requests import RegistrationActor, RegistrationRequest
from apps.compliance.payees.selectors.public_lookups import serialize_registration
from apps.compliance.payees.selectors.registration_checks import RegistrationInputs
from apps.compliance.payees.services.deactivation import deactivate_registration
from apps.compliance.payees.services.registrations import submit_registration
from apps.platform.api.answers import Answer, Refusal
from apps.platform.api.callers import Caller


def conclude_registration(
    *, asked: RegistrationRequest, gathered: RegistrationInputs, caller: Caller, now: datetime
) -> Answer | Refusal:
    """Write a submission: 201 for a new registration, 200 for an existing one, or its refusal."""
    submission_result = submit_registration(
        asked=asked, gathered=gathered, who=RegistrationActor(caller.ref), now=now
    )
    if submission_result.refused is not None:
        return Refusal(submission_result.refused)
    if submission_result.registration is None:
        raise AssertionError("a submission that is not refused has a registration")
    status = 201 if submission_result.step == "REGISTER" else 200
    return Answer(serialize_registration(submission_result.registration, now=now), status=status)


def conclude_deactivation(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Deactivate a wallet; NotFound if it has no registration."""
    row = deactivate_registration(
        wallet=asked["wallet"], who=RegistrationActor(caller.ref), now=now
    )
    return {"wallet_address": row.wallet, "active": row.active, "deactivated_at": now}
