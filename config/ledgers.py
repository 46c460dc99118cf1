"""What is kept beside the ledgers and made from their records.

Each projection is a function `(progress) -> iterable of faults in words`: it computes a table
anew from a ledger's records and says where the table differs. `verify_ledger` runs those of
each ledger that it verifies. `progress(done)` is called with the number of rows looked at.
"""

PROJECTIONS: dict[str, tuple[str, ...]] = {
    "agents": ("apps.agents.projection.compare",),
    "aml_screens": ("apps.aml.projection.compare",),
    "chain_events": ("apps.chain.projection.compare",),
    "bank_events": ("apps.banking.projection.compare",),
    "country_listings": ("apps.countries.projection.compare",),
    "decisions": ("apps.review.projection.compare",),
    "holds": ("apps.core.held.compare",),
    # what answers are computed from, which is no ledger itself
    "intelligence_answers": ("apps.signals.verifying.compare",),
    "keys": ("apps.access.proof.compare",),
    "known_false_positives": ("apps.review.known.compare",),
    "lists": ("apps.watchlists.projection.compare",),
    "payment_events": ("apps.payments.projection.compare",),
    "payments": ("apps.paywall.projection.compare_steps",),
    "proposals": ("apps.desk.projection.compare",),
    "receipts": ("apps.paywall.projection.compare_payments",),
    "registrations": ("apps.registry.projection.compare",),
    "sar": ("apps.sar.projection.compare",),
    "screens": (
        "apps.screening.projection.compare_keys",
        "apps.screening.projection.compare_left",
    ),
    "second_looks": ("apps.oversight.projection.compare",),
    "settlement_access": ("apps.settlement.access.looking.compare",),
    "settlement_events": ("apps.settlement.projection.compare",),
    "travel_rule": (
        "apps.travelrule.projection.compare",
        "apps.travelrule.missing.compare",
        "apps.travelrule.opening.compare",
        "apps.travelrule.proofs.projection.compare",
        "apps.travelrule.tallying.compare",
    ),
    "travel_stamps": ("apps.travelrule.proofs.stamping.projection.compare",),
    "travel_vasps": ("apps.travelrule.directory.projection.compare",),
}

# Those that can be looked at in stretches, several at once: what gives the stretches, which
# `compare` takes as `span`.
IN_PARTS: dict[str, str] = {
    "apps.screening.projection.compare_keys": "apps.screening.projection.parts",
    "apps.screening.projection.compare_left": "apps.screening.projection.parts",
    "apps.screening.projection.compare_references": "apps.screening.projection.parts",
    "apps.travelrule.projection.compare": "apps.travelrule.projection.parts",
    "apps.travelrule.missing.compare": "apps.travelrule.projection.parts",
    "apps.travelrule.opening.compare": "apps.travelrule.opening.parts",
}

# Ledgers by whose records people, agents and wallets are let in: each record is noted on disk as
# well (apps/core/witness.py), so that one that is cut off before it is sealed is missed.
WITNESSED = frozenset(
    {
        "agents",
        "country_listings",
        "keys",
        "known_false_positives",
        "proposals",
        "registrations",
        "settlement_access",
        "travel_vasps",
    }
)

# Ledgers whose tables PostgreSQL may hold in monthly partitions (apps/core/partitions): those that
# grow without end, and that no other table refers to by a constraint.
BY_MONTH = ("screens", "travel_rule")
