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
    "settlement": "Settlement",
    "bank_payment": "Bank payment",
    "bank_send": "Payment by the bank",
    "chain_transfer": "Transfer on a chain",
}
LISTS = "apps.watchlists.drawn.match.TITLES"

OUTCOMES: dict[str, str] = {
    "screen": "apps.screening.pages.records.outcome_of",
    "registration": "apps.registry.pages.records.outcome_of",
    "aml": "apps.aml.pages.records.outcome_of",
    "agent": "apps.agents.records.outcome_of",
    "rescreen": "apps.ongoing.records.outcome_of",
    "payment": "apps.payments.pages.records.outcome_of",
    "travel_rule": "apps.travelrule.pages_of_cases.outcome_of",
    "settlement": "apps.settlement.pages.records.outcome_of",
    "bank_payment": "apps.banking.pages_of_cases.outcome_of",
    "bank_send": "apps.banking.pages_of_cases.outcome_of",
    "chain_transfer": "apps.chain.pages.records.outcome_of",
}
RECORDS: dict[str, str] = {
    "screen": "apps.screening.pages.records.pages_of",
    "registration": "apps.registry.pages.records.pages_of",
    "aml": "apps.aml.pages.records.pages_of",
    "agent": "apps.agents.records.pages_of",
    "rescreen": "apps.ongoing.records.pages_of",
    "payment": "apps.payments.pages.records.pages_of",
    "travel_rule": "apps.travelrule.pages_of_cases.pages_of",
    "settlement": "apps.settlement.pages.records.pages_of",
    "bank_payment": "apps.banking.pages_of_cases.pages_of",
    "bank_send": "apps.banking.pages_of_cases.pages_of",
    "chain_transfer": "apps.chain.pages.records.pages_of",
}
SCREENED: dict[str, str] = {
    "screen": "apps.screening.pages.records.screened_at",
    "registration": "apps.registry.pages.records.screened_at",
    "aml": "apps.aml.pages.records.screened_at",
    "agent": "apps.agents.records.screened_at",
    "rescreen": "apps.ongoing.records.screened_at",
    "payment": "apps.payments.pages.records.screened_at",
    "travel_rule": "apps.travelrule.pages_of_cases.screened_at",
    "settlement": "apps.settlement.pages.records.screened_at",
    "bank_payment": "apps.banking.pages_of_cases.screened_at",
    "bank_send": "apps.banking.pages_of_cases.screened_at",
    "chain_transfer": "apps.chain.pages.records.screened_at",
}
SENTENCES: dict[str, str] = {
    "screen": "apps.screening.combined.told.in_words",
    "payment": "apps.screening.combined.told.in_words",
    "settlement": "apps.screening.combined.told.in_words",
}
