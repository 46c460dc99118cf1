"""The tables of the registry as docs/rules.md shows them. Pure."""

from collections.abc import Iterator

from apps.compliance.registry.rules import findings, import_lines, steps
from apps.compliance.registry.wallets import FORMS

Table = tuple[str, tuple[str, ...], list[tuple[str, ...]]]
WORDS = {"REVIEW": "stands under review", "REFUSED": "refused"}


def build_rule_tables() -> Iterator[Table]:
    """Yield title, head and rows of each table; config/rules.py names this."""
    yield (
        "What a submission is for a wallet; the first that holds",
        ("reference", "when", "step"),
        [(f"`{one.ref}`", one.title, f"`{one.step}`") for one in steps.STEPS],
    )
    yield (
        f"Registration, version {findings.VERSION}",
        ("code", "reference", "when", "registration"),
        [(f"`{r.code}`", f"`{r.ref}`", r.title, WORDS[r.outcome]) for r in findings.RULES],
    )
    yield (
        "What a line of an import comes to; the first that holds",
        ("code", "reference", "when", "foreseen", "done"),
        [(f"`{one.code}`", f"`{one.ref}`", one.title, one.before, one.after)
         for one in import_lines.LINES],
    )  # fmt: skip
    yield (
        "Addresses that are checked; the first whose form one has",
        ("chain", "form", "rule"),
        [(f"`{one.family}`", one.words, one.source) for one in FORMS],
    )
