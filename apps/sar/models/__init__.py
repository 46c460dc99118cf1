"""The SAR log: what was blocked and must be looked at for a suspicious activity report.

Ledgers of their own, seen by their permission alone: that an entry exists is confidential.
References to entries carry no database constraint: an entry cannot leave its append-only table.
"""

from apps.sar.models.entries import SarEntry
from apps.sar.models.filings import FilingEvent, blocking
from apps.sar.models.matters import RUNNING, SarMatter, SarParty, standing
from apps.sar.models.reads import SarRead, may_see

__all__ = [
    "RUNNING", "FilingEvent", "SarEntry", "SarMatter", "SarParty", "SarRead", "blocking",
    "may_see", "standing",
]  # fmt: skip
