"""The SAR log: what was blocked and must be looked at for a suspicious activity report.

Ledgers of their own, seen by their permission alone: that an entry exists is confidential.
References to entries carry no database constraint: an entry cannot leave its append-only table.
"""

from apps.backoffice.sar.models.entries import SarEntry
from apps.backoffice.sar.models.filings import FilingEvent, list_blocked_entries
from apps.backoffice.sar.models.matters import RUNNING, SarMatter, SarParty, compute_clock_columns
from apps.backoffice.sar.models.reads import SarRead, can_see_log

__all__ = [
    "RUNNING",
    "FilingEvent",
    "SarEntry",
    "SarMatter",
    "SarParty",
    "SarRead",
    "can_see_log",
    "compute_clock_columns",
    "list_blocked_entries",
]  # fmt: skip
