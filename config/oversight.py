"""What is looked at afterwards: whose pages hold personal data, and how much is sampled.

Opening any page of the desk is recorded unless its model stands in `IMPERSONAL`: a new model
is recorded until somebody says here that it holds nobody's data.
"""

IMPERSONAL = frozenset(
    {
        "access.account",
        "access.apikey",
        "access.keyrequest",
        "agents.credential",
        "callbacks.endpoint",
        "callbacks.secret",
        "aml.label",
        "aml.weightchange",
        "aml.weightrecord",
        "agents.mandate",
        "core.job",
        "core.ledgerhead",
        "core.legalhold",
        "core.periodic",
        "core.purgeevent",
        "esg.esglookup",
        "esg.esgscore",
        "esg.evidence",
        "lei.gleiffile",
        "lei.leirecord",
        "lei.leiuse",
        "lei.relationship",
        "lei.reportingexception",
        "ongoing.rescreen",
        "oversight.exportevent",
        "oversight.health",
        "oversight.readevent",
        "countries.countrychange",
        "countries.countrylisting",
        "review.triage",
        "signals.fetch",
        "signals.observation",
        "stability.quote",
        "stability.stabilityrun",
        "stability.tierchange",
        "stability.tieroutcome",
        "stability.tierrecord",
        "upstreams.upstreamstate",
        "watchlists.listversion",
        "watchlists.source",
        "watchlists.sourcechange",
    }
)

# The others in words, by their label: one of them, and their list. What the read log calls a page
PAGES: dict[str, tuple[str, str]] = {
    "agents.agent": ("Agent", "Agents"),
    "agents.agentevent": ("Step of an agent", "Steps of agents"),
    "aml.amlscreen": ("AML screen", "AML screens"),
    "aml.walletprofile": ("Wallet profile", "Wallet profiles"),
    "auth.group": ("Role", "Roles"),
    "auth.user": ("User", "Users"),
    "callbacks.delivery": ("Callback", "Callbacks"),
    "desk.approvals": ("Needs my approval", "Needs my approval"),
    "oversight.sample": ("Quality sample", "Quality samples"),
    "payments.payment": ("Institution’s payment", "Institutions’ payments"),
    "pain001.paymentfile": ("Payment file", "Payment files"),
    "paywall.paymentclaim": ("Payment", "Payments"),
    "paywall.receipt": ("Receipt", "Receipts"),
    "paywall.streamsession": ("Session of a stream", "Sessions of streams"),
    "registry.entitychange": ("Change of a wallet’s entity", "Changes of wallets’ entities"),
    "registry.registration": ("Registered wallet", "Registered wallets"),
    "registry.walletimport": ("Import of wallets", "Imports of wallets"),
    "review.case": ("Case", "Cases"),
    "review.decisionevent": ("Step of a case", "Steps of cases"),
    "review.knownfalsepositive": ("Known false positive", "Known false positives"),
    "sar.sarentry": ("Entry of the SAR log", "SAR log"),
    "sar.sarread": ("Who opened the SAR log", "Who opened the SAR log"),
    "screening.reportrecord": ("Report to a client", "Reports to clients"),
    "screening.screen": ("Screen", "Screens"),
    "sfdr.paireport": ("SFDR report", "SFDR reports"),
    "staff.peopleevent": ("Change of a sign-in", "Changes of sign-ins"),
    "staff.person": ("Person", "People"),
    "vop.vopcheck": ("Payee check", "Payee checks"),
    "watchlists.entitystate": ("State of a listed party", "States of listed parties"),
    "watchlists.party": ("Listed party", "Listed parties"),
}

# What addresses ask of lists, in words, by the name in the address; others by that name
ASKED: dict[str, str] = {
    "after": "behind the place",
    "by__id__exact": "by whom",
    "case": "case",
    "come": "what lines come to",
    "e": "refused",
    "entity": "listed parties",
    "find": "searched for",
    "kind": "kind",
    "listed": "listed party",
    "o": "order",
    "owner": "client",
    "p": "page",
    "page": "page",
    "q": "searched for",
    "recorded_at__day": "day",
    "recorded_at__month": "month",
    "recorded_at__year": "year",
    "rule": "rule",
    "result": "result",
    "review": "under review",
    "since": "from",
    "sort": "order",
    "stands": "standing",
    "state": "state",
    "took": "time to decision",
    "until": "until",
    "view": "view",
    "wallet": "wallet",
    "what": "page",
}

# Lists that people work from all day: opening one is no news, searching in it is
WORK_LISTS = frozenset({"review.case", "oversight.sample"})

# Closed cases that a different officer looks at again, in per cent by risk, each month
QA_PERCENT = {"HIGH": 20, "MEDIUM": 10, "LOW": 5}
