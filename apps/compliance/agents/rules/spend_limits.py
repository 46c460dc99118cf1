"""What an agent may spend. Pure.

Specification: document 1 section 2.10, caps and mandate fields. A limit that cannot be judged, for
lack of a fact, refuses: a check that could not run is not a passed check.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class SpendLimits:
    """What holds for an agent now; amounts in USD, None and empty where nothing limits."""

    max_notional: Decimal | None
    daily_cap: Decimal | None
    pairs: Sequence[str] = ()
    whitelist: Sequence[str] = ()
    esg_floor: int | None = None


@dataclass(frozen=True, slots=True)
class AgentPayment:
    """What an agent wants to spend: `amount` in USD, `spent` what it has spent this UTC day."""

    amount: Decimal
    spent: Decimal
    pair: str = ""
    counterparty_lei: str = ""
    esg_score: int | None = None
    revoked: bool = False


@dataclass(frozen=True, slots=True)
class SpendRule:
    """One rule that refuses a payment."""

    code: str
    ref: str
    title: str
    when: Callable[[AgentPayment, SpendLimits], bool]
    says: str


def _exceeds_daily_cap(payment: AgentPayment, limits: SpendLimits) -> bool:
    return limits.daily_cap is not None and payment.spent + payment.amount > limits.daily_cap


SPEND_RULES = (  # the first that holds refuses
    SpendRule(
        "agent_revoked",
        "1 §3",
        "the agent is revoked",
        lambda p, m: p.revoked,
        "The agent is revoked.",
    ),
    SpendRule(
        "notional_exceeded",
        "1 §2.10",
        "the amount is over maxNotionalUsd",
        lambda p, m: m.max_notional is not None and p.amount > m.max_notional,
        "{amount} USD exceeds the limit of {max_notional} USD per payment.",
    ),
    SpendRule(
        "pair_not_allowed",
        "1 §2.10",
        "currencyPairs has entries, and the pair is not one of them",
        lambda p, m: bool(m.pairs) and p.pair not in m.pairs,
        "The mandate does not list the currency pair {pair}.",
    ),
    SpendRule(
        "counterparty_not_allowed",
        "1 §2.10",
        "counterpartyWhitelist has entries, and the LEI is not one of them",
        lambda p, m: bool(m.whitelist) and p.counterparty_lei not in m.whitelist,
        "The mandate does not list the counterparty {counterparty_lei}.",
    ),
    SpendRule(
        "esg_not_known",
        "D §4",
        "an esgFloor is set, and no score of the counterparty is known",
        # fail closed; a floor of 0 is none
        lambda p, m: bool(m.esg_floor) and p.esg_score is None,
        "The mandate requires an ESG score of {esg_floor}, and none is known.",
    ),
    SpendRule(
        "esg_below_floor",
        "1 §2.10",
        "the ESG score of the counterparty is below esgFloor",
        lambda p, m: p.esg_score is not None and p.esg_score < (m.esg_floor or 0),
        "The ESG score {esg_score} is below the mandate's floor of {esg_floor}.",
    ),
    SpendRule(
        "daily_cap_exceeded",
        "1 §8",
        "with this UTC day's spending the amount is over dailyCapUsd",
        _exceeds_daily_cap,
        "{amount} USD and today's {spent} USD exceed the daily cap of {daily_cap} USD.",
    ),
)


def find_spend_refusal(payment: AgentPayment, limits: SpendLimits) -> tuple[SpendRule, str] | None:
    """Return the rule that refuses a payment and its sentence; None if it is allowed."""
    rule = next((rule for rule in SPEND_RULES if rule.when(payment, limits)), None)
    if rule is None:
        return None
    # facts that are missing are rendered as such by _KnownFacts
    figures = {
        name: getattr(facts, name)
        for facts in (payment, limits)
        for name in facts.__slots__
        if getattr(facts, name) not in ("", None)
    }
    return rule, rule.says.format_map(_KnownFacts(figures))


class _KnownFacts(dict[str, object]):
    """Render a missing fact as "(not stated)"."""

    def __missing__(self, key: str) -> str:
        return "(not stated)"
