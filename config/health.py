"""What the health address looks at beside database and jobs, by service."""

# service -> check -> dotted path of `check(now) -> {"status": ok|degraded|down, …}`
CHECKS: dict[str, dict[str, str]] = {
    "compliance": {
        "lists": "apps.reference.watchlists.engine.check_lists_health",
        "rescreening": "apps.compliance.screening.health.check_rescreening",
        "ledgers": "apps.platform.health.check_ledgers",
        "payments": "apps.access.paywall.health.check_payments",
    },
    "integration": {
        "oracle": "apps.insight.stability.oracle.health.check_oracle",
        "settlement": "apps.payments.payments.health.check_payment_health",
        "transfers": "apps.payments.chain.health.check_chain_health",
        "lists": "apps.reference.watchlists.engine.check_lists_health",
        "callbacks": "apps.payments.callbacks.health.check_callback_health",
    },
    "stability": {
        "fees": "apps.insight.stability.health.check_fees",
        "oracle": "apps.insight.stability.oracle.health.check_oracle",
    },
    "esg": {"scores": "apps.insight.esg.oracle.health.check_live_score"},
    "forecast": {
        "forecasts": "apps.insight.forecast.health.check_forecasts",
        "tools": "apps.entry.discovery.tools.health.check_mcp_server",
    },
    "settlement": {
        "lists": "apps.reference.watchlists.engine.check_lists_health",
        "oracle": "apps.insight.stability.oracle.health.check_oracle",
        "scores": "apps.insight.esg.oracle.health.check_live_score",
        "bank": "apps.payments.banking.health.check_health",
        "tools": "apps.entry.discovery.tools.health.check_mcp_server",
    },
}

# service -> the field that says how its own checks stand, where the specification words health
# itself (document 3 section 2.3): `status` then says healthy for ok
WORDED: dict[str, str] = {"stability": "oracle", "esg": "esgOracle"}
