"""The case of a bank payment that cannot be routed, is halted by checks, or was undone."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db import transaction

from apps.banking.cases import UNDONE, UNDONE_SAYS
from apps.banking.models import BankTransaction
from apps.banking.moving import move
from apps.banking.onward import ROUTE
from apps.banking.projection import proved
from apps.banking.rules.lifecycle import knows
from apps.banking.rules.routing import HALTED, ROWS
from apps.core import jobs
from apps.review.kinds import Kind, Reason, RuleWords, SecondRule, Words

Row = dict[str, Any]
BASIS = "FATF R.10"
LARGE_USD = Decimal(100_000)
HELD = frozenset(one.code for one in ROWS if one.action == "held" and one.code != "BR-6")
STOPPED = frozenset({HALTED.code})
UNDONE_ONLY = frozenset({UNDONE})


@transaction.atomic
def decided(*, ref: str, outcome: str, now: datetime) -> None:
    """Have a payment tried again, or refuse it; part of the transaction that decides.

    One that went on meanwhile stays as it is. Tried again it passes every check anew.
    """
    number, _, steps = ref.partition(".")
    if not (number.isdigit() and steps.isdigit()):
        return
    found = BankTransaction.objects.select_for_update().filter(pk=int(number))
    row = found.filter(steps=int(steps)).first()
    event = "RELEASED" if outcome == "APPROVE" else "REFUSED"
    if row is None or not knows(row.THING, row.state, event):
        return
    proved([row])
    if event == "REFUSED":
        move(row, event, now=now)
    else:
        move(row, event, now=now, due_at=now, tries=0, trouble="")
        jobs.enqueue(job=ROUTE, key=str(row.pk), now=now)


def picture(evidence: Row) -> Row:
    """Return the parts that the case page draws (apps/review/pages/evidence.py)."""
    held = evidence.get("transaction", {})
    rows = [("Transaction at the bank", held.get("id")), ("First told", held.get("seen"))]
    rows += [("Decision", evidence.get("decision")), ("Why", evidence.get("why"))]
    rows += [("Status at the bank", evidence.get("status")), ("Quote", evidence.get("quote"))]
    return {"record": [{"label": label, "value": str(value)} for label, value in rows if value]}


BANK_PAYMENT = Kind(
    title="Bank payment",
    reasons={
        "APPROVE": (
            Reason("MENDED", "What was wrong is put right: try it again", BASIS, HELD | STOPPED),
            Reason("CLEARED", "The check that halted it is answered: try again", BASIS, STOPPED),
            Reason("CALLED_OFF", "The settlement was called off in time", BASIS, UNDONE_ONLY),
            Reason("OTHER", "Other (say which in the note)", BASIS),
        ),
        "REJECT": (
            Reason("NOT_MEANT", "It is not meant for settlement", BASIS, HELD),
            Reason("SENT_BACK", "It is sent back by the bank", BASIS, HELD | STOPPED),
            Reason("SUSPICION", "Money laundering is suspected", "FATF R.20", STOPPED),
            Reason("LOSS", "It was settled: the loss is claimed", BASIS, UNDONE_ONLY),
            Reason("OTHER", "Other (say which in the note)", BASIS),
        ),
    },
    gravity=(STOPPED | UNDONE_ONLY, HELD),
    due={"HIGH": timedelta(hours=2), "MEDIUM": timedelta(hours=8), "LOW": timedelta(hours=30)},
    risks=("What failed at the bank after it was routed is HIGH; all else is MEDIUM.",),
    seconds=(
        SecondRule("BANK-SECOND-1", "The risk is HIGH.", lambda s: s.risk == "HIGH"),
        SecondRule(
            "BANK-SECOND-2",
            "The amount is 100,000 USD or more.",
            lambda s: s.usd is not None and s.usd >= LARGE_USD,
        ),
    ),
    words={
        "APPROVE": Words("Try again", "Tried again"),
        "REJECT": Words("Refuse", "Refused"),
    },
    picture=picture,
    decided=decided,
    rules={one.code: RuleWords(one.says.rstrip(".")) for one in ROWS if one.code in HELD}
    | {
        HALTED.code: RuleWords("The checks of settlement halt it"),
        UNDONE: RuleWords(UNDONE_SAYS.rstrip(".")),
    },
)
