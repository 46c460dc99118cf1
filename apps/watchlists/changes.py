"""Changes of a source that take two people: an operator proposes, another decides.

Where a list is downloaded from is what every screen rests on, and what a single stolen account
must not turn. Each step leaves an event that stays.
"""

from datetime import datetime
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import IntegrityError, transaction

from apps.core.problems import Conflict
from apps.upstreams import addresses
from apps.watchlists.models import Source, SourceChange, SourceEvent

if TYPE_CHECKING:
    from django.contrib.auth.models import User

MOST_ADDRESSES = 20
LONGEST_ADDRESS = 1000


class Contradiction(Conflict):
    """The proposal contradicts what is there or decided."""

    code, title = "source_change_conflict", "The source cannot be changed so"


def check_addresses(urls: list[str]) -> None:
    """Raise addresses.Refused, naming the address, for one that would never be called."""
    if not 1 <= len(urls) <= MOST_ADDRESSES or len(set(urls)) != len(urls):
        raise addresses.Refused(f"Give one to {MOST_ADDRESSES} different addresses.")
    for number, url in enumerate(urls, start=1):
        if len(url) > LONGEST_ADDRESS:
            raise addresses.Refused(f"Address {number} is too long.")
        try:
            addresses.check(url, ranges=settings.UPSTREAM_PRIVATE_RANGES)
        except addresses.Refused as error:
            raise addresses.Refused(f"Address {number}: {error}.") from None


def propose_addresses(
    *, source: Source, urls: list[str], reason: str, by: "User", now: datetime
) -> SourceChange:
    """Propose other addresses for a source; Contradiction when that cannot be.

    addresses.Refused when one of them would never be called.
    """
    check_addresses(urls)
    if urls == source.urls:
        raise Contradiction(f"{source.slug} is downloaded from there already.")
    try:
        with transaction.atomic():
            change = SourceChange.objects.create(
                source=source,
                before=source.urls,
                after=urls,
                reason=reason,
                proposed_by=by,
                proposed_at=now,
            )
            _keep(change, by, now, reason)
    except IntegrityError as error:
        raise Contradiction("A change of this source is proposed already.") from error
    return change


@transaction.atomic
def approve(*, change: SourceChange, by: "User", now: datetime) -> Source:
    """Put a proposal into force; Contradiction for the proposer, or when it is decided.

    Also when the source is another than the proposer saw.
    """
    source = Source.objects.select_for_update().get(pk=change.source_id)
    _decide(change, SourceChange.State.APPROVED, by, now, "")
    if source.urls != change.before:
        raise Contradiction(f"{source.slug} was changed since: propose it anew.")
    try:
        check_addresses(change.after)
    except addresses.Refused as error:
        raise Contradiction(str(error)) from error
    source.move(change.after)
    return source


@transaction.atomic
def reject(*, change: SourceChange, by: "User", now: datetime, note: str) -> None:
    """Turn a proposal down, with the reason; Contradiction as for approving."""
    _decide(change, SourceChange.State.REJECTED, by, now, note[:500])


def _decide(change: SourceChange, state: str, by: "User", now: datetime, note: str) -> None:
    if change.proposed_by_id == by.pk:
        raise Contradiction("Another operator than the proposer must decide.")
    won = SourceChange.objects.filter(pk=change.pk, state=SourceChange.State.PROPOSED).update(
        state=state, decided_by=by, decided_at=now, note=note
    )
    if not won:
        raise Contradiction("This proposal is decided already.")
    change.refresh_from_db()
    _keep(change, by, now, note)


def _keep(change: SourceChange, by: "User", now: datetime, words: str) -> None:
    SourceEvent.objects.create(
        change=change,
        state=change.state,
        by=by.get_username(),
        at=now,
        source=change.source.slug,
        field=change.field,
        before=change.before,
        after=change.after,
        words=words,
    )
