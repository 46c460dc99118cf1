"""The tables of the score as docs/rules.md shows them. Pure."""

from collections.abc import Iterator

from apps.insight.esg.rules.indicators import COUNTRY_INDICATORS, INDICATORS, REFERENCE, Curve
from apps.insight.esg.rules.tiers import DEDUCTIONS, FORMULA, TIERS

Table = tuple[str, tuple[str, ...], list[tuple[str, ...]]]


def build_rule_tables() -> Iterator[Table]:
    """Yield title, head and rows of each table; config/rules.py names this."""
    yield (
        f"ESG score: indicators, references {REFERENCE}",
        ("indicator", "pillar", "weight", "what", "unit", "value: quality", "basis"),
        [
            (
                f"`{one.id}`",
                one.pillar,
                str(one.weight),
                one.title,
                one.unit,
                _format_curve(one.curve),
                one.basis,
            )
            for one in INDICATORS
        ],
    )
    yield (
        "ESG score: where a pillar starts, by country",
        ("indicator", "pillar", "what", "unit", "value: quality", "basis"),
        [
            (f"`{one.id}`", one.pillar, one.title, one.unit, _format_curve(one.curve), one.basis)
            for one in COUNTRY_INDICATORS
        ],
    )
    yield (
        f"ESG score: tiers; the fee is {FORMULA} per cent",
        ("code", "reference", "composite from", "feeTier", "fee"),
        [(f"`{t.code}`", f"`{t.ref}`", str(t.least), f"`{t.tier}`", t.fee) for t in TIERS],
    )
    yield (
        "ESG score: what the state of the LEI takes from governance",
        ("code", "reference", "when", "points"),
        [(f"`{d.code}`", f"`{d.ref}`", d.title, str(d.points)) for d in DEDUCTIONS],
    )


def _format_curve(curve: Curve) -> str:
    return ", ".join(f"{value}: {quality}" for value, quality in curve)
