"""Register how the app's tables are protected against changes in the database."""

from apps.compliance.aml.expected_activity.selectors import verify_activity_declarations
from apps.compliance.aml.integrity import verify_profiles_and_labels
from apps.platform.desk.integrity import verify_proposals
from apps.platform.ledger.table_proofs import (
    HISTORY,
    PARTY,
    SHOWN,
    Comparison,
    TableProof,
    TableProofs,
)

PROOFS = TableProofs(
    comparisons={
        "aml_activity": (Comparison(verify_activity_declarations),),
        "aml_screens": (Comparison(verify_profiles_and_labels),),
    },
    proved={
        "aml.ActivityChange": TableProof(
            PARTY, "proposals", verify_proposals, "and when it is decided"
        ),
        "aml.ActivityDeclaration": TableProof(
            PARTY,
            "aml_activity",
            verify_activity_declarations,
            "and when a screen reads it",
        ),
        "aml.DeclaredAccount": TableProof(PARTY, "aml_activity", verify_activity_declarations),
        "aml.WalletProfile": TableProof(
            PARTY,
            "aml_screens",
            verify_profiles_and_labels,
            "and by its MAC when a screen reads it",
        ),
        "aml.WeightChange": TableProof(
            PARTY, "proposals", verify_proposals, "and when it is decided"
        ),
    },
    uncompared={
        "aml.WalletProfile": ((("updated_at",), SHOWN),),
        "aml.ActivityDeclaration": ((("changed_at",), SHOWN),),
    },
    beside={
        "aml.ActivityChangeEvent": HISTORY,
        "aml.Label": "compared with the ledger `aml_screens`; data for proposing weights",
        "aml.LabelCount": "compared with the ledger `aml_screens`; sums of the labels",
        "aml.WeightChangeEvent": HISTORY,
    },
    witnessed=("aml_activity",),
)
