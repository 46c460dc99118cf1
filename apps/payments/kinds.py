"""The case of a payment that is HELD: reasons by rule, hours, second officers, and its picture.

It has the rules of both checks that hold a payment: the AML screen and the combined screen.
DESIGN.md section 8.
"""

from dataclasses import replace

from apps.aml import kinds as aml
from apps.aml.kinds import AML
from apps.payments.picture import entries, listed, lists, picture
from apps.payments.reviewing import decided
from apps.review.kinds import OTHER, Kind, Reason, Words
from apps.screening import kinds as screening
from apps.screening.kinds import SCREEN, concerns_ofac

BEHAVIOUR = frozenset(AML.rules)


def _joined(outcome: str) -> tuple[Reason, ...]:
    """Return the reasons of both checks; those of AML answer what AML found, and nothing else."""
    behaviour = [
        one if one.rules else replace(one, rules=BEHAVIOUR)
        for one in AML.reasons[outcome]
        if one.code != OTHER
    ]
    named = [one for one in SCREEN.reasons[outcome] if one.code != OTHER]
    other = next(one for one in SCREEN.reasons[outcome] if one.code == OTHER)
    return (*named, *behaviour, other)


PAYMENT = Kind(
    title="Held payment",
    reasons={outcome: _joined(outcome) for outcome in ("APPROVE", "REJECT")},
    gravity=(*SCREEN.gravity, BEHAVIOUR),
    disowns=SCREEN.disowns,
    due={risk: min(AML.due[risk], SCREEN.due[risk]) for risk in AML.due},
    paces=SCREEN.paces,
    risks=(*AML.risks, *SCREEN.risks),
    seconds=tuple(replace(one, ref=f"PAYMENT-{one.ref}") for one in screening.SECONDS),
    words={"APPROVE": Words("Release", "Released"), "REJECT": Words("Reject", "Rejected")},
    true_matches=SCREEN.true_matches,
    reported=SCREEN.reported,
    concerns_ofac=concerns_ofac,
    lists=lists,
    listed=listed,
    entries=entries,
    picture=picture,
    decided=decided,
    sentence=SCREEN.sentence,
    rules={**AML.rules, **SCREEN.rules},
)

assert aml.LARGE_AMOUNT_USD == screening.LARGE_AMOUNT_USD
