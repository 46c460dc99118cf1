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
        "vop.vopcheck",
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
    "AML": ("aml.walletprofile", "aml.weightchange", "aml.weightrecord", "aml.label"),
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
        "sfdr.paireport",
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
        "ongoing.rescreen",
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
# (apps/desk/search.py), in the order in which their groups are shown
FINDERS = (
    "apps.review.pages.find.cases",
    "apps.screening.find.screens",
    "apps.registry.find.registrations",
    "apps.vop.find.checks",
    "apps.payments.find.payments",
    "apps.settlement.find.settlements",
    "apps.banking.find.transactions",
    "apps.chain.find.orders",
    "apps.travelrule.find.records",
    "apps.aml.find.screens",
    "apps.aml.find.profiles",
    "apps.sar.find.entries",
    "apps.watchlists.find.listed",
    "apps.lei.find.entities",
    "apps.review.pages.find.clients",
    "apps.access.find.accounts",
    "apps.desk.find.by_digest",
)

# What a legal hold takes as a whole: functions `(number) -> (ledger, numbers of its records)`; the
# last one's records tell it
HELD_WHOLE = {
    "review.case": ("apps.screening.find.screens_of", "apps.review.pages.find.steps_of"),
    "travelrule.travelrecord": ("apps.travelrule.find.steps_of",),
    "payments.payment": ("apps.travelrule.find.steps_of_payment", "apps.payments.find.steps_of"),
}
# Records of a ledger in words without anybody's name, and their addresses: functions
# `(numbers) -> {number: (words, address)}`; others are told by ledger and number
RECORD_WORDS = {
    "decisions": "apps.review.pages.find.steps_told",
    "sar": "apps.sar.find.told",
    "payee_checks": "apps.vop.find.told",
    "payment_events": "apps.payments.find.told",
    "screens": "apps.screening.find.told",
    "travel_rule": "apps.travelrule.find.told",
}

# What the page of ledgers says of one besides, in a sentence: functions `() -> str`
LEDGER_NOTES = {"travel_rule": "apps.travelrule.proofs.stamping.stamps.noted"}

# What the page of a registered wallet shows besides: functions `(wallet, user)` that return what
# a template draws as `panel`, with its name as `template`; None shows nothing
WALLET_PANELS = ("apps.vop.find.of_wallet",)

# Figures of the home page: functions `(user, now) -> list[Tile]` (apps/desk/home.py)
TILES = (
    "apps.desk.approvals.tiles",
    "apps.review.pages.queue.tiles",
    "apps.registry.find.tiles",
    "apps.sar.admin.tiles",
    "apps.oversight.admin.tiles",
    "apps.desk.admin.jobs.tiles",
)
# What waits for a second person, by title: the permission of those who approve, and a function
# `(user, now) -> Approvals | None` (apps/desk/approvals.py)
APPROVALS = {
    "Decisions": ("review.approve_second", "apps.review.pages.approvals.decisions"),
    "Bulk clears": ("review.approve_second", "apps.review.pages.approvals.clears"),
    "Known false positives": ("review.confirm_known", "apps.review.pages.known_waiting.known"),
    "Country changes": ("countries.decide_countrychange", "apps.countries.approvals.changes"),
    "Keys": ("access.decide_keyrequest", "apps.access.approvals.requests"),
    "Changes of entity": ("registry.decide_entitychange", "apps.registry.approvals.changes"),
    "Weights of AML signals": ("aml.decide_weightchange", "apps.aml.approvals.changes"),
    "Weights of the oracle": (
        "stability.decide_tierchange",
        "apps.stability.oracle.approvals.changes",
    ),
    "Counterparty VASPs": (
        "travelrule.decide_vaspchange",
        "apps.travelrule.directory.approvals.changes",
    ),
    "Access to settlement": (
        "settlement.decide_accesschange",
        "apps.settlement.access.approvals.changes",
    ),
    "Engagements of examiners": (
        "travelrule.decide_engagement",
        "apps.travelrule.engagements.approvals.engagements",
    ),
    "International wires": ("banking.decide_wire", "apps.banking.approvals.wires"),
    "Source changes": ("watchlists.decide_sourcechange", "apps.watchlists.approvals.changes"),
}
# Panels of the home page: functions `(user, now) -> Panel | None`
PANELS = (
    "apps.travelrule.pages.overview.panel",
    "apps.watchlists.standing.panel",
    "apps.desk.approvals.panel",
    "apps.review.pages.ending.panel",
    "apps.desk.operators.panel",
    "apps.review.pages.today.panel",
)

# What can be exported, by its name in the file: an `exports.Kind` (apps/oversight/exports.py)
EXPORTS = {
    "aml-screens": "apps.aml.find.SCREENS",
    "cases": "apps.review.exports.CASES",
    "decisions": "apps.review.exports.DECISIONS",
    "reads": "apps.oversight.exports.READS",
    "receipts": "apps.paywall.takings.RECEIPTS",
}

# Words for operators, by health check: a `health.Words` (apps/desk/health.py)
HEALTH_WORDS = {
    "database": "apps.desk.health.DATABASE",
    "jobs": "apps.desk.health.JOBS",
    "ledgers": "apps.desk.health.LEDGERS",
    "lists": "apps.watchlists.health.WORDS",
    "rescreening": "apps.ongoing.health.WORDS",
    "payments": "apps.paywall.health.WORDS",
    "fees": "apps.stability.health.WORDS",
    "scores": "apps.esgoracle.health.WORDS",
    "oracle": "apps.stability.oracle.health.WORDS",
    "forecasts": "apps.forecast.health.WORDS",
    "callbacks": "apps.callbacks.health.WORDS",
    "settlement": "apps.payments.health.WORDS",
    "transfers": "apps.chain.health.WORDS",
    "bank": "apps.banking.health.WORDS",
    "tools": "apps.discovery.tools.health.WORDS",
}
