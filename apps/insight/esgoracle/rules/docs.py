"""The tables of the ESG oracle as docs/rules.md shows them. Pure."""

from collections.abc import Iterator

from apps.insight.esgoracle.rules.articles import CONDITIONS
from apps.insight.esgoracle.rules.live_score import PILLARS, VERSION

Table = tuple[str, tuple[str, ...], list[tuple[str, ...]]]


def build_rule_tables() -> Iterator[Table]:
    """Yield title, head and rows of each table; config/rules.py names this."""
    yield (
        f"Live ESG score, version {VERSION}; each pillar is 100 less its composite",
        ("code", "reference", "pillar", "composite", "what"),
        [
            (f"`{one.code}`", f"`{one.ref}`", one.pillar, f"`{one.composite}`", one.title)
            for one in PILLARS
        ],
    )
    yield (
        "Compatible with an article of the SFDR: all of these hold",
        ("code", "reference", "article", "condition"),
        [(f"`{c.code}`", f"`{c.ref}`", str(c.article), c.title) for c in CONDITIONS],
    )
