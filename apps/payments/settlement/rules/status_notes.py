"""Messages about settlements, and their states as the API names them. Pure.

Document 1 section 2.4 and section 2.7: no message says what blocks a settlement, or that an officer
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
CONFIRMING = "confirming"  # a transfer was found, but is not final yet
STATUSES: Sequence[str] = (*API_STATUSES.values(), CONFIRMING)
SANDBOX_NOTE = (
    "SANDBOX: every check was made and the fees are computed as always; nothing is "
    "transferred, and the id is not on a chain."
)
RELEASED_NOTE = "Send it again under the same referenceId: it is then checked again."
EXECUTE_NOTE = "Execute the transfer before its deadline, and report its hash."
ENDED_NOTE = "Its transfer is no longer expected: do not execute it."
UNCLEAR_NOTE = "Its transfer is under review: do not pay again until the confirmation says so."
RESUBMIT = "Send it again under the same referenceId once the stability oracle is STABLE."
DECIDED_HERE = "It awaits our decision: query it by its settlementId."
REHEARSAL_HELD = "Rehearsals are not decided: what holds this one would hold a settlement."
HELD_SANDBOX_NOTE = (
    "SANDBOX: every check was made; nothing is priced while it is held, nothing is "
    "transferred, and the id is not on a chain."
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
    """Explain in public sentences why a settlement is held, and what follows."""
    sentences = [f"{judgement.reason.rstrip('.')}."]
    if score is not None:
        worth = f", and the settlement is worth {usd:,.2f} USD" if usd is not None else ""
        sentences.append(f"The oracle says {status} at a score of {score.normalize():f}{worth}.")
    decided = REHEARSAL_HELD if sandbox else DECIDED_HERE
    sentences.append(RESUBMIT if tuple(held_for) == ("stability",) else decided)
    return " ".join([*sentences, advice]).strip()
