"""What the health address looks at beside database and jobs, by service."""

# service -> check -> dotted path of `check(now) -> {"status": ok|degraded|down, …}`
CHECKS: dict[str, dict[str, str]] = {
    "compliance": {
        "lists": "apps.watchlists.engine.health",
        "rescreening": "apps.ongoing.health.check",
        "ledgers": "apps.core.ledger_health.check",
        "payments": "apps.paywall.health.check",
    },
    "integration": {
        "oracle": "apps.stability.oracle.health.check",
        "settlement": "apps.payments.health.check",
        "transfers": "apps.chain.health.check",
        "lists": "apps.watchlists.engine.health",
        "callbacks": "apps.callbacks.health.check",
    },
    "stability": {
        "fees": "apps.stability.health.check_fees",
        "oracle": "apps.stability.oracle.health.check",
    },
    "esg": {"scores": "apps.esgoracle.health.check"},
    "forecast": {
        "forecasts": "apps.forecast.health.check",
        "tools": "apps.discovery.tools.health.check",
    },
    "settlement": {
        "lists": "apps.watchlists.engine.health",
        "oracle": "apps.stability.oracle.health.check",
        "scores": "apps.esgoracle.health.check",
        "bank": "apps.banking.health.check",
        "tools": "apps.discovery.tools.health.check",
    },
}

# service -> the field that says how its own checks stand, where the specification words health
# itself (document 3 section 2.3): `status` then says healthy for ok
WORDED: dict[str, str] = {"stability": "oracle", "esg": "esgOracle"}
