"""The case of a held settlement: the reasons of its checks, and those of the oracle.

DESIGN.md section 8. It has the rules of a held payment, and those of the flow that no screen has.
"""

from dataclasses import replace

from apps.backoffice.review.case_types import OTHER, OutcomeLabels, Reason, RuleLabel, SecondRule
from apps.payments.chain.case_types import LARGE_TRANSFER
from apps.payments.payments.case_types import PAYMENT
from apps.payments.settlement.rules.check_references import IDENTITY, NOT_CHECKED, ORACLE
from apps.payments.settlement.services.settlement_case import apply_case_decision

FLOW_RULES = frozenset({ORACLE, IDENTITY, NOT_CHECKED})

RELEASE_REASONS = (
    Reason("EXPOSURE_ACCEPTED", "The exposure to the stablecoin is accepted", ORACLE,
           frozenset({ORACLE})),
    Reason("BENEFICIARY_KNOWN", "The beneficiary is documented", IDENTITY,
           frozenset({IDENTITY})),
    Reason("CHECKED_BY_HAND", "The checks that did not run were made manually", NOT_CHECKED,
           frozenset({NOT_CHECKED})),
)  # fmt: skip
REJECT_REASONS = (
    Reason("PEG_AT_RISK", "The stablecoin may lose its peg", ORACLE, frozenset({ORACLE})),
    Reason("BENEFICIARY_UNKNOWN", "The beneficiary remains unknown", IDENTITY,
           frozenset({IDENTITY})),
    Reason("UNCHECKABLE", "It could not be checked", NOT_CHECKED, frozenset({NOT_CHECKED})),
)  # fmt: skip


def _merge_reasons(outcome: str, ours: tuple[Reason, ...]) -> tuple[Reason, ...]:
    """Return a held payment's reasons with ours; the one that always fits comes last."""
    theirs = [reason for reason in PAYMENT.reasons[outcome] if reason.code != OTHER]
    other = next(reason for reason in PAYMENT.reasons[outcome] if reason.code == OTHER)
    return (*theirs, *ours, other)


SETTLEMENT = replace(
    PAYMENT,
    title="Held settlement",
    reasons={
        "APPROVE": _merge_reasons("APPROVE", RELEASE_REASONS),
        "REJECT": _merge_reasons("REJECT", REJECT_REASONS),
    },
    gravity=(*PAYMENT.gravity, FLOW_RULES),
    seconds=(
        SecondRule("SETTLEMENT-SECOND-1", "The risk is HIGH.", lambda s: s.risk == "HIGH"),
        SecondRule(
            "SETTLEMENT-SECOND-2",
            f"The amount is {LARGE_TRANSFER:,} USD or more, or has no known value.",
            lambda s: s.usd is None or s.usd >= LARGE_TRANSFER,
        ),
    ),
    risks=(*PAYMENT.risks, "A settlement that the oracle holds is MEDIUM."),
    words={
        "APPROVE": OutcomeLabels("Release", "Released"),
        "REJECT": OutcomeLabels("Reject", "Rejected"),
    },
    decided=apply_case_decision,
    rules={
        **PAYMENT.rules,
        ORACLE: RuleLabel("The stability oracle holds it, or did not answer."),
        IDENTITY: RuleLabel("The beneficiary is not known, or its registration is under review."),
        NOT_CHECKED: RuleLabel("A check could not run, or found no way to settle."),
    },
)
