"""Idempotency-Key: the same call again gets the same answer, and happens once.

The claim is taken before any work and committed at once, so that two callers never both
work. The answer is stored by `Claim.complete` inside the transaction of the work: there is no
moment in which the work is done and the answer is lost. A claim belongs to whoever calls, and
no other caller is ever given what it answered.
"""

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from apps.core import macs
from apps.core.canonical import digest
from apps.core.models import IdempotentCall
from apps.core.problems import Conflict, DomainError, Unavailable

logger = logging.getLogger(__name__)
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

    def complete(self, answer: str, status: int) -> None:
        """Store the answer's text; call it in the transaction that does the work.

        Raises IdempotencyInProgress, and so undoes the work, when this call took longer than
        its lease and another has taken its place.
        """
        if self.row is None:
            return
        key_id, mac = macs.made(said(self.row, status, answer))
        stored = {"status": status, "answer": answer, "mac_key": key_id, "mac": mac}
        if not self._mine().update(**stored):
            raise IdempotencyInProgress("This call took too long; another has taken its place.")

    def release(self) -> None:
        """Give the key back, because the call was refused or failed."""
        if self.row is not None:
            self._mine().delete()

    def _mine(self) -> QuerySet[IdempotentCall]:
        assert self.row is not None  # callers have looked
        return IdempotentCall.objects.filter(
            pk=self.row.pk, status=None, lease_until=self.row.lease_until
        )


class AnswerAltered(Unavailable):
    """The stored answer is not the one that was given: somebody changed it in the database."""

    code, title = "stored_answer_altered", "The stored answer cannot be given"


def said(row: Any, status: int, answer: str) -> dict[str, Any]:
    """Return what the MAC of a stored answer is made over."""
    return {
        "owner": row.owner,
        "key": row.key,
        "fingerprint": row.fingerprint,
        "status": status,
        "answer": answer,
    }


def _insist_on_ours(row: IdempotentCall) -> None:
    """Raise AnswerAltered unless the stored answer is the one that this platform gave."""
    stated = said(row, row.status or 0, row.answer)
    if why := macs.fault(key_id=row.mac_key, mac=row.mac, said=stated):
        logger.error("the stored answer %s is not given: %s", row.pk, why)
        raise AnswerAltered("The answer to that call cannot be given again: use another key.")


def claim(
    *, request: HttpRequest, values: Mapping[str, Any], owner: str, now: datetime
) -> tuple[Claim, HttpResponse | None]:
    """Return the right to answer a call, or what was answered to it before.

    Replays carry `Idempotent-Replayed: true`. `values` are what was asked, defaults included: the
    same question is the same request, however it is spelt. Raises
    BadIdempotencyKey (400); IdempotencyMismatch (409) for another request under the same key,
    IdempotencyInProgress (409) while the first call still runs.
    """
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return Claim(), None
    if not key or len(key) > LONGEST_KEY or not key.isascii() or not key.isprintable():
        raise BadIdempotencyKey("Idempotency-Key is 1 to 255 printable ASCII characters.")
    # what is empty is as if absent, so that a field that comes later changes no fingerprint
    said = {name: value for name, value in values.items() if value not in (None, "", [], ())}
    fingerprint = digest([request.method, request.path, said])
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


def _second(
    owner: str, key: str, fingerprint: str, now: datetime
) -> tuple[Claim, HttpResponse | None]:
    """Decide what a repeated key gets: the stored answer, a refusal, or a dead caller's claim."""
    row = IdempotentCall.objects.filter(owner=owner, key=key).first()
    if row is None:
        raise IdempotencyInProgress("The first call under this key ended just now; try again.")
    if row.fingerprint != fingerprint:
        raise IdempotencyMismatch("This Idempotency-Key was used with another request.")
    if row.status is not None:
        _insist_on_ours(row)
        headers = {"Idempotent-Replayed": "true"}
        return Claim(), HttpResponse(
            row.answer, status=row.status, headers=headers, content_type="application/json"
        )
    taken = IdempotentCall.objects.filter(
        pk=row.pk, status=None, lease_until=row.lease_until, lease_until__lte=now
    ).update(lease_until=now + LEASE)
    if not taken:
        raise IdempotencyInProgress(
            "The first call under this key is still running.", retry_after=1
        )
    row.lease_until = now + LEASE
    return Claim(row), None
