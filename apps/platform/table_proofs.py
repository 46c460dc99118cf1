"""Register how the app's tables are protected against changes in the database."""

from apps.platform.jobs.schedule_integrity import verify_schedules
from apps.platform.ledger.table_proofs import (
    GONE,
    MONEY,
    PARTY,
    SHOWN,
    Comparison,
    TableProof,
    TableProofs,
)
from apps.platform.ledger.verification.legal_hold_integrity import verify_legal_holds

PROOFS = TableProofs(
    comparisons={
        "holds": (Comparison(verify_legal_holds),),
        "schedules": (Comparison(verify_schedules),),
    },
    proved={
        "core.IdempotentCall": TableProof(
            MONEY, where="verified before a stored answer is returned"
        ),
        "core.LegalHold": TableProof(PARTY, "holds", verify_legal_holds),
        "core.Periodic": TableProof(PARTY, "schedules", verify_schedules),
    },
    uncompared={
        "core.IdempotentCall": (
            (
                ("lease_until", "created_at"),
                "when a call may be retried and the key expires",
            ),
            ((GONE,), "the call runs again, as if under a new key"),
        ),
        "core.LegalHold": ((("lifted_why",), SHOWN),),
        "core.Periodic": ((("next_at",), "a time further ahead than the interval is due at once"),),
    },
    beside={
        "admin.LogEntry": "not written: every action has its own record",
        "contenttypes.ContentType": "names of models",
        "core.Heartbeat": "only for health checks",
        "core.Job": "a trigger; a sweep finds the row to work on without it",
        "core.JobAttempt": "a log of runs",
        "core.LedgerHead": "the sealer's bookmark; compared with seals and exported heads",
        "core.Seal": "the hash chain of the ledgers; compared with exported heads",
        "django_q.OrmQ": "a trigger, signed under SECRET_KEY; a sweep finds the row without it",
        "django_q.Schedule": "not used: schedules are `core.Periodic`",
        "django_q.Task": "the queue's own log",
        "sessions.Session": "signed under SECRET_KEY, and stored under a digest of its key",
    },
)
