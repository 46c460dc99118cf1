"""Register how the app's tables are protected against changes in the database."""

from apps.payments.travelrule.directory.integrity import verify_directory
from apps.payments.travelrule.handover_integrity import verify_handovers
from apps.payments.travelrule.integrity import split_record_spans, verify_records
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
            ACCESS, "proposals", verify_proposals, "and as it is decided"
        ),
        "travelrule.RecordKey": TableProof(PARTY, "travel_rule", verify_records),
        "travelrule.SameDay": TableProof(PARTY, "travel_rule", verify_tallies),
        "travelrule.Tally": TableProof(PARTY, "travel_rule", verify_tallies),
        "travelrule.TallyHead": TableProof(PARTY, "travel_rule", verify_tallies),
        "travelrule.Transmission": TableProof(PARTY, "travel_rule", find_missing_records),
        "travelrule.TravelRecord": TableProof(PARTY, "travel_rule", verify_records),
        "travelrule.Vasp": TableProof(MONEY, "travel_vasps", verify_directory),
        "travelrule.VaspChange": TableProof(
            MONEY, "proposals", verify_proposals, "and as it is decided"
        ),
        "payments.HandOver": TableProof(PARTY, "payment_events", verify_handovers),
    },
    uncompared={
        "travelrule.RecordKey": (
            (
                ("wrapped", "under"),
                "a key that is wrapped otherwise opens nothing, and the record is told as withheld",
            ),
        ),
        "travelrule.SameDay": (
            (
                ("count", "total_usd", FORGED),
                "a sum that is raised shows a day on which nothing was split; a lower one is found",
            ),
        ),
        "travelrule.TallyHead": (
            (("at", FORGED), "shown; no row but the first is read"),
            ((GONE,), "not found where nothing is counted yet"),
        ),
        "travelrule.Transmission": (
            (
                ("body", "sha256"),
                "sealed under the key of its record: anything else opens nothing, and is not sent",
            ),
            (("tries", "sending", "due_at", "created_at"), TRIED),
            ((FORGED,), "the message of a record goes to the same counterparty once more"),
        ),
        "travelrule.Vasp": ((("changed_at",), SHOWN),),
    },
    beside={
        "travelrule.AlikeOfDay": "counts for the page of repeated payments",
        "travelrule.DrawnSample": "which records somebody drew; the draw is repeated from its seed",
        "travelrule.EngagementEvent": HISTORY,
        "travelrule.Party": "finds the records of one party; compared with `travel_rule`",
        "travelrule.PartyToken": "finds the records of one party; compared with `travel_rule`",
        "travelrule.SavedFilter": "what an examiner asked for",
        "travelrule.Served": "compared with the ledger `travel_vasps`",
        "travelrule.TravelAttempt": "a log of messages sent",
        "travelrule.TreeNode": "computed from the seals; compared with the ledger `travel_roots`",
        "travelrule.VaspChangeEvent": HISTORY,
        "travelrule.VaspKey": "sealed under TRAVEL_RULE_KEYS, and named in the record of its entry",
    },
    witnessed=("travel_vasps",),
    by_month=("travel_rule",),
)
