"""Route a delivery of the bank: one table, the first row that holds counts. Pure.

Document 2 section 4, banking-connector routing rules 1 to 6; the rest is our own choice.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

from apps.payments.banking.rules.payers import UNKNOWN_PAYER, Payer, parse_payer
from apps.payments.banking.rules.settlement_tags import Tags, parse_evm_wallet, parse_tags
from apps.payments.settlement.rules.payout_stablecoins import DESTINATIONS

Action = Literal["ignored", "waiting", "held", "routed"]
TRANSACTION = "transaction"
CREATE, UPDATE = "create", "update"
SENT = "sent"
UNDONE_STATUSES = frozenset({"cancelled", "failed", "reversed", "blocked"})
STATUSES = frozenset({"", "pending", SENT}) | UNDONE_STATUSES
# each has its quote
ROUTED_STATES = ("ROUTED", "SETTLED", "EXPIRED")
CALLED_OFF = "CALLED_OFF"
# dollars: a JSON number carries cents exactly up to here, and the column holds it
MAX_AMOUNT = Decimal(10**12)
CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class RoutedTerms:
    """The routed terms of a transaction: dollars, the wallet by EIP-55, USD or EUR."""

    amount: Decimal | None
    wallet: str
    destination: str


def parse_status(status: Mapping[str, Any]) -> str:
    """Return the reported status in canonical form; empty if there is none."""
    return str(status.get("status") or "").strip().lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryFacts:
    """A delivery, and the state of its transaction.

    `patch` is the delivery's own content, `state` the fold of all deliveries. `stands` is the
    transaction's state before (transitions.py), `default` the wallet of BANK_DEFAULT_RECIPIENT.
    `ours` says that we sent the transaction with `svcRoute`, `unsure` that it may yet turn out so.
    Outgoing payments are routed like incoming ones: the tag requests it. `went` is what was routed,
    if anything; `against` are rows of rules/payers.py that object to the current payer, if that
    differs from the routed one.
    """

    resource: str
    operation: str
    patch: Mapping[str, Any]
    state: Mapping[str, Any] = field(default_factory=dict)
    stands: str = ""
    default: str = ""
    ours: bool = False
    unsure: bool = False
    went: "RoutedTerms | None" = None
    against: tuple[str, ...] = ()

    @property
    def tags(self) -> Tags:
        """The tags of the transaction."""
        return parse_tags(self.state)

    @property
    def amount(self) -> Decimal | None:
        """The amount in dollars, with its sign; None if it is missing or no number."""
        amount_text = self.state.get("amount")
        # the parser reads fractions as Decimal; a bool is an int in Python, and no amount
        known = isinstance(amount_text, int | Decimal) and not isinstance(amount_text, bool)
        return Decimal(amount_text) if known else None  # type: ignore[arg-type]

    @property
    def wallets(self) -> tuple[str, ...]:
        """The wallets that are named, each once, in canonical form; empty for an invalid one."""
        return tuple(dict.fromkeys(parse_evm_wallet(wallet) for wallet in self.tags.wallets))

    @property
    def status(self) -> str:
        """The transaction's current status."""
        return parse_status(self.state)


def _is_in_dollars(f: DeliveryFacts) -> bool:
    return str(f.state.get("currency") or "USD").upper() == "USD"


def _is_unusable_amount(f: DeliveryFacts) -> bool:
    amount = f.amount
    if amount is None or not amount.is_finite() or not amount:
        return True
    # document 2 section 2.5: dollars, never cents; a third decimal says that it is neither
    return abs(amount) >= MAX_AMOUNT or amount != amount.quantize(CENT)


@dataclass(frozen=True, slots=True)
class RoutingRule:
    """One row: `code` never changes; `says` is returned to the sender of the delivery."""

    code: str
    ref: str
    action: Action
    says: str
    when: Callable[[DeliveryFacts], bool]


