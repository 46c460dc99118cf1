"""What the health address looks at beside database and jobs, by service."""

# service -> check -> dotted path of `check(now) -> {"status": ok|degraded|down, …}`
CHECKS: dict[str, dict[str, str]] = {
    "compliance": {
        "lists": "apps.watchlists.engine.health",
        "rescreening": "apps.ongoing.health.check",
        "ledgers": "apps.core.ledger_health.check",
        "payments": "apps.paywall.health.check",
    },
}
