"""The SAR log: blocked outcomes that must be reviewed for a suspicious activity report.

These ledgers need a permission of their own, because the existence of an entry is confidential.
References to entries have no database constraint: an entry cannot leave its append-only table.
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
