"""What is wrong with the settings of staff sign-in, told before the first page."""

from typing import Any

from django.core.checks import CheckMessage, Error, register
from django.core.exceptions import ImproperlyConfigured

from apps.staff import vault


def connect() -> None:
    """Let `manage.py check` and every start ask."""
    register(settings_fit, "staff")


def settings_fit(**_: Any) -> list[CheckMessage]:
    """Return what does not fit."""
    try:
        vault.keys()
    except ImproperlyConfigured as error:
        return [Error(str(error), id="staff.E001")]
    return []
