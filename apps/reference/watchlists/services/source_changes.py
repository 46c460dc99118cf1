"""Changes of a source that take two people: an operator proposes, another decides.

Where a list is downloaded from, whether it is screened against and required, how old it may be
and how far it may shrink: every screen rests on these, and a single stolen account must not turn
them. Each step leaves an event that stays.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import transaction

from apps.platform.common.problems import Conflict
from apps.platform.desk.note_validation import LONGEST_REASON, find_text_fault
from apps.platform.desk.operator_pairs import OperatorPair
from apps.reference.watchlists import source_policy
from apps.reference.watchlists.models import Source, SourceChange
from apps.reference.watchlists.source_policy import Value

if TYPE_CHECKING:
    from django.contrib.auth.models import User

Field = SourceChange.Field


class SourceChangeConflict(Conflict):
    """The proposal contradicts what is there or decided."""

    code, title = "source_change_conflict", "This change of the source is not possible"


def propose_source_change(
    *,
    source: Source,
    field: str,
    after: Value,
    reason: str,
    by: "User",
    now: datetime,
    at_shell: bool = False,
) -> SourceChange:
    """Propose another value of a field of a source; raises SourceChangeConflict if not possible.

    Raises ValueRefused for a value that is not permitted.
    """
    source_policy.check_value(source, field, after)
    before = getattr(source, field)
    if after == before:
        raise SourceChangeConflict(f"{source.slug} already has this value.")
    proposal = _Proposal(source, field, _to_stored_value(before), _to_stored_value(after), reason)
    return _open_proposal(proposal, by, now, at_shell=at_shell)


def draft_source_change(*, source: Source, field: str, after: Value, reason: str) -> SourceChange:
    """Return a proposal that is not stored, to say what it would bring."""
    before = _to_stored_value(getattr(source, field))
    return SourceChange(
        source=source, field=field, before=before, after=_to_stored_value(after), reason=reason
    )


@dataclass(frozen=True, slots=True)
class _Proposal:
    source: Source
    field: str
    before: Any
    after: Any
    reason: str


def _open_proposal(
    proposal: _Proposal, by: "User", now: datetime, *, at_shell: bool
) -> SourceChange:
    if fault := find_text_fault(proposal.reason, most=LONGEST_REASON):
        raise SourceChangeConflict(f"The reason: {fault}")
    change = SourceChange(
        source=proposal.source,
        field=proposal.field,
        before=proposal.before,
        after=proposal.after,
        reason=proposal.reason,
    )
    change_conflict = SourceChangeConflict("A change to this source is already proposed.")
    change.propose(by=by, now=now, taken=change_conflict, at_shell=at_shell)
    return change


@transaction.atomic
def record_shrink_agreement(
    *, source: Source, files: list[str], reason: str, pair: OperatorPair, now: datetime
) -> SourceChange:
    """Keep that two operators take these files although they are much less than what is live."""
    before = source.live.sequence if source.live else ""
    return _record_agreement(_Proposal(source, Field.SHRINK, before, files, reason), pair, now)


def _record_agreement(proposal: _Proposal, pair: OperatorPair, now: datetime) -> SourceChange:
    change = _open_proposal(proposal, pair.by, now, at_shell=True)
    _settle_as_approved(change, pair.confirmed_by, "", now, at_shell=True)
    return change


@transaction.atomic
def record_publication_agreement(
    *,
    source: Source,
    before: str,
    moment: datetime,
    reason: str,
    pair: OperatorPair,
    now: datetime,
) -> SourceChange:
    """Keep that two operators say when files were published; `before`: what was held till then."""
    proposal = _Proposal(source, Field.PUBLISHED, before, moment.isoformat(), reason)
    return _record_agreement(proposal, pair, now)


@transaction.atomic
def agree_to_enable(*, source: Source, reason: str, pair: OperatorPair, now: datetime) -> None:
    """Screen against a source by the word of two operators; one that is on stays so."""
    source.refresh_from_db()
    if not source.enabled:
        change = propose_source_change(
            source=source,
            field=Field.ENABLED,
            after=True,
            reason=reason,
            by=pair.by,
            now=now,
            at_shell=True,
        )
        approve_source_change(change=change, by=pair.confirmed_by, now=now, at_shell=True)
    source.refresh_from_db()


def _to_stored_value(value: Value) -> list[str] | bool | int | str:
    """Return a value as a change keeps it: a column of JSON has no way to hold nothing."""
    return "" if value is None else value


@transaction.atomic
def approve_source_change(
    *, change: SourceChange, by: "User", now: datetime, note: str = "", at_shell: bool = False
) -> Source:
    """Put a proposal into force; SourceChangeConflict for the proposer, or when it is decided.

    Also when the source is another than the proposer saw, or the proposal is not as recorded.
    """
    # first, since it refuses a decided proposal and its proposer; what fails below rolls it back
    _settle_as_approved(change, by, note, now, at_shell=at_shell)
    source = Source.objects.select_for_update().get(pk=change.source_id)
    if _to_stored_value(getattr(source, change.field)) != change.before:
        raise SourceChangeConflict(f"{source.slug} has changed since. Propose the change again.")
    after: Value = None if change.after == "" else change.after
    try:
        # once more: settings may have become stricter since the proposal
        source_policy.check_value(source, change.field, after)
    except source_policy.ValueRefused as error:
        raise SourceChangeConflict(str(error)) from error
    if isinstance(after, list):
        source.move(after, now=now)
    elif change.field == Field.ENABLED:
        source.switch(enabled=bool(after), now=now)
    else:
        source.set_policy(change.field, after, now=now)
    return source


@transaction.atomic
def reject_source_change(*, change: SourceChange, by: "User", now: datetime, note: str) -> None:
    """Turn a proposal down, with the reason; SourceChangeConflict as for approving."""
    change.settle(approved=False, by=by, note=note, now=now, refused=SourceChangeConflict)


def _settle_as_approved(
    change: SourceChange, by: "User", note: str, now: datetime, *, at_shell: bool
) -> None:
    change.settle(
        approved=True, by=by, note=note, now=now, refused=SourceChangeConflict, at_shell=at_shell
    )
