"""Register how the app's tables are protected against changes in the database."""

from apps.compliance.screening.combined.party_encounters import verify_screened_parties
from apps.compliance.screening.integrity import (
    split_screens,
    verify_find_keys,
    verify_no_stale_keys,
)
from apps.platform.ledger.table_proofs import (
    GONE,
    PARTY,
    SHOWN,
    Comparison,
    TableProof,
    TableProofs,
)

ASKED_ANEW = "the report is computed again"

PROOFS = TableProofs(
    comparisons={
        "screens": (
            Comparison(verify_find_keys, split=split_screens),
            Comparison(verify_no_stale_keys, split=split_screens),
            Comparison(verify_screened_parties, split=split_screens),
        ),
    },
    proved={
        "screening.FindKey": TableProof(PARTY, "screens", verify_find_keys),
        "screening.PepReport": TableProof(
            PARTY, where="verified before a stored answer is returned"
        ),
        "screening.UboReport": TableProof(
            PARTY, where="verified before a stored answer is returned"
        ),
        "watchlists.Party": TableProof(
            PARTY,
            "screens",
            verify_screened_parties,
            "for parties that were screened",
            deleted="owners, registered parties and parties of PEP and ownership reports are still "
            "screened at each payment",
        ),
    },
    beside={
        "screening.Rescreen": "progress of a re-screening; lists and screens are verified",
    },
    uncompared={
        "screening.PepReport": ((("made_at",), SHOWN), ((GONE,), ASKED_ANEW)),
        "screening.UboReport": ((("made_at", "lei"), SHOWN), ((GONE,), ASKED_ANEW)),
    },
    # it grows with every call, and no other table refers to it by a constraint
    by_month=("screens",),
)
