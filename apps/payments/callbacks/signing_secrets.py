"""Callback signing secrets: derived, never stored; two are live during a rotation.

A secret is an HMAC of owner and generation under a key that stays with the platform. It is not
WEBHOOK_SIGNING_KEY: that one is handed out, and its holder could derive everybody's secrets.
"""

import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction

from apps.payments.callbacks.models import Secret
from apps.platform.common.problems import Conflict

# shows people and secret scanners what it is
PREFIX = "svc_whs_"
OVERLAP = timedelta(days=7)
LONGEST_OVERLAP = timedelta(days=90)


class RotationInProgress(Conflict):
    """A rotation runs already: two secrets are live, and there is no third."""

    code, title = "rotating", "A rotation is under way"


@dataclass(frozen=True, slots=True)
class LiveSecrets:
    """The secrets that sign now; `following` takes over at `until`, None outside a rotation."""

    current: bytes
    following: bytes | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class IssuedSecret:
    """A new secret, shown only once; from `takes_over_at` it is the only one that signs."""

    secret: str
    generation: int
    takes_over_at: datetime


def derive_secret(*, owner: str, generation: int) -> str:
    """Return the secret of an owner's generation; it is the same as long as SECRET_KEY is."""
    key = hashlib.sha256(b"callbacks:" + settings.SECRET_KEY.encode()).digest()
    # with the length: no other owner and generation give the same text
    text = f"{len(owner)}:{owner}:{generation}"
    return PREFIX + hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


def fingerprint_secret(secret: str) -> str:
    """Return a fingerprint that does not reveal the secret: the start of its SHA-256."""
    return hashlib.sha256(secret.encode()).hexdigest()[:12]


def load_live_secrets(*, owner: str, now: datetime) -> LiveSecrets:
    """Return the secrets that sign for an owner; the platform's key if it has none of its own."""
    newest = Secret.objects.filter(owner=owner).order_by("-generation").first()
    if newest is None:
        return LiveSecrets(settings.WEBHOOK_SIGNING_KEY.encode())
    own = derive_secret(owner=owner, generation=newest.generation).encode()
    if newest.takes_over_at <= now:
        return LiveSecrets(own)
    # before its first own secret the platform's key signed for an owner
    if newest.generation == 1:
        before = settings.WEBHOOK_SIGNING_KEY.encode()
    else:
        before = derive_secret(owner=newest.owner, generation=newest.generation - 1).encode()
    return LiveSecrets(before, own, newest.takes_over_at)


@transaction.atomic
def issue_secret(
    *, owner: str, by: str, now: datetime, overlap: timedelta = OVERLAP
) -> IssuedSecret:
    """Issue an owner's next secret: it signs beside its predecessor, and alone after `overlap`.

    Raises RotationInProgress before an earlier one has taken over, ValueError for an overlap that
    is negative or longer than 90 days. Nothing secret is written.
    """
    if not timedelta(0) <= overlap <= LONGEST_OVERLAP:
        raise ValueError("an overlap lasts from 0 to 90 days")
    # of two people who issue at once the unique generation lets one through
    newest = Secret.objects.select_for_update().filter(owner=owner).order_by("-generation").first()
    if newest is not None and newest.takes_over_at > now:
        raise RotationInProgress("Two secrets sign already: end that rotation first.")
    generation = newest.generation + 1 if newest else 1
    secret = derive_secret(owner=owner, generation=generation)
    row = Secret.objects.create(
        owner=owner,
        generation=generation,
        fingerprint=fingerprint_secret(secret),
        issued_at=now,
        issued_by=by,
        takes_over_at=now + overlap,
    )
    return IssuedSecret(secret, generation, row.takes_over_at)


def end_secret_rotation(*, owner: str, now: datetime) -> bool:
    """Make the newest secret the only one that signs; False if it is already, or there is none."""
    rows = Secret.objects.filter(owner=owner, takes_over_at__gt=now)
    return bool(rows.update(takes_over_at=now))
