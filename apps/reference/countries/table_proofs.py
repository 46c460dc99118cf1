"""Register how the app's tables are protected against changes in the database."""

from apps.platform.desk.integrity import verify_proposals
from apps.platform.ledger.table_proofs import HISTORY, PARTY, Comparison, TableProof, TableProofs
from apps.reference.countries.integrity import verify_country_listings

PROOFS = TableProofs(
    comparisons={
        "country_listings": (Comparison(verify_country_listings),),
    },
    proved={
        "countries.CountryChange": TableProof(
            PARTY, "proposals", verify_proposals, "and when it is decided"
        ),
        "countries.CountryListing": TableProof(PARTY, "country_listings", verify_country_listings),
    },
    beside={
        "countries.CountryEvent": HISTORY,
    },
    witnessed=("country_listings",),
)
