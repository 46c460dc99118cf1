"""Idempotency-Key: a repeated call gets the same answer, and its work is done once.

The claim is taken before any work and committed at once, so that two callers never both do the
work. `Claim.complete` stores the answer inside the transaction of the work, so that work is never
committed without its answer. A claim belongs to its caller, and no other caller is ever given its
answer.

An answer that holds a secret is stored encrypted under the Idempotency-Key itself, of which only a
digest is stored: a reader of the database learns neither.
"""

import hashlib
import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.forms import model_to_dict
from django.http import HttpRequest, HttpResponse

from apps.platform.api.models import IdempotentCall
from apps.platform.common.problems import Conflict, DomainError, Unavailable
from apps.platform.crypto import macs
from apps.platform.crypto.encryption import DecryptionFailed, decrypt_text, encrypt_text

logger = logging.getLogger(__name__)
LEASE = timedelta(seconds=60)  # longer than any call may take
KEPT = timedelta(hours=24)  # DESIGN section 4, Idempotency
LONGEST_KEY = 255  # characters
# a random UUID has 36 characters; fewer than one in 10^9 has less than 8 different ones
SECRET_KEY_LENGTH, SECRET_KEY_LETTERS = 32, 8
ANSWER_KEY_PURPOSE = b"answers under an Idempotency-Key"
MAC_FIELDS = ("owner", "key", "fingerprint", "status", "answer")


class BadIdempotencyKey(DomainError):
    """The Idempotency-Key header is empty, too long or not plain ASCII."""

    status, code = 400, "bad_idempotency_key"


class IdempotencyMismatch(Conflict):
    """The key was already used with another body or path."""

    code = "idempotency_key_reused"


class IdempotencyInProgress(Conflict):
    """The first call under this key has not finished."""

    code, retry_after = "idempotency_in_progress", 1


PROBLEMS = (BadIdempotencyKey, IdempotencyMismatch, IdempotencyInProgress)


def _select_unfinished(row: IdempotentCall) -> QuerySet[IdempotentCall]:
    """Return the row unless it was answered or another caller has taken it over."""
    return IdempotentCall.objects.filter(pk=row.pk, status=None, lease_until=row.lease_until)


