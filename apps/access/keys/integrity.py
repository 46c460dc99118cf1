"""Verify keys against their records: a key that was made or altered in the database is refused.

An attacker who can write the database can put another secret into a row, move it to another account
or undo its revocation, but cannot record that.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any, ClassVar

from django.apps import apps
from django.db import models
from django.db.models import Max

from apps.platform.common.problems import Unavailable
from apps.platform.desk.proposal_records import snapshot_row
from apps.platform.ledger.records import LedgerRecord
from apps.platform.ledger.verification.projection_checks import Projection, describe_difference
from apps.platform.ledger.verification.verified_reads import filter_verified_records

logger = logging.getLogger(__name__)


class KeyIntegrityError(Unavailable):
    """Integrity check failed for the key: it was altered."""

    code, title = "key_unproved", "Key integrity check failed"


class KeyRecord(LedgerRecord):
    """The state of a key after a step; kept for good, without its secret.

    `number` counts the records of a key: a copy of an old one is never the newest.
    """

    LEDGER: ClassVar[str] = "keys"
    PURGEABLE: ClassVar[tuple[str, ...]] = ()

    class Step(models.TextChoices):
        ISSUED = "ISSUED", "Issued"
        ENDS = "ENDS", "Ends with the overlap of its successor"
        REVOKED = "REVOKED", "Revoked"

    key = models.ForeignKey("access.ApiKey", on_delete=models.PROTECT, related_name="records")
    number = models.PositiveIntegerField()
    step = models.CharField(max_length=8, choices=Step)

    class Meta:
        app_label = "access"
        default_permissions = ()
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["key", "number"], name="key_record_once")
        ]

    def __str__(self) -> str:
        return f"{self.key_id}: {self.step}"


def record_key_state(key: models.Model, step: KeyRecord.Step, *, now: datetime) -> None:
    """Record the state of a key; call it in the step's transaction, after its update."""
    # two steps at once would take the same number: the unique constraint refuses the second
    last = KeyRecord.objects.filter(key_id=key.pk).aggregate(last=Max("number"))["last"] or 0
    KeyRecord.write(
        payload={"stands": describe_key(key)}, now=now, key_id=key.pk, number=last + 1, step=step
    )


def describe_key(key: models.Model) -> dict[str, Any]:
    """Return the recorded part of a key's row: everything except when it was last used."""
    # written about once a minute of use, without a record
    return {name: value for name, value in snapshot_row(key).items() if name != "last_used_at"}


def find_key_faults(key: models.Model, records: Sequence[KeyRecord]) -> Iterator[str]:
    """Yield in words where a key differs from its newest record; a digest is not quoted."""
    if not records:
        yield "its issue is not recorded"
        return
    # by number and not by id: a copied record has a new id, but not a new number
    last = max(records, key=lambda record: record.number)
    shown, recorded = describe_key(key), last.data["stands"]
    for name in recorded:
        # columns that were added or removed since the record are not compared
        if name in shown and shown[name] != recorded[name]:
            field = name.removesuffix("_id")
            yield (
                f"its {field} differs from the record"
                if name == "digest"
                else f"its {describe_difference(field, shown[name], recorded[name])}"
            )


def find_first_key_fault(key: models.Model, records: Sequence[KeyRecord] | None = None) -> str:
    """Return how a key differs from its records, or an empty text; reads `records` if not given.

    Records without a valid MAC do not count.
    """
    if records is None:
        records = list(KeyRecord.objects.filter(key_id=key.pk).order_by("-number")[:1])
    return next(find_key_faults(key, filter_verified_records(records)), "")


def require_recorded_key(key: models.Model, records: Sequence[KeyRecord]) -> None:
    """Raise KeyIntegrityError (503) unless the key matches the newest of its records."""
    if why := find_first_key_fault(key, records):
        logger.error("the key %s is refused: %s", key, why)
        raise KeyIntegrityError("Integrity check failed for this key. Contact the operator.")


def verify_keys(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield where keys differ from their records."""
    # models.py imports this module, so the model is looked up by name
    keys: Any = apps.get_model("access", "ApiKey")
    yield from Projection(
        name="key",
        rows=keys.objects.all(),
        records=KeyRecord.objects.all(),
        of="key_id",
        faults=find_key_faults,
    ).compare(progress)
