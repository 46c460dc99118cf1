"""The case of a bank payment that cannot be routed, is halted by checks, or was undone."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db import transaction

from apps.banking.cases import ALTERED, UNDONE, UNDONE_SAYS, WHY_SEND
from apps.banking.judging import SEND, count
from apps.banking.models import BankTransaction, Send
from apps.banking.moving import move
from apps.banking.onward import ROUTE
from apps.banking.projection import proved
from apps.banking.rules.ach import ROWS as ACH
from apps.banking.rules.lifecycle import knows
from apps.banking.rules.reconciling import KINDS
from apps.banking.rules.routing import BY_CODE, HALTED, ROWS
from apps.banking.rules.troubles import OF_END, TROUBLES
from apps.core import jobs
from apps.review.kinds import Kind, Reason, RuleWords, SecondRule, Words

Row = dict[str, Any]
BASIS = "FATF R.10"
LARGE_USD = Decimal(100_000)
HELD = frozenset(one.code for one in ROWS if one.action == "held") - {"BR-6", ALTERED}
STOPPED = frozenset({HALTED.code})
UNDONE_ONLY = frozenset({UNDONE, ALTERED})
DIFFERS = frozenset(one.code for one in KINDS)
OVER = frozenset(one.code for one in OF_END.values())
UNCLEAR = frozenset(one.code for one in TROUBLES) - OVER


@transaction.atomic
def decided(*, ref: str, outcome: str, now: datetime) -> None:
    """Have a payment tried again, or refuse it; part of the transaction that decides.

    One that went on meanwhile stays as it is. Tried again it passes every check anew, and the bank
    is asked with the key that it was asked with.
    """
    number, _, steps = ref.partition(".")
    if number in DIFFERS or not steps.isdigit():
        return
    row: BankTransaction | Send | None
    if number.isdigit():
        told = BankTransaction.objects.select_for_update().filter(pk=int(number))
        row, job = told.filter(steps=int(steps)).first(), ROUTE
    else:
        ours = Send.objects.select_for_update().filter(send_id=number)
        row, job = ours.filter(steps=int(steps)).first(), SEND
    event = "RELEASED" if outcome == "APPROVE" else "REFUSED"
    if row is None or not knows(row.THING, row.state, event):
        return
    proved([row])
    if event == "REFUSED":
        move(row, event, now=now)
    else:
        move(row, event, now=now, due_at=now, tries=0, trouble="")
        jobs.enqueue(job=job, key=str(row.pk), now=now)


def picture(evidence: Row) -> Row:
    """Return the parts that the case page draws (apps/review/pages/evidence.py)."""
    held = evidence.get("transaction", {})
    rows = [("Transaction at the bank", held.get("id")), ("First told", held.get("seen"))]
    rows += _told(evidence.get("bank", {})) + _payer(evidence.get("payer", {}))
    rows += [("Decision", evidence.get("decision")), ("Why", evidence.get("why"))]
    rows += [("Check", one) for one in evidence.get("checks", ())]
    rows += [("Account", held.get("account")), ("Here", evidence.get("ours"))]
    rows += [("On the statement", evidence.get("theirs"))]
    rows += [("Status at the bank", evidence.get("status")), ("Quote", evidence.get("quote"))]
    rows += [(f"Told now: {name}", value) for name, value in evidence.get("told", {}).items()]
    rows += _of_payment(evidence.get("payment", {}))
    rows += [("The bank's answer", evidence.get("answered"))]
    rows += [("May be it on the statement", one) for one in evidence.get("alike", ())]
    return {"record": [{"label": label, "value": str(value)} for label, value in rows if value]}


def _told(bank: Row) -> list[tuple[str, Any]]:
    """Return what the bank tells of a payment that cannot be routed as it is."""
    named = {"amount": "Amount at the bank", "payer": "Who pays", "country": "Country of who pays"}
    named |= {"note": "Note", "wallets": "Wallets that the tags name"}
    named |= {"default": "The default wallet", "destination": "Destination currency"}
    named |= {"status": "Status at the bank"}
    return [(label, bank.get(name)) for name, label in named.items()]


def _payer(payer: Row) -> list[tuple[str, Any]]:
    """Return who pays a payment that checks halt, and what was found of them."""
    if not payer:
        return []
    found = payer.get("found", {})
    rows: list[tuple[str, Any]] = [("Who pays", " / ".join(payer["names"]) or "not told")]
    rows += [("Country of who pays", payer["country"]), ("Address of who pays", payer["address"])]
    rows += [("Screen of who pays", found.get("decision"))]
    rows += [("Why", one) for one in found.get("reasons", ())]
    rows += [("Matched", one) for one in found.get("entries", ())]
    rows += [("Note", payer["note"])]
    return rows + [("Its note names", one) for one in payer["named"]]


BANK_PAYMENT = Kind(
    title="Bank payment",
    reasons={
        "APPROVE": (
            Reason("MENDED", "What was wrong is put right: try it again", BASIS, HELD | STOPPED),
            Reason("CLEARED", "The check that halted it is answered: try again", BASIS, STOPPED),
            Reason("EXPLAINED", "The difference is explained", BASIS, DIFFERS),
            Reason("ASK_AGAIN", "The bank is asked again, by the same key", BASIS, UNCLEAR),
            Reason("SEEN_TO", "The payer knows, and sees to it", BASIS, OVER),
            Reason("CALLED_OFF", "The settlement was called off in time", BASIS, UNDONE_ONLY),
            Reason("OTHER", "Other (say which in the note)", BASIS),
        ),
        "REJECT": (
            Reason("NOT_MEANT", "It is not meant for settlement", BASIS, HELD),
            Reason("SENT_BACK", "It is sent back by the bank", BASIS, HELD | STOPPED),
            Reason("SUSPICION", "Money laundering is suspected", "FATF R.20", STOPPED),
            Reason("CLAIMED", "The bank was told of its error", BASIS, DIFFERS | OVER),
            Reason("NOT_GONE", "The bank says that nothing left", BASIS, UNCLEAR),
            Reason("LOSS", "It was settled: the loss is claimed", BASIS, UNDONE_ONLY),
            Reason("OTHER", "Other (say which in the note)", BASIS),
        ),
    },
    gravity=(STOPPED | UNDONE_ONLY | DIFFERS | UNCLEAR | OVER, HELD),
    due={"HIGH": timedelta(hours=2), "MEDIUM": timedelta(hours=8), "LOW": timedelta(hours=30)},
    risks=(
        "What a check blocks is HIGH.",
        "What failed at the bank, or was told otherwise, after it was routed is HIGH.",
        "Where money may have left without our knowing it is HIGH; all else is MEDIUM.",
    ),
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
    | {ALTERED: RuleWords(BY_CODE[ALTERED].says.rstrip("."))}
    | {one.code: RuleWords(one.says.rstrip(".")) for one in KINDS}
    | {one.code: RuleWords(one.says.rstrip(".")) for one in TROUBLES},
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
        count(row, now=now)
        jobs.enqueue(job=SEND, key=str(row.pk), now=now)


def _of_payment(held: Row) -> list[tuple[str, Any]]:
    named = {"id": "Payment", "method": "Method", "from": "From the account"}
    named |= {"payee": "Saved recipient, who is paid", "account": "Its account, which is paid"}
    named |= {"purpose": "Purpose", "note": "Note"}
    return [(label, held.get(name)) for name, label in named.items()]


def _given(given: Row) -> list[tuple[str, Any]]:
    named = {"name": "Name that the payer gave", "account": "Account that the payer gave"}
    return [(label, given.get(name)) for name, label in named.items()]


def picture_of_send(evidence: Row) -> Row:
    """Return the parts that the case page draws."""
    aml, found = evidence.get("aml", {}), evidence.get("sanctions", {})
    rows = [
        *_of_payment(evidence.get("payment", {})),
        *_given(evidence.get("given", {})),
        ("Anomaly score", aml.get("score")),
        ("Risk tier", aml.get("tier")),
        ("Best match on a list, per cent", found.get("score")),
        ("Listed parties", ", ".join(found.get("entries", ()))),
        ("Name that was screened", found.get("party")),
        *(("Screen", one) for one in found.get("reasons", ())),
        *(("Unusual", one) for one in evidence.get("signals", ())),
    ]
    return {
        "record": [
            {"label": label, "value": str(value)}
            for label, value in rows
            if value not in (None, "")
        ]
    }


CHECKED = frozenset(one.code for one in ACH if one.decision == "FLAGGED")
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
