"""Warn at start about settings of a deployment that weaken screening."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register

from apps.reference.watchlists.live_list_sets import required_slugs

# what production requires when nothing is set (docs/design.md, Fail closed)
DEMANDED = ("us-ofac-sdn", "un-sc", "eu-fsf", "uk-sl")
LONGEST_LAG = 24 * 3600  # seconds; the lists change daily: a host further behind screens the past


def register_checks() -> None:
    """Let `manage.py check` and every start ask."""
    register(check_settings, "watchlists")


def check_settings(**_: Any) -> list[CheckMessage]:
    """Return what in production makes screens rest on less than they say; a sandbox may."""
    check_messages: list[CheckMessage] = []
    if not settings.PRODUCTION:
        return check_messages
    if missing_slugs := [slug for slug in DEMANDED if slug not in required_slugs()]:
        sentence = (
            f"REQUIRED_SOURCES does not require {', '.join(missing_slugs)}: screens run without."
        )
        hint = "Leave it empty for all four, or say in your policy why these do not bind you."
        check_messages.append(Warning(sentence, hint=hint, id="watchlists.W001"))
    if settings.INDEX_MAX_LAG_SECONDS > LONGEST_LAG:
        sentence = f"INDEX_MAX_LAG_SECONDS is {settings.INDEX_MAX_LAG_SECONDS}: more than a day."
        check_messages.append(Error(sentence, hint=f"At most {LONGEST_LAG}.", id="watchlists.E001"))
    return check_messages
