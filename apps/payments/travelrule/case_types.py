"""The case of a travel-rule message that could not be sent, or came broken.

Document 2 section 3: a record that FAILED is kept; what follows is ours (DESIGN.md section 4).
"""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from apps.backoffice.review.case_types import CaseType, OutcomeLabels, Reason, RuleLabel
from apps.payments.travelrule.cases import BROKEN_RULE, GAVE_UP_RULE, INCOMPLETE_RULE
from apps.payments.travelrule.ivms import RULES
from apps.payments.travelrule.models import TravelRecord
from apps.payments.travelrule.rules.record_status import rule_of_reason
from apps.payments.travelrule.sending.services import RecordNotResendable, resend_record
from apps.platform.common.problems import Conflict

EvidenceRow = dict[str, Any]
BASIS = "31 CFR 1010.410(f)"
OUTBOUND_RULES = frozenset({GAVE_UP_RULE, INCOMPLETE_RULE})
RULE_TITLES = {rule.id: rule.sentence.removesuffix(".") for rule in RULES}


class RecordAltered(Conflict):
    """The record of a case is not as it was recorded: nothing is done with it."""

    code, title = "record_altered", "Record integrity check failed"


def apply_travel_rule_decision(*, ref: str, outcome: str, now: datetime) -> None:
    """Send the record of a case again; part of the deciding transaction.

    A record that has since been sent, or failed again, stays as it is. Raises RecordAltered for one
    that fails its integrity check.
    """
    # the case of a broken inbound message has a day in place of steps: there is nothing to send
    number, _, steps = ref.rpartition(".")
    if outcome != "APPROVE" or not steps.isdigit():
        return
    # by its steps: a record that failed again since has a case of that failure
    record = TravelRecord.objects.filter(record_id=UUID(number), steps=int(steps)).first()
    if record is None or record.status != "FAILED":
        return
    try:
        resend_record(record, now=now)
    except RecordNotResendable:
        raise RecordAltered(
            "Integrity check failed for this record, so it is not sent again. Contact an "
            "administrator."
        ) from None


def build_travel_rule_view(evidence: EvidenceRow) -> EvidenceRow:
    """Return the parts that the case page draws (apps/backoffice/review/views/evidence.py)."""
    facts = [_build_row(f"Attempt {attempt['number']}", f"{attempt['at']}: {attempt['how']}")
             for attempt in evidence.get("attempts", ())]  # fmt: skip
    facts += [_build_fault_row(fault) for fault in evidence.get("faults", ())]
    record = build_record_rows(evidence)
    if evidence.get("sender"):
        record.append(_build_row("Signed with the key of", evidence["sender"]))
    return {"facts": facts, "record": record}


def build_record_rows(evidence: EvidenceRow) -> list[EvidenceRow]:
    """Return what the evidence of a case says of its record, in rows."""
    record = evidence.get("record", {})
    return [_build_row(label, record.get(name, "")) for name, label in _RECORD if record.get(name)]


def _build_fault_row(evidence_row: EvidenceRow) -> EvidenceRow:
    """Return the row of a rule that a message breaks, with what the rule requires."""
    where = f" (at {evidence_row['pointer']})" if evidence_row.get("pointer") else ""
    asks = RULE_TITLES.get(evidence_row["rule"], "The body is a message")
    return _build_row(f"Rule {evidence_row['rule']} is not met", f"Required: {asks}{where}")


def _build_row(label: str, value: str) -> EvidenceRow:
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
TRAVEL_RULE = CaseType(
    title="Travel-rule message",
    reasons={
        "APPROVE": (
            Reason(
                "COUNTERPARTY_READY", "The counterparty can accept it now", BASIS, OUTBOUND_RULES
            ),
            Reason(
                "SENT_AS_IT_IS",
                "The missing data is unavailable: the counterparty accepts it as it is",
                BASIS,
                frozenset({INCOMPLETE_RULE}),
            ),
        ),
        "REJECT": (
            Reason(
                "OTHER_WAY",
                "The counterparty received it through another channel",
                BASIS,
                OUTBOUND_RULES,
            ),
            Reason(
                "NOT_OBLIGED", "The counterparty does not accept it: noted", BASIS, OUTBOUND_RULES
            ),
            Reason(
                "SENDER_TOLD",
                "The sender was informed of the faults in its messages",
                BASIS,
                frozenset({BROKEN_RULE}),
            ),
            Reason("OTHER", "Other (say which in the note)", BASIS),
        ),
    },
    gravity=(frozenset({GAVE_UP_RULE, INCOMPLETE_RULE, BROKEN_RULE}),),
    due={"HIGH": timedelta(hours=4), "MEDIUM": timedelta(hours=10), "LOW": timedelta(hours=30)},
    risks=("A message that could not be sent is MEDIUM; a broken inbound one is LOW.",),
    seconds=(),
    words={
        "APPROVE": OutcomeLabels("Send again", "Sent again"),
        "REJECT": OutcomeLabels("Settle otherwise", "Settled otherwise"),
    },
    picture=build_travel_rule_view,
    decided=apply_travel_rule_decision,
    rules={
        GAVE_UP_RULE: RuleLabel("The message could not be delivered"),
        INCOMPLETE_RULE: RuleLabel(rule_of_reason("MESSAGE_INCOMPLETE").says),
        BROKEN_RULE: RuleLabel(rule_of_reason("MESSAGE_BROKEN").says),
    },
)
