"""Changes of entity that wait for another person, in words."""

from collections.abc import Iterator

from django.db.models import QuerySet

from apps.backoffice.review.models import UNDECIDED, Case
from apps.compliance.payees.models import EntityChange
from apps.compliance.payees.rules.submission_steps import COOLING_OFF
from apps.compliance.payees.services.entity_changes import screen_proposed_entity
from apps.platform.common import clock
from apps.platform.common.country_names import country_name
from apps.platform.common.problems import DomainError
from apps.platform.desk.proposal_admin import PendingProposals

MOST = 10  # open cases of the wallet that are shown
HOURS = int(COOLING_OFF.total_seconds() // 3600)


def describe_consequences(change: EntityChange) -> tuple[str, ...]:
    """Return what follows from a proposal when it is approved, in sentences."""
    return (
        *_describe_checks_today(change),
        f"The current entity stays in effect for {HOURS} more hours, then the new one applies.",
        "It is then checked against the lists and GLEIF again, and doubtful cases go to review.",
        "Aliases and the proof of ownership belong to the current entity and are not transferred.",
        "Deactivating the wallet before then cancels the change.",
    )


def list_open_cases(change: EntityChange) -> QuerySet[Case]:
    """Return the open cases of a proposal's wallet, of whatever kind, the newest first."""
    cases = Case.objects.filter(wallet_key=change.registration.wallet.lower())
    return cases.filter(status__in=UNDECIDED).defer("evidence").order_by("-pk")


def _describe_checks_today(change: EntityChange) -> Iterator[str]:
    """Yield what lists and GLEIF have of a proposed entity now, while it is to be decided."""
    # a decided change shows no checks of today: they did not decide it
    if change.state != EntityChange.State.PROPOSED:
        return
    try:
        checks, judgement = screen_proposed_entity(change, now=clock.now())
    except DomainError as error:
        yield f"Lists and GLEIF are not available at the moment: {error.detail}"
        return
    # no reason on this page: registrars may not know of a listed party (tipping off)
    if judgement.refused:
        yield "It cannot be approved; a senior officer can see why. Do not tell the client."
        return
    if not checks.sanctions.matches:
        yield f"No sanctions match for {change.legal_name} on today's lists."
    if checks.entity is None:
        gleif = "No LEI given, so nothing is confirmed by GLEIF."
    else:
        entity = checks.entity
        state = checks.lei_status.lower()
        gleif = (
            f"GLEIF has {entity.legal_name}, {country_name(entity.country)}; the LEI is {state}."
        )
    yield gleif
    for finding in judgement.findings:
        yield f"For review: {finding.reason}"


def _list_changed_columns(change: EntityChange) -> Iterator[tuple[str, str, str]]:
    row = change.registration
    yield "Wallet", "", row.wallet
    yield "Legal name", row.legal_name, change.legal_name
    yield "LEI", row.lei or "none", change.lei or "none"
    yield "Country", country_name(row.country), country_name(change.country)


PENDING = PendingProposals(
    EntityChange,
    kind="Entity",
    title=lambda change: f"Entity change for {change.registration.wallet}",
    changes=_list_changed_columns,
    related=("registration",),
)
