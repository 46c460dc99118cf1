"""Kinds of cases, by their name in the rows: the `Kind` that a domain declares (dotted path).

apps/review/kinds.py says what a kind brings along: reasons, hours, who may decide, its picture,
and what a decision sets in motion.
"""

KINDS: dict[str, str] = {
    "screen": "apps.screening.kinds.SCREEN",
    "registration": "apps.registry.kinds.REGISTRATION",
    "aml": "apps.aml.kinds.AML",
    "agent": "apps.agents.kinds.AGENT",
    "rescreen": "apps.ongoing.kinds.RESCREEN",
    "payment": "apps.payments.kinds.PAYMENT",
    "travel_rule": "apps.travelrule.kinds.TRAVEL_RULE",
    "settlement": "apps.settlement.kinds.SETTLEMENT",
    "bank_payment": "apps.banking.kinds.BANK_PAYMENT",
    "bank_send": "apps.banking.kinds.BANK_SEND",
    "chain_transfer": "apps.chain.kinds.CHAIN_TRANSFER",
}

# Where the record that a case is about stands, for who may see it: functions
# `(user, ref) -> (words, address) | None`, by kind
RECORDS: dict[str, str] = {
    "screen": "apps.screening.find.record_of",
    "registration": "apps.registry.find.record_of",
    "aml": "apps.aml.pages.records.record_of",
    "agent": "apps.agents.records.record_of",
    "payment": "apps.payments.pages.records.record_of",
    "travel_rule": "apps.travelrule.pages_of_cases.record_of",
    "settlement": "apps.settlement.pages.records.record_of",
    "chain_transfer": "apps.chain.pages.records.record_of",
    "bank_payment": "apps.banking.pages_of_cases.record_of",
    "bank_send": "apps.banking.pages_of_cases.record_of",
}

# Of which cases a reader is not told how they were decided, because they may yet judge them
# unknowing: a function `(user, numbers of decided cases) -> those`
UNTOLD = "apps.oversight.blind.untold"

# What officers made of a decided case when they looked at it again, as far as a reader may know:
# a function `(user, case) -> Looked | None` (templates/review/looked.html draws it)
LOOKED = "apps.oversight.looked.looked"
