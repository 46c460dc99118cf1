"""The tables of the registry as docs/rules.md shows them. Pure."""

from collections.abc import Iterator

from apps.compliance.payees.rules import import_lines, registration_findings, submission_steps
from apps.compliance.payees.wallets import FORMS
from apps.platform.common.rule_docs import Table, build_table

WORDS = {"REVIEW": "under review", "REFUSED": "refused"}


def build_rule_tables() -> Iterator[Table]:
    """Yield title, head and rows of each table."""
    yield build_table(
        "What a submission is for a wallet; the first that holds",
        ("reference", "when", "step"),
        submission_steps.STEPS,
        ("`ref`", "title", "`step`"),
    )
    yield build_table(
        f"Registration, version {registration_findings.VERSION}",
        ("code", "reference", "when", "registration"),
        registration_findings.RULES,
        ("`code`", "`ref`", "title", lambda rule: WORDS[rule.outcome]),
    )
    yield build_table(
        "Outcome of an import line; the first rule that applies",
        ("code", "reference", "when", "foreseen", "done"),
        import_lines.LINES,
        ("`code`", "`ref`", "title", "before", "after"),
    )
    yield build_table(
        "Wallet addresses that are validated; the first form that matches applies",
        ("chain", "form", "rule"),
        FORMS,
        ("`family`", "words", "source"),
    )
