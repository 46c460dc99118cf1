"""The table of signals: what each detects, its source, and its weight. Pure.

Document 1 section 2.4. The list is the engine: nothing else scores.
"""

from apps.compliance.aml.rules import behaviour, flagging_signals, network
from apps.compliance.aml.rules.signal_context import FiredSignal, Signal, SignalContext

FATF = "FATF 2020, Virtual Assets Red Flag Indicators"

SIGNALS: tuple[Signal, ...] = (
    Signal(
        "just_below",
        "Just below a threshold",
        "the amount",
        f"{FATF}: size and frequency",
        10,
        behaviour.detect_just_below,
    ),
    Signal(
        "structuring",
        "Split under the reporting threshold",
        "amounts of 7 days, against the weeks before",
        f"{FATF}: structuring",
        40,
        behaviour.detect_structuring,
        counts_again=True,
        usual=True,
    ),
    Signal(
        "equal_parts",
        "Equal parts",
        "amounts between the two wallets, 2 days",
        f"{FATF}: structuring",
        45,
        behaviour.detect_equal_parts,
        counts_again=True,
        usual=True,
    ),
    Signal(
        "velocity",
        "Many payments in a day",
        "counts of today and yesterday against the days before",
        f"{FATF}: frequency",
        35,
        behaviour.detect_velocity,
        counts_again=True,
        usual=True,
    ),
    Signal(
        "unusual_amount",
        "Unusual amount",
        "the amount against all before",
        f"{FATF}: pattern",
        18,
        behaviour.detect_unusual_amount,
        usual=True,
    ),
    Signal(
        "new_and_large",
        "New wallet with large volume",
        "volume of the first payments",
        f"{FATF}: new users",
        40,
        behaviour.detect_new_and_large,
        counts_again=True,
        usual=True,
    ),
    Signal(
        "awoken",
        "Awoken",
        "the gap before a burst",
        f"{FATF}: inactivity, then burst",
        25,
        behaviour.detect_awoken,
        counts_again=True,
        usual=True,
    ),
    Signal(
        "passed_on",
        "Passed on immediately",
        "what came within 2 days (4 for the sum) and leaves",
        f"{FATF}: immediate withdrawal",
        18,
        network.detect_passed_on,
        fact_from=network.NEARLY_WHOLE,
    ),
    Signal(
        "fan_in",
        "Collects from many",
        "senders met once, 60 days (7 of a new wallet)",
        "Typology fan-in (AMLSim)",
        42,
        network.detect_fan_in,
        counts_again=True,
        usual=True,
    ),
    Signal(
        "fan_out",
        "Distributes to many",
        "receivers met once, 60 days (7 of a new wallet)",
        "Typology fan-out (AMLSim)",
        42,
        network.detect_fan_out,
        counts_again=True,
        usual=True,
    ),
    Signal(
        "hub",
        "Counterparty is a hub",
        "wallets that the counterparty met once, 60 days",
        "Typologies fan-in, fan-out",
        30,
        network.detect_hub,
    ),
    Signal(
        "circle",
        "Money in a circle",
        "where the sender's money came from",
        "Typology cycle (AMLSim)",
        60,
        network.detect_circle,
        fact_from=100,
    ),
    Signal(
        "new_counterparty",
        "New counterparty",
        "whether the two paid before",
        f"{FATF}: pattern",
        14,
        network.detect_new_counterparty,
        usual=True,
    ),
    Signal(
        "newcomer",
        "New to its counterparty",
        "whether the two paid before",
        f"{FATF}: pattern",
        14,
        network.detect_newcomer,
    ),
    Signal(
        "near_listed",
        "Near a listed wallet",
        "wallets within two transfers",
        f"{FATF}: senders and recipients",
        50,
        network.detect_near_listed,
        sanctions=True,
        fact_from=network.DIRECTLY_LISTED,
    ),
    Signal(
        "near_flagged",
        "Near a wallet marked as bad",
        "wallets within two transfers",
        f"{FATF}: senders and recipients",
        35,
        network.detect_near_flagged,
        fact_from=network.DIRECTLY_FLAGGED,
    ),
    Signal(
        "round_amount",
        "Round amount",
        "the amount",
        f"{FATF}: size and frequency",
        6,
        behaviour.detect_round_amount,
    ),
    Signal(
        "odd_hour",
        "Unusual hour",
        "the hour against all before",
        f"{FATF}: pattern",
        10,
        behaviour.detect_odd_hour,
    ),
    Signal(
        "name_near",
        "Registered name similar to a listed name",
        "the registered names",
        "FATF R.6",
        50,
        network.detect_name_near,
        sanctions=True,
    ),
    Signal(
        "tried_listed",
        "Sent after a blocked attempt",
        "blocked payments of the wallet and to its payee, 7 days",
        f"{FATF}: senders and recipients",
        50,
        flagging_signals.detect_tried_listed,
        sanctions=True,
        flags=True,
    ),
    Signal(
        "branded",
        "Counterparty marked as bad",
        "findings of officers",
        f"{FATF}: senders and recipients",
        50,
        flagging_signals.detect_bad_counterparty,
        flags=True,
    ),
    Signal(
        "first_large",
        "Begins with 50,000 USD",
        "the first three payments of an unknown wallet",
        f"{FATF}: new users",
        50,
        flagging_signals.detect_first_large,
        flags=True,
    ),
    Signal(
        "split_sum",
        "Sum split just under the threshold",
        "amounts of 7 days, equal ones of 2 days",
        f"{FATF}: structuring",
        50,
        flagging_signals.detect_split_sum,
        flags=True,
        usual=True,
    ),
    Signal(
        "mule",
        "Money passes through an unknown wallet",
        "what came and leaves, against what the wallet moved before",
        f"{FATF}: immediate withdrawal",
        50,
        flagging_signals.detect_mule,
        flags=True,
    ),
    Signal(
        "outgrown",
        "Outgrown",
        "the amount against the largest before",
        f"{FATF}: pattern",
        50,
        flagging_signals.detect_outgrown,
        flags=True,
    ),
    Signal(
        "woken",
        "Large volume after dormancy",
        "what moved since a pause of three months",
        f"{FATF}: inactivity, then burst",
        50,
        flagging_signals.detect_woken,
        flags=True,
    ),
)
BY_ID = {signal.id: signal for signal in SIGNALS}


def evaluate_signals(scene: SignalContext) -> tuple[FiredSignal, ...]:
    """Return every signal that holds, in the order of the table.

    What the institution declared explains what is usual, and that money of others passes through
    where a declared kind of payment is to do so.
    """
    plan = scene.standing.expected if scene.planned else None
    explained = {row.id for row in SIGNALS if row.usual} if plan is not None else set()
    if plan is not None and plan.passes:
        explained.add("passed_on")
    # the order of the table is that of answers and of the cases' reasons
    measured = ((row.id, row.measure(scene)) for row in SIGNALS if row.id not in explained)
    return tuple(FiredSignal(name, *outcome) for name, outcome in measured if outcome is not None)
