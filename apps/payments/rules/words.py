"""What an institution is told of a payment that did not settle, and of its checks. Pure.

Document 1 section 2.4 and section 2.7: nobody is told that a payment was blocked for sanctions, for
how it looks, or by an officer. One sentence and one set of flags serves every BLOCKED payment.
"""

from collections.abc import Mapping
from typing import Any

BLOCKED = "The payment was blocked by a compliance check and was not sent."
NOT_CHECKED = "The payment could not be checked in time and was not sent: send it again."
NOT_PRICED = "No reference rate was held in time for the currency, and nothing was sent."
NOT_SETTLED = "The settlement rail could not be reached in time, and nothing was sent."
REFUSED = "The settlement rail refused the payment: {why}"

BLOCKED_FLAGS: Mapping[str, Any] = {
    "fatf_r16_compliant": False,
    "mica_compliant": False,
    "genius_compliant": False,
    "regulatory_note": "A compliance check stands against the payment: nothing was sent.",
}
NOT_ASSESSED = (
    "micaCompliant and geniusCompliant: no check that ran stands against the payment; issuers, "
    "reserves and authorisations were not assessed."
)


def cleared(*, compliant: bool, note: str) -> dict[str, Any]:
    """Return the flags of a payment that no check stands against.

    `compliant` and `note` are what the payee check says of FATF R.16.
    """
    return {
        "fatf_r16_compliant": compliant,
        "mica_compliant": True,
        "genius_compliant": True,
        "regulatory_note": f"{note} {NOT_ASSESSED}",
    }
