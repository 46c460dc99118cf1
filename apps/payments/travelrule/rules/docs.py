"""The tables of the travel rule for the printed page of rules."""

from collections.abc import Iterator

from apps.payments.travelrule.rules import aggregates
from apps.payments.travelrule.rules.directory import RESOLUTION_RULES
from apps.payments.travelrule.rules.record_status import RECORD_RULES
from apps.payments.travelrule.rules.transitions import TRANSITIONS
from apps.payments.travelrule.rules.transmissions import RETRY_DELAYS, SEND_FAILURES
from apps.payments.travelrule.rules.us_threshold import THRESHOLDS
from apps.platform.common.rule_docs import Table, build_table, yes_or_no


def build_rule_tables() -> Iterator[Table]:
    """Yield thresholds, what a record is and becomes, who serves a creditor, and sending."""
    yield (
        "Travel rule: thresholds",
        ("since", "USD, at least", "reference"),
        [
            (threshold.since.isoformat(), f"{threshold.usd:.2f}", threshold.basis)
            for threshold in THRESHOLDS
        ],
    )
    yield build_table(
        "Travel rule: initial status of a record (the first row that applies)",
        ("code", "reason", "status", "applies", "what it says"),
        RECORD_RULES,
        ("`ref`", "`reason`", "`status`", yes_or_no("applies"), "says"),
    )
    yield build_table(
        "Travel rule: how its status changes",
        ("code", "from", "event", "to", "what it says"),
        TRANSITIONS,
        ("`code`", "`status`", "`event`", "`next`", "says"),
    )
    yield build_table(
        "Travel rule: which VASP serves a creditor (the first row that finds one valid entry)",
        ("code", "what it says"),
        RESOLUTION_RULES,
        ("`ref`", "says"),
    )
    yield (
        "Travel rule: when a message is sent again",
        ("after attempt", "minutes"),
        [(str(number), f"{wait.seconds // 60}") for number, wait in enumerate(RETRY_DELAYS, 1)],
    )
    yield (
        "Travel rule: how an attempt fails",
        ("word", "tried again", "what it says"),
        [
            (f"`{send_failure.word}`", "no" if send_failure.final else "yes", send_failure.says)
            for send_failure in SEND_FAILURES
        ],
    )
    yield (
        "Travel rule: the total of an originator's day",
        ("code", "what it says"),
        [(f"`{aggregates.REF}`", aggregates.TITLE)],
    )
