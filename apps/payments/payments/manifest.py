"""The description of the integration service for programs (document 2 section 4)."""

from datetime import datetime
from typing import Any

from django.conf import settings

from apps.payments.payments.batches import BATCH_LIMIT
from apps.payments.payments.rails import configured_rail
from apps.payments.payments.rules.assets import DECIMALS, PAIRS
from apps.payments.payments.rules.transitions import FINAL, STATES
from apps.platform.api.answers import Answer
from apps.platform.api.callers import Caller
from apps.platform.api.routers import operations_of_service
from apps.platform.api.shapes import Flag, ListOf, Shape, Text, Whole
from config.agent_tools import NAMES
from config.services import SERVICES

SERVICE = "integration"
MANIFEST_HEADERS = {
    "Cache-Control": "How long the answer may be cached: it changes only with a release."
}


class PairOut(Shape):
    """A currency, and an asset in which it settles."""

    currency = Text()
    asset = Text()
    crosses_currencies = Flag(help_text="The exchange fee applies.")
    decimals = Whole(help_text="For amounts in the currency.")


class ToolOut(Shape):
    """One call of the service, as a tool for agents."""

    name = Text()
    method = Text()
    path = Text()
    description = Text()


class ManifestOut(Shape):
    """What this service takes, how payments end, and its calls as tools."""

    name = Text()
    version = Text()
    description = Text()
    rail = Text(help_text="Where payments settle; none if no payments are accepted.")
    network = Text()
    chains = ListOf(child=Text(), help_text="Those that a message may name (CAIP-2).")
    pairs = PairOut(many=True)
    statuses = ListOf(child=Text())
    final_statuses = ListOf(child=Text())
    batch_size = Whole()
    tools = ToolOut(many=True)
    sandbox = Flag(help_text="Whether this installation settles nothing real.")


def build_manifest(*, asked: Any, gathered: Any, caller: Caller, now: datetime) -> Answer:
    """Return the manifest; see ManifestOut."""
    service, chosen = SERVICES[SERVICE], configured_rail()
    return Answer(
        {
            "name": service.title,
            "version": service.version,
            "description": service.about,
            "rail": chosen.name if chosen else "none",
            "network": chosen.network if chosen else settings.X402_NETWORK,
            "chains": sorted(chosen.chains) if chosen else [],
            "pairs": [
                {
                    "currency": pair.currency,
                    "asset": pair.asset,
                    "crosses_currencies": pair.fx,
                    "decimals": DECIMALS[pair.currency],
                }
                for pair in PAIRS
            ],
            "statuses": list(STATES),
            "final_statuses": sorted(FINAL),
            "batch_size": BATCH_LIMIT,
            "tools": list_service_tools(SERVICE),
            "sandbox": not settings.PRODUCTION,
        },
        # seconds: it changes only with a release
        headers={"Cache-Control": "public, max-age=300"},
    )


def list_service_tools(service: str) -> list[dict[str, str]]:
    """Return the calls of a service as tools; those in config/agent_tools.py under those names."""
    return [
        {
            "name": NAMES.get((service, row.name), row.operation_id),
            "method": row.method,
            "path": row.address,
            "description": row.summary,
        }
        for row in operations_of_service(service)
        if not row.access.signature  # a counterparty's call, authenticated by itself
    ]
