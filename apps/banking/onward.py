"""Takes a tagged payment onward into settlement: quoted once, held, or tried again by a job."""

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError, transaction

from apps.banking import cases, quoting
from apps.banking.folding import OPERATOR, state_of, whose
from apps.banking.models import BankTransaction
from apps.banking.moving import move
from apps.banking.projection import BankRowUnproved, proved
from apps.banking.rules.lifecycle import knows
from apps.banking.rules.routing import (
    BY_CODE,
    CREATE,
    HALTED,
    LATER,
    OVER,
    TRANSACTION,
    WENT,
    Facts,
    Row,
    Verdict,
    judge,
    undone,
)
from apps.core import jobs

logger = logging.getLogger(__name__)
ROUTE = "banking.route"
WAITS = (
    timedelta(seconds=5),
    timedelta(seconds=30),
    timedelta(minutes=2),
    timedelta(minutes=10),
    timedelta(minutes=30),
)
OVERDUE = timedelta(minutes=2)
SWEPT_AT_ONCE = 500
LONGEST_TROUBLE = 300
Said = dict[str, Any]


def told(row: Row) -> Said:
    """Return the row of a table as who sent the delivery is told of it."""
    return {"action": row.action, "rule": row.code, "reason": row.says}


def go(row: BankTransaction, *, facts: Facts, verdict: Verdict, now: datetime) -> Said:
    """Do what a verdict asks for, under the lock of its transaction; return what is told of it."""
    if undone(facts):
        cases.undone(row, status=facts.status, now=now)
    if facts.status in OVER and knows(row.THING, row.state, "DROPPED"):
        move(row, "DROPPED", now=now, facts={"status": facts.status}, due_at=None)
    if verdict.row.code == "BR-16":
        return tag(row, verdict, now)
    if verdict.row.action == "held" and row.state in ("SEEN", "HELD", "WAITING"):
        _hold(row, verdict.row, now)
    return standing(row) if verdict.row.code in ("BR-5", "BR-6") else {}


def _hold(row: BankTransaction, why: Row, now: datetime) -> None:
    """Hold a payment that cannot be routed as it is; for the same reason again, one case."""
    if (row.state, row.rule) == ("HELD", why.code):
        return
    move(row, "HELD", now=now, rule=why.code, due_at=None)
    cases.held(row, why, now=now)


def tag(row: BankTransaction, verdict: Verdict, now: datetime) -> Said:
    """Note what is to be settled and try to have it quoted; return how it stands then."""
    changes: dict[str, Any] = {
        "owner": whose(row.resource_id)[0] or OPERATOR,
        "rule": verdict.row.code,
        "wallet": verdict.wallet,
        "destination": verdict.destination,
        "amount": verdict.amount,
    }
    same = all(getattr(row, name) == value for name, value in changes.items())
    if row.state != "WAITING" or not same:
        move(row, "TAGGED", now=now, **changes, due_at=now, tries=0, trouble="")
    _try(row, now)
    return standing(row)


def standing(row: BankTransaction) -> Said:
    """Return how a transaction stands, as it is told."""
    if row.state in WENT:
        routed: Said = row.routed
        return told(BY_CODE["BR-16"]) | routed
    if row.state in ("HALTED", "REFUSED"):
        return told(HALTED)
    if row.state == "HELD":
        return told(BY_CODE[row.rule])
    return told(LATER)


def _try(row: BankTransaction, now: datetime) -> None:
    """Have a payment quoted; what cannot be now is planned again, and nothing of it is lost."""
    try:
        with transaction.atomic():
            _quote(row, now)
    except (OperationalError, InterfaceError):
        raise
    except Exception as error:
        _later(row, error, now)


def _quote(row: BankTransaction, now: datetime) -> None:
    found = quoting.quoted(row, now=now)
    if found.halted:
        facts = {"decision": found.decision, "why": found.why}
        move(row, "HALTED", now=now, facts=facts, rule=HALTED.code, due_at=None)
        cases.halted(row, decision=found.decision, why=found.why, now=now)
        return
    changes: Mapping[str, Any] = {"quote_id": found.quote_id, "routed": found.said, "due_at": None}
    move(row, "ROUTED", now=now, facts={"quote": found.quote_id}, **changes)


def _later(row: BankTransaction, error: Exception, now: datetime) -> None:
    logger.warning("bank transaction %s waits: %s", row.pk, type(error).__name__)
    fresh = BankTransaction.objects.get(pk=row.pk)  # what was moved in vain is rolled back
    for one in row._meta.concrete_fields:
        setattr(row, one.attname, getattr(fresh, one.attname))
    row.due_at = now + WAITS[min(row.tries, len(WAITS) - 1)]
    row.tries, row.trouble = row.tries + 1, type(error).__name__[:LONGEST_TROUBLE]
    loose = {"due_at": row.due_at, "tries": row.tries, "trouble": row.trouble}
    BankTransaction.objects.filter(pk=row.pk, steps=row.steps).update(**loose)
    jobs.enqueue(job=ROUTE, key=str(row.pk), now=now, eta=row.due_at)


def again(key: str, now: datetime) -> None:
    """Have a payment quoted that could not be before; the job `banking.route`."""
    with transaction.atomic():
        locked = BankTransaction.objects.select_for_update()
        row = locked.filter(pk=int(key or 0), state__in=("WAITING", "SEEN")).first()
        if row is None or (row.due_at is not None and row.due_at > now):
            return
        try:
            proved([row])
            facts = _facts(row)
        except BankRowUnproved:
            return  # the ledger's verification tells of it; nothing is done with it
        go(row, facts=facts, verdict=judge(facts), now=now)


def _facts(row: BankTransaction) -> Facts:
    """Return a transaction as it stands, to be judged whatever told of it last."""
    owner, unsure = whose(row.resource_id)
    return Facts(
        resource=TRANSACTION,
        operation=CREATE,
        patch={},
        state=state_of(row.resource_id),
        stands=row.state,
        default=settings.BANK_DEFAULT_RECIPIENT,
        ours=bool(owner),
        unsure=unsure,
    )


def sweep(now: datetime) -> None:
    """Plan work for payments that should have been quoted and that nothing carries."""
    late = BankTransaction.objects.filter(state="WAITING", due_at__lt=now - OVERDUE)
    for number in late.order_by("due_at").values_list("pk", flat=True)[:SWEPT_AT_ONCE]:
        jobs.enqueue(job=ROUTE, key=str(number), now=now)
