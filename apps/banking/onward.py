"""Takes a tagged payment onward into settlement: quoted once, held, or tried again by a job."""

import logging
import uuid
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import InterfaceError, OperationalError, transaction

from apps.banking import calling_off, cases, quoting, renaming
from apps.banking.folding import OPERATOR, state_of, whose
from apps.banking.models import BankTransaction
from apps.banking.moving import move
from apps.banking.payers import Checked, payer_digest
from apps.banking.projection import BankRowUnproved, proved
from apps.banking.quoting import look
from apps.banking.rules.lifecycle import knows
from apps.banking.rules.payers import STANDS
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
    altered,
    judge,
    undone,
)
from apps.core import jobs
from apps.core.clock import SKEW

if TYPE_CHECKING:
    from django.db.models import QuerySet

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
HOLDS_FROM = ("SEEN", "HELD", "WAITING", "CALLED_OFF")
Said = dict[str, Any]
Seen = Checked | Exception | None


def told(row: Row) -> Said:
    """Return the row of a table as who sent the delivery is told of it."""
    return {"action": row.action, "rule": row.code, "reason": row.says}


def go(
    row: BankTransaction, *, facts: Facts, verdict: Verdict, looked: Seen, now: datetime
) -> Said:
    """Do what a verdict asks for, under the lock of its transaction; return what is told of it.

    `looked` is what was looked up of it before (quoting.look).
    """
    if undone(facts):
        calling_off.call_off(row, status=facts.status, now=now)
    if altered(facts):
        found = tuple(one for one in STANDS if one.code in facts.against)
        renaming.stop(row, facts, looked=looked, found=found, now=now)
    if facts.status in OVER and knows(row.THING, row.state, "DROPPED"):
        move(row, "DROPPED", now=now, facts={"status": facts.status}, due_at=None)
    if verdict.routes:
        return _tag(row, verdict, looked, now)
    if verdict.row.action == "held" and row.state in HOLDS_FROM:
        _hold(row, verdict.row, facts, now)
    return standing(row) if verdict.row.code in ("BR-5", "BR-6") else {}


def _hold(row: BankTransaction, why: Row, facts: Facts, now: datetime) -> None:
    """Hold a payment that cannot be routed as it is; for the same reason again, one case."""
    if (row.state, row.rule) == ("HELD", why.code):
        return
    # what was expected before is expected no more: it would be another order
    anew: dict[str, Any] = {"order_id": uuid.uuid4()} if row.state == "CALLED_OFF" else {}
    move(row, "HELD", now=now, rule=why.code, due_at=None, **anew)
    cases.held(row, why, facts, now=now)


def _tag(row: BankTransaction, verdict: Verdict, looked: Seen, now: datetime) -> Said:
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
    _try(row, verdict, looked, now)
    return standing(row)


def standing(row: BankTransaction) -> Said:
    """Return how a transaction stands, as it is told."""
    if row.state in WENT:
        routed: Said = row.routed
        return told(BY_CODE["BR-16"]) | routed
    if row.state in ("HALTED", "REFUSED"):
        return told(HALTED)
    if row.state in ("HELD", "CALLED_OFF"):
        return told(BY_CODE[row.rule])
    return told(LATER)


def _try(row: BankTransaction, verdict: Verdict, looked: Seen, now: datetime) -> None:
    """Have a payment quoted; what cannot be now is planned again, and nothing of it is lost."""
    try:
        with transaction.atomic():
            _quote(row, verdict, looked, now)
    except (OperationalError, InterfaceError):
        raise
    except Exception as error:
        _later(row, error, now)


def _quote(row: BankTransaction, verdict: Verdict, looked: Seen, now: datetime) -> None:
    found = quoting.quoted(row, verdict, looked=looked, now=now)
    if found.halted:
        assert isinstance(looked, Checked)
        facts = {"decision": found.decision, "why": found.why, "checks": list(found.against)}
        marks = {"codes": list(found.codes), "of": found.of}
        move(row, "HALTED", now=now, facts=facts | marks, rule=HALTED.code, due_at=None)
        cases.halted(row, looked, facts=facts, now=now)
        return
    changes: Mapping[str, Any] = {"quote_id": found.quote_id, "routed": found.said, "due_at": None}
    facts = {"quote": found.quote_id, "payer": payer_digest(verdict.payer)}
    move(row, "ROUTED", now=now, facts=facts, **changes)


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
    """Have a payment quoted that could not be before; the job `banking.route`.

    What is looked up is looked up first, and decided by under the lock of the payment.
    """
    open_rows = BankTransaction.objects.filter(pk=int(key or 0), state__in=("WAITING", "SEEN"))
    try:
        row = _due(open_rows, now)
        if row is None:
            return
        looked = look(judge(_facts(row)), resource_id=row.resource_id, now=now)
        with transaction.atomic():
            row = _due(open_rows.select_for_update(), now)
            if row is not None:
                facts = _facts(row)
                go(row, facts=facts, verdict=judge(facts), looked=looked, now=now)
    except BankRowUnproved:
        return  # the ledger's verification tells of it; nothing is done with it


def _due(rows: "QuerySet[BankTransaction]", now: datetime) -> BankTransaction | None:
    """Return the payment if it is due; one planned further ahead than any is, is so.

    The clock that chose its time has been set back.
    """
    row = rows.first()
    if row is None or (row.due_at is not None and now < row.due_at <= now + WAITS[-1] + SKEW):
        return None
    return proved([row])[0]


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
        went=row.went,
    )


def sweep(now: datetime) -> None:
    """Plan work for payments that should have been quoted and that nothing carries."""
    late = BankTransaction.objects.filter(state="WAITING", due_at__lt=now - OVERDUE)
    for number in late.order_by("due_at").values_list("pk", flat=True)[:SWEPT_AT_ONCE]:
        jobs.enqueue(job=ROUTE, key=str(number), now=now)
