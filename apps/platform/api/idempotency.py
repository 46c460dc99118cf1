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
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse

from apps.platform.api.models import IdempotentCall
from apps.platform.common.problems import Conflict, DomainError, Unavailable
from apps.platform.crypto import macs
from apps.platform.crypto.encryption import DecryptionFailed, decrypt_text, encrypt_text

logger = logging.getLogger(__name__)
LEASE = timedelta(seconds=60)
KEPT = timedelta(hours=24)
LONGEST_KEY = 255
# a random UUID has 36 characters, and fewer than 8 different ones in none of 10^9
SECRET_KEY_LENGTH, SECRET_KEY_LETTERS = 32, 8
ANSWER_KEY_PURPOSE = b"answers under an Idempotency-Key"


class BadIdempotencyKey(DomainError):
    """The Idempotency-Key header is empty, too long or not plain ASCII."""

    status, code = 400, "bad_idempotency_key"


class IdempotencyMismatch(Conflict):
    """The key was already used with another body or path."""

    code = "idempotency_key_reused"


class IdempotencyInProgress(Conflict):
    """The first call under this key has not finished."""

    code = "idempotency_in_progress"


PROBLEMS = (BadIdempotencyKey, IdempotencyMismatch, IdempotencyInProgress)


@dataclass
class Claim:
    """The right to answer one call under its Idempotency-Key; without a key it does nothing.

    `key` is as it was sent, and `fingerprint` says what is asked under it. Where the answer is
    `secret`, it is kept sealed.
    """

    key: str | None
    fingerprint: str
    owner: str
    secret: bool
    now: datetime
    row: IdempotentCall | None = None  # from when it is taken

    @property
    def _kept_as(self) -> dict[str, Any]:
        key = str(self.key)
        if self.secret:
            key = f"secret:{hashlib.sha256(key.encode()).hexdigest()}"
        return {"owner": self.owner, "key": key}

    def stored(self) -> HttpResponse | None:
        """Return what was answered to the same call, claiming nothing; None otherwise.

        For a caller who is proved, and may by now be refused what was answered before.
        """
        if self.key is None:
            return None
        fresh = IdempotentCall.objects.filter(created_at__gte=self.now - KEPT)
        row = fresh.filter(**self._kept_as).first()
        if row is None or row.status is None or row.fingerprint != self.fingerprint:
            return None
        return self._repeated(row)

    def take(self) -> HttpResponse | None:
        """Take the claim; or return what was answered before, which says so in a header.

        Raises IdempotencyMismatch (409) for another request under the same key,
        IdempotencyInProgress (409) while the first call still runs. A claim that lasts longer than
        any does was made by a clock that has been set back: its caller is taken for dead, and were
        it not, it is told 409 and undone.
        """
        if self.key is None:
            return None
        lease_until, same_key = self.now + LEASE, IdempotentCall.objects.filter(**self._kept_as)
        for _ in range(2):
            try:
                with transaction.atomic():
                    self.row = IdempotentCall.objects.create(
                        **self._kept_as,
                        fingerprint=self.fingerprint,
                        lease_until=lease_until,
                        created_at=self.now,
                    )
                return None
            except IntegrityError:
                # one that was used more than a day ago is new again
                if not same_key.filter(created_at__lt=self.now - KEPT).delete()[0]:
                    break
        row = same_key.first()
        if row is None:
            raise IdempotencyInProgress(
                "The first call under this key has just ended. Try again.", retry_after=1
            )
        if row.fingerprint != self.fingerprint:
            raise IdempotencyMismatch("This Idempotency-Key was already used with another request.")
        if row.status is not None:
            return self._repeated(row)
        lapsed = Q(lease_until__lte=self.now) | Q(lease_until__gt=self.now + 2 * LEASE)
        unfinished = same_key.filter(pk=row.pk, status=None, lease_until=row.lease_until)
        if not unfinished.filter(lapsed).update(lease_until=lease_until):
            raise IdempotencyInProgress(
                "The first call under this key is still running.", retry_after=1
            )
        row.lease_until = lease_until
        self.row = row
        return None

    def complete(self, answer: str, status: int) -> None:
        """Store the answer's text; call it in the transaction that does the work.

        Raises IdempotencyInProgress, and so undoes the work, when this call took longer than
        its lease and another has taken its place.
        """
        if self.row is None:
            return
        if self.secret:
            answer = encrypt_text(
                answer, purpose=ANSWER_KEY_PURPOSE, bound=self.fingerprint, proof=str(self.key)
            )
        key_id, mac = macs.make_mac(answer_mac_fields(self.row, status, answer))
        stored = {"status": status, "answer": answer, "mac_key": key_id, "mac": mac}
        if not self._mine().update(**stored):
            raise IdempotencyInProgress(
                "This call took too long; another call has replaced it.", retry_after=1
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

    def _repeated(self, row: IdempotentCall) -> HttpResponse:
        """Return the stored answer, opened where it was sealed."""
        _verify_stored_answer(row)
        text = row.answer
        if self.secret:
            try:
                text = decrypt_text(
                    text, purpose=ANSWER_KEY_PURPOSE, bound=row.fingerprint, proof=str(self.key)
                )
            except DecryptionFailed as error:  # SECRET_KEY was changed since
                raise AnswerAltered(
                    "The answer to that call cannot be decrypted. Use another key."
                ) from error
        return HttpResponse(
            text,
            status=row.status,
            headers={"Idempotent-Replayed": "true"},
            content_type=content_type_of_answer(text),
        )


class AnswerAltered(Unavailable):
    """Integrity check failed for the stored answer: somebody changed it in the database."""

    code, title = "stored_answer_altered", "Stored answer not available"


def answer_mac_fields(row: Any, status: int, answer: str) -> dict[str, Any]:
    """Return what the MAC of a stored answer is made over."""
    return {
        "owner": row.owner,
        "key": row.key,
        "fingerprint": row.fingerprint,
        "status": status,
        "answer": answer,
    }


def _verify_stored_answer(row: IdempotentCall) -> None:
    """Raise AnswerAltered unless the stored answer is the one that this platform gave."""
    stated = answer_mac_fields(row, row.status or 0, row.answer)
    if why := macs.find_mac_fault(key_id=row.mac_key, mac=row.mac, said=stated):
        logger.error("the stored answer %s is not given: %s", row.pk, why)
        raise AnswerAltered("The answer to that call can no longer be returned. Use another key.")


def read_idempotency_key(*, request: HttpRequest, secret: bool = False) -> str | None:
    """Return a call's Idempotency-Key, None without one; BadIdempotencyKey (400).

    Who sends a key that was used is given its answer: where that is `secret` the key must be one
    that nobody else comes upon, as a random UUID is.
    """
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if not key or len(key) > LONGEST_KEY or not key.isascii() or not key.isprintable():
        raise BadIdempotencyKey("An Idempotency-Key has 1 to 255 printable ASCII characters.")
    if secret and (len(key) < SECRET_KEY_LENGTH or len(set(key)) < SECRET_KEY_LETTERS):
        raise BadIdempotencyKey(
            "The answer holds a secret: send a random Idempotency-Key that nobody can guess, of "
            "32 characters or more, for instance a UUID."
        )
    return key


def content_type_of_answer(answer: str) -> str:
    """Return the Content-Type of an answer's text: no JSON begins as XML does."""
    return "application/xml" if answer.startswith("<") else "application/json"
