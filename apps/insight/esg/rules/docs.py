"""The tables of the score as docs/rules.md shows them. Pure."""

from collections.abc import Iterator

from apps.insight.esg.rules.indicators import COUNTRY_INDICATORS, INDICATORS, REFERENCE, Indicator
from apps.insight.esg.rules.lei_deductions import DEDUCTIONS
from apps.insight.stability.fees.rules.esg_fee_tiers import FORMULA, TIERS
from apps.platform.common.rule_docs import Table, build_table


def build_rule_tables() -> Iterator[Table]:
    """Yield title, head and rows of each table."""
    yield build_table(
        f"ESG score: indicators, references {REFERENCE}",
        ("indicator", "pillar", "weight", "what", "unit", "value: quality", "basis"),
        INDICATORS,
        ("`id`", "pillar", "weight", "title", "unit", _format_curve, "basis"),
    )
    yield build_table(
        "ESG score: starting point of a pillar, by country",
        ("indicator", "pillar", "what", "unit", "value: quality", "basis"),
        COUNTRY_INDICATORS,
        ("`id`", "pillar", "title", "unit", _format_curve, "basis"),
    )
    yield build_table(
        f"ESG score: tiers; the fee is {FORMULA} per cent",
        ("code", "reference", "composite from", "feeTier", "fee"),
        TIERS,
        ("`code`", "`ref`", "least", "`tier`", "fee"),
    )
    yield build_table(
        "ESG score: governance deductions by LEI status",
        ("code", "reference", "when", "points"),
        DEDUCTIONS,
        ("`code`", "`ref`", "title", "points"),
    )


def _format_curve(indicator: Indicator) -> str:
    return ", ".join(f"{value}: {quality}" for value, quality in indicator.curve)
