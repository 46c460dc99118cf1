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
            MONEY, where="asked before a stored answer is given again"
        ),
        "core.LegalHold": TableProof(PARTY, "holds", verify_legal_holds),
        "core.Periodic": TableProof(PARTY, "schedules", verify_schedules),
    },
    uncompared={
        "core.IdempotentCall": (
            (
                ("lease_until", "created_at"),
                "when a call may be tried again, and the key forgotten",
            ),
            ((GONE,), "the call is answered anew, as one under a new key"),
        ),
        "core.LegalHold": ((("lifted_why",), SHOWN),),
        "core.Periodic": (
            (("next_at",), "one that is further ahead than its rhythm is due at once"),
        ),
    },
    beside={
        "admin.LogEntry": "not written: every step has a record of its own",
        "contenttypes.ContentType": "names of models",
        "core.Heartbeat": "health alone",
        "core.Job": "a nudge; what it is for is a row of its own, which a sweep finds without it",
        "core.JobAttempt": "a log of runs",
        "core.LedgerHead": "the sealer's bookmark; compared with seals and exported heads",
        "core.Seal": "the chain of the ledgers itself; compared with exported heads",
        "django_q.OrmQ": "a nudge, signed under SECRET_KEY; a sweep finds what it was for without "
        "it",
        "django_q.Schedule": "not used: schedules are `core.Periodic`",
        "django_q.Task": "the queue's own log",
        "sessions.Session": "signed under SECRET_KEY, and kept under a digest of its key",
    },
)
