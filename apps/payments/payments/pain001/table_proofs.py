"""Register how the app's tables are protected against changes in the database."""

from apps.payments.payments.pain001.integrity import verify_payment_files
from apps.platform.ledger.table_proofs import MONEY, SHOWN, Comparison, TableProof, TableProofs

PROOFS = TableProofs(
    comparisons={
        "payment_events": (
            # the source of payments; not a ledger itself
            Comparison(verify_payment_files, position=40),
        ),
    },
    proved={
        "pain001.PaymentFile": TableProof(
            MONEY,
            "payment_events",
            verify_payment_files,
            "by a MAC on each row, before payments are created from the message",
            deleted="none of its payments is made twice, and its sender finds no file",
        ),
    },
    uncompared={
        "pain001.PaymentFile": (
            (("size", "initiator", "amounts", "finished_at"), SHOWN),
            (("trouble",), "a stopped file makes no more payments, and its sender sees that"),
            (
                ("received_at",),
                "decides whether a requested date is still possible; the payments are those of "
                "the message",
            ),
        ),
    },
    beside={
        "pain001.FilePiece": "content of a file; the file's MAC covers its digest",
        "pain001.FileTransaction": "refers to payments; each is verified when it is returned",
        "pain001.SenderProfile": "an institution's file conventions and callback address; payments "
        "record both as used, and an attacker who can write them can read the payments anyway",
    },
)
