"""Messages to an institution on a payment that did not settle, and on its checks. Pure.

Document 1 section 2.4 and section 2.7: the reason of a block (sanctions, AML or an officer) is
never disclosed. Every BLOCKED payment has the same sentence and the same flags.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

BLOCKED = "The payment was blocked by a compliance check and was not sent."
HELD = (
    "A compliance officer reviews the payment before it is sent. Nothing was sent. Do not send "
    "it again: its status changes once the officer has decided."
)
NOT_CHECKED = "The payment could not be checked in time and was not sent: send it again."
NOT_PRICED = "No reference rate for the currency was available in time, and nothing was sent."
NOT_SETTLED = "The settlement rail could not be reached in time, and nothing was sent."
REFUSED = "The settlement rail refused the payment: {why}"

# all false, also where only the payee check failed: flags must not tell why (document 1 section
# 2.4)
BLOCKED_FLAGS: Mapping[str, Any] = {
    "fatf_r16_compliant": False,
    "mica_compliant": False,
    "genius_compliant": False,
    "regulatory_note": "A compliance check did not pass: nothing was sent.",
}


@dataclass(frozen=True, slots=True)
class ClearedChecks:
    """Results of the checks of a payment to which no check objects, or no longer does.

    `r16` is whether the payee check satisfies FATF R.16. It does not include whether an officer
    released the payment: answers are passed on, and a hold must stay confidential.
    """

    r16: bool = False


@dataclass(frozen=True, slots=True)
class NoteSentence:
    """A sentence of the note: it is said when it is true. `code` never changes."""

    code: str
    when: Callable[[ClearedChecks], bool]
    says: str


SENTENCES: tuple[NoteSentence, ...] = (  # all that hold
    NoteSentence(
        "flags.clear",
        lambda checks: True,
        "micaCompliant: every check that ran lets the payment go.",
    ),
    NoteSentence(
        "flags.genius",
        lambda checks: checks.r16,
        "geniusCompliant: FATF R.16 is satisfied too.",
    ),
    NoteSentence(
        "flags.not_genius",
        lambda checks: not checks.r16,
        "Not geniusCompliant: FATF R.16 is not satisfied, and the Bank Secrecy Act with its travel "
        "rule applies (GENIUS Act, section 4(a)(5)).",
    ),
    NoteSentence(
        "flags.not_assessed",
        lambda checks: True,
        "Issuers, reserves and authorisations were not assessed.",
    ),
)


def build_compliance_flags(*, r16: bool, note: str) -> dict[str, Any]:
    """Return the flags of a payment to which no check objects.

    `r16` and `note` are what the payee check says of FATF R.16.
    """
    cleared_checks = ClearedChecks(r16)
    parts = [note, *(sentence.says for sentence in SENTENCES if sentence.when(cleared_checks))]
    return {
        "fatf_r16_compliant": r16,
        "mica_compliant": True,
        "genius_compliant": r16,
        "regulatory_note": " ".join(parts),
    }
