"""Whether a record is as it was written: its MAC and, once it is sealed, its link, recomputed."""

from dataclasses import dataclass

from apps.core.chain import sealed_fault
from apps.core.ledger import LedgerRecord
from apps.core.models import Seal


@dataclass(frozen=True, slots=True)
class Proof:
    """Where a record stands in its ledger; `fault` says why it is not as it was written."""

    position: int | None
    digest: str
    fault: str


def proof(record: LedgerRecord) -> Proof:
    """Recompute a record's MAC and, once it is sealed, its link; one query."""
    seal = Seal.objects.filter(ledger=record.LEDGER, record_id=record.pk).first()
    if seal is None:
        return Proof(None, "", record.mac_fault())
    return Proof(seal.position, seal.digest, sealed_fault(seal, record))
