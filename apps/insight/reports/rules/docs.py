"""The tables of reports for the printed page of rules."""

from collections.abc import Iterator

from apps.insight.reports.rules import climate, compliance, esg, findings, macro, treasury
from apps.insight.reports.rules.findings import Rule
from apps.platform.common.rule_docs import Table, build_table

RULES: dict[str, tuple[Rule, ...]] = {
    "climate": climate.RULES,
    "macro": macro.RULES,
    "ESG": esg.RULES,
    "compliance": compliance.RULES,
    "treasury": treasury.RULES,
}


def build_rule_tables() -> Iterator[Table]:
    """Yield the levels, what the words of parts count as, and the findings of each report."""
    yield (
        "Reports: risk levels, lowest first",
        ("level", "means"),
        [(f"`{level}`", means) for level, means in findings.LEVELS.items()],
    )
    yield (
        "Reports: data quality, by the quality of their parts",
        ("a part is", "the report is at best"),
        [(f"`{word}`", f"`{of}`") for word, of in findings.QUALITY_OF_WORD.items()],
    )
    for name, rules in RULES.items():
        yield build_table(
            f"Reports: findings of the {name} report",
            ("code", "level", "weight", "when", "recommended action", "reference"),
            rules,
            ("`code`", "`level`", "weight", "condition", lambda rule: rule.advice or "–", "`ref`"),
        )
