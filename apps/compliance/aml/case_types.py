"""The case of a flagged payment: reasons by rule, hours, second officers, and its picture.

DESIGN.md section 8.
"""

from datetime import timedelta

from apps.backoffice.review.case_type_parts import LARGE_SCREENED_USD
from apps.backoffice.review.case_types import CaseType, OutcomeLabels, Reason, RuleLabel, SecondRule
from apps.compliance.aml.evidence_view import build_evidence_view
from apps.compliance.aml.rules.cases import (
    FLAGGED,
    HIGH_FROM,
    SAMPLE_WORDS,
    SAMPLED,
    SIGNAL_REFS,
    signal_ref,
)
from apps.compliance.aml.rules.scorecard import REVIEWED_FROM, TIERS
from apps.compliance.aml.rules.signals import SIGNALS
from apps.compliance.aml.services.decision_effects import apply_aml_decision

NETWORK = frozenset(
    signal_ref(name)
    for name in ("fan_in", "fan_out", "hub", "circle", "passed_on", "near_listed", "near_flagged")
)
AMOUNTS = frozenset(
    signal_ref(name)
    for name in ("just_below", "structuring", "equal_parts", "unusual_amount", "round_amount")
)

APPROVE = (
    Reason("PURPOSE_SHOWN", "Business purpose established by documents", "FATF R.10"),
    Reason("USUAL_BUSINESS", "Usual for this client's business", "FATF R.10"),
    Reason(
        "SPLIT_EXPLAINED", "Amounts explained: instalments, payroll, limits", "FATF R.10", AMOUNTS
    ),
    Reason(
        "PARTIES_KNOWN", "The connected wallets are known and of one business", "FATF R.10", NETWORK
    ),
    Reason("OTHER", "Other (say which in the note)", "FATF R.10"),
)
REJECT = (
    Reason("SUSPICION", "Money laundering by this wallet is suspected", "FATF R.20"),
    Reason("COUNTERPARTY", "Money laundering by its counterparty is suspected", "FATF R.20"),
    Reason("STRUCTURED", "Split to stay under a threshold", "FATF R.20", AMOUNTS),
    Reason("LAYERING", "Passed through wallets to hide its origin", "FATF R.20", NETWORK),
    Reason("NOT_EXPLAINED", "Requested but not explained", "FATF R.10"),
    Reason("OTHER", "Other (say which in the note)", "FATF R.20"),
)

AML = CaseType(
    title="Flagged payment",
    reasons={"APPROVE": APPROVE, "REJECT": REJECT},
    gravity=(),
    due={
        # in hours of an open desk
        "HIGH": timedelta(hours=4),
        "MEDIUM": timedelta(hours=10),
        "LOW": timedelta(hours=40),
    },
    risks=(
        f"A score from {HIGH_FROM} is HIGH, from {REVIEWED_FROM} MEDIUM.",
        "A randomly selected low score is LOW.",
    ),
    seconds=(
        SecondRule("AML-SECOND-1", "The risk is HIGH.", lambda s: s.risk == "HIGH"),
        SecondRule(
            "AML-SECOND-2",
            f"The amount is {LARGE_SCREENED_USD:,} USD or more.",
            lambda s: s.usd is not None and s.usd >= LARGE_SCREENED_USD,
        ),
    ),
    words={
        "APPROVE": OutcomeLabels("Release", "Released"),
        "REJECT": OutcomeLabels("Refuse", "Refused"),
    },
    # selected at random from payments that proceeded: there is nothing to release
    words_by_rule={
        SAMPLED: {
            "APPROVE": OutcomeLabels("Find nothing unusual", "Nothing unusual found"),
            "REJECT": OutcomeLabels("Find it suspicious", "Found suspicious"),
        }
    },
    picture=build_evidence_view,
    decided=apply_aml_decision,
    rules={
        FLAGGED: RuleLabel(next(tier.words for tier in TIERS if tier.ref == FLAGGED)),
        SAMPLED: RuleLabel(SAMPLE_WORDS),
    }
    | {signal_ref(signal.id): RuleLabel(signal.title) for signal in SIGNALS},
)

# a misspelt signal would silently offer a reason for no case
assert AMOUNTS | NETWORK <= SIGNAL_REFS
