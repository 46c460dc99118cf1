"""Where the rows of endpoints stand; the order is that of the documents."""

MODULES = (
    "apps.screening.endpoints",
    "apps.paywall.endpoints",
    "apps.registry.endpoints",
    "apps.agents.endpoints",
    "apps.vop.endpoints",
    "apps.esg.endpoints",
    "apps.sfdr.endpoints",
    "apps.aml.endpoints",
    "apps.access.endpoints",
    "apps.core.service_endpoints",
)
