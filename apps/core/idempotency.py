"""Idempotency-Key: the same call again gets the same answer, and happens once.

The claim is taken before any work and committed at once, so that two callers never both
work. The answer is stored by `Claim.complete` inside the transaction of the work: there is no
moment in which the work is done and the answer is lost. A claim belongs to whoever calls, and
no other caller is ever given what it answered.

An answer that holds a secret is kept sealed by the Idempotency-Key itself, of which a digest is
kept: who reads the database learns neither.
"""

import hashlib
import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse

from apps.core import macs
from apps.core.canonical import digest
from apps.core.models import IdempotentCall
from apps.core.problems import Conflict, DomainError, Unavailable
from apps.core.sealed import Unreadable, seal, unseal

logger = logging.getLogger(__name__)
LEASE = timedelta(seconds=60)
KEPT = timedelta(hours=24)
LONGEST_KEY = 255
# a random UUID has 36 characters, and fewer than 8 different ones in none of 10^9
SECRET_KEY_LENGTH, SECRET_KEY_LETTERS = 32, 8
ANSWERS = b"answers under an Idempotency-Key"


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
    """The right to answer one call; without a key it does nothing.

    `proof` seals an answer that holds a secret.
    """

    def __init__(self, row: IdempotentCall | None = None, proof: str = "") -> None:
        self.row, self.proof = row, proof

    def complete(self, answer: str, status: int) -> None:
        """Store the answer's text; call it in the transaction that does the work.

        Raises IdempotencyInProgress, and so undoes the work, when this call took longer than
        its lease and another has taken its place.
        """
        if self.row is None:
            return
        if self.proof:
            answer = seal(answer, purpose=ANSWERS, bound=self.row.fingerprint, proof=self.proof)
        key_id, mac = macs.made(said(self.row, status, answer))
        stored = {"status": status, "answer": answer, "mac_key": key_id, "mac": mac}
        if not self._mine().update(**stored):
            raise IdempotencyInProgress(
                "This call took too long; another has taken its place.", retry_after=1
            )

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
    *,
    request: HttpRequest,
    values: Mapping[str, Any],
    owner: str,
    now: datetime,
    secret: bool = False,
) -> tuple[Claim, HttpResponse | None]:
    """Return the right to answer a call, or what was answered to it before.

    Replays carry `Idempotent-Replayed: true`. `values` are what was asked, defaults included: the
    same question is the same request, however it is spelt. `secret` says that the answer holds a
    secret. Raises
    BadIdempotencyKey (400); IdempotencyMismatch (409) for another request under the same key,
    IdempotencyInProgress (409) while the first call still runs.
    """
    key = key_of(request=request, secret=secret)
    if key is None:
        return Claim(), None
    fingerprint = fingerprint_of(request=request, values=values)
    proof, kept = key if secret else "", _kept(key, secret)
    row = _first(owner, kept, fingerprint, now)
    return (Claim(row, proof), None) if row else _second(owner, kept, fingerprint, now, proof)


def stored(
    *,
    request: HttpRequest,
    values: Mapping[str, Any],
    owner: str,
    now: datetime,
    secret: bool = False,
) -> HttpResponse | None:
    """Return what was answered to the same call under its key, claiming nothing; None otherwise.

    For a caller who is proved, and may by now be refused what was answered before.
    """
    key = key_of(request=request, secret=secret)
    if key is None:
        return None
    kept, asked = _kept(key, secret), fingerprint_of(request=request, values=values)
    row = IdempotentCall.objects.filter(owner=owner, key=kept, created_at__gte=now - KEPT).first()
    if row is None or row.status is None or row.fingerprint != asked:
        return None
    return _again(row, key if secret else "")


def key_of(*, request: HttpRequest, secret: bool = False) -> str | None:
    """Return a call's Idempotency-Key, None without one; BadIdempotencyKey (400).

    Who sends a key that was used is given its answer: where that is `secret` the key must be one
    that nobody else comes upon, as a random UUID is.
    """
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if not key or len(key) > LONGEST_KEY or not key.isascii() or not key.isprintable():
        raise BadIdempotencyKey("Idempotency-Key is 1 to 255 printable ASCII characters.")
    if secret and (len(key) < SECRET_KEY_LENGTH or len(set(key)) < SECRET_KEY_LETTERS):
        raise BadIdempotencyKey(
            "The answer holds a secret: send a random Idempotency-Key that nobody guesses, of 32 "
            "characters or more, for instance a UUID."
        )
    return key


def _kept(key: str, secret: bool) -> str:
    return f"secret:{hashlib.sha256(key.encode()).hexdigest()}" if secret else key


def fingerprint_of(*, request: HttpRequest, values: Mapping[str, Any]) -> str:
    """Return a digest (SHA-256) of what is asked: the same question has the same."""
    # what is empty is as if absent, so that a field that comes later changes no fingerprint
    said = {name: value for name, value in values.items() if value not in (None, "", [], ())}
    return digest([request.method, request.path, said])


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
    owner: str, key: str, fingerprint: str, now: datetime, proof: str
) -> tuple[Claim, HttpResponse | None]:
    """Decide what a repeated key gets: the stored answer, a refusal, or a dead caller's claim.

    A claim that lasts longer than any does was made by a clock that has been set back: its caller
    is taken for dead, and were it not, it is told 409 and undone.
    """
    row = IdempotentCall.objects.filter(owner=owner, key=key).first()
    if row is None:
        raise IdempotencyInProgress(
            "The first call under this key ended just now; try again.", retry_after=1
        )
    if row.fingerprint != fingerprint:
        raise IdempotencyMismatch("This Idempotency-Key was used with another request.")
    if row.status is not None:
        return Claim(), _again(row, proof)
    lapsed = Q(lease_until__lte=now) | Q(lease_until__gt=now + 2 * LEASE)
    same = IdempotentCall.objects.filter(pk=row.pk, status=None, lease_until=row.lease_until)
    taken = same.filter(lapsed).update(lease_until=now + LEASE)
    if not taken:
        raise IdempotencyInProgress(
            "The first call under this key is still running.", retry_after=1
        )
    row.lease_until = now + LEASE
    return Claim(row, proof), None


def _again(row: IdempotentCall, proof: str) -> HttpResponse:
    """Answer a call as it was answered before."""
    _insist_on_ours(row)
    headers, text = {"Idempotent-Replayed": "true"}, _opened(row, proof)
    return HttpResponse(text, status=row.status, headers=headers, content_type=type_of(text))


def type_of(answer: str) -> str:
    """Return the Content-Type of an answer's text: no JSON begins as XML does."""
    return "application/xml" if answer.startswith("<") else "application/json"


def _opened(row: IdempotentCall, proof: str) -> str:
    """Return a stored answer, opened where it was sealed."""
    if not proof:
        return row.answer
    try:
        return unseal(row.answer, purpose=ANSWERS, bound=row.fingerprint, proof=proof)
    except Unreadable as error:  # SECRET_KEY was changed since
        raise AnswerAltered("The answer to that call cannot be opened: use another key.") from error
