"""System checks of the platform."""

from typing import Any

from django.core.checks.messages import CheckMessage, Error, Warning


def check_append_only_triggers(*, databases: Any = None, **_: Any) -> list[CheckMessage]:
    """System check (`manage.py check --database default`): the triggers stand."""
    from apps.platform.db import append_only

    return [
        Error(f"append-only trigger missing: {name}", id="core.E001")
        for alias in databases or ()
        for name in append_only.find_missing_triggers(alias)
    ]


def check_openapi_documents(**_: Any) -> list[CheckMessage]:
    """System check (`manage.py check --deploy`): each service's OpenAPI is made without a warning.

    drf-spectacular's own check makes one document of all addresses, where two services may well
    have a shape or an operation of one name; each of ours has a document of its own.
    """
    from drf_spectacular.drainage import GENERATOR_STATS

    from apps.platform.api.schema import generate_openapi
    from config.services import SERVICES

    found: list[CheckMessage] = []
    for service in SERVICES:
        GENERATOR_STATS.reset()
        with GENERATOR_STATS.silence():
            generate_openapi(service, "")
        told = [*GENERATOR_STATS._warn_cache, *GENERATOR_STATS._error_cache]
        found += [Warning(f"{service}: {one}", id="core.W001") for one in told]
    GENERATOR_STATS.reset()
    return found
