"""Idempotency-Key: the same call again gets the same answer, and happens once.

The claim is taken before any work and committed at once, so that two callers never both
work. The answer is stored by `Claim.complete`, which belongs inside the business
transaction: then there is no moment in which the work is done and the answer is lost.
"""

import functools
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.encoders import JSONEncoder

from apps.core.canonical import digest
from apps.core.clock import now as present
from apps.core.models import IdempotentCall
from apps.core.problems import Conflict, DomainError

LEASE = timedelta(seconds=60)
KEPT = timedelta(hours=24)
LONGEST_KEY = 255


class BadIdempotencyKey(DomainError):
    """The Idempotency-Key header is empty, too long or not plain ASCII."""

    status, code = 400, "bad_idempotency_key"


class IdempotencyMismatch(Conflict):
    """The key was used before with another body or path."""

    code = "idempotency_key_reused"


class IdempotencyInProgress(Conflict):
    """The first call under this key has not finished."""

    code = "idempotency_in_progress"


class Claim:
    """The right to answer one call; without a key it does nothing."""

    def __init__(self, row: IdempotentCall | None = None) -> None:
        self.row = row
        self.stored = False

    def complete(self, body: Any, status: int = 200) -> None:
        """Store the answer; call it in the transaction that does the work.

        Raises IdempotencyInProgress, and so undoes the work, when this call took longer than
        its lease and another has taken its place.
        """
        if not self.store(body, status):
            raise IdempotencyInProgress("This call took too long; another has taken its place.")

    def store(self, body: Any, status: int) -> bool:
        """Store the answer; False when the claim is not ours any more."""
        answer = json.dumps(body, cls=JSONEncoder, ensure_ascii=False)
        self.stored = self.row is None or bool(self._mine().update(status=status, answer=answer))
        return self.stored

    def release(self) -> None:
        """Give the key back, because the call was refused or failed."""
        if self.row is not None:
            self._mine().delete()

    def _mine(self) -> QuerySet[IdempotentCall]:
        assert self.row is not None  # callers have looked
        return IdempotentCall.objects.filter(
            pk=self.row.pk, status=None, lease_until=self.row.lease_until
        )


def idempotent(handler: Callable[..., Response]) -> Callable[..., Response]:
    """Make a view's handler honour Idempotency-Key; the handler gets `claim=`.

    Replays carry `Idempotent-Replayed: true`. 409 for another body under the same key, and
    while the first call still runs.
    """

    @functools.wraps(handler)
    def wrapped(view: Any, request: Request, *args: Any, **rest: Any) -> Response:
        now = present()
        claim, replay = _claim(request, now)
        if replay is not None:
            return replay
        try:
            response = handler(view, request, *args, claim=claim, **rest)
        except BaseException:
            claim.release()
            raise
        if not claim.stored and response.status_code < 300:
            claim.store(response.data, response.status_code)
        elif not claim.stored:
            claim.release()
        return response

    return wrapped


def _claim(request: Request, now: datetime) -> tuple[Claim, Response | None]:
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return Claim(), None
    if not key or len(key) > LONGEST_KEY or not key.isascii() or not key.isprintable():
        raise BadIdempotencyKey("Idempotency-Key is 1 to 255 printable ASCII characters.")
    owner = str(request.user.ref)  # type: ignore[union-attr]  # a Principal of access
    fingerprint = digest([request.method, request.get_full_path(), request.data])
    row = _first(owner, key, fingerprint, now)
    return (Claim(row), None) if row else _second(owner, key, fingerprint, now)


def _first(owner: str, key: str, fingerprint: str, now: datetime) -> IdempotentCall | None:
    """Claim a key that is new, or was last used more than a day ago."""
    for _ in range(2):
        try:
            with transaction.atomic():
                return IdempotentCall.objects.create(
                    owner=owner,
                    key=key,
                    fingerprint=fingerprint,
                    lease_until=now + LEASE,
                    created_at=now,
                )
        except IntegrityError:
            expired = IdempotentCall.objects.filter(created_at__lt=now - KEPT)
            if not expired.filter(owner=owner, key=key).delete()[0]:
                break
    return None


def _second(owner: str, key: str, fingerprint: str, now: datetime) -> tuple[Claim, Response | None]:
    """Decide what a repeated key gets: the stored answer, a refusal, or a dead caller's claim."""
    row = IdempotentCall.objects.filter(owner=owner, key=key).first()
    if row is None:
        raise IdempotencyInProgress("The first call under this key ended just now; try again.")
    if row.fingerprint != fingerprint:
        raise IdempotencyMismatch("This Idempotency-Key was used with another request.")
    if row.status is not None:
        replay = Response(json.loads(row.answer), status=row.status)
        replay["Idempotent-Replayed"] = "true"
        return Claim(), replay
    taken = IdempotentCall.objects.filter(
        pk=row.pk, status=None, lease_until=row.lease_until, lease_until__lte=now
    ).update(lease_until=now + LEASE)
    if not taken:
        raise IdempotencyInProgress(
            "The first call under this key is still running.", retry_after=1
        )
    row.lease_until = now + LEASE
    return Claim(row), None
