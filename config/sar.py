"""Where the record of an outcome in the SAR log stands, by the kind that its entry names.

Dotted paths of functions. `RECORDS`: `(ref, user) -> [(title, address), ...]`, the pages of the
record that somebody may open, as its screen and its case. `OUTCOMES`: `(ref, user) ->
[(label, words), ...]`, what was answered for it and what became of its case. `SENTENCES`:
`(recorded) -> sentence`, a reason as officers read it. `SCREENED`: `(ref) -> moment`, when the
outcome was screened, None where no record tells. `KINDS`: what officers call such a record.
`LISTS`: a mapping of short names of lists to their titles.
"""

KINDS: dict[str, str] = {
    "screen": "Screen",
    "registration": "Registration",
    "aml": "AML screen",
    "agent": "Agent",
    "rescreen": "Re-screen",
    "payment": "Payment",
    "travel_rule": "Travel-rule message",
    "travel_party": "Party of a travel-rule message",
    "settlement": "Settlement",
    "bank_payment": "Bank payment",
    "bank_send": "Payment by the bank",
    "chain_transfer": "Transfer on a chain",
}
LISTS = "apps.reference.watchlists.presenters.matches.TITLES"

OUTCOMES: dict[str, str] = {
    "screen": "apps.compliance.screening.case_links.screens.describe_case_outcome",
    "registration": "apps.compliance.payees.case_links.describe_case_outcome",
    "aml": "apps.compliance.aml.case_links.describe_case_outcome",
    "agent": "apps.compliance.agents.case_links.describe_case_outcome",
    "rescreen": "apps.compliance.screening.case_links.rescreens.describe_case_outcome",
    "payment": "apps.payments.payments.views.case_links.describe_case_outcome",
    "travel_rule": "apps.payments.travelrule.case_links.describe_outcome",
    "travel_party": "apps.payments.travelrule.case_links.describe_outcome",
    "settlement": "apps.payments.settlement.views.case_links.describe_case_outcome",
    "bank_payment": "apps.payments.banking.case_links.describe_outcome",
    "bank_send": "apps.payments.banking.case_links.describe_outcome",
    "chain_transfer": "apps.payments.chain.views.case_links.describe_case_outcome",
}
RECORDS: dict[str, str] = {
    "screen": "apps.compliance.screening.case_links.screens.list_related_pages",
    "registration": "apps.compliance.payees.case_links.list_related_pages",
    "aml": "apps.compliance.aml.case_links.list_related_pages",
    "agent": "apps.compliance.agents.case_links.list_related_pages",
    "rescreen": "apps.compliance.screening.case_links.rescreens.list_related_pages",
    "payment": "apps.payments.payments.views.case_links.sar_entry_links",
    "travel_rule": "apps.payments.travelrule.case_links.list_related_pages",
    "travel_party": "apps.payments.travelrule.case_links.list_related_pages",
    "settlement": "apps.payments.settlement.views.case_links.sar_entry_links",
    "bank_payment": "apps.payments.banking.case_links.list_related_pages",
    "bank_send": "apps.payments.banking.case_links.list_related_pages",
    "chain_transfer": "apps.payments.chain.views.case_links.sar_entry_links",
}
SCREENED: dict[str, str] = {
    "screen": "apps.compliance.screening.case_links.screens.find_screened_at",
    "registration": "apps.compliance.payees.case_links.find_screened_at",
    "aml": "apps.compliance.aml.case_links.find_screened_at",
    "agent": "apps.compliance.agents.case_links.find_screened_at",
    "rescreen": "apps.compliance.screening.case_links.rescreens.find_screened_at",
    "payment": "apps.payments.payments.views.case_links.first_screened_at",
    "travel_rule": "apps.payments.travelrule.case_links.find_screened_at",
    "travel_party": "apps.payments.travelrule.case_links.find_parties_screened_at",
    "settlement": "apps.payments.settlement.views.case_links.first_screened_at",
    "bank_payment": "apps.payments.banking.case_links.find_screened_at",
    "bank_send": "apps.payments.banking.case_links.find_screened_at",
    "chain_transfer": "apps.payments.chain.views.case_links.first_screened_at",
}
SENTENCES: dict[str, str] = {
    "screen": "apps.compliance.screening.combined.messages.format_for_officers",
    "payment": "apps.compliance.screening.combined.messages.format_for_officers",
    "settlement": "apps.compliance.screening.combined.messages.format_for_officers",
    "travel_party": "apps.compliance.screening.combined.messages.format_for_officers",
}
