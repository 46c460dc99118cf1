"""Kinds of cases, by their name in the rows: the `Kind` that a domain declares (dotted path).

review/case_types.py says what a kind brings along: reasons, hours, who may decide, its picture,
and what a decision sets in motion.
"""

KINDS: dict[str, str] = {
    "screen": "apps.compliance.screening.case_types.screens.SCREEN",
    "registration": "apps.compliance.payees.case_types.REGISTRATION",
    "aml": "apps.compliance.aml.case_types.AML",
    "agent": "apps.compliance.agents.case_types.AGENT",
    "rescreen": "apps.compliance.screening.case_types.rescreens.RESCREEN",
    "payment": "apps.payments.payments.case_types.PAYMENT",
    "travel_rule": "apps.payments.travelrule.case_types.TRAVEL_RULE",
    "travel_party": "apps.payments.travelrule.screening.case_types.TRAVEL_PARTY",
    "settlement": "apps.payments.settlement.case_types.SETTLEMENT",
    "bank_payment": "apps.payments.banking.case_types.BANK_PAYMENT",
    "bank_send": "apps.payments.banking.case_types.BANK_SEND",
    "chain_transfer": "apps.payments.chain.case_types.CHAIN_TRANSFER",
}

# Where the record that a case is about stands, for who may see it: functions
# `(user, ref) -> (words, address) | None`, by kind
RECORDS: dict[str, str] = {
    "screen": "apps.compliance.screening.search.find_record_page",
    "registration": "apps.compliance.payees.search.registrations.find_record_page",
    "aml": "apps.compliance.aml.case_links.find_record_page",
    "agent": "apps.compliance.agents.case_links.find_record_page",
    "payment": "apps.payments.payments.views.case_links.case_payment_link",
    "travel_rule": "apps.payments.travelrule.case_links.find_record_page",
    "travel_party": "apps.payments.travelrule.case_links.find_record_page",
    "settlement": "apps.payments.settlement.views.case_links.case_settlement_link",
    "chain_transfer": "apps.payments.chain.views.case_links.case_order_link",
    "bank_payment": "apps.payments.banking.case_links.find_record_page",
    "bank_send": "apps.payments.banking.case_links.find_record_page",
}

# Of which cases a reader is not told how they were decided, because they may yet judge them
# unknowing: a function `(user, numbers of decided cases) -> those`
UNTOLD = "apps.backoffice.oversight.selectors.blind_cases.find_unjudged_cases"

# What officers made of a decided case when they looked at it again, as far as a reader may know:
# a function `(user, case) -> Looked | None` (templates/review/looked.html draws it)
LOOKED = "apps.backoffice.oversight.selectors.look_history.load_second_look"
