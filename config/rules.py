"""Tables of rules that apps print beside those of screens (`manage.py print_rules`).

Dotted paths of functions `() -> iterable of (title, head, rows)`.
"""

TABLES: tuple[str, ...] = (
    "apps.compliance.payees.rules.docs.build_rule_tables",
    "apps.insight.esg.rules.docs.build_rule_tables",
    "apps.insight.esg.sfdr.rules.docs.build_rule_tables",
    "apps.compliance.aml.rules.docs.build_rule_tables",
    "apps.payments.chain.rules.docs.build_rule_tables",
    "apps.payments.payments.rules.docs.build_rule_tables",
    "apps.payments.payments.pain001.rules.build_rule_tables",
    "apps.payments.settlement.rules.docs.build_rule_tables",
    "apps.payments.travelrule.rules.docs.build_rule_tables",
    "apps.payments.banking.rules.docs.build_rule_tables",
    "apps.insight.reports.rules.docs.build_rule_tables",
    "apps.compliance.screening.rules.rescreening.build_rule_tables",
    "apps.insight.stability.rules.docs.build_rule_tables",
    "apps.insight.esg.oracle.rules.docs.build_rule_tables",
    "apps.compliance.screening.rules.threshold_effects.build_rule_tables",
    "apps.insight.stability.oracle.rules.docs.build_rule_tables",
    "apps.insight.forecast.rules.docs.build_rule_tables",
)
