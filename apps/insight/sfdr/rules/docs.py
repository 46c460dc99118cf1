"""The tables of SFDR indicators as docs/rules.md shows them. Pure."""

from collections.abc import Iterator

from apps.insight.sfdr.rules.holdings import INPUTS_BY_BLOCK
from apps.insight.sfdr.rules.indicators import INDICATORS, STATUS_RULES, VERSION

Table = tuple[str, tuple[str, ...], list[tuple[str, ...]]]


def build_rule_tables() -> Iterator[Table]:
    """Yield title, head and rows of each table; config/rules.py names this."""
    yield (
        f"SFDR indicators, version {VERSION}; thresholds are ours",
        ("no.", "indicator", "metric", "unit", "REVIEW", "ELEVATED_RISK"),
        [
            (str(one.id), one.name, one.metric, one.unit, _format_threshold(one.review, one.low),
             _format_threshold(one.elevated, one.low))
            for one in INDICATORS
        ],
    )  # fmt: skip
    yield (
        "SFDR: status of an indicator; the first that holds",
        ("code", "when", "status"),
        [(f"`{one.code}`", one.title, f"`{one.status}`") for one in STATUS_RULES],
    )
    yield (
        "SFDR: inputs of holdings, of evidence or of the caller",
        ("input", "of", "what", "unit", "from", "to", "indicators"),
        [
            (f"`{one.key}`", one.of, one.title, one.unit, f"{one.least:f}", f"{one.most:f}",
             ", ".join(map(str, one.pai)))
            for block in INPUTS_BY_BLOCK.values()
            for one in block.values()
        ],
    )  # fmt: skip


def _format_threshold(value: object, low: bool) -> str:
    return f"{'below' if low else 'above'} {value}"
