"""What the desk is put together from: pages by groups of work, and what apps declare for it.

Dotted paths only: each app declares what is its own, and the desk knows none of them.
"""

# The menu: pages by the work they belong to, in this order
MENU: dict[str, tuple[str, ...]] = {
    "Cases": (
        "review.case",
        "review.knownfalsepositive",
        "oversight.sample",
        "review.decisionevent",
        "review.triage",
    ),
    "Registry": (
        "registry.registration",
        "registry.entitychange",
        "registry.walletimport",
        "registry.vopcheck",
        "agents.agent",
        "agents.mandate",
        "agents.credential",
        "agents.agentevent",
    ),
    "Payments": (
        "payments.payment",
        "pain001.paymentfile",
        "travelrule.vasp",
        "travelrule.vaspchange",
        "settlement.settlement",
        "settlement.settlementaccess",
        "settlement.accesschange",
        "chain.order",
        "chain.transfer",
        "banking.banktransaction",
        "banking.send",
        "banking.recipient",
        "banking.wire",
        "banking.statementrun",
        "callbacks.delivery",
        "callbacks.endpoint",
        "callbacks.secret",
    ),
    "Travel rule": (
        "travelrule.travelrecord",
        "travelrule.drawnsample",
        "travelrule.engagement",
    ),
    "AML": (
        "aml.walletprofile",
        "aml.activitydeclaration",
        "aml.activitychange",
        "aml.weightchange",
        "aml.weightrecord",
        "aml.label",
    ),
    "Stability": (
        "stability.stabilityrun",
        "stability.tierchange",
        "stability.tierrecord",
        "stability.tieroutcome",
        "stability.quote",
    ),
    "Intelligence": (
        "intelligence.regimeprediction",
        "intelligence.regimeoutcome",
        "intelligence.recalibration",
        "intelligence.calloutcome",
        "intelligence.graphedition",
        "intelligence.intelligenceanswer",
    ),
    "Suspicious activity": ("sar.sarentry", "sar.sarread"),
    "Records": (
        "screening.screen",
        "screening.reportrecord",
        "esg.esgscore",
        "esg.paireport",
        "reports.paidreport",
        "aml.amlscreen",
        "oversight.exportevent",
        "oversight.readevent",
        "core.ledgerhead",
        "core.legalhold",
        "core.purgeevent",
    ),
    "Reference data": (
        "watchlists.source",
        "watchlists.sourcechange",
        "watchlists.listversion",
        "screening.rescreen",
        "watchlists.entitystate",
        "watchlists.party",
        "countries.countrylisting",
        "countries.countrychange",
        "lei.gleiffile",
        "lei.leirecord",
        "lei.relationship",
        "lei.reportingexception",
        "lei.leiuse",
        "signals.fetch",
        "signals.observation",
        "esg.evidence",
        "esg.esglookup",
    ),
    "Clients": (
        "access.account",
        "access.apikey",
        "access.keyrequest",
        "paywall.paymentclaim",
        "paywall.receipt",
        "paywall.streamsession",
    ),
    "Operations": (
        "oversight.health",
        "core.job",
        "core.periodic",
        "upstreams.upstreamstate",
    ),
    "People": ("staff.person", "staff.peopleevent", "auth.user", "auth.group"),
}

# Pages that also stand in the menu by themselves: their name there, and the key that opens them
PINNED = {"review.case": ("Queue", "q")}

# What the search of every page looks for: functions `(user, text, now) -> Group | None`
# (apps/platform/desk/search.py), in the order in which their groups are shown
FINDERS = (
    "apps.backoffice.review.search.search_cases",
    "apps.compliance.screening.search.search_screens",
    "apps.compliance.payees.search.registrations.search_registrations",
    "apps.compliance.payees.search.payee_checks.search_payee_checks",
    "apps.payments.payments.search.search_payments",
    "apps.payments.settlement.search.search_settlements",
    "apps.payments.banking.search.search_bank_transactions",
    "apps.payments.chain.search.search_orders",
    "apps.payments.travelrule.search.search_travel_records",
    "apps.compliance.aml.search.search_aml_screens",
    "apps.compliance.aml.search.search_wallet_profiles",
    "apps.backoffice.sar.search.search_entries",
    "apps.reference.watchlists.search.search_listed_parties",
    "apps.reference.lei.search.search_legal_entities",
    "apps.backoffice.review.search.search_clients",
    "apps.access.keys.search.search_accounts",
    "apps.platform.desk.digest_search.search_by_digest",
)

# What a legal hold takes as a whole: functions `(number) -> (ledger, numbers of its records)`; the
# last one's records tell it
HELD_WHOLE = {
    "review.case": (
        "apps.compliance.screening.search.list_case_screens",
        "apps.backoffice.review.search.list_hold_records",
    ),
    "travelrule.travelrecord": ("apps.payments.travelrule.search.list_held_events",),
    "payments.payment": (
        "apps.payments.travelrule.search.list_held_payment_events",
        "apps.payments.payments.search.payment_event_ids",
    ),
}
# Records of a ledger in words without anybody's name, and their addresses: functions
# `(numbers) -> {number: (words, address)}`; others are told by ledger and number
RECORD_WORDS = {
    "decisions": "apps.backoffice.review.search.label_decision_events",
    "sar": "apps.backoffice.sar.search.label_entries",
    "payee_checks": "apps.compliance.payees.search.payee_checks.label_payee_checks",
    "payment_events": "apps.payments.payments.search.payment_event_links",
    "screens": "apps.compliance.screening.search.label_screens",
    "travel_rule": "apps.payments.travelrule.search.label_events",
}