@dataclass
class Claim:
    """The right to answer one call under its Idempotency-Key; without a key it does nothing.

    `key` is the header as sent, and `fingerprint` identifies the request. A `secret` answer is
    stored encrypted.
    """

    key: str | None
    fingerprint: str
    owner: str
    secret: bool
    now: datetime
    row: IdempotentCall | None = None  # counted from when the claim is taken

    @property
    def _kept_as(self) -> dict[str, Any]:
        key = str(self.key)
        if self.secret:
            key = f"secret:{hashlib.sha256(key.encode()).hexdigest()}"
        return {"owner": self.owner, "key": key}

    def stored(self) -> HttpResponse | None:
        """Return the stored answer to the same call without claiming anything; None without one.

        For an authenticated caller whose call would now be refused but was answered before.
        """
        if self.key is None:
            return None
        fresh = IdempotentCall.objects.filter(created_at__gte=self.now - KEPT)
        row = fresh.filter(**self._kept_as).first()
        if row is None or row.status is None or row.fingerprint != self.fingerprint:
            return None
        return self._repeated(row)

    def take(self) -> HttpResponse | None:
        """Take the claim, or return the stored answer with a header that marks it as a repeat.

        Raises IdempotencyMismatch (409) for another request under the same key,
        IdempotencyInProgress (409) while the first call still runs.
        """
        if self.key is None:
            return None
        lease_until, same_key = self.now + LEASE, IdempotentCall.objects.filter(**self._kept_as)
        for _ in range(2):
            try:
                # committed at once, before any work: the row is what a second caller runs into
                with transaction.atomic():
                    self.row = IdempotentCall.objects.create(
                        **self._kept_as,
                        fingerprint=self.fingerprint,
                        lease_until=lease_until,
                        created_at=self.now,
                    )
                return None
            except IntegrityError:
                # a key that was used more than a day ago is new again
                if not same_key.filter(created_at__lt=self.now - KEPT).delete()[0]:
                    break
        # it can be gone again: the first call was refused and has freed its key
        row = same_key.first()
        if row is None:
            raise IdempotencyInProgress("The first call under this key has just ended. Try again.")
        if row.fingerprint != self.fingerprint:
            raise IdempotencyMismatch("This Idempotency-Key was already used with another request.")
        if row.status is not None:
            return self._repeated(row)
        # a lease that ends further ahead than any can was written by a clock that has since been
        # set back: its caller is presumed dead, and if it still runs, its `complete` raises 409
        lapsed = Q(lease_until__lte=self.now) | Q(lease_until__gt=self.now + 2 * LEASE)
        # compare-and-set on the lease that was read: one of several callers takes a dead call over
        if not _select_unfinished(row).filter(lapsed).update(lease_until=lease_until):
            raise IdempotencyInProgress("The first call under this key is still running.")
        row.lease_until = lease_until
        self.row = row
        return None

    def complete(self, answer: str, status: int) -> None:
        """Store the answer's text; call it in the transaction that does the work.

        Raises IdempotencyInProgress, which rolls the work back, when this call outlived its lease
        and another call has taken the claim over.
        """
        if self.row is None:
            return
        if self.secret:
            answer = encrypt_text(
                answer, purpose=ANSWER_KEY_PURPOSE, bound=self.fingerprint, proof=str(self.key)
            )
        row = self.row
        row.status, row.answer = status, answer
        row.mac_key, row.mac = macs.make_mac(model_to_dict(row, MAC_FIELDS))
        stored = {"status": status, "answer": answer, "mac_key": row.mac_key, "mac": row.mac}
        # zero rows: another caller has replaced this one, and the exception undoes all it wrote
        if not _select_unfinished(row).update(**stored):
            raise IdempotencyInProgress("This call took too long; another call has replaced it.")

    def release(self) -> None:
        """Free the key, because the call was refused or failed."""
        if self.row is not None:
            _select_unfinished(self.row).delete()

    def _repeated(self, row: IdempotentCall) -> HttpResponse:
        """Return the stored answer, decrypted if necessary; AnswerAltered if it was changed."""
        content = model_to_dict(row, MAC_FIELDS)
        if why := macs.find_mac_fault(key_id=row.mac_key, mac=row.mac, said=content):
            logger.error("the stored answer %s is not returned: %s", row.pk, why)
            raise AnswerAltered(
                "The answer to that call can no longer be returned. Use another key."
            )
        text = row.answer
        if self.secret:
            try:
                text = decrypt_text(
                    text, purpose=ANSWER_KEY_PURPOSE, bound=row.fingerprint, proof=str(self.key)
                )
            except DecryptionFailed as error:  # SECRET_KEY has changed since
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
    """Integrity check failed for the stored answer: it was altered in the database."""

    code, title = "stored_answer_altered", "Stored answer not available"


def read_idempotency_key(*, request: HttpRequest, secret: bool = False) -> str | None:
    """Return a call's Idempotency-Key, None without one; BadIdempotencyKey (400).

    Any caller who sends a used key gets its answer. For a `secret` answer the key must therefore be
    unguessable, such as a random UUID.
    """
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    # ASCII only: servers and proxies disagree on the encoding of other characters in a header
    if not key or len(key) > LONGEST_KEY or not key.isascii() or not key.isprintable():
        raise BadIdempotencyKey("An Idempotency-Key has 1 to 255 printable ASCII characters.")
    if secret and (len(key) < SECRET_KEY_LENGTH or len(set(key)) < SECRET_KEY_LETTERS):
        raise BadIdempotencyKey(
            "The answer contains a secret: send a random Idempotency-Key of at least 32 "
            "characters that cannot be guessed, for example a UUID."
        )
    return key


def content_type_of_answer(answer: str) -> str:
    """Return the Content-Type of an answer's text: JSON never begins as XML does."""
    return "application/xml" if answer.startswith("<") else "application/json"
