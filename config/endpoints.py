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
    "apps.payments.pain001.endpoints",
    "apps.payments.endpoints",
    "apps.travelrule.endpoints",
    "apps.settlement.endpoints",
    "apps.banking.endpoints",
    "apps.callbacks.endpoints",
    "apps.stability.fees.endpoints",
    "apps.esgoracle.endpoints",
    "apps.stability.oracle.endpoints",
    "apps.access.endpoints",
    "apps.core.service_endpoints",
)
