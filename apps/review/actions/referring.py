"""What of a case goes into the log of suspicious activity (apps/sar).

That an entry exists is confidential: nothing of it is written into the case, its events or
anything else that who may not see the log can read, and whoever refers is told the same each time.
"""

import logging
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import transaction

from apps.desk.rules import note_fault
from apps.review import kinds
from apps.review.actions.claims import may
from apps.review.actions.routing import BadRouting
from apps.review.models import Case, Outcome
from apps.review.rules.keys import frozen
from apps.sar.actions import Blocked, Heard, enter
from apps.sar.authorities import owes_ofac
from apps.sar.facts import Facts

if TYPE_CHECKING:
    from django.contrib.auth.models import User

logger = logging.getLogger(__name__)


@transaction.atomic
def refer(*, case: Case, by: "User", note: str, now: datetime) -> None:
    """Enter a case into the log, with a sentence why; a further one is added to its matter.

    Whoever may decide cases of the kind may refer any of them, held by somebody or not, and also
    one that is decided: a suspicion may come later. Raises BadRouting, NotAllowed.
    """
    may(by, kinds.named(case.kind).decides, "refer cases")
    if fault := note_fault(note):
        raise BadRouting(fault, errors=[{"field": "note", "message": fault}])
    concerns = kinds.named(case.kind).concerns_ofac
    owed = concerns is not None and concerns(case.refs, owed=owes_ofac(_lists(case)))
    enter(blocked=_blocked(case, by, note, sanctions=owed), heard=Heard(by=by, text=note), now=now)


def log_true_match(*, case: Case, by: "User", reason_code: str, note: str, now: datetime) -> None:
    """Enter a rejected case of a listed party into the log, and start the clock of its report.

    OFAC's clock runs for parties of OFAC's lists, where nobody knows whose list it is, and for
    what an embargo forbids: a rejected transaction is reported, whatever it was rejected for
    (31 CFR 501.604).
    Call it inside the transaction of the final decision, with the reason of that decision.
    """
    if case.outcome != Outcome.REJECT:
        return
    kind = kinds.named(case.kind)
    forbidden = not kind.reported.isdisjoint(case.refs)
    matched = reason_code in kind.true_matches
    if not (matched or forbidden):
        return
    owed = matched and owes_ofac(_lists(case))
    words = kinds.reason_words(case.kind, outcome=case.outcome, code=reason_code)
    heard = Heard(by=by, text=note, reason=words, matched=owed)
    enter(blocked=_blocked(case, by, note, sanctions=owed or forbidden), heard=heard, now=now)


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
        opened_at=case.opened_at,
        facts=Facts(
            amount=case.amount,
            currency=case.currency,
            usd=case.amount_usd,
            country=case.country,
            reference=case.reference,
            wallet=case.wallet,
            picture=_picture(case),
        ),
    )


def _picture(case: Case) -> dict[str, Any]:
    """Return what the kind draws of the evidence; nothing where it cannot: the case has it."""
    draw = kinds.named(case.kind).picture
    try:
        return dict(frozen(draw(case.evidence) if draw else case.evidence))
    except (LookupError, TypeError, ValueError, AttributeError):
        logger.exception("the evidence of case %s cannot be drawn", case.pk)
        return {}
