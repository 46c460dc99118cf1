"""The table of signals: what each looks at, where it comes from, what it weighs. Pure.

Document 1 section 2.4. The list is the engine: nothing else scores.
"""

from apps.aml.rules import behaviour, network
from apps.aml.rules.scene import Fired, Scene, Signal

FATF = "FATF 2020, Virtual Assets Red Flag Indicators"

SIGNALS: tuple[Signal, ...] = (
    Signal(
        "just_below",
        "Just below a threshold",
        "the amount",
        f"{FATF}: size and frequency",
        10,
        behaviour.just_below,
    ),
    Signal(
        "structuring",
        "Split under the reporting threshold",
        "amounts of 7 days, against the weeks before",
        f"{FATF}: structuring",
        40,
        behaviour.structuring,
        counts_again=True,
    ),
    Signal(
        "equal_parts",
        "Equal parts",
        "amounts between the two wallets, 2 days",
        f"{FATF}: structuring",
        45,
        behaviour.equal_parts,
        counts_again=True,
    ),
    Signal(
        "velocity",
        "Many payments in a day",
        "counts of today and yesterday against the days before",
        f"{FATF}: frequency",
        35,
        behaviour.velocity,
        counts_again=True,
    ),
    Signal(
        "unusual_amount",
        "Unusual amount",
        "the amount against all before",
        f"{FATF}: pattern",
        18,
        behaviour.unusual_amount,
    ),
    Signal(
        "new_and_large",
        "New wallet that moves much",
        "volume of the first payments",
        f"{FATF}: new users",
        40,
        behaviour.new_and_large,
        counts_again=True,
    ),
    Signal(
        "awoken",
        "Awoken",
        "the gap before a burst",
        f"{FATF}: inactivity, then burst",
        25,
        behaviour.awoken,
        counts_again=True,
    ),
    Signal(
        "passed_on",
        "Passed on at once",
        "what came within 2 days (4 for the sum) and leaves",
        f"{FATF}: immediate withdrawal",
        18,
        network.passed_on,
    ),
    Signal(
        "fan_in",
        "Collects from many",
        "senders met once, 60 days (7 of a new wallet)",
        "Typology fan-in (AMLSim)",
        42,
        network.fan_in,
        counts_again=True,
    ),
    Signal(
        "fan_out",
        "Distributes to many",
        "receivers met once, 60 days (7 of a new wallet)",
        "Typology fan-out (AMLSim)",
        42,
        network.fan_out,
        counts_again=True,
    ),
    Signal(
        "hub",
        "Counterparty is a hub",
        "wallets that the counterparty met once, 60 days",
        "Typologies fan-in, fan-out",
        30,
        network.hub,
    ),
    Signal(
        "circle",
        "Money in a circle",
        "where the sender's money came from",
        "Typology cycle (AMLSim)",
        60,
        network.circle,
    ),
    Signal(
        "new_counterparty",
        "New counterparty",
        "whether the two paid before",
        f"{FATF}: pattern",
        14,
        network.new_counterparty,
    ),
    Signal(
        "newcomer",
        "New to its counterparty",
        "whether the two paid before",
        f"{FATF}: pattern",
        14,
        network.newcomer,
    ),
    Signal(
        "near_listed",
        "Near a listed wallet",
        "wallets within two transfers",
        f"{FATF}: senders and recipients",
        50,
        network.near_listed,
        sanctions=True,
    ),
    Signal(
        "near_flagged",
        "Near a wallet found to be bad",
        "wallets within two transfers",
        f"{FATF}: senders and recipients",
        35,
        network.near_flagged,
    ),
    Signal(
        "round_amount",
        "Round amount",
        "the amount",
        f"{FATF}: size and frequency",
        6,
        behaviour.round_amount,
    ),
    Signal(
        "odd_hour",
        "Unusual hour",
        "the hour against all before",
        f"{FATF}: pattern",
        10,
        behaviour.odd_hour,
    ),
    Signal(
        "name_near",
        "Registered name resembles a listed one",
        "the registered names",
        "FATF R.6",
        50,
        network.name_near,
        sanctions=True,
    ),
)
BY_ID = {one.id: one for one in SIGNALS}


def fired(scene: Scene) -> tuple[Fired, ...]:
    """Return every signal that holds, in the order of the table."""
    measured = ((row.id, row.measure(scene)) for row in SIGNALS)
    return tuple(Fired(name, *found) for name, found in measured if found is not None)
