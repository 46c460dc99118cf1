"""Settlement rails by name: the class of each (dotted path); SETTLEMENT_RAIL names the one used."""

RAILS: dict[str, str] = {
    "evm": "apps.payments.rails.evm.Evm",
    "sandbox": "apps.payments.rails.sandbox.Sandbox",
}
