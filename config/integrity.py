"""How each table is proved against whoever can write the database.

Every table is in one of these, or is a ledger (apps/platform/ledger/records.py), whose records
prove themselves; a test walks all models. `./run manage print_integrity` prints it for
docs/security.md.
"""

from dataclasses import dataclass

MONEY = "moves money"
ACCESS = "lets somebody in"
PARTY = "hides a party"


@dataclass(frozen=True, slots=True)
class TableProof:
    """What a change or a deletion of a table's rows would do, and what finds it.

    `ledger` is the one that `verify_ledger` verifies it with, by `projection`
    (config/ledgers.py); a table without carries a MAC of its own in each row. `deleted` says why a
    row that is gone does no harm, where nothing misses it.
    """

    would: str
    ledger: str = ""
    projection: str = ""
    where: str = ""
    deleted: str = ""

    @property
    def told(self) -> str:
        """How it is proved, for the docs."""
        gone = f"; where one is gone, {self.deleted}" if self.deleted else ""
        if not self.ledger:
            return f"a MAC on each row, {self.where}{gone}"
        where = f", {self.where}" if self.where else ""
        return f"compared with the ledger `{self.ledger}`{where}{gone}"


UNKNOWN_LEI = "the LEI is unknown or could not be checked, and verifies nobody"
UNKNOWN_OWNER = "owners could not be checked, and an officer looks"

