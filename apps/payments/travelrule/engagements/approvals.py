"""Engagements that wait for another senior officer, in words."""

from collections.abc import Iterator

from apps.access.keys import tenant_names as tenants
from apps.payments.travelrule.models import Engagement
from apps.payments.travelrule.rules.engagements import format_moment_to_second
from apps.platform.desk.proposal_admin import PendingProposals


def _list_engagement_terms(change: Engagement) -> Iterator[tuple[str, str, str]]:
    tenant_names = tenants.load_tenant_names(change.institutions)
    named = (
        ", ".join(tenant_names.get(institution, institution) for institution in change.institutions)
        or "all institutions"
    )
    days = f"{change.records_from:%d %b %Y} to {change.records_to:%d %b %Y}"
    starts, ends = map(format_moment_to_second, (change.starts_at, change.ends_at))
    yield "The account opens pages", "nothing", f"{starts} to before {ends}"
    yield "Records made on", "none", f"{days}, both included, in UTC"
    yield "Records of", "none", named


def describe_engagement_effects(change: Engagement) -> tuple[str, ...]:
    """Return what follows from an engagement when it is approved."""
    return (
        f"{change.examiner.get_username()} can read, sample and export these records, and "
        "nothing else; every page carries their name and is recorded.",
        "Before and after that time, and once it is ended early, the account has no access.",
    )


PENDING = PendingProposals(
    Engagement,
    kind="Engagement of an examiner",
    title=str,
    changes=_list_engagement_terms,
    related=("examiner",),
)
