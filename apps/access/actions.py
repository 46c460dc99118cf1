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

from apps.access import proof
from apps.access.models import Account, ApiKey, Issued, KeyEvent, KeyRequest, Kind, issue, rotate
from apps.core.problems import Conflict
from apps.core.written import hidden_fault
from apps.desk.records import Step as Proved
from apps.desk.records import keep
from apps.desk.rules import LONGEST_REASON, note_fault, text_fault

if TYPE_CHECKING:
    from django.contrib.auth.models import User

Step = KeyEvent.Step
DRAWN_WITHIN = timedelta(days=7)  # an approval that nobody used is no standing right to a key
# What a key may be, at the desk and at a shell alike
LONGEST_LABEL = 100  # characters
MOST_DAYS = 3650
MOST_PER_MINUTE = 1_000_000


class Refused(Conflict):
    """The key cannot be issued so."""

    code, title = "key_request_conflict", "The key cannot be issued so"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a key is to be; `days` until it ends is None for never, its rate for the platform's."""

    account: Account
    kind: str
    label: str = ""
    days: int | None = None
    rate_per_minute: int | None = None

    def check(self) -> None:
        """Raise Refused, saying what, for a key that would not fit what is kept of it."""
        numbers = (("days until it ends", self.days, MOST_DAYS),
                   ("calls a minute", self.rate_per_minute, MOST_PER_MINUTE))  # fmt: skip
        for words, number, most in numbers:
            if number is not None and not 1 <= number <= most:
                raise Refused(f"The {words} may be 1 to {most:,}, and not {number:,}.")
        if self.kind not in Kind.values:
            raise Refused(f"There is no kind of keys {self.kind!r}.")
        if fault := hidden_fault(self.label) or text_fault(self.label, most=LONGEST_LABEL):
            raise Refused(f"The label: {fault}")

    def issue(self, now: datetime) -> Issued:
        """Make the key; its days begin now. Raises Refused as `check`."""
        self.check()
        return issue(
            account=self.account,
            kind=Kind(self.kind),
            now=now,
            label=self.label,
            expires_at=now + timedelta(days=self.days) if self.days else None,
            rate_per_minute=self.rate_per_minute,
        )


def takes_two() -> bool:
    """Tell whether issuing a key takes two people here."""
    return bool(settings.PRODUCTION)


@transaction.atomic
def ask(
    *, wanted: Wanted, why: str, by: "User", now: datetime, at_shell: bool = False
) -> KeyRequest:
    """Ask for a key, saying why; Refused without a reason, and for what no key can be."""
    wanted.check()
    if fault := note_fault(why, most=LONGEST_REASON):
        raise Refused(f"Say what the key is needed for. {fault}")
    columns = {name: getattr(wanted, name) for name in Wanted.__slots__}
    request = KeyRequest.objects.create(
        **columns, reason=why.strip(), proposed_by=by, proposed_at=now
    )
    request.opened(by=by, now=now, at_shell=at_shell)
    return request


@transaction.atomic
def approve(
    *, request: KeyRequest, by: "User", now: datetime, note: str = "", at_shell: bool = False
) -> None:
    """Let the key be drawn; Refused for who asked for it, when it is decided, or was altered."""
    request.settle(approved=True, by=by, note=note, now=now, refused=Refused, at_shell=at_shell)


@transaction.atomic
def reject(*, request: KeyRequest, by: "User", now: datetime, note: str) -> None:
    """Turn a request down, with the reason; Refused as for approving."""
    request.settle(approved=False, by=by, note=note, now=now, refused=Refused)


def drawable(request: KeyRequest, now: datetime) -> bool:
    """Tell whether the secret of an approved key may still be drawn."""
    approved = request.state == KeyRequest.State.APPROVED and request.decided_at is not None
    return approved and request.drawn_at is None and now < _until(request)


def draws(request: KeyRequest, by: "User") -> bool:
    """Tell whether a secret is for this person: who asked for it.

    When their account was ended, it is for another, and never for who approved.
    """
    if request.proposed_by_id == by.pk:
        return True
    return not request.proposed_by.is_active and request.decided_by_id != by.pk