PROVED: dict[str, TableProof] = {
    "access.ApiKey": TableProof(
        ACCESS, "keys", "apps.access.keys.integrity.verify_keys", "and at every call with the key"
    ),
    "access.KeyRequest": TableProof(
        ACCESS,
        "proposals",
        "apps.platform.desk.integrity.verify_proposals",
        "and as it is decided or drawn",
    ),
    "access.UsageCount": TableProof(
        MONEY,
        "usage",
        "apps.access.keys.usage_integrity.verify_usage_counts",
        "which is written each hour",
    ),
    "agents.Agent": TableProof(
        ACCESS,
        "agents",
        "apps.compliance.agents.integrity.verify_all_agents",
        "and at every call of the agent",
    ),
    "agents.Mandate": TableProof(
        MONEY,
        "agents",
        "apps.compliance.agents.integrity.verify_all_agents",
        "and at every settlement of the agent",
    ),
    "agents.Revocation": TableProof(
        ACCESS,
        "agents",
        "apps.compliance.agents.integrity.verify_all_agents",
        "and at every call of the agent",
    ),
    "agents.Spend": TableProof(
        MONEY, "agents", "apps.compliance.agents.integrity.verify_all_agents"
    ),
    "aml.ActivityChange": TableProof(
        PARTY, "proposals", "apps.platform.desk.integrity.verify_proposals", "and as it is decided"
    ),
    "aml.ActivityDeclaration": TableProof(
        PARTY,
        "aml_activity",
        "apps.compliance.aml.activity.selectors.verify_activity_declarations",
        "and as a screen reads it",
    ),
    "aml.DeclaredAccount": TableProof(
        PARTY, "aml_activity", "apps.compliance.aml.activity.selectors.verify_activity_declarations"
    ),
    "aml.WalletProfile": TableProof(
        PARTY, "aml_screens", "apps.compliance.aml.integrity.verify_profiles_and_labels"
    ),
    "aml.WeightChange": TableProof(
        PARTY, "proposals", "apps.platform.desk.integrity.verify_proposals", "and as it is decided"
    ),
    "auth.Group": TableProof(
        ACCESS, "staff", "apps.backoffice.staff.integrity.verify_staff", "and never read for it"
    ),
    "auth.Group_permissions": TableProof(
        ACCESS, "staff", "apps.backoffice.staff.integrity.verify_staff", "and never read for it"
    ),
    "auth.User": TableProof(
        ACCESS, "staff", "apps.backoffice.staff.integrity.verify_staff", "on every page of the desk"
    ),
    "auth.User_groups": TableProof(
        ACCESS,
        "staff",
        "apps.backoffice.staff.integrity.verify_staff",
        "at each sign-in and whatever is sent",
    ),
    "auth.User_user_permissions": TableProof(
        ACCESS,
        "staff",
        "apps.backoffice.staff.integrity.verify_staff",
        "at each sign-in and whatever is sent",
    ),
    "banking.BankTransaction": TableProof(
        MONEY, "bank_events", "apps.payments.banking.integrity.verify_bank_rows", "and at each step"
    ),
    "banking.Delivery": TableProof(
        MONEY, "bank_events", "apps.payments.banking.integrity.verify_bank_rows"
    ),
    "banking.Recipient": TableProof(
        MONEY,
        "bank_events",
        "apps.payments.banking.integrity.verify_bank_rows",
        "and as it is paid",
    ),
    "banking.Send": TableProof(
        MONEY, "bank_events", "apps.payments.banking.integrity.verify_bank_rows", "and at each step"
    ),
    "banking.Wire": TableProof(
        MONEY, "proposals", "apps.platform.desk.integrity.verify_proposals", "and as it is decided"
    ),
    "callbacks.Event": TableProof(
        MONEY, where="asked before it is called back or read in the feed"
    ),
    "chain.Order": TableProof(
        MONEY,
        "chain_events",
        "apps.payments.chain.integrity.verify_orders",
        "and as it is told or moved",
    ),
    "core.IdempotentCall": TableProof(MONEY, where="asked before a stored answer is given again"),
    "core.LegalHold": TableProof(
        PARTY, "holds", "apps.platform.ledger.verification.legal_hold_integrity.verify_legal_holds"
    ),
    "core.Periodic": TableProof(
        PARTY, "schedules", "apps.platform.jobs.schedule_integrity.verify_schedules"
    ),
    "countries.CountryChange": TableProof(
        PARTY, "proposals", "apps.platform.desk.integrity.verify_proposals", "and as it is decided"
    ),
    "countries.CountryListing": TableProof(
        PARTY, "country_listings", "apps.reference.countries.integrity.verify_country_listings"
    ),
    "esg.Evidence": TableProof(MONEY, where="asked before a score is computed from it"),
    "lei.LeiRecord": TableProof(
        PARTY,
        "screens",
        "apps.reference.lei.integrity.verify_lei_rows",
        "by a MAC on each row, whenever it is read",
        deleted=UNKNOWN_LEI,
    ),
    "lei.Relationship": TableProof(
        PARTY,
        "screens",
        "apps.reference.lei.integrity.verify_lei_rows",
        "by a MAC on each row, whenever it is read",
        deleted=UNKNOWN_OWNER,
    ),
    "lei.ReportingException": TableProof(
        PARTY,
        "screens",
        "apps.reference.lei.integrity.verify_lei_rows",
        "by a MAC on each row, whenever it is read",
        deleted=UNKNOWN_OWNER,
    ),
    "oversight.Sample": TableProof(
        PARTY,
        "second_looks",
        "apps.backoffice.oversight.integrity.verify_samples",
        deleted="the draw of the month is made again by its key",
    ),
    "pain001.PaymentFile": TableProof(
        MONEY,
        "payment_events",
        "apps.payments.payments.pain001.integrity.verify_payment_files",
        "by a MAC on each row, before payments are made of the message",
        deleted="none of its payments is made a second time, and who sent it finds no file",
    ),
    "payments.HandOver": TableProof(
        PARTY, "payment_events", "apps.payments.travelrule.handover_integrity.verify_handovers"
    ),
    "payments.MonthVolume": TableProof(
        MONEY, "payment_events", "apps.payments.banking.volume_integrity.compare_month_volumes"
    ),
    "payments.Payment": TableProof(
        MONEY,
        "payment_events",
        "apps.payments.payments.integrity.verify_payments",
        "and as it is told or moved",
    ),
    "paywall.PaymentClaim": TableProof(
        MONEY, "receipts", "apps.access.paywall.integrity.verify_payments"
    ),
    "paywall.StreamSession": TableProof(
        MONEY,
        "payments",
        "apps.access.paywall.integrity.verify_payment_steps",
        "and at each call from it",
    ),
    "paywall.Tick": TableProof(
        MONEY, "payments", "apps.access.paywall.integrity.verify_payment_steps"
    ),
    "registry.EntityChange": TableProof(
        MONEY, "proposals", "apps.platform.desk.integrity.verify_proposals", "and as it is decided"
    ),
    "registry.Registration": TableProof(
        MONEY,
        "registrations",
        "apps.compliance.payees.integrity.verify_all_registrations",
        "and as it is looked up",
    ),
    "review.Case": TableProof(
        PARTY,
        "decisions",
        "apps.backoffice.review.integrity.verify_cases",
        "and as its resolution is told",
    ),
    "review.KnownFalsePositive": TableProof(
        PARTY,
        "known_false_positives",
        "apps.backoffice.review.known_integrity.verify_known_false_positives",
        "and as it clears a hit",
    ),
    "sar.SarMatter": TableProof(PARTY, "sar", "apps.backoffice.sar.integrity.verify_matters"),
    "sar.SarParty": TableProof(PARTY, "sar", "apps.backoffice.sar.integrity.verify_matters"),
    "screening.FindKey": TableProof(
        PARTY, "screens", "apps.compliance.screening.integrity.verify_find_keys"
    ),
    "screening.PepReport": TableProof(PARTY, where="asked before a kept answer is given again"),
    "screening.UboReport": TableProof(PARTY, where="asked before a kept answer is given again"),
    "settlement.AccessChange": TableProof(
        MONEY, "proposals", "apps.platform.desk.integrity.verify_proposals", "and as it is decided"
    ),
    "settlement.Settlement": TableProof(
        MONEY,
        "settlement_events",
        "apps.payments.settlement.integrity.verify_settlements",
        "and as it is told or moved",
    ),
    "settlement.SettlementAccess": TableProof(
        MONEY,
        "settlement_access",
        "apps.payments.settlement.access.selectors.verify_settlement_access",
        "and as it is asked for",
    ),
    "signals.Observation": TableProof(MONEY, where="asked before a figure is read"),
    "stability.Quote": TableProof(
        MONEY,
        "payment_events",
        "apps.insight.stability.fees.integrity.verify_quote_fees",
        "by its own figures",
        deleted="nothing settles by it, and what had settled keeps its price",
    ),
    "stability.TierChange": TableProof(
        MONEY, "proposals", "apps.platform.desk.integrity.verify_proposals", "and as it is decided"
    ),
    "staff.Factor": TableProof(
        ACCESS,
        "staff",
        "apps.backoffice.staff.integrity.verify_staff",
        "at each sign-in and whatever is sent",
    ),
    "staff.SignOn": TableProof(
        ACCESS,
        "staff",
        "apps.backoffice.staff.integrity.verify_staff",
        "at each sign-in and whatever is sent",
    ),
    "travelrule.Engagement": TableProof(
        ACCESS, "proposals", "apps.platform.desk.integrity.verify_proposals", "and as it is decided"
    ),
    "travelrule.RecordKey": TableProof(
        PARTY, "travel_rule", "apps.payments.travelrule.integrity.verify_records"
    ),
    "travelrule.SameDay": TableProof(
        PARTY, "travel_rule", "apps.payments.travelrule.tallies.verify_tallies"
    ),
    "travelrule.Tally": TableProof(
        PARTY, "travel_rule", "apps.payments.travelrule.tallies.verify_tallies"
    ),
    "travelrule.TallyHead": TableProof(
        PARTY, "travel_rule", "apps.payments.travelrule.tallies.verify_tallies"
    ),
    "travelrule.Transmission": TableProof(
        PARTY, "travel_rule", "apps.payments.travelrule.missing_records.find_missing_records"
    ),
    "travelrule.TravelRecord": TableProof(
        PARTY, "travel_rule", "apps.payments.travelrule.integrity.verify_records"
    ),
    "travelrule.Vasp": TableProof(
        MONEY, "travel_vasps", "apps.payments.travelrule.directory.integrity.verify_directory"
    ),
    "travelrule.VaspChange": TableProof(
        MONEY, "proposals", "apps.platform.desk.integrity.verify_proposals", "and as it is decided"
    ),
    "watchlists.EntityState": TableProof(
        PARTY, "lists", "apps.reference.watchlists.integrity.verify_lists"
    ),
    "watchlists.ListVersion": TableProof(
        PARTY, "lists", "apps.reference.watchlists.integrity.verify_lists"
    ),
    "watchlists.Party": TableProof(
        PARTY,
        "screens",
        "apps.compliance.screening.combined.screened_parties.verify_screened_parties",
        "those that were screened",
        deleted="owners, registered parties and those of PEP and ownership reports are still "
        "screened whenever they are paid",
    ),
    "watchlists.Source": TableProof(
        PARTY, "lists", "apps.reference.watchlists.integrity.verify_lists"
    ),
    "watchlists.SourceChange": TableProof(
        PARTY, "proposals", "apps.platform.desk.integrity.verify_proposals", "and as it is decided"
    ),
}

