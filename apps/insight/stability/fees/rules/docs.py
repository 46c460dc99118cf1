"""The fee tables as docs/rules.md shows them. Pure."""

from collections.abc import Iterator
from decimal import Decimal

from apps.insight.stability.fees.rules.fees import (
    COMPONENTS,
    VERSION,
    VOLUME_TIERS,
    bps_to_rate,
    core_rate_of_tier,
    rate_to_bps,
)
from apps.platform.common.rule_docs import Table, build_table
from config.prices import CORE_BPS, FX_BPS, LICENSE_BPS

_SHOWN = {"core": CORE_BPS, "fx": FX_BPS, "license": LICENSE_BPS}


def build_rule_tables() -> Iterator[Table]:
    """Yield title, head and rows of each table."""
    yield build_table(
        f"Settlement fees, version {VERSION}, each rounded down to 0.000001 USD",
        ("code", "reference", "component", "what", "basis points"),
        COMPONENTS,
        ("`code`", "`ref`", "name", "title", lambda row: _format_rate(row.name)),
    )
    yield build_table(
        "Settlement fees: tiers by monthly volume in USD; the first that applies",
        (
            "code",
            "reference",
            "tier",
            "volume from",
            "discount on the core fee",
            "core, basis points",
        ),
        VOLUME_TIERS,
        (
            "`code`",
            "`ref`",
            "name",
            lambda tier: f"{tier.least:,}",
            lambda tier: f"{tier.discount} %",
            lambda tier: format_number(rate_to_bps(core_rate_of_tier(tier))),
        ),
    )


def _format_rate(name: str) -> str:
    shown = _SHOWN.get(name)
    return "by score" if shown is None else format_number(rate_to_bps(bps_to_rate(shown)))


def format_number(value: Decimal) -> str:
    """Return a number without an exponent or trailing zeros."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
