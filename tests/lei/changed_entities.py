"""What GLEIF says of an entity changes: rows as an import of it would leave them."""

from typing import Any

from django.db.models import QuerySet

from apps.reference.lei.models import LeiRecord
from apps.reference.lei.row_macs import prove_row


def restate(records: "QuerySet[LeiRecord]", **changes: Any) -> int:
    """Change records with their proofs; return how many."""
    related = list(records.select_related("file"))
    for row in related:
        for name, value in changes.items():
            setattr(row, name, value)
        row.proof = prove_row(row)
        row.save()
    return len(related)
