"""What is kept beside the ledgers and made from their records.

Each projection is a function `(progress) -> iterable of faults in words`: it computes a table
anew from a ledger's records and says where the table differs. `verify_ledger` runs those of
each ledger that it verifies. `progress(done)` is called with the number of rows looked at.
"""

PROJECTIONS: dict[str, tuple[str, ...]] = {
    "agents": ("apps.compliance.agents.integrity.verify_all_agents",),
    "aml_activity": ("apps.compliance.aml.activity.selectors.verify_activity_declarations",),
    "aml_screens": ("apps.compliance.aml.integrity.verify_profiles_and_labels",),
    "chain_events": ("apps.payments.chain.integrity.verify_orders",),
    "bank_events": ("apps.payments.banking.integrity.verify_bank_rows",),
    "country_listings": ("apps.reference.countries.integrity.verify_country_listings",),
    "decisions": ("apps.backoffice.review.integrity.verify_cases",),
    "holds": ("apps.platform.ledger.verification.legal_hold_integrity.verify_legal_holds",),
    # what answers are computed from, which is no ledger itself
    "intelligence_answers": ("apps.reference.signals.integrity.verify_observations",),
    "keys": ("apps.access.keys.integrity.verify_keys",),
    "known_false_positives": (
        "apps.backoffice.review.known_integrity.verify_known_false_positives",
    ),
    "lists": ("apps.reference.watchlists.integrity.verify_lists",),
    "payment_events": (
        "apps.payments.payments.integrity.verify_payments",
        "apps.payments.travelrule.handover_integrity.verify_handovers",
        "apps.payments.banking.volume_integrity.compare_month_volumes",
        "apps.insight.stability.fees.integrity.verify_quote_fees",
        # what payments are made of, which is no ledger itself
        "apps.payments.payments.pain001.integrity.verify_payment_files",
    ),
    "payments": ("apps.access.paywall.integrity.verify_payment_steps",),
    "proposals": ("apps.platform.desk.integrity.verify_proposals",),
    "receipts": ("apps.access.paywall.integrity.verify_payments",),
    "registrations": ("apps.compliance.payees.integrity.verify_all_registrations",),
    "sar": ("apps.backoffice.sar.integrity.verify_matters",),
    "screens": (
        "apps.compliance.screening.integrity.verify_find_keys",
        "apps.compliance.screening.integrity.verify_no_stale_keys",
        "apps.compliance.screening.combined.screened_parties.verify_screened_parties",
        # what screens rest on, which is no ledger itself
        "apps.reference.lei.integrity.verify_lei_rows",
    ),
    "schedules": ("apps.platform.jobs.schedule_integrity.verify_schedules",),
    "second_looks": ("apps.backoffice.oversight.integrity.verify_samples",),
    "settlement_access": ("apps.payments.settlement.access.selectors.verify_settlement_access",),
    "settlement_events": ("apps.payments.settlement.integrity.verify_settlements",),
    "staff": ("apps.backoffice.staff.integrity.verify_staff",),
    "travel_rule": (
        "apps.payments.travelrule.integrity.verify_records",
        "apps.payments.travelrule.missing_records.find_missing_records",
        "apps.payments.travelrule.message_integrity.verify_messages",
        "apps.payments.travelrule.proofs.integrity.verify_tree",
        "apps.payments.travelrule.tallies.verify_tallies",
    ),
    "travel_stamps": ("apps.payments.travelrule.proofs.stamping.integrity.verify_stamps",),
    "travel_vasps": ("apps.payments.travelrule.directory.integrity.verify_directory",),
    "usage": ("apps.access.keys.usage_integrity.verify_usage_counts",),
}

_SCREENS = "apps.compliance.screening.integrity.split_screens"
_TRAVEL_RECORDS = "apps.payments.travelrule.integrity.split_record_spans"
# Those that can be looked at in stretches, several at once: what gives the stretches, which
# `compare` takes as `span`.
IN_PARTS: dict[str, str] = {
    "apps.compliance.screening.integrity.verify_find_keys": _SCREENS,
    "apps.compliance.screening.integrity.verify_no_stale_keys": _SCREENS,
    "apps.compliance.screening.combined.screened_parties.verify_screened_parties": _SCREENS,
    "apps.payments.travelrule.integrity.verify_records": _TRAVEL_RECORDS,
    "apps.payments.travelrule.missing_records.find_missing_records": _TRAVEL_RECORDS,
    "apps.payments.travelrule.message_integrity.verify_messages": (
        "apps.payments.travelrule.message_integrity.split_record_spans"
    ),
}

# Ledgers by whose records people, agents and wallets are let in, and money moves: each record is
# noted on disk as well (ledger/witness_log.py), so that one that is cut off before it is sealed is
# missed.
WITNESSED = frozenset(
    {
        "agents",
        "aml_activity",
        "bank_events",
        "chain_events",
        "country_listings",
        "keys",
        "known_false_positives",
        "payment_events",
        "payments",
        "proposals",
        "receipts",
        "registrations",
        "settlement_access",
        "settlement_events",
        "staff",
        "travel_vasps",
        "usage",
    }
)

# Ledgers whose tables PostgreSQL may hold in monthly partitions (core/partitions): those that
# grow without end, and that no other table refers to by a constraint.
BY_MONTH = ("screens", "travel_rule")
