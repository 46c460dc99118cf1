"""Changes of expected activity that wait for another senior officer, in words."""

from typing import Any

from django.template.defaultfilters import pluralize

from apps.access.keys import tenant_names
from apps.compliance.aml.models import ActivityChange, ActivityDeclaration
from apps.compliance.aml.rules.expected_activity import KIND_BY_CODE, KINDS, MORE, STANDS_IN
from apps.compliance.aml.rules.profile import DAY
from apps.platform.desk.proposal_admin import PendingProposals


def _list_changed_lines(change: ActivityChange) -> list[tuple[str, str, str]]:
    activity_declaration = None
    # compared with the version that the proposer saw; a decided change shows what it set
    if change.state == ActivityChange.State.PROPOSED and change.based_on:
        rows = ActivityDeclaration.objects.filter(owner=change.owner, version=change.based_on)
        activity_declaration = rows.first()
    before = (
        {row["kind"]: row for row in activity_declaration.lines} if activity_declaration else {}
    )
    after = {row["kind"]: row for row in change.lines}
    changed_lines = [
        (kind.title, describe_line(before.get(kind.code)), describe_line(after.get(kind.code)))
        for kind in KINDS
        if before.get(kind.code) != after.get(kind.code)
    ]
    accounts = activity_declaration.accounts if activity_declaration else []
    if accounts != change.accounts:
        was, becomes = ("\n".join(part) or "none" for part in (accounts, change.accounts))
        changed_lines.append(("Wallets and LEIs", was, becomes))
    return changed_lines


def describe_line(row: dict[str, Any] | None) -> str:
    """Return a line of a declaration as people read it."""
    if row is None:
        return "nothing"
    payments, others = row["payments"], row["counterparties"]
    return (
        f"{payments:,} payment{pluralize(payments)}, {row['volume']:,} USD and {others:,} "
        f"counterpart{pluralize(others, 'y,ies')} a month, {row['largest']:,} USD at most each"
    )


def describe_consequences(change: ActivityChange) -> tuple[str, ...]:
    """Return what follows from a proposal when it is approved, in sentences."""
    if not change.lines:
        return ("Its payments are screened like those of an institution without a declaration.",)
    sentences = [
        f"For {STANDS_IN // DAY} days from a wallet's first payment, what stays within {MORE} % of "
        "these numbers counts as its usual business.",
        "Listed parties, returning money and wallets found to be bad are still flagged or blocked.",
    ]
    if any(KIND_BY_CODE[row["kind"]].passes for row in change.lines):
        sentences.append("Third-party money passing through is expected.")
    return tuple(sentences)


PENDING = PendingProposals(
    ActivityChange,
    kind="Expected activity",
    title=lambda change: f"{tenant_names.load_tenant_name(change.owner)}: expected activity",
    changes=_list_changed_lines,
)
