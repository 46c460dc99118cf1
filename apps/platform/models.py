"""The models of the platform, which is one Django app in several packages (label `core`)."""

from apps.platform.api.models import IdempotentCall
from apps.platform.jobs.models import Heartbeat, Job, JobAttempt, Periodic, ScheduleRecord
from apps.platform.ledger.models import HoldEvent, LedgerHead, LegalHold, PurgeEvent, Seal

__all__ = [
    "Heartbeat",
    "HoldEvent",
    "IdempotentCall",
    "Job",
    "JobAttempt",
    "LedgerHead",
    "LegalHold",
    "Periodic",
    "PurgeEvent",
    "ScheduleRecord",
    "Seal",
]
