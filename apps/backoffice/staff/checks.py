"""Check the settings of staff sign-in at the start."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.core.exceptions import ImproperlyConfigured

from apps.backoffice.staff import secret_encryption
from config.desk_roles import ROLES


def register_checks() -> None:
    """Register the checks, for `manage.py check` and every start."""
    register(check_staff_settings, "staff")


def check_staff_settings(**_: Any) -> list[CheckMessage]:
    """Return the faults of the settings."""
    check_messages: list[CheckMessage] = []
    try:
        secret_encryption.load_keys()
    except ImproperlyConfigured as error:
        check_messages.append(Error(str(error), id="staff.E001"))
    oidc_settings = (settings.OIDC_ISSUER, settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET)
    if any(oidc_settings) and not all(oidc_settings):
        sentence = (
            "Set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET together, or none of them."
        )
        check_messages.append(Error(sentence, id="staff.E002"))
    if unknown := sorted(set(settings.OIDC_ROLES.values()) - set(ROLES)):
        sentence = f"OIDC_ROLES names unknown roles: {', '.join(unknown)}."
        check_messages.append(
            Error(sentence, hint=f"The roles are {', '.join(ROLES)}.", id="staff.E003")
        )
    return check_messages
