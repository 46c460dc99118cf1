"""What is wrong with the settings of staff sign-in, told before the first page."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.core.exceptions import ImproperlyConfigured

from apps.backoffice.staff import secret_encryption
from config.roles import ROLES


def register_checks() -> None:
    """Let `manage.py check` and every start ask."""
    register(check_staff_settings, "staff")


def check_staff_settings(**_: Any) -> list[CheckMessage]:
    """Return what does not fit."""
    found: list[CheckMessage] = []
    try:
        secret_encryption.load_keys()
    except ImproperlyConfigured as error:
        found.append(Error(str(error), id="staff.E001"))
    given = (settings.OIDC_ISSUER, settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET)
    if any(given) and not all(given):
        told = "Set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET together, or none of them."
        found.append(Error(told, id="staff.E002"))
    if unknown := sorted(set(settings.OIDC_ROLES.values()) - set(ROLES)):
        told = f"OIDC_ROLES names no role of ours: {', '.join(unknown)}."
        found.append(Error(told, hint=f"Ours are {', '.join(ROLES)}.", id="staff.E003"))
    return found
