"""The stability oracle: fees, quotes, what a run says of the rail."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "stability-tier-above-its-bound",
        "apps/insight/stability/fees/rules/fees.py",
        "if monthly_volume >= volume_tier.least * MICRO",
        "if monthly_volume > volume_tier.least * MICRO",
        "Who moves exactly the volume of a tier pays that of the one below.",
        (
            "tests/stability/test_fee_rules.py::"
            "test_a_tier_begins_at_its_bound_and_takes_its_share_off_core",
        ),
    ),
    (
        "stability-fx-for-all",
        "apps/insight/stability/fees/rules/fees.py",
        "return bps_to_rate(FX_BPS) if payment.fx else 0",
        "return bps_to_rate(FX_BPS)",
        "Who crosses no currency pays for it.",
        ("tests/stability/test_fee_rules.py::test_an_exchange_costs_only_who_crosses_currencies",),
    ),
    (
        "stability-quote-binds-too-long",
        "apps/insight/stability/fees/services/quotes.py",
        "QUOTE_LIFETIME = timedelta(seconds=300)",
        "QUOTE_LIFETIME = timedelta(seconds=301)",
        "A quote that is over is taken.",
        ("tests/stability/test_quote_consumption.py::test_a_quote_binds_for_300_seconds",),
    ),
    (
        "stability-late-is-stable",
        "apps/insight/stability/oracle/rules/decision.py",
        "Bounds(above=LATE_AFTER / timedelta(minutes=1)),",
        "Bounds(above=9999),",
        "A run that is late is told as stable.",
        (
            "tests/stability/oracle/test_reliability_endpoint.py::test_a_run_that_is_late_is_never_stable",
        ),
    ),
    (
        "stability-breakers-of-everything",
        "apps/insight/stability/oracle/adaptive_status.py",
        '"breaker_name": publisher,',
        '"breaker_name": " ".join(one.name for one in held) or publisher,',
        "Hosts that an operator asks are told to everybody.",
        (
            "tests/stability/oracle/test_reliability_endpoint.py::"
            "test_nobody_is_told_which_hosts_an_operator_asks",
        ),
    ),
)
