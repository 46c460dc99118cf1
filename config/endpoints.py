"""Where the rows of endpoints stand; the order is that of the documents."""

MODULES = (
    "apps.screening.endpoints",
    "apps.access.endpoints",
    "apps.core.service_endpoints",
)
