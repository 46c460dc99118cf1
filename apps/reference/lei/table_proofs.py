"""Register how the app's tables are protected against changes in the database."""

from apps.platform.ledger.table_proofs import (
    FORGED,
    FOUND_BY,
    PARTY,
    Comparison,
    TableProof,
    TableProofs,
)
from apps.reference.lei.integrity import verify_lei_rows

WHOLE_COPY = "a row moved to another copy or hidden counts as deleted"
SAID_TWICE = "a repeated statement adds nothing"
UNKNOWN_LEI = "the LEI is unknown or could not be checked, and verifies no entity"
UNKNOWN_OWNER = "owners could not be checked, and an officer reviews"

PROOFS = TableProofs(
    comparisons={
        "screens": (
            # the data behind screens; not a ledger itself
            Comparison(verify_lei_rows, position=10),
        ),
    },
    proved={
        "lei.LeiRecord": TableProof(
            PARTY,
            "screens",
            verify_lei_rows,
            "by a MAC on each row, each time it is read",
            deleted=UNKNOWN_LEI,
        ),
        "lei.Relationship": TableProof(
            PARTY,
            "screens",
            verify_lei_rows,
            "by a MAC on each row, each time it is read",
            deleted=UNKNOWN_OWNER,
        ),
        "lei.ReportingException": TableProof(
            PARTY,
            "screens",
            verify_lei_rows,
            "by a MAC on each row, each time it is read",
            deleted=UNKNOWN_OWNER,
        ),
    },
    uncompared={
        "lei.LeiRecord": (
            (("file", "deleted"), WHOLE_COPY),
            (("name_key",), FOUND_BY),
        ),
        "lei.Relationship": ((("file", "deleted"), WHOLE_COPY), ((FORGED,), SAID_TWICE)),
        "lei.ReportingException": ((("file", "deleted"), WHOLE_COPY), ((FORGED,), SAID_TWICE)),
    },
    beside={
        "lei.GleifFile": "the live copies; without its file, a row could not be checked",
        "lei.LeiUse": "records that are refreshed daily; at worst an LEI is unknown",
    },
)
