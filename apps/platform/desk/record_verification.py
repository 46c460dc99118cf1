"""Whether a record is as it was written: its MAC and, once it is sealed, its link, recomputed."""

from dataclasses import dataclass

from apps.platform.ledger.models import Seal
from apps.platform.ledger.records import LedgerRecord
from apps.platform.ledger.verification.hash_chain import find_seal_fault


@dataclass(frozen=True, slots=True)
class RecordVerification:
    """Where a record stands in its ledger; `fault` says why it is not as it was written."""

    position: int | None
    digest: str
    fault: str


def verify_record(record: LedgerRecord) -> RecordVerification:
    """Recompute a record's MAC and, once it is sealed, its link; one query."""
    seal = Seal.objects.filter(ledger=record.LEDGER, record_id=record.pk).first()
    if seal is None:
        return RecordVerification(None, "", record.mac_fault())
    return RecordVerification(seal.position, seal.digest, find_seal_fault(seal, record))
