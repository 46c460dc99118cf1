"""Register how the app's tables are protected against changes in the database."""

from apps.payments.payments.pain001.integrity import verify_payment_files
from apps.platform.ledger.table_proofs import MONEY, SHOWN, Comparison, TableProof, TableProofs

PROOFS = TableProofs(
    comparisons={
        "payment_events": (
            # what payments are made of, which is no ledger itself
            Comparison(verify_payment_files, position=40),
        ),
    },
    proved={
        "pain001.PaymentFile": TableProof(
            MONEY,
            "payment_events",
            verify_payment_files,
            "by a MAC on each row, before payments are made of the message",
            deleted="none of its payments is made a second time, and who sent it finds no file",
        ),
    },
    uncompared={
        "pain001.PaymentFile": (
            (("size", "initiator", "amounts", "finished_at"), SHOWN),
            (("trouble",), "a file that is stopped pays nothing more, and says so to who sent it"),
            (
                ("received_at",),
                "whether a requested day is in time is judged by it; what is paid is what came",
            ),
        ),
    },
    beside={
        "pain001.FilePiece": "bytes whose digest the file's MAC covers",
        "pain001.FileTransaction": "points to payments, each of which is proved as it is told",
        "pain001.SenderProfile": "how an institution writes its files, and which address is told "
        "of its payments; payments record both as they were used, and who writes here reads them "
        "anyway",
    },
)
