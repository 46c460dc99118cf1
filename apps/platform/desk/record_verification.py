"""Verify a record: recompute its MAC and, once it is sealed, its link."""

from dataclasses import dataclass

from apps.platform.ledger.models import Seal
from apps.platform.ledger.records import LedgerRecord
from apps.platform.ledger.verification.verified_reads import find_seal_fault


@dataclass(frozen=True, slots=True)
class RecordVerification:
    """The place of a record in its ledger; `fault` says why its integrity check failed."""

    position: int | None
    digest: str
    fault: str


def verify_record(record: LedgerRecord) -> RecordVerification:
    """Recompute a record's MAC and, once it is sealed, its link; one query."""
    seal = Seal.objects.filter(ledger=record.LEDGER, record_id=record.pk).first()
    if seal is None:
        return RecordVerification(None, "", record.mac_fault())
    return RecordVerification(seal.position, seal.digest, find_seal_fault(seal, record))
