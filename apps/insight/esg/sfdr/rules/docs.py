"""The tables of SFDR indicators as docs/rules.md shows them. Pure."""

from collections.abc import Iterator

from apps.insight.esg.sfdr.rules.holdings import INPUTS_BY_BLOCK
from apps.insight.esg.sfdr.rules.indicators import INDICATORS, STATUS_RULES, VERSION
from apps.platform.common.rule_docs import Table, build_table


def build_rule_tables() -> Iterator[Table]:
    """Yield title, head and rows of each table."""
    yield build_table(
        f"SFDR indicators, version {VERSION}; thresholds are ours",
        ("no.", "indicator", "metric", "unit", "REVIEW", "ELEVATED_RISK"),
        INDICATORS,
        (
            "id",
            "name",
            "metric",
            "unit",
            lambda row: _format_threshold(row.review, row.low),
            lambda row: _format_threshold(row.elevated, row.low),
        ),
    )
    yield build_table(
        "SFDR: status of an indicator; the first that applies",
        ("code", "when", "status"),
        STATUS_RULES,
        ("`code`", "title", "`status`"),
    )
    yield build_table(
        "SFDR: inputs of holdings, from evidence or from the caller",
        ("input", "of", "what", "unit", "from", "to", "indicators"),
        [measure for block in INPUTS_BY_BLOCK.values() for measure in block.values()],
        (
            "`key`",
            "of",
            "title",
            "unit",
            lambda row: f"{row.least:f}",
            lambda row: f"{row.most:f}",
            lambda row: ", ".join(map(str, row.pai)),
        ),
    )


def _format_threshold(value: object, low: bool) -> str:
    return f"{'below' if low else 'above'} {value}"
