"""The calls of the settlement service as tools for agents (document 2 section 4)."""

from datetime import datetime
from typing import Any

from django.conf import settings

from apps.payments.payments.manifest import ToolOut, list_service_tools
from apps.payments.settlement.rules.payout_stablecoins import DESTINATIONS, NETWORK, SOURCES
from apps.platform.api.answers import Answer
from apps.platform.api.callers import Caller
from apps.platform.api.shapes import Flag, ListOf, Shape, Text
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


def conclude_manifest(*, asked: Any, gathered: Any, caller: Caller, now: datetime) -> Answer:
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
            "tools": list_service_tools(SERVICE),
            "sandbox": not settings.PRODUCTION,
        },
        # seconds; it changes with a release alone
        headers={"Cache-Control": "public, max-age=300"},
    )
