"""The calls of the settlement service as tools for agents (document 2 section 4)."""

from datetime import datetime
from typing import Any

from django.conf import settings

from apps.core.callers import Caller
from apps.core.pipeline import Answer
from apps.core.shapes import Flag, ListOf, Shape, Text
from apps.payments.manifest import ToolOut, tools_of
from apps.settlement.rules.routes import DESTINATIONS, NETWORK, SOURCES
from config.services import SERVICES

SERVICE = "settlement"


class SettlementManifestOut(Shape):
    """What this service settles, and its calls as tools; `openapi.json` has their shapes."""

    name = Text()
    version = Text()
    description = Text()
    network = Text()
    source_currencies = ListOf(child=Text())
    destination_currencies = ListOf(child=Text())
    tools = ToolOut(many=True)
    sandbox = Flag(help_text="Whether this installation settles nothing real.")


def conclude(*, asked: Any, gathered: Any, caller: Caller, now: datetime) -> Answer:
    """Return the manifest; see SettlementManifestOut."""
    service = SERVICES[SERVICE]
    return Answer(
        {
            "name": service.title,
            "version": service.version,
            "description": service.about,
            "network": NETWORK,
            "source_currencies": list(SOURCES),
            "destination_currencies": list(DESTINATIONS),
            "tools": tools_of(SERVICE),
            "sandbox": not settings.PRODUCTION,
        },
        headers={"Cache-Control": "public, max-age=300"},
    )
