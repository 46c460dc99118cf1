"""Register how the app's tables are protected against changes in the database."""

from apps.payments.travelrule.directory.integrity import verify_directory
from apps.payments.travelrule.integrity import split_record_spans, verify_records
from apps.payments.travelrule.ledger_coverage_integrity import verify_handovers
from apps.payments.travelrule.message_integrity import verify_messages
from apps.payments.travelrule.missing_row_integrity import find_missing_records
from apps.payments.travelrule.proofs.integrity import verify_tree
from apps.payments.travelrule.proofs.stamping.integrity import verify_stamps
from apps.payments.travelrule.tallies import verify_tallies
from apps.platform.desk.integrity import verify_proposals
from apps.platform.ledger.table_proofs import (
    ACCESS,
    FORGED,
    GONE,
    HISTORY,
    MONEY,
    PARTY,
    SHOWN,
    TRIED,
    Comparison,
    TableProof,
    TableProofs,
)

PROOFS = TableProofs(
    comparisons={
        "payment_events": (Comparison(verify_handovers, position=10),),
        "travel_rule": (
            Comparison(verify_records, split=split_record_spans),
            Comparison(find_missing_records, split=split_record_spans),
            Comparison(verify_messages, split=split_record_spans),
            Comparison(verify_tree),
            Comparison(verify_tallies),
        ),
        "travel_stamps": (Comparison(verify_stamps),),
        "travel_vasps": (Comparison(verify_directory),),
    },
    proved={
        "travelrule.Engagement": TableProof(
            ACCESS, "proposals", verify_proposals, "and when it is decided"
        ),
        "travelrule.RecordKey": TableProof(PARTY, "travel_rule", verify_records),
        "travelrule.SameDay": TableProof(PARTY, "travel_rule", verify_tallies),
        "travelrule.Tally": TableProof(PARTY, "travel_rule", verify_tallies),
        "travelrule.TallyHead": TableProof(PARTY, "travel_rule", verify_tallies),
        "travelrule.Transmission": TableProof(PARTY, "travel_rule", find_missing_records),
        "travelrule.TravelRecord": TableProof(PARTY, "travel_rule", verify_records),
        "travelrule.Vasp": TableProof(MONEY, "travel_vasps", verify_directory),
        "travelrule.VaspChange": TableProof(
            MONEY, "proposals", verify_proposals, "and when it is decided"
        ),
        "payments.HandOver": TableProof(PARTY, "payment_events", verify_handovers),
    },
    uncompared={
        "travelrule.RecordKey": (
            (
                ("wrapped", "under"),
                "an altered key decrypts nothing, and the record is returned as withheld",
            ),
        ),
        "travelrule.SameDay": (
            (
                ("count", "total_usd", FORGED),
                "a raised sum flags a day without split payments; a lowered one is detected",
            ),
        ),
        "travelrule.TallyHead": (
            (("at", FORGED), "display only; only the first row is read"),
            ((GONE,), "not detected while nothing has been counted"),
        ),
        "travelrule.Transmission": (
            (
                ("body", "sha256"),
                "encrypted under the record's key: anything else fails to decrypt and is not sent",
            ),
            (("tries", "sending", "due_at", "created_at"), TRIED),
            ((FORGED,), "the record's message is sent to the same counterparty once more"),
        ),
        "travelrule.Vasp": ((("changed_at",), SHOWN),),
    },
    beside={
        "travelrule.AlikeOfDay": "counts for the page of repeated payments",
        "travelrule.DrawnSample": "the sampled records; a sample can be repeated from its seed",
        "travelrule.EngagementEvent": HISTORY,
        "travelrule.Party": "finds the records of one party; compared with `travel_rule`",
        "travelrule.PartyToken": "finds the records of one party; compared with `travel_rule`",
        "travelrule.SavedFilter": "filters that examiners saved",
        "travelrule.Served": "compared with the ledger `travel_vasps`",
        "travelrule.TravelAttempt": "a log of messages sent",
        "travelrule.TreeNode": "computed from the seals; compared with the ledger `travel_roots`",
        "travelrule.VaspChangeEvent": HISTORY,
        "travelrule.VaspKey": "encrypted under TRAVEL_RULE_KEYS, and named in its entry's record",
    },
    witnessed=("travel_vasps",),
    # PostgreSQL may hold its table in monthly partitions
    by_month=("travel_rule",),
)
