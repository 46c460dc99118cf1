"""The case of a bank payment that cannot be routed, is halted by checks, or was undone."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db import transaction

from apps.banking.cases import UNDONE, UNDONE_SAYS, WHY_SEND
from apps.banking.models import BankTransaction, Send
from apps.banking.moving import move
from apps.banking.onward import ROUTE
from apps.banking.projection import proved
from apps.banking.rules.lifecycle import knows
from apps.banking.rules.reconciling import KINDS
from apps.banking.rules.routing import HALTED, ROWS
from apps.banking.sends import SEND
from apps.core import jobs
from apps.review.kinds import Kind, Reason, RuleWords, SecondRule, Words

Row = dict[str, Any]
BASIS = "FATF R.10"
LARGE_USD = Decimal(100_000)
HELD = frozenset(one.code for one in ROWS if one.action == "held" and one.code != "BR-6")
STOPPED = frozenset({HALTED.code})
UNDONE_ONLY = frozenset({UNDONE})
DIFFERS = frozenset(one.code for one in KINDS)


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
    rows += [("Account", held.get("account")), ("Here", evidence.get("ours"))]
    rows += [("On the statement", evidence.get("theirs"))]
    rows += [("Status at the bank", evidence.get("status")), ("Quote", evidence.get("quote"))]
    return {"record": [{"label": label, "value": str(value)} for label, value in rows if value]}


BANK_PAYMENT = Kind(
    title="Bank payment",
    reasons={
        "APPROVE": (
            Reason("MENDED", "What was wrong is put right: try it again", BASIS, HELD | STOPPED),
            Reason("CLEARED", "The check that halted it is answered: try again", BASIS, STOPPED),
            Reason("EXPLAINED", "The difference is explained", BASIS, DIFFERS),
            Reason("CALLED_OFF", "The settlement was called off in time", BASIS, UNDONE_ONLY),
            Reason("OTHER", "Other (say which in the note)", BASIS),
        ),
        "REJECT": (
            Reason("NOT_MEANT", "It is not meant for settlement", BASIS, HELD),
            Reason("SENT_BACK", "It is sent back by the bank", BASIS, HELD | STOPPED),
            Reason("SUSPICION", "Money laundering is suspected", "FATF R.20", STOPPED),
            Reason("CLAIMED", "The bank was told of its error", BASIS, DIFFERS),
            Reason("LOSS", "It was settled: the loss is claimed", BASIS, UNDONE_ONLY),
            Reason("OTHER", "Other (say which in the note)", BASIS),
        ),
    },
    gravity=(STOPPED | UNDONE_ONLY | DIFFERS, HELD),
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
    }
    | {one.code: RuleWords(one.says.rstrip(".")) for one in KINDS},
)


@transaction.atomic
def decided_send(*, ref: str, outcome: str, now: datetime) -> None:
    """Have a held payment sent, once, or stop it; part of the transaction that decides."""
    row = Send.objects.select_for_update().filter(send_id=ref).first()
    event = "RELEASED" if outcome == "APPROVE" else "STOPPED"
    if row is None or row.state != "HELD":
        return
    proved([row])
    move(row, event, now=now, due_at=now)
    if event == "RELEASED":
        jobs.enqueue(job=SEND, key=str(row.pk), now=now)


def picture_of_send(evidence: Row) -> Row:
    """Return the parts that the case page draws."""
    held, aml = evidence.get("payment", {}), evidence.get("aml", {})
    found = evidence.get("sanctions", {})
    rows = [
        ("Payment", held.get("id")),
        ("Method", held.get("method")),
        ("From the account", held.get("from")),
        ("To the account", held.get("account")),
        ("Purpose", held.get("purpose")),
        ("Anomaly score", aml.get("score")),
        ("Risk tier", aml.get("tier")),
        ("Best match on a list, per cent", found.get("score")),
        ("Listed parties", ", ".join(found.get("entries", ()))),
    ]
    return {
        "record": [
            {"label": label, "value": str(value)}
            for label, value in rows
            if value not in (None, "")
        ]
    }


CHECKED = frozenset(WHY_SEND) - {"ACH-1", "ACH-2"}
BANK_SEND = Kind(
    title="Payment by the bank",
    reasons={
        "APPROVE": (
            Reason("PAYEE_CONFIRMED", "Confirmed with the payee by a known number", BASIS, CHECKED),
            Reason("PURPOSE_SHOWN", "Business purpose established by documents", BASIS, CHECKED),
            Reason("OTHER", "Other (say which in the note)", BASIS),
        ),
        "REJECT": (
            Reason("NOT_CONFIRMED", "The payee did not confirm it", BASIS, CHECKED),
            Reason("FRAUD", "Fraud is suspected", "FATF R.20", CHECKED),
            Reason("OTHER", "Other (say which in the note)", "FATF R.20"),
        ),
    },
    gravity=(CHECKED,),
    due={"HIGH": timedelta(hours=2), "MEDIUM": timedelta(hours=4), "LOW": timedelta(hours=30)},
    risks=("Each is MEDIUM.",),
    seconds=(
        SecondRule("BANK-SEND-1", "The risk is HIGH.", lambda s: s.risk == "HIGH"),
        SecondRule(
            "BANK-SEND-2",
            "The amount is 100,000 USD or more.",
            lambda s: s.usd is not None and s.usd >= LARGE_USD,
        ),
    ),
    words={"APPROVE": Words("Send", "Sent on"), "REJECT": Words("Refuse", "Refused")},
    picture=picture_of_send,
    decided=decided_send,
    rules={code: RuleWords(says.rstrip(".")) for code, says in WHY_SEND.items()},
)
