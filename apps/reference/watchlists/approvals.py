"""Changes of sources that wait for another operator."""

from apps.platform.desk.proposal_admin import PendingProposals
from apps.reference.watchlists import source_policy
from apps.reference.watchlists.models import SourceChange


def _changed_value(change: SourceChange) -> tuple[str, str, str]:
    was, becomes = (
        "\n".join(source_policy.format_value(value)) for value in (change.before, change.after)
    )
    return change.get_field_display(), was, becomes


PENDING = PendingProposals(
    SourceChange,
    kind="Source change",
    title=lambda change: f"{change.source.title}: {change.get_field_display().lower()}",
    changes=lambda change: [_changed_value(change)],
    related=("source",),
)
