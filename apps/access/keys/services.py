"""Issue, rotate and revoke keys, and record each step.

In production one person requests a key, another approves, and the secret is collected once; in a
sandbox one person issues. Rotating takes one person everywhere.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction

from apps.access.keys import integrity
from apps.access.keys.models import (
    Account,
    ApiKey,
    IssuedKey,
    KeyEvent,
    KeyKind,
    KeyRequest,
    issue_api_key,
    issue_successor,
)
from apps.platform.common.hidden_characters import find_hidden_character
from apps.platform.common.problems import Conflict
from apps.platform.desk.note_validation import LONGEST_REASON, find_note_fault, find_text_fault
from apps.platform.desk.operator_pairs import find_operator_pair
from apps.platform.desk.proposal_records import Step as ProposalStep
from apps.platform.desk.proposal_records import record_step

if TYPE_CHECKING:
    from django.contrib.auth.models import User

Step = KeyEvent.Step
# an unused approval expires
DRAWN_WITHIN = timedelta(days=7)
# What a key may be, at the desk and at a shell alike
LONGEST_LABEL = 100  # characters
# ten years
MOST_DAYS = 3650
MOST_PER_MINUTE = 1_000_000


class KeyRefused(Conflict):
    """The key cannot be issued as requested."""

    code, title = "key_request_conflict", "The key cannot be issued as requested"


@dataclass(frozen=True, slots=True)
class KeySpecification:
    """The details of a new key; `days` until it ends (None: never), `rate` (None: the default)."""

    account: Account
    kind: str
    label: str = ""
    days: int | None = None
    rate_per_minute: int | None = None

    def check(self) -> None:
        """Raise KeyRefused, saying why, for a key that cannot be stored or issued as specified."""
        numbers = (("days until it ends", self.days, MOST_DAYS),
                   ("calls a minute", self.rate_per_minute, MOST_PER_MINUTE))  # fmt: skip
        for words, number, most in numbers:
            if number is not None and not 1 <= number <= most:
                raise KeyRefused(f"The {words} may be 1 to {most:,}, not {number:,}.")
        if self.kind not in KeyKind.values:
            raise KeyRefused(f"Unknown kind of key: {self.kind!r}.")
        if fault := find_hidden_character(self.label) or find_text_fault(
            self.label, most=LONGEST_LABEL
        ):
            raise KeyRefused(f"The label: {fault}")

    def issue(self, now: datetime) -> IssuedKey:
        """Issue the key; its days begin now. Raises KeyRefused as `check` does."""
        self.check()
        return issue_api_key(
            account=self.account,
            kind=KeyKind(self.kind),
            now=now,
            label=self.label,
            expires_at=now + timedelta(days=self.days) if self.days else None,
            rate_per_minute=self.rate_per_minute,
        )


def is_second_person_needed() -> bool:
    """Tell whether issuing a key takes two people here."""
    # whoever holds a key can act as that client, and so can whoever issues one
    return bool(settings.PRODUCTION)


@transaction.atomic
def request_key(
    *, wanted: KeySpecification, why: str, by: "User", now: datetime, at_shell: bool = False
) -> KeyRequest:
    """Request a key with a reason; KeyRefused without one, and for an impossible key."""
    wanted.check()
    if fault := find_note_fault(why, most=LONGEST_REASON):
        raise KeyRefused(f"State what the key is needed for. {fault}")
    # the request has the same columns, and `draw_key` reads them back
    columns = {name: getattr(wanted, name) for name in KeySpecification.__slots__}
    request = KeyRequest(**columns, reason=why.strip())
    request.propose(by=by, now=now, at_shell=at_shell)
    return request


@transaction.atomic
def approve_key_request(
    *, request: KeyRequest, by: "User", now: datetime, note: str = "", at_shell: bool = False
) -> None:
    """Approve a request; KeyRefused for its author, if it is decided, or if it was altered."""
    request.settle(approved=True, by=by, note=note, now=now, refused=KeyRefused, at_shell=at_shell)


@transaction.atomic
def reject_key_request(*, request: KeyRequest, by: "User", now: datetime, note: str) -> None:
    """Reject a request, with the reason; KeyRefused as for approving."""
    request.settle(approved=False, by=by, note=note, now=now, refused=KeyRefused)


def is_issuable(request: KeyRequest, now: datetime) -> bool:
    """Tell whether the secret of an approved key may still be collected."""
    approved = request.state == KeyRequest.State.APPROVED and request.decided_at is not None
    return approved and request.drawn_at is None and now < _get_draw_deadline(request)


def can_issue_approved_key(request: KeyRequest, by: "User") -> bool:
    """Tell whether this person may collect a secret: the person who requested it.

    If that person's account is no longer active, anyone else except the approver may collect it.
    """
    if request.proposed_by_id == by.pk:
        return True
    # the approver must not collect it: one person alone could then obtain a key
    return not request.proposed_by.is_active and request.decided_by_id != by.pk


def _get_draw_deadline(request: KeyRequest) -> datetime:
    return (request.decided_at or request.proposed_at) + DRAWN_WITHIN


@transaction.atomic
def draw_key(
    *, request: KeyRequest, by: "User", now: datetime, at_shell: bool = False
) -> IssuedKey:
    """Issue the approved key, once; KeyRefused if not approved, already collected, or too late.

    KeyRefused also for people who may not collect it (`can_issue_approved_key`), and if the request
    is not as recorded.
    """
    # locked and verified: an altered request would issue a key that nobody approved
    request.lock(refused=KeyRefused)
    if request.state != KeyRequest.State.APPROVED:
        raise KeyRefused("Another operator must approve this first.")
    if not can_issue_approved_key(request, by):
        raise KeyRefused("Only the requester can collect the secret of this key.")
    if request.drawn_at is None and now >= _get_draw_deadline(request):
        raise KeyRefused(
            f"It was approved more than {DRAWN_WITHIN.days} days ago. Request the key again."
        )
    # compare-and-set before the key is made: one approval is one key, however often the page is
    # sent
    waits = KeyRequest.objects.filter(pk=request.pk, state="APPROVED", drawn_at=None)
    if not waits.update(drawn_at=now):
        raise KeyRefused(
            "The secret of this key has already been collected and is not shown again."
        )
    key_specification = KeySpecification(
        **{name: getattr(request, name) for name in KeySpecification.__slots__}
    )
    # its days begin with the collection, not with the approval
    issued = key_specification.issue(now)
    KeyRequest.objects.filter(pk=request.pk).update(key=issued.key)
    request.refresh_from_db()
    record_step(request, ProposalStep.DRAWN, by=by.get_username(), now=now, at_shell=at_shell)
    words = "Collected at a shell" if at_shell else ""
    _record_key_event(
        Step.ISSUED, by.get_username(), now, request=request, key=issued.key, words=words
    )
    return issued


@transaction.atomic
def issue_key_alone(*, wanted: KeySpecification, by: str, now: datetime) -> IssuedKey:
    """Issue a key as one person; KeyRefused where that takes two."""
    if is_second_person_needed():
        raise KeyRefused("In production, issuing a key takes two people: request it.")
    issued = wanted.issue(now)
    _record_key_event(Step.ISSUED, by, now, key=issued.key)
    return issued


@transaction.atomic
def issue_key_by_two(
    *, wanted: KeySpecification, why: str, by: str, confirmed_by: str, now: datetime
) -> IssuedKey:
    """Issue a key at a shell in the names of two people; KeyRefused says which name is invalid."""
    pair = find_operator_pair(
        by=by,
        confirmed_by=confirmed_by,
        change="access.keyrequest",
        thing="a key",
        refused=KeyRefused,
    )
    request = request_key(wanted=wanted, why=why, by=pair.by, now=now, at_shell=True)
    approve_key_request(request=request, by=pair.confirmed_by, now=now, at_shell=True)
    return draw_key(request=request, by=pair.by, now=now, at_shell=True)


@transaction.atomic
def rotate_key(*, key: ApiKey, overlap: timedelta, by: str, now: datetime) -> IssuedKey:
    """Issue a successor; the old key ends with the overlap. Refused for an ended or altered key."""
    # locked, so that of two rotations at once the second finds the end that the first has set
    key = ApiKey.objects.select_for_update().select_related("account").get(pk=key.pk)
    # a successor of an altered row would carry the alteration into a valid record
    if why := integrity.find_first_key_fault(key):
        raise KeyRefused(f"Integrity check failed: {why}. Contact an administrator.")
    # under the lock: it may have been revoked since the caller looked
    if not key.usable(now):
        raise KeyRefused("This key has expired. Issue a new one.")
    # by one person: account, kind, rate and end are those that two approved
    issued = issue_successor(key=key, overlap=overlap, now=now)
    _record_key_event(Step.ROTATED, by, now, key=key, words=f"Successor: {issued.key}")
    _record_key_event(Step.ISSUED, by, now, key=issued.key, words=f"In place of {key}")
    return issued


@transaction.atomic
def revoke_key(*, key: ApiKey, by: str, why: str, now: datetime) -> None:
    """End a key at once; KeyRefused for a reason that is too long or invalid to store."""
    if fault := find_text_fault(why, most=LONGEST_REASON):
        raise KeyRefused(f"The reason: {fault}")
    key.revoke(now=now)
    _record_key_event(Step.REVOKED, by, now, key=key, words=why)


def _record_key_event(
    state: Step,
    by: str,
    now: datetime,
    *,
    key: ApiKey | None = None,
    request: KeyRequest | None = None,
    words: str = "",
) -> None:
    about = key or request
    if about is not None:
        KeyEvent.objects.create(
            state=state, by=by, at=now, account=about.account, key=key, request=request, words=words
        )
