"""The tables of the ESG oracle as docs/rules.md shows them. Pure."""

from collections.abc import Iterator

from apps.insight.esg.oracle.rules.articles import CONDITIONS
from apps.insight.esg.oracle.rules.live_score import PILLARS, VERSION
from apps.platform.common.rule_docs import Table, build_table


def build_rule_tables() -> Iterator[Table]:
    """Yield title, head and rows of each table."""
    yield build_table(
        f"Live ESG score, version {VERSION}; each pillar is 100 less its composite",
        ("code", "reference", "pillar", "composite", "what"),
        PILLARS,
        ("`code`", "`ref`", "pillar", "`composite`", "title"),
    )
    yield build_table(
        "Compatible with an SFDR article if all of these hold",
        ("code", "reference", "article", "condition"),
        CONDITIONS,
        ("`code`", "`ref`", "article", "title"),
    )
