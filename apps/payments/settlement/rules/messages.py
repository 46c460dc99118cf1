"""What is told of a settlement, and its states as the API names them. Pure.

Document 1 section 2.4 and section 2.7: nobody is told what blocks a settlement, nor that an officer
did.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from apps.payments.settlement.rules.flow import FlowJudgement

API_STATUSES: Mapping[str, str] = {
    "AWAITING_SETTLEMENT": "awaiting_settlement",
    "HELD": "held",
    "RELEASED": "released",
    "SETTLED": "settled",
    "BLOCKED": "blocked",
    "EXPIRED": "expired",
}
CONFIRMING = "confirming"  # a transfer was found, and is not final yet
STATUSES: Sequence[str] = (*API_STATUSES.values(), CONFIRMING)
SANDBOX_NOTE = (
    "SANDBOX: every check was made and the fees are computed as always; nothing is transferred, "
    "and the id is none of a chain."
)
RELEASED_NOTE = "Send it again under the same referenceId: it is checked by what is known then."
EXECUTE_NOTE = "Execute the transfer before its deadline, and tell its hash."
ENDED_NOTE = "No transfer of it is expected any more: do not execute it."
UNCLEAR_NOTE = "Its transfer is being looked at: do not pay anew before its confirmation says so."
RESUBMIT = "Send it again under the same referenceId once the stability oracle is STABLE."
DECIDED_HERE = "It waits for a decision of ours: ask for it by its settlementId."
REHEARSAL_HELD = "Nobody decides a rehearsal: what holds it would hold a settlement."
HELD_SANDBOX_NOTE = (
    "SANDBOX: every check was made; nothing is priced while it is held, nothing is transferred, "
    "and the id is none of a chain."
)


def explain_hold(
    judgement: FlowJudgement,
    *,
    held_for: Sequence[str],
    sandbox: bool,
    status: str,
    score: Decimal | None,
    usd: Decimal | None,
    advice: str,
) -> str:
    """Return why a settlement is held, and what follows, in sentences that may be told."""
    said = [f"{judgement.reason.rstrip('.')}."]
    if score is not None:
        worth = f", and the settlement is worth {usd:,.2f} USD" if usd is not None else ""
        said.append(f"The oracle says {status} at a score of {score.normalize():f}{worth}.")
    decided = REHEARSAL_HELD if sandbox else DECIDED_HERE
    said.append(RESUBMIT if tuple(held_for) == ("stability",) else decided)
    return " ".join([*said, advice]).strip()