# What the page of ledgers says of one besides, in a sentence: functions `() -> str`
LEDGER_NOTES = {
    "travel_rule": "apps.payments.travelrule.proofs.stamping.stamps.describe_latest_stamp"
}

# What the page of a registered wallet shows besides: functions `(wallet, user)` that return what
# a template draws as `panel`, with its name as `template`; None shows nothing
WALLET_PANELS = ("apps.compliance.payees.search.payee_checks.build_wallet_panel",)

# Figures of the home page: functions `(user, now) -> list[Tile]` (apps/platform/desk/home.py)
TILES = (
    "apps.platform.desk.approvals.approval_tiles",
    "apps.backoffice.review.views.queue.build_queue_tiles",
    "apps.compliance.payees.search.registrations.build_registration_tiles",
    "apps.backoffice.sar.admin.build_log_tiles",
    "apps.backoffice.oversight.admin.build_sample_tiles",
    "apps.platform.desk.admin.jobs.job_tiles",
)
# What waits for a second person, by title: the permission of those who approve, and a function
# `(user, now) -> Approvals | None` (apps/platform/desk/approvals.py)
APPROVALS = {
    "Decisions": (
        "review.approve_second",
        "apps.backoffice.review.views.approvals.list_waiting_decisions",
    ),
    "Bulk clears": (
        "review.approve_second",
        "apps.backoffice.review.views.approvals.list_waiting_clears",
    ),
    "Known false positives": (
        "review.confirm_known",
        "apps.backoffice.review.views.known_approvals.list_waiting_known",
    ),
    "Country changes": (
        "countries.decide_countrychange",
        "apps.reference.countries.approvals.PENDING",
    ),
    "Keys": ("access.decide_keyrequest", "apps.access.keys.approvals.PENDING"),
    "Changes of entity": (
        "registry.decide_entitychange",
        "apps.compliance.payees.approvals.PENDING",
    ),
    "Expected activity": (
        "aml.decide_activitychange",
        "apps.compliance.aml.activity.approvals.PENDING",
    ),
    "Weights of AML signals": (
        "aml.decide_weightchange",
        "apps.compliance.aml.approvals.PENDING",
    ),
    "Weights of the oracle": (
        "stability.decide_tierchange",
        "apps.insight.stability.oracle.approvals.PENDING",
    ),
    "Counterparty VASPs": (
        "travelrule.decide_vaspchange",
        "apps.payments.travelrule.directory.approvals.PENDING",
    ),
    "Access to settlement": (
        "settlement.decide_accesschange",
        "apps.payments.settlement.access.approvals.PENDING",
    ),
    "Engagements of examiners": (
        "travelrule.decide_engagement",
        "apps.payments.travelrule.engagements.approvals.PENDING",
    ),
    "International wires": (
        "banking.decide_wire",
        "apps.payments.banking.approvals.PENDING",
    ),
    "Source changes": (
        "watchlists.decide_sourcechange",
        "apps.reference.watchlists.approvals.PENDING",
    ),
}
# Panels of the home page: functions `(user, now) -> Panel | None`
PANELS = (
    "apps.payments.travelrule.views.overview.build_examiner_panel",
    "apps.reference.watchlists.list_status.build_lists_panel",
    "apps.platform.desk.approvals.approval_panel",
    "apps.backoffice.review.views.ended_known.build_ended_panel",
    "apps.platform.desk.operator_panel.build_operator_panel",
    "apps.backoffice.review.views.today.build_today_panel",
)

# What can be exported, by its name in the file: an `exports.Kind` (oversight/exports.py)
EXPORTS = {
    "aml-screens": "apps.compliance.aml.search.SCREENS",
    "cases": "apps.backoffice.review.exports.CASES",
    "decisions": "apps.backoffice.review.exports.DECISIONS",
    "reads": "apps.backoffice.oversight.exports.READS",
    "receipts": "apps.access.paywall.revenue.RECEIPTS",
}

# Words for operators, by health check: a `health.Words` (apps/platform/desk/health.py)
HEALTH_WORDS = {
    "database": "apps.platform.desk.health.DATABASE",
    "jobs": "apps.platform.desk.health.JOBS",
    "ledgers": "apps.platform.desk.health.LEDGERS",
    "lists": "apps.reference.watchlists.health.WORDS",
    "rescreening": "apps.compliance.screening.health.WORDS",
    "payments": "apps.access.paywall.health.WORDS",
    "fees": "apps.insight.stability.health.WORDS",
    "scores": "apps.insight.esg.oracle.health.WORDS",
    "oracle": "apps.insight.stability.oracle.health.WORDS",
    "forecasts": "apps.insight.forecast.health.WORDS",
    "callbacks": "apps.payments.callbacks.health.WORDS",
    "settlement": "apps.payments.payments.health.WORDS",
    "transfers": "apps.payments.chain.health.WORDS",
    "bank": "apps.payments.banking.health.WORDS",
    "tools": "apps.entry.discovery.tools.health.WORDS",
}
