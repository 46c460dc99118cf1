"""What is told of a settlement, and its states as the API names them. Pure.

Document 1 section 2.4 and section 2.7: nobody is told what blocks a settlement, nor that an officer
did.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from apps.settlement.rules.flow import Judgement

WIRE: Mapping[str, str] = {
    "AWAITING_SETTLEMENT": "awaiting_settlement",
    "HELD": "held",
    "RELEASED": "released",
    "SETTLED": "settled",
    "BLOCKED": "blocked",
    "EXPIRED": "expired",
}
CONFIRMING = "confirming"  # a transfer was found, and is not final yet
STATUSES: Sequence[str] = (*WIRE.values(), CONFIRMING)
SANDBOX_NOTE = (
    "SANDBOX: every check was made and the fees are computed as always; nothing is transferred, "
    "and the id is none of a chain."
)
RELEASED_NOTE = "Send it again under the same referenceId: it is checked by what is known then."
EXECUTE_NOTE = "Execute the transfer before its deadline, and tell its hash."
RESUBMIT = "Send it again under the same referenceId once the stability oracle is STABLE."
OFFICER = "A compliance officer looks at it."


def reasoning(judgement: Judgement, *, status: str, score: Decimal | None, usd: Decimal | None,
              advice: str) -> str:  # fmt: skip
    """Return why a settlement is held, in sentences that may be told."""
    said = [f"{judgement.reason.rstrip('.')}."]
    if score is not None:
        worth = f", and the settlement is worth {usd:,.2f} USD" if usd is not None else ""
        said.append(f"The oracle says {status} at a score of {score.normalize():f}{worth}.")
    said.append(RESUBMIT if judgement.holding == ("stability",) else OFFICER)
    return " ".join([*said, advice]).strip()