SHOWN = "shown, and nothing is decided by it"
FOUND_BY = "finds and sorts rows at the desk; what is found is compared"
TRIED = "when it is tried again, and what the last try met"
WHOLE_COPY = "a row of another copy, or one that is hidden, is as one that is gone"
SAID_TWICE = "the same statement twice says nothing more"
ASKED_ANEW = "the report is made anew"
OLDER_FIGURE = "an older figure counts in its place, and the answer says of which day it is"
SECOND_SIGHT = (
    "a publisher that sends less, or nothing, would be missed later: the age of the list says so"
)
GONE, FORGED = "a row that is gone", "a row that is forged"

# What nothing compares in a proved table, by the table: columns, GONE or FORGED, and what whoever
# writes them gains. `./run attack rows` tries all others, and these.
UNCOMPARED: dict[str, tuple[tuple[tuple[str, ...], str], ...]] = {
    "access.ApiKey": ((("last_used_at",), SHOWN),),
    "access.UsageCount": (
        (
            ("calls", "shard", FORGED),
            "counts that are raised, or lowered by what was called since the record of the last "
            "hour, are not found: a bill made of them would be wrong. Nothing is debited by them, "
            "and the records of each product say what was called",
        ),
    ),
    "agents.Agent": (
        (("lookup",), "the secret is compared by its digest, which is recorded"),
        (
            (
                *("framework", "protocols", "has_email", "note", "lei_status", "lei_entity"),
                *("looked_at", "registered_at"),
            ),
            "shown; what counts is its level, which is recorded",
        ),
    ),
    "agents.Mandate": (
        (
            ("mandate_id", "level", "made_at", "made_by"),
            "shown; what counts are its limits, which are recorded",
        ),
    ),
    "agents.Revocation": ((("at", "by", "reason"), SHOWN),),
    "agents.Spend": (
        (
            ("counterparty_lei", "esg_score", "mandate", "pair", "reference", "spent_at"),
            "shown; what counts is the sum of a day, which is recorded",
        ),
    ),
    "aml.WalletProfile": ((("updated_at",), SHOWN),),
    "aml.ActivityDeclaration": ((("changed_at",), SHOWN),),
    "auth.User": ((("date_joined", "email", "first_name", "last_login", "last_name"), SHOWN),),
    "banking.BankTransaction": ((("due_at", "tries", "trouble"), TRIED),),
    "banking.Recipient": ((("trouble",), TRIED),),
    "banking.Send": (
        (("due_at", "tries", "trouble", "calling_until"), TRIED),
        (("unclear",), "the bank is told one key however often it is asked, and pays once"),
    ),
    "callbacks.Event": (
        ((GONE,), "nobody is called back; the state of what it was about is proved by itself"),
    ),
    "chain.Order": ((("changed_at", "depth"), "shown; confirmations are counted anew"),),
    "core.IdempotentCall": (
        (("lease_until", "created_at"), "when a call may be tried again, and the key forgotten"),
        ((GONE,), "the call is answered anew, as one under a new key"),
    ),
    "core.LegalHold": ((("lifted_why",), SHOWN),),
    "core.Periodic": ((("next_at",), "one that is further ahead than its rhythm is due at once"),),
    "esg.Evidence": (((GONE,), OLDER_FIGURE),),
    "lei.LeiRecord": (
        (("file", "deleted"), WHOLE_COPY),
        (("name_key",), FOUND_BY),
    ),
    "lei.Relationship": ((("file", "deleted"), WHOLE_COPY), ((FORGED,), SAID_TWICE)),
    "lei.ReportingException": ((("file", "deleted"), WHOLE_COPY), ((FORGED,), SAID_TWICE)),
    "pain001.PaymentFile": (
        (("size", "initiator", "amounts", "finished_at"), SHOWN),
        (("trouble",), "a file that is stopped pays nothing more, and says so to who sent it"),
        (
            ("received_at",),
            "whether a requested day is in time is judged by it; what is paid is what came",
        ),
    ),
    "payments.Payment": (
        (("creditor_key", "debtor_key", "message_id"), FOUND_BY),
        (
            ("submitted_at", "due_at", "ended_at", "tries", "trouble", "tx_place"),
            "when it is carried on, which its state decides, and what is shown of that",
        ),
    ),
    "oversight.Sample": (
        (("sampled_at",), SHOWN),
        (
            ("case",),
            "a look names the case that it is of; a sample that waits can be exchanged for another "
            "case of its month, officers and risk, whose decision is as much looked at",
        ),
    ),
    "paywall.PaymentClaim": (
        (("version", "network", "reason", "claimed_at", "settled_at", "status"), SHOWN),
        (
            ("answer", "sealed"),
            "sealed under a key that the database does not hold, for the nonce of the payment: "
            "anything else opens nothing",
        ),
        (
            ("valid_before", "lease_until", "answered_at"),
            "how long a call is waited for and its answer kept; that it was answered is recorded",
        ),
    ),
    "paywall.Tick": (
        (
            ("tick_id", "unit", "count", "balance", "resource", "at"),
            "shown, and by `tick_id` a repeat is known; what the ticks sum to is compared",
        ),
    ),
    "review.Case": (
        (("party_key", "wallet_key", "reference_key", "entity_key", "rule_refs"), FOUND_BY),
        (
            ("opened_at", "due_at", "assigned_to", "snoozed_until"),
            "the order of the queue; the facts of a case are those of its recorded opening",
        ),
        (("bulk", "reason_code"), "shown; what was decided and why is recorded with each decision"),
    ),
    "screening.PepReport": ((("made_at",), SHOWN), ((GONE,), ASKED_ANEW)),
    "screening.UboReport": ((("made_at", "lei"), SHOWN), ((GONE,), ASKED_ANEW)),
    "settlement.SettlementAccess": ((("changed_at",), SHOWN),),
    "signals.Observation": ((("digest", "fetched_at"), SHOWN), ((GONE,), OLDER_FIGURE)),
    "stability.Quote": (
        (
            (
                *("quote_id", "monthly_volume", "sandbox", "schedule", "quoted_at", "expires_at"),
                *("used_by", FORGED),
            ),
            "what is charged is worked out anew from the settlement; a quote of other figures, or "
            "one that ends later than any does, is refused",
        ),
    ),
    "staff.Factor": (
        (("name", "created_at", "used_at"), SHOWN),
        (("counter",), "a code that was taken is of no use half a minute later"),
    ),
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
    "watchlists.EntityState": (
        (("last_sequence", FORGED), "an entry of an older version, which the index leaves out"),
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
}

HISTORY = "history as pages show it; what counts are the records of `proposals`"
IMPORTED = "a file as it came; what is registered of it is judged and recorded anew"

# Tables whose change moves no money, lets nobody in and hides nobody, and why that is so.
BESIDE: dict[str, str] = {
    "access.Account": "a name; keys and records are tied to its number, which they prove",
    "access.FailedAttempt": "counts guesses; without it the limit by address still holds",
    "access.KeyEvent": "history as pages show it; what counts are the records of `keys`",
    "admin.LogEntry": "not written: every step has a record of its own",
    "agents.Credential": "a list of what was issued; a credential proves itself by its signature",
    "aml.ActivityChangeEvent": HISTORY,
    "aml.Label": "compared with `aml_screens`; figures from which weights are proposed",
    "aml.LabelCount": "compared with the ledger `aml_screens`; sums of the labels",
    "aml.WeightChangeEvent": HISTORY,
    "auth.Permission": "names; what a role may do is in the code (config/roles.py)",
    "banking.WireEvent": HISTORY,
    "callbacks.Attempt": "a log of deliveries",
    "callbacks.Delivery": "an event is called back as it was published, to the address in it",
    "callbacks.Endpoint": "an event is called back as it was published, to the address in it",
    "callbacks.FeedEntry": "the order of events, each of which carries a MAC",
    "callbacks.FeedHead": "the number of the last event of a feed",
    "callbacks.Secret": "which generation signs; secrets derive from a key outside the database",
    "callbacks.Step": "a log of what operators did with callbacks",
    "callbacks.Unnumbered": "events that wait for their number in a feed",
    "chain.Cursor": "how far a chain was read; what is not seen settles nothing",
    "chain.Transfer": "part of what the record of its order proves; without it nothing settles",
    "contenttypes.ContentType": "names of models",
    "core.Heartbeat": "health alone",
    "core.Job": "a nudge; what it is for is a row of its own, which a sweep finds without it",
    "core.JobAttempt": "a log of runs",
    "core.LedgerHead": "the sealer's bookmark; compared with seals and exported heads",
    "core.Seal": "the chain of the ledgers itself; compared with exported heads",
    "countries.CountryEvent": HISTORY,
    "django_q.OrmQ": "a nudge, signed under SECRET_KEY; a sweep finds what it was for without it",
    "django_q.Schedule": "not used: schedules are `core.Periodic`",
    "django_q.Task": "the queue's own log",
    "esg.EsgLookup": "which entities were looked up; what was found is evidence, with a MAC",
    "lei.GleifFile": "which copies are live; without one its rows could not be checked",
    "lei.LeiUse": "which records are refreshed daily; at worst an LEI is unknown",
    "screening.Rescreen": "how far a re-screening is; lists and screens themselves are proved",
    "pain001.FilePiece": "bytes whose digest the file's MAC covers",
    "pain001.FileTransaction": "points to payments, each of which is proved as it is told",
    "pain001.SenderProfile": "how an institution writes its files, and which address is told of "
    "its payments; payments record both as they were used, and who writes here reads them anyway",
    "registry.EntityChangeEvent": HISTORY,
    "registry.ImportLine": IMPORTED,
    "registry.WalletImport": IMPORTED,
    "review.BulkClear": "which cases are proposed together; each decision is recorded by itself",
    "review.Passed": "whom a case was offered to",
    "sessions.Session": "signed under SECRET_KEY, and kept under a digest of its key",
    "settlement.AccessChangeEvent": HISTORY,
    "signals.Fetch": "a log of downloads",
    "signals.RawFile": "files as they came; what is read of them carries a MAC",
    "stability.RunNote": "words beside a run, which is a record",
    "stability.TierChangeEvent": HISTORY,
    "staff.SignIn": "a list of browsers; without it their sessions still end",
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
    "upstreams.UpstreamState": "which upstream pauses",
    "watchlists.SourceEvent": HISTORY,
}
