"""The case of a travel-rule message that could not be sent, or came broken.

Document 2 section 3: a record that FAILED is kept; what follows is ours (DESIGN.md section 4).
"""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from apps.core.problems import Conflict
from apps.review.kinds import Kind, Reason, RuleWords, Words
from apps.travelrule.ivms import RULES
from apps.travelrule.models import TravelRecord
from apps.travelrule.rules.recording import row_of
from apps.travelrule.sending.beginning import NotFailed, send_again
from apps.travelrule.sending.cases import BROKEN, GAVE_UP, INCOMPLETE

Row = dict[str, Any]
BASIS = "31 CFR 1010.410(f)"
OUTBOUND = frozenset({GAVE_UP, INCOMPLETE})
TITLES = {one.id: one.sentence.removesuffix(".") for one in RULES}


class RecordAltered(Conflict):
    """The record of a case is not as it was recorded: nothing is done with it."""

    code, title = "record_altered", "The record is not as it was recorded"


def decided(*, ref: str, outcome: str, now: datetime) -> None:
    """Have the record of a case sent again; part of the transaction that decides.

    One that was sent meanwhile, or failed once more, stays as it is: that has a case of its own.
    RecordAltered for one that is not as it was recorded.
    """
    number, _, steps = ref.rpartition(".")
    if outcome != "APPROVE" or not steps.isdigit():
        return
    record = TravelRecord.objects.filter(record_id=UUID(number), steps=int(steps)).first()
    if record is None or record.status != "FAILED":
        return
    try:
        send_again(record, now=now)
    except NotFailed:
        raise RecordAltered(
            "The record is not as it was recorded: it is not sent again. Tell an administrator."
        ) from None


def picture(evidence: Row) -> Row:
    """Return the parts that the case page draws (apps/review/pages/evidence.py)."""
    facts = [_said(f"Attempt {one['number']}", f"{one['at']}: {one['how']}")
             for one in evidence.get("attempts", ())]  # fmt: skip
    facts += [_fault(one) for one in evidence.get("faults", ())]
    held = evidence.get("record", {})
    record = [_said(label, held.get(name, "")) for name, label in _RECORD if held.get(name)]
    if evidence.get("sender"):
        record.append(_said("Proved by the key of", evidence["sender"]))
    return {"facts": facts, "record": record}


def _fault(one: Row) -> Row:
    where = f" at {one['pointer']}" if one.get("pointer") else ""
    return _said(f"Rule {one['rule']}", f"{TITLES.get(one['rule'], 'not a message')}{where}")


def _said(label: str, value: str) -> Row:
    return {"label": label, "value": value}


_RECORD = (
    ("id", "Record"),
    ("direction", "Direction"),
    ("counterparty", "Counterparty"),
    ("lei", "Its LEI"),
    ("dialect", "Dialect"),
    ("created", "Recorded"),
    ("rules", "Rules of"),
)
TRAVEL_RULE = Kind(
    title="Travel-rule message",
    reasons={
        "APPROVE": (
            Reason("COUNTERPARTY_READY", "The counterparty can take it now", BASIS, OUTBOUND),
            Reason(
                "SENT_AS_IT_IS",
                "What it lacks cannot be had: the counterparty takes it as it is",
                BASIS,
                frozenset({INCOMPLETE}),
            ),
        ),
        "REJECT": (
            Reason("OTHER_WAY", "The counterparty has it by another way", BASIS, OUTBOUND),
            Reason("NOT_OBLIGED", "The counterparty does not take it: noted", BASIS, OUTBOUND),
            Reason(
                "SENDER_TOLD",
                "The sender was told what is wrong with its messages",
                BASIS,
                frozenset({BROKEN}),
            ),
            Reason("OTHER", "Other (say which in the note)", BASIS),
        ),
    },
    gravity=(frozenset({GAVE_UP, INCOMPLETE, BROKEN}),),
    due={"HIGH": timedelta(hours=4), "MEDIUM": timedelta(hours=10), "LOW": timedelta(hours=30)},
    risks=("What could not be sent is MEDIUM; what came broken is LOW.",),
    seconds=(),
    words={
        "APPROVE": Words("Send again", "Sent again"),
        "REJECT": Words("Settle otherwise", "Settled otherwise"),
    },
    picture=picture,
    decided=decided,
    rules={
        GAVE_UP: RuleWords("The message could not be delivered"),
        INCOMPLETE: RuleWords(row_of("MESSAGE_INCOMPLETE").says),
        BROKEN: RuleWords(row_of("MESSAGE_BROKEN").says),
    },
)