OURS = "D §4"
# the order matters: what happened to a routed payment comes before what a delivery asks for, and a
# delivery must be readable before its tags are judged
ROWS: tuple[RoutingRule, ...] = (
    RoutingRule(
        "BR-1",
        "2 §4 routing rule 1",
        "ignored",
        "The event is not about a transaction.",
        lambda f: f.resource != TRANSACTION,
    ),
    RoutingRule(
        "BR-2",
        "2 §4 routing rule 1",
        "ignored",
        "The operation is neither create nor update.",
        lambda f: f.operation not in (CREATE, UPDATE),
    ),
    RoutingRule(
        "BR-3",
        "2 §4 routing rule 3",
        "ignored",
        "The payment is not tagged for settlement.",
        lambda f: not f.tags.any,
    ),
    RoutingRule(
        "BR-23",
        OURS,
        "ignored",
        "The payment was not completed at the bank: its settlement is cancelled.",
        lambda f: f.stands == CALLED_OFF and f.status in UNDONE_STATUSES,
    ),
    RoutingRule(
        "BR-25",
        OURS,
        "ignored",
        "The payment was routed, but was not completed at the bank.",
        lambda f: f.stands in ROUTED_STATES and f.status in UNDONE_STATUSES,
    ),
    RoutingRule(
        "BR-21",
        OURS,
        "held",
        "The bank changed it after it was routed.",
        lambda f: is_altered(f),
    ),
    RoutingRule(
        "BR-4",
        "2 §4 routing rule 1",
        "ignored",
        "An update routes only as its status becomes sent.",
        lambda f: f.operation == UPDATE and parse_status(f.patch) != SENT,
    ),
    RoutingRule(
        "BR-24",
        OURS,
        "held",
        "Its settlement was cancelled, but the payment was executed after all.",
        lambda f: f.stands == CALLED_OFF,
    ),
    RoutingRule(
        "BR-5",
        "2 §4 routing rule 1",
        "routed",
        "The payment was already routed: it keeps its quote.",
        lambda f: f.stands in ROUTED_STATES,
    ),
    RoutingRule(
        "BR-6",
        OURS,
        "held",
        "The payment waits for a decision.",
        lambda f: f.stands in ("HALTED", "REFUSED"),
    ),
    RoutingRule(
        "BR-7",
        OURS,
        "ignored",
        "The payment did not go through.",
        lambda f: f.status in UNDONE_STATUSES,
    ),
    RoutingRule(
        "BR-22",
        OURS,
        "held",
        "The bank reports an unknown status.",
        lambda f: f.status not in STATUSES,
    ),
    RoutingRule(
        "BR-8",
        OURS,
        "waiting",
        "The amount is not known yet.",
        lambda f: f.state.get("amount") is None,
    ),
    RoutingRule(
        "BR-9", "2 §2.5", "held", "The amount is not in dollars and cents.", _is_unusable_amount
    ),
    RoutingRule(
        "BR-20",
        OURS,
        "waiting",
        "It may be a payment that we are just sending to the bank.",
        lambda f: (f.amount or 0) < 0 and not f.ours and f.unsure,
    ),
    RoutingRule(
        "BR-11", "2 §2.5", "held", "The payment is not in dollars.", lambda f: not _is_in_dollars(f)
    ),
    RoutingRule(
        "BR-12",
        "2 §4 routing rule 2",
        "held",
        "A named wallet is not an address of the settlement chain.",
        lambda f: "" in f.wallets,
    ),
    RoutingRule(
        "BR-13",
        "2 §4 routing rule 2",
        "held",
        "The tags name different wallets.",
        lambda f: len(f.wallets) > 1,
    ),
    RoutingRule(
        "BR-14",
        "2 §4 routing rule 2",
        "held",
        "No default recipient is configured.",
        lambda f: not f.wallets and not parse_evm_wallet(f.default),
    ),
    RoutingRule(
        "BR-15",
        "2 §4 routing rule 4",
        "held",
        "The destination currency is neither USD nor EUR.",
        lambda f: f.tags.destination not in DESTINATIONS,
    ),
    RoutingRule(
        "BR-16",
        "2 §4 routing rule 5",
        "routed",
        "The payment is tagged for settlement.",
        lambda f: True,
    ),
)
BY_CODE = {row.code: row for row in ROWS}
ROUTES_RULE = "BR-16"
# the settlement's checks said HOLD or BLOCKED; only officers see which
HALTED = RoutingRule("BR-17", "2 §4", "held", "The payment waits for a decision.", lambda f: False)
LATER = RoutingRule(
    "BR-18", OURS, "waiting", "It cannot be quoted now: it will be tried again.", lambda f: False
)
ALL_ROWS_BY_CODE = {rule.code: rule for rule in (*ROWS, HALTED, LATER)}


@dataclass(frozen=True, slots=True)
class RoutingVerdict:
    """The row that holds, and the settlement if it routes.

    `destination` is USD or EUR, `wallet` by EIP-55, `amount` in dollars and positive. `payer` is
    who pays it, `ours` says that an institution sent it through us.
    """

    row: RoutingRule
    wallet: str = ""
    destination: str = ""
    amount: Decimal | None = None
    payer: Payer = UNKNOWN_PAYER
    ours: bool = False

    @property
    def routes(self) -> bool:
        """Tell whether the payment is to be settled now, for the first time."""
        return self.row.code == ROUTES_RULE


def judge_delivery(facts: DeliveryFacts) -> RoutingVerdict:
    """Return the routing of a delivery."""
    row = next(rule for rule in ROWS if rule.when(facts))
    if row.code != ROUTES_RULE:
        return RoutingVerdict(row)
    # a wallet that is named wins over the default (document 2 section 4, routing rule 2)
    wallet = facts.wallets[0] if facts.wallets else parse_evm_wallet(facts.default)
    # outgoing payments are negative at the bank; what settles is the same sum
    amount, payer = abs(facts.amount or Decimal(0)), parse_payer(facts.state)
    return RoutingVerdict(row, wallet, facts.tags.destination, amount, payer, facts.ours)


def is_undone(facts: DeliveryFacts) -> bool:
    """Tell whether a routed payment has failed after all: officers review it."""
    return facts.stands in ROUTED_STATES and facts.status in UNDONE_STATUSES


def is_altered(facts: DeliveryFacts) -> bool:
    """Tell whether the bank now reports the routed payment differently, so that officers review it.

    If no wallet is named any more and the default is requested, the original wallet stays.
    """
    went, tags = facts.went, facts.tags
    if went is None or facts.stands not in ROUTED_STATES:
        return False
    amount = facts.amount
    same_amount = amount is not None and abs(amount) == went.amount and _is_in_dollars(facts)
    # routed to the default, or to a wallet whose tag was replaced by the default: it keeps its
    # wallet
    same_wallet = facts.wallets == (went.wallet,) if facts.wallets else tags.by_default
    same_end = tags.destination == went.destination and facts.status in STATUSES
    return not (same_amount and same_wallet and same_end) or bool(facts.against)


def build_current_verdict(facts: DeliveryFacts) -> RoutingVerdict | None:
    """Return the verdict of a routed payment with its current payer; None if it was not routed."""
    went = facts.went
    if went is None:
        return None
    payer = parse_payer(facts.state)
    return RoutingVerdict(
        BY_CODE[ROUTES_RULE], went.wallet, went.destination, went.amount, payer, facts.ours
    )
