"""What of a case goes into the log of suspicious activity (apps/sar).

That an entry exists is confidential: nothing of it is written into the case, its events or
anything else that who may not see the log can read, and whoever refers is told the same each time.
"""

from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction

from apps.desk.rules import note_fault
from apps.review import kinds
from apps.review.actions.claims import AlreadyDecided, fresh, may
from apps.review.actions.routing import BadRouting
from apps.review.models import Case, Outcome, Status
from apps.sar.actions import Blocked, enter, found_sanctioned
from apps.sar.authorities import owes_ofac

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@transaction.atomic
def refer(*, case: Case, by: "User", note: str, now: datetime) -> None:
    """Enter an open case into the log, with a sentence why; a second time changes nothing.

    Whoever may decide cases of the kind may refer any of them, held by somebody or not. Raises
    BadRouting, AlreadyDecided, NotAllowed.
    """
    may(by, kinds.named(case.kind).decides, "refer cases")
    if fault := note_fault(note):
        raise BadRouting(fault, errors=[{"field": "note", "message": fault}])
    if fresh(case).status == Status.DECIDED:
        raise AlreadyDecided("This case was decided meanwhile.")
    held = kinds.named(case.kind).sanctions.intersection(case.refs)
    enter(
        blocked=_blocked(case, by, note, sanctions=bool(held) and owes_ofac(_lists(case))), now=now
    )


def log_true_match(*, case: Case, by: "User", reason_code: str, note: str, now: datetime) -> None:
    """Enter a rejected case of a listed party into the log, and start the clock of its report.

    OFAC's clock runs for parties of OFAC's lists, and where nobody knows whose list it is.
    Call it inside the transaction of the final decision, with the reason of that decision.
    """
    if case.outcome != Outcome.REJECT:
        return
    if reason_code not in kinds.named(case.kind).true_matches:
        return
    owed = owes_ofac(_lists(case))
    entry = enter(blocked=_blocked(case, by, note, sanctions=owed), now=now)
    if owed:
        found_sanctioned(entry=entry, by=by, rationale=note, now=now)


def _lists(case: Case) -> list[str]:
    named = kinds.named(case.kind).lists
    return sorted(named(case.evidence)) if named else []


def _blocked(case: Case, by: "User", note: str, *, sanctions: bool) -> Blocked:
    said = f"{by.get_username()}: {note.strip()}"
    return Blocked(
        kind=case.kind,
        ref=case.ref,
        owner=case.owner,
        party=case.party or case.title,
        lei=case.lei,
        reasons=[*(one["sentence"] for one in case.rules), said],
        rules=case.refs,
        sanctions=sanctions,
        lists=_lists(case),
        risk_score=case.risk_score,
    )
