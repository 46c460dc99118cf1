"""The case of a payment that is HELD: reasons by rule, hours, second officers, and its picture.

It has the rules of both checks that hold a payment: the AML screen and the combined screen.
DESIGN.md section 8.
"""

from dataclasses import replace

from apps.backoffice.review.case_types import OTHER, CaseType, OutcomeLabels, Reason, RuleLabel
from apps.compliance.aml.case_types import AML
from apps.compliance.screening.case_types import screens
from apps.compliance.screening.case_types.screens import SCREEN, concerns_ofac
from apps.compliance.screening.combined.party_evidence_views import find_screen_lists
from apps.payments.payments.case_evidence import (
    creditor_matches,
    load_listed_entries,
    present_evidence,
)
from apps.payments.payments.rules.unchecked_payment_case import NOT_CHECKED
from apps.payments.payments.services.payment_case import apply_case_decision
from apps.reference.watchlists.selectors.list_entries import find_successors

AML_RULES = frozenset(AML.rules)
UNCHECKED_RULES = frozenset({NOT_CHECKED.ref})


# an officer's reasons for a payment whose checks could not be made
ANSWER_UNCHECKED = frozenset({"CHECK_COMPLETED", "NOT_IDENTIFIED"})


def _merge_reasons(outcome: str) -> tuple[Reason, ...]:
    """Return the reasons of both checks; those of AML answer only what AML found.

    A reason about certain signals is offered if they hold, and answers the flag that they raise.
    """
    behaviour = [
        # the AML screen raises one flag for all its signals, so a reason answers that flag
        replace(reason, rules=AML_RULES, about=reason.rules)
        for reason in AML.reasons[outcome]
        if reason.code != OTHER
    ]
    named = [
        replace(reason, rules=reason.rules | UNCHECKED_RULES)
        if reason.code in ANSWER_UNCHECKED
        else reason
        for reason in SCREEN.reasons[outcome]
        if reason.code != OTHER
    ]
    other = next(reason for reason in SCREEN.reasons[outcome] if reason.code == OTHER)
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
        for second_officer_rule in screens.SECOND_OFFICER_RULES
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
