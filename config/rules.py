"""Tables of rules that apps print beside those of screens (`manage.py print_rules`).

Dotted paths of functions `() -> iterable of (title, head, rows)`.
"""

TABLES: tuple[str, ...] = (
    "apps.registry.rules.printed.tables",
    "apps.esg.rules.printed.tables",
    "apps.sfdr.rules.printed.tables",
    "apps.aml.rules.printed.tables",
    "apps.chain.rules.printed.tables",
    "apps.payments.rules.printed.tables",
    "apps.payments.pain001.rules.tables",
    "apps.settlement.rules.printed.tables",
    "apps.travelrule.rules.printed.tables",
    "apps.banking.rules.printed.tables",
    "apps.reports.rules.printed.tables",
    "apps.ongoing.rules.tables",
    "apps.stability.rules.printed.tables",
    "apps.esgoracle.rules.printed.tables",
    "apps.screening.rules.foreseen.tables",
    "apps.stability.oracle.rules.printed.tables",
    "apps.forecast.rules.printed.tables",
)