def _until(request: KeyRequest) -> datetime:
    return (request.decided_at or request.proposed_at) + DRAWN_WITHIN


@transaction.atomic
def draw(*, request: KeyRequest, by: "User", now: datetime, at_shell: bool = False) -> Issued:
    """Issue the key that was approved, once; Refused when it is not, was drawn, or is too late.

    Refused for others than who asked, too (`draws`), and when the request is not as recorded.
    """
    request.lock(refused=Refused)
    if request.state != KeyRequest.State.APPROVED:
        raise Refused("Another operator must approve this first.")
    if not draws(request, by):
        raise Refused("Who asked for the key draws its secret.")
    if request.drawn_at is None and now >= _until(request):
        raise Refused(f"It was approved more than {DRAWN_WITHIN.days} days ago: ask for it anew.")
    waits = KeyRequest.objects.filter(pk=request.pk, state="APPROVED", drawn_at=None)
    if not waits.update(drawn_at=now):
        raise Refused("This key was drawn already. Its secret is not shown again.")
    wanted = Wanted(**{name: getattr(request, name) for name in Wanted.__slots__})
    issued = wanted.issue(now)
    KeyRequest.objects.filter(pk=request.pk).update(key=issued.key)
    request.refresh_from_db()
    keep(request, Proved.DRAWN, by=by.get_username(), now=now, at_shell=at_shell)
    words = "Drawn at a shell" if at_shell else ""
    _keep(Step.ISSUED, by.get_username(), now, request=request, key=issued.key, words=words)
    return issued


@transaction.atomic
def issue_alone(*, wanted: Wanted, by: str, now: datetime) -> Issued:
    """Issue a key as one person; Refused where that takes two."""
    if takes_two():
        raise Refused("In production two people issue a key: ask for it.")
    issued = wanted.issue(now)
    _keep(Step.ISSUED, by, now, key=issued.key)
    return issued


@transaction.atomic
def issue_by_two(*, wanted: Wanted, why: str, by: str, confirmed_by: str, now: datetime) -> Issued:
    """Issue a key at a shell by the word of two people; Refused, saying which name may not."""
    if by == confirmed_by:
        raise Refused("Another operator than the first must confirm.")
    first = _operator(by, "propose_keyrequest")
    second = _operator(confirmed_by, "decide_keyrequest")
    request = ask(wanted=wanted, why=why, by=first, now=now, at_shell=True)
    approve(request=request, by=second, now=now, at_shell=True)
    return draw(request=request, by=first, now=now, at_shell=True)


def _operator(name: str, may: str) -> "User":
    found = get_user_model().objects.filter(username=name, is_active=True, is_staff=True).first()
    if found is None:
        raise Refused(f"{name!r} is no active staff account.")
    if not found.has_perm(f"access.{may}"):
        raise Refused(f"{name!r} may not {may.partition('_')[0]} a key.")
    return found


@transaction.atomic
def rotate_key(*, key: ApiKey, overlap: timedelta, by: str, now: datetime) -> Issued:
    """Issue a successor; the old key ends with the overlap. Refused when it was altered."""
    key = ApiKey.objects.select_for_update().select_related("account").get(pk=key.pk)
    if why := proof.fault(key):
        raise Refused(f"How it stands is not what is recorded: {why}. Tell an administrator.")
    issued = rotate(key=key, overlap=overlap, now=now)
    _keep(Step.ROTATED, by, now, key=key, words=f"Successor: {issued.key}")
    _keep(Step.ISSUED, by, now, key=issued.key, words=f"In place of {key}")
    return issued


@transaction.atomic
def revoke_key(*, key: ApiKey, by: str, why: str, now: datetime) -> None:
    """End a key at once; Refused for a reason that could not be kept whole."""
    if fault := text_fault(why, most=LONGEST_REASON):
        raise Refused(f"The reason: {fault}")
    key.revoke(now=now)
    _keep(Step.REVOKED, by, now, key=key, words=why)


def _keep(
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
