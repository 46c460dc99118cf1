"""System checks of the platform."""

from typing import Any

from django.core.checks.messages import CheckMessage, Error, Warning


def check_append_only_triggers(*, databases: Any = None, **_: Any) -> list[CheckMessage]:
    """System check (`manage.py check --database default`): the triggers exist."""
    from apps.platform.db import append_only

    return [
        Error(f"append-only trigger missing: {name}", id="core.E001")
        for alias in databases or ()
        for name in append_only.find_missing_triggers(alias)
    ]


def check_openapi_documents(**_: Any) -> list[CheckMessage]:
    """System check (`manage.py check --deploy`): each service's OpenAPI builds without a warning.

    drf-spectacular's own check builds one document of all addresses, in which two services may use
    one name for different shapes or operations; each of our services has its own document.
    """
    from drf_spectacular.drainage import GENERATOR_STATS

    from apps.platform.api.schema import generate_openapi
    from config.services import SERVICES

    check_messages: list[CheckMessage] = []
    for service in SERVICES:
        # the generator collects its warnings in a global
        GENERATOR_STATS.reset()
        with GENERATOR_STATS.silence():
            generate_openapi(service, "")
        warnings = [*GENERATOR_STATS._warn_cache, *GENERATOR_STATS._error_cache]
        check_messages += [Warning(f"{service}: {warning}", id="core.W001") for warning in warnings]
    GENERATOR_STATS.reset()
    return check_messages
