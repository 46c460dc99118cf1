"""Settlement rails by name: the class of each (dotted path); SETTLEMENT_RAIL names the one used."""

RAILS: dict[str, str] = {
    "sandbox": "apps.payments.rails.sandbox.Sandbox",
}
