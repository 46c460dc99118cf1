"""Settlement rails by name: the class of each (dotted path); SETTLEMENT_RAIL names the one used."""

RAILS: dict[str, str] = {
    "evm": "apps.payments.payments.rails.evm.EvmRail",
    "sandbox": "apps.payments.payments.rails.sandbox.SandboxRail",
}
