"""Earlier states of a wallet, and other holders of its names, to compare a submission with."""

from apps.compliance.payees.models import Registration
from apps.compliance.payees.models.registrations import name_key
from apps.compliance.payees.registration_requests import RegistrationRequest
from apps.compliance.payees.rules.submission_steps import is_another_entity


def find_earlier_entity(
    registration: Registration | None, registration_request: RegistrationRequest, own: int | None
) -> str:
    """Return the other entity under which a wallet was registered before."""
    before = (
        find_last_counted(registration_request.wallet.address)
        # only for a wallet without an active registration: an approved change replaces its entity
        # openly
        if registration is None and own is None
        else None
    )
    if before is None or not is_another_entity(before.standing, registration_request.submitted):
        return ""
    return f"{before.legal_name} (LEI {before.lei})" if before.lei else before.legal_name


def find_country_before(
    registration: Registration | None, registration_request: RegistrationRequest
) -> str:
    """Return the country under which the same entity was registered before, "" if none."""
    if registration is None or is_another_entity(
        registration.standing, registration_request.submitted
    ):
        return ""
    return registration.country


def find_last_counted(wallet: str) -> Registration | None:
    """Return the last ended registration of a wallet whose entity counted, or else the last one."""
    # one that ended while its review was pending never counted: deactivating and registering again
    # must not skip that review
    ended = Registration.objects.before(wallet)
    return next(
        (registration for registration in ended if registration.counted),
        ended[0] if ended else None,
    )


def find_added_aliases(
    registration: Registration | None, registration_request: RegistrationRequest
) -> list[str]:
    """Return the aliases that a wallet gains beside its present or former names.

    A name that waited for its review counts as gained again.
    """
    if registration is None:
        return []
    known = {
        name_key(counted_name)
        for counted_name in (registration.legal_name, *registration.counted_names)
    }
    # of an active registration waiting names are known: their case is open already
    known |= {name_key(alias) for alias in registration.aliases} if registration.active else set()
    return [
        alias
        for alias in registration_request.submitted.aliases or ()
        if name_key(alias) not in known
    ]
