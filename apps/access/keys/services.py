"""Keys are issued, rotated and revoked, and each step stays. In production issuing takes two.

Whoever issues a key can act as a client. So there one person asks for it, another approves, and
the secret is drawn once. Rotating takes one: the successor has the account, kind, rate and end
that were approved. In a sandbox one person issues.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth import get_user_model
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
from apps.platform.common.problems import Conflict
from apps.platform.common.validators import find_hidden_character
from apps.platform.desk.note_validation import LONGEST_REASON, find_note_fault, find_text_fault
from apps.platform.desk.proposal_records import Step as Proved
from apps.platform.desk.proposal_records import record_step

if TYPE_CHECKING:
    from django.contrib.auth.models import User

Step = KeyEvent.Step
DRAWN_WITHIN = timedelta(days=7)  # an approval that nobody used is no standing right to a key
# What a key may be, at the desk and at a shell alike
LONGEST_LABEL = 100  # characters
MOST_DAYS = 3650
MOST_PER_MINUTE = 1_000_000


class KeyRefused(Conflict):
    """The key cannot be issued so."""

    code, title = "key_request_conflict", "The key cannot be issued so"


@dataclass(frozen=True, slots=True)
class KeySpecification:
    """What a key is to be; `days` until it ends is None for never, its rate for the platform's."""

    account: Account
    kind: str
    label: str = ""
    days: int | None = None
    rate_per_minute: int | None = None

    def check(self) -> None:
        """Raise KeyRefused, saying what, for a key that would not fit what is kept of it."""
        numbers = (("days until it ends", self.days, MOST_DAYS),
                   ("calls a minute", self.rate_per_minute, MOST_PER_MINUTE))  # fmt: skip
        for words, number, most in numbers:
            if number is not None and not 1 <= number <= most:
                raise KeyRefused(f"The {words} may be 1 to {most:,}, and not {number:,}.")
        if self.kind not in KeyKind.values:
            raise KeyRefused(f"There is no kind of keys {self.kind!r}.")
        if fault := find_hidden_character(self.label) or find_text_fault(
            self.label, most=LONGEST_LABEL
        ):
            raise KeyRefused(f"The label: {fault}")

    def issue(self, now: datetime) -> IssuedKey:
        """Make the key; its days begin now. Raises KeyRefused as `check`."""
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
    return bool(settings.PRODUCTION)


@transaction.atomic
def request_key(
    *, wanted: KeySpecification, why: str, by: "User", now: datetime, at_shell: bool = False
) -> KeyRequest:
    """Ask for a key, saying why; KeyRefused without a reason, and for what no key can be."""
    wanted.check()
    if fault := find_note_fault(why, most=LONGEST_REASON):
        raise KeyRefused(f"Say what the key is needed for. {fault}")
    columns = {name: getattr(wanted, name) for name in KeySpecification.__slots__}
    request = KeyRequest(**columns, reason=why.strip())
    request.propose(by=by, now=now, at_shell=at_shell)
    return request


@transaction.atomic
def approve_key_request(
    *, request: KeyRequest, by: "User", now: datetime, note: str = "", at_shell: bool = False
) -> None:
    """Let the key be drawn; KeyRefused for who asked for it, when it is decided, or was altered."""
    request.settle(approved=True, by=by, note=note, now=now, refused=KeyRefused, at_shell=at_shell)


@transaction.atomic
def reject_key_request(*, request: KeyRequest, by: "User", now: datetime, note: str) -> None:
    """Turn a request down, with the reason; KeyRefused as for approving."""
    request.settle(approved=False, by=by, note=note, now=now, refused=KeyRefused)


def is_drawable(request: KeyRequest, now: datetime) -> bool:
    """Tell whether the secret of an approved key may still be drawn."""
    approved = request.state == KeyRequest.State.APPROVED and request.decided_at is not None
    return approved and request.drawn_at is None and now < _get_draw_deadline(request)


def can_draw(request: KeyRequest, by: "User") -> bool:
    """Tell whether a secret is for this person: who asked for it.

    When their account was ended, it is for another, and never for who approved.
    """
    if request.proposed_by_id == by.pk:
        return True
    return not request.proposed_by.is_active and request.decided_by_id != by.pk


def _get_draw_deadline(request: KeyRequest) -> datetime:
    return (request.decided_at or request.proposed_at) + DRAWN_WITHIN


@transaction.atomic
def draw_key(
    *, request: KeyRequest, by: "User", now: datetime, at_shell: bool = False
) -> IssuedKey:
    """Issue the key that was approved, once; KeyRefused when it is not, was drawn, or is too late.

    KeyRefused for others than who asked, too (`can_draw`), and when the request is not as recorded.
    """
    request.lock(refused=KeyRefused)
    if request.state != KeyRequest.State.APPROVED:
        raise KeyRefused("Another operator must approve this first.")
    if not can_draw(request, by):
        raise KeyRefused("Only the requester can draw the secret of this key.")
    if request.drawn_at is None and now >= _get_draw_deadline(request):
        raise KeyRefused(
            f"It was approved more than {DRAWN_WITHIN.days} days ago. Request the key again."
        )
    waits = KeyRequest.objects.filter(pk=request.pk, state="APPROVED", drawn_at=None)
    if not waits.update(drawn_at=now):
        raise KeyRefused("The secret of this key has already been drawn and is not shown again.")
    key_specification = KeySpecification(
        **{name: getattr(request, name) for name in KeySpecification.__slots__}
    )
    issued = key_specification.issue(now)
    KeyRequest.objects.filter(pk=request.pk).update(key=issued.key)
    request.refresh_from_db()
    record_step(request, Proved.DRAWN, by=by.get_username(), now=now, at_shell=at_shell)
    words = "Drawn at a shell" if at_shell else ""
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
    """Issue a key at a shell by the word of two people; KeyRefused, saying which name may not."""
    if by == confirmed_by:
        raise KeyRefused("Another operator than the first must confirm.")
    first = _load_operator(by, "propose_keyrequest")
    second = _load_operator(confirmed_by, "decide_keyrequest")
    request = request_key(wanted=wanted, why=why, by=first, now=now, at_shell=True)
    approve_key_request(request=request, by=second, now=now, at_shell=True)
    return draw_key(request=request, by=first, now=now, at_shell=True)


def _load_operator(name: str, may: str) -> "User":
    found = get_user_model().objects.filter(username=name, is_active=True, is_staff=True).first()
    if found is None:
        raise KeyRefused(f"{name!r} is no active staff account.")
    if not found.has_perm(f"access.{may}"):
        raise KeyRefused(f"{name!r} may not {may.partition('_')[0]} a key.")
    return found


@transaction.atomic
def rotate_key(*, key: ApiKey, overlap: timedelta, by: str, now: datetime) -> IssuedKey:
    """Issue a successor; the old key ends with the overlap. Refused when it was altered."""
    key = ApiKey.objects.select_for_update().select_related("account").get(pk=key.pk)
    if why := integrity.find_first_key_fault(key):
        raise KeyRefused(f"Integrity check failed: {why}. Contact an administrator.")
    issued = issue_successor(key=key, overlap=overlap, now=now)
    _record_key_event(Step.ROTATED, by, now, key=key, words=f"Successor: {issued.key}")
    _record_key_event(Step.ISSUED, by, now, key=issued.key, words=f"In place of {key}")
    return issued


@transaction.atomic
def revoke_key(*, key: ApiKey, by: str, why: str, now: datetime) -> None:
    """End a key at once; KeyRefused for a reason that could not be kept whole."""
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
