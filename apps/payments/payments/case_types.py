"""The case of a payment that is HELD: reasons by rule, hours, second officers, and its picture.

It has the rules of both checks that hold a payment: the AML screen and the combined screen.
DESIGN.md section 8.
"""

from dataclasses import replace

from apps.backoffice.review.case_types import OTHER, CaseType, OutcomeLabels, Reason, RuleLabel
from apps.compliance.aml import case_types as aml
from apps.compliance.aml.case_types import AML
from apps.compliance.screening.case_types import screens as screening
from apps.compliance.screening.case_types.screens import SCREEN, concerns_ofac
from apps.compliance.screening.combined.party_evidence_views import find_screen_lists
from apps.payments.payments.case_evidence import (
    creditor_matches,
    load_listed_entries,
    present_evidence,
)
from apps.payments.payments.rules.case_rules import NOT_CHECKED
from apps.payments.payments.services.payment_case import apply_case_decision
from apps.reference.watchlists.selectors.list_entries import find_successors

AML_RULES = frozenset(AML.rules)
UNCHECKED_RULES = frozenset({NOT_CHECKED.ref})


# what an officer says of a payment whose checks could not be made
ANSWER_UNCHECKED = frozenset({"CHECK_COMPLETED", "NOT_IDENTIFIED"})


def _merge_reasons(outcome: str) -> tuple[Reason, ...]:
    """Return the reasons of both checks; those of AML answer what AML found, and nothing else.

    One that is about some signals is offered where they hold, and answers the flag that they raise.
    """
    behaviour = [
        replace(one, rules=AML_RULES, about=one.rules)
        for one in AML.reasons[outcome]
        if one.code != OTHER
    ]
    named = [
        replace(one, rules=one.rules | UNCHECKED_RULES) if one.code in ANSWER_UNCHECKED else one
        for one in SCREEN.reasons[outcome]
        if one.code != OTHER
    ]
    other = next(one for one in SCREEN.reasons[outcome] if one.code == OTHER)
    return (*named, *behaviour, other)


PAYMENT = CaseType(
    title="Held payment",
    reasons={outcome: _merge_reasons(outcome) for outcome in ("APPROVE", "REJECT")},
    gravity=(*SCREEN.gravity, UNCHECKED_RULES, AML_RULES),
    disowns=SCREEN.disowns,
    due={risk: min(AML.due[risk], SCREEN.due[risk]) for risk in AML.due},
    paces=SCREEN.paces,
    risks=(*AML.risks, *SCREEN.risks),
    seconds=tuple(
        replace(second_officer_rule, ref=f"PAYMENT-{second_officer_rule.ref}")
        for second_officer_rule in screening.SECOND_OFFICER_RULES
    ),
    words={
        "APPROVE": OutcomeLabels("Release", "Released"),
        "REJECT": OutcomeLabels("Reject", "Rejected"),
    },
    true_matches=SCREEN.true_matches,
    reported=SCREEN.reported,
    concerns_ofac=concerns_ofac,
    lists=find_screen_lists,
    listed=creditor_matches,
    entries=load_listed_entries,
    successors=find_successors,
    picture=present_evidence,
    decided=apply_case_decision,
    sentence=SCREEN.sentence,
    rules={**AML.rules, **SCREEN.rules, NOT_CHECKED.ref: RuleLabel(NOT_CHECKED.title)},
)

assert aml.LARGE_AMOUNT_USD == screening.LARGE_AMOUNT_USD
