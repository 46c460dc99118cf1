"""Changes of a source that take two people: an operator proposes, another decides.

Where a list is downloaded from, whether it is screened against and required, how old it may be
and how far it may shrink: every screen rests on these, and a single stolen account must not turn
them. Each step leaves an event that stays.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction

from apps.core.problems import Conflict
from apps.desk.rules import LONGEST_REASON, text_fault
from apps.watchlists import policy
from apps.watchlists.models import Source, SourceChange
from apps.watchlists.policy import Value

if TYPE_CHECKING:
    from django.contrib.auth.models import User

Field = SourceChange.Field


class Contradiction(Conflict):
    """The proposal contradicts what is there or decided."""

    code, title = "source_change_conflict", "The source cannot be changed so"


def propose(
    *,
    source: Source,
    field: str,
    after: Value,
    reason: str,
    by: "User",
    now: datetime,
    at_shell: bool = False,
) -> SourceChange:
    """Propose another value of a field of a source; Contradiction when that cannot be.

    policy.Refused for a value that may not stand.
    """
    policy.check(source, field, after)
    before = getattr(source, field)
    if after == before:
        raise Contradiction(f"{source.slug} has that already.")
    made = _Proposal(source, field, _stored(before), _stored(after), reason)
    return _open(made, by, now, at_shell=at_shell)


def drafted(*, source: Source, field: str, after: Value, reason: str) -> SourceChange:
    """Return a proposal that is not stored, to say what it would bring."""
    before = _stored(getattr(source, field))
    return SourceChange(
        source=source, field=field, before=before, after=_stored(after), reason=reason
    )


@dataclass(frozen=True, slots=True)
class _Proposal:
    source: Source
    field: str
    before: Any
    after: Any
    reason: str


def _open(made: _Proposal, by: "User", now: datetime, *, at_shell: bool) -> SourceChange:
    if fault := text_fault(made.reason, most=LONGEST_REASON):
        raise Contradiction(f"The reason: {fault}")
    try:
        with transaction.atomic():
            change = SourceChange.objects.create(
                source=made.source,
                field=made.field,
                before=made.before,
                after=made.after,
                reason=made.reason,
                proposed_by=by,
                proposed_at=now,
            )
            change.opened(by=by, now=now, at_shell=at_shell)
    except IntegrityError as error:
        raise Contradiction("A change of this source is proposed already.") from error
    return change


@transaction.atomic
def agree_to_shrink(
    *, source: Source, files: list[str], reason: str, pair: "Pair", now: datetime
) -> SourceChange:
    """Keep that two operators take these files although they are much less than what is live."""
    before = source.live.sequence if source.live else ""
    return _agreed(_Proposal(source, Field.SHRINK, before, files, reason), pair, now)


def _agreed(made: _Proposal, pair: "Pair", now: datetime) -> SourceChange:
    change = _open(made, pair.by, now, at_shell=True)
    _approve(change, pair.confirmed_by, "", now, at_shell=True)
    return change


@transaction.atomic
def agree_on_publication(
    *, source: Source, before: str, told: datetime, reason: str, pair: "Pair", now: datetime
) -> SourceChange:
    """Keep that two operators say when files were published; `before`: what was held till then."""
    made = _Proposal(source, Field.PUBLISHED, before, told.isoformat(), reason)
    return _agreed(made, pair, now)


@transaction.atomic
def agree_to_enable(*, source: Source, reason: str, pair: "Pair", now: datetime) -> None:
    """Screen against a source by the word of two operators; one that is on stays so."""
    source.refresh_from_db()
    if not source.enabled:
        change = propose(
            source=source,
            field=Field.ENABLED,
            after=True,
            reason=reason,
            by=pair.by,
            now=now,
            at_shell=True,
        )
        approve(change=change, by=pair.confirmed_by, now=now, at_shell=True)
    source.refresh_from_db()


@dataclass(frozen=True, slots=True)
class Pair:
    """Two operators who stand for a change that is made at a shell."""

    by: "User"
    confirmed_by: "User"


def pair_of(*, by: str, confirmed_by: str) -> Pair:
    """Return two active staff accounts, of which one may propose and the other decide.

    Raises Contradiction, saying which name is missing or may not.
    """
    if by == confirmed_by:
        raise Contradiction("Another operator than the first must confirm.")
    return Pair(
        _operator(by, "propose_sourcechange"), _operator(confirmed_by, "decide_sourcechange")
    )


def _operator(name: str, may: str) -> "User":
    found = get_user_model().objects.filter(username=name, is_active=True, is_staff=True).first()
    if found is None:
        raise Contradiction(f"{name!r} is no active staff account.")
    if not found.has_perm(f"watchlists.{may}"):
        raise Contradiction(f"{name!r} may not {may.partition('_')[0]} a change of a source.")
    return found


def _stored(value: Value) -> list[str] | bool | int | str:
    """Return a value as a change keeps it: a column of JSON has no way to hold nothing."""
    return "" if value is None else value


@transaction.atomic
def approve(
    *, change: SourceChange, by: "User", now: datetime, note: str = "", at_shell: bool = False
) -> Source:
    """Put a proposal into force; Contradiction for the proposer, or when it is decided.

    Also when the source is another than the proposer saw, or the proposal is not as recorded.
    """
    _approve(change, by, note, now, at_shell=at_shell)
    source = Source.objects.select_for_update().get(pk=change.source_id)
    if _stored(getattr(source, change.field)) != change.before:
        raise Contradiction(f"{source.slug} was changed since: propose it anew.")
    after: Value = None if change.after == "" else change.after
    try:
        policy.check(source, change.field, after)
    except policy.Refused as error:
        raise Contradiction(str(error)) from error
    _put(source, change.field, after, now)
    return source


def _put(source: Source, field: str, value: Value, now: datetime) -> None:
    if isinstance(value, list):
        source.move(value, now=now)
    elif field == Field.ENABLED:
        source.switch(enabled=bool(value), now=now)
    else:
        source.set_policy(field, value, now=now)


@transaction.atomic
def reject(*, change: SourceChange, by: "User", now: datetime, note: str) -> None:
    """Turn a proposal down, with the reason; Contradiction as for approving."""
    change.settle(approved=False, by=by, note=note, now=now, refused=Contradiction)


def _approve(change: SourceChange, by: "User", note: str, now: datetime, *, at_shell: bool) -> None:
    change.settle(
        approved=True, by=by, note=note, now=now, refused=Contradiction, at_shell=at_shell
    )
