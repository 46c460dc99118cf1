"""Register how the app's tables are protected against changes in the database."""

from apps.platform.desk.integrity import verify_proposals
from apps.platform.ledger.table_proofs import (
    FORGED,
    HISTORY,
    PARTY,
    SHOWN,
    Comparison,
    TableProof,
    TableProofs,
)
from apps.reference.watchlists.integrity import verify_lists

SECOND_SIGHT = "a publisher that sends less or nothing is noticed later, by the age of the list"

PROOFS = TableProofs(
    comparisons={
        "lists": (Comparison(verify_lists),),
    },
    proved={
        "watchlists.EntityState": TableProof(PARTY, "lists", verify_lists),
        "watchlists.ListVersion": TableProof(PARTY, "lists", verify_lists),
        "watchlists.Source": TableProof(PARTY, "lists", verify_lists),
        "watchlists.SourceChange": TableProof(
            PARTY, "proposals", verify_proposals, "and when it is decided"
        ),
    },
    uncompared={
        "watchlists.EntityState": (
            (("last_sequence", FORGED), "an entry of an older version, which the index omits"),
        ),
        "watchlists.ListVersion": (
            (("added", "changed", "removed", "fetched_at", "live_at", "report"), SHOWN),
            (("checksum", "files", "counts", "total"), SECOND_SIGHT),
        ),
        "watchlists.Party": ((("first_seen", "last_seen", "reference"), SHOWN),),
        "watchlists.Source": (
            (("title", "licence", "live_since", "last_error"), SHOWN),
            (("format", "validators"), SECOND_SIGHT),
        ),
    },
    beside={
        "watchlists.SourceEvent": HISTORY,
    },
)
