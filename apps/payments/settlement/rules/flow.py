"""The result of each check of a flow, and whether the settlement may proceed: one table. Pure.

Document 2 section 2.4. For each check the first row that holds decides; over all checks the most
severe outcome decides the flow. A check that did not run, for lack of data, of time or of an
answer, holds the settlement: it never counts as passed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

Outcome = Literal["PASS", "HOLD", "BLOCK", "NOT_RUN"]
Decision = Literal["PROCEED", "HOLD", "BLOCKED"]
OUTCOMES: tuple[Outcome, ...] = ("PASS", "HOLD", "BLOCK", "NOT_RUN")
DECISIONS: tuple[Decision, ...] = ("PROCEED", "HOLD", "BLOCKED")
CHECKS = ("aml", "sanctions", "fatf_r16", "esg", "routing", "stability")
# checks that would reveal to a recipient that it was found out (document 1 sections 2.4 and 2.7)
CONFIDENTIAL_CHECKS = ("aml", "sanctions")

# Raised whenever a row or a number below changes; part of every record.
VERSION = "2026-11.2"
LARGE_USD = Decimal(100_000)  # document 2 section 8, held-settlement threshold under CAUTION
IDENTIFIED_FROM_USD = Decimal(1_000)  # FATF R.16; DESIGN section 4, 2.7


@dataclass(frozen=True, slots=True)
class FlowFacts:
    """What the checks found. `ran` names those that did; of the others nothing here counts.

    `listed`: the wallet itself is on a list. `screen` is the combined screen's decision on the
    party registered for the wallet, empty if there is none. `beneficiary` says whether a
    registration counts, `contested` that it is under review. `asset` is the asset of the
    settlement, empty if none is routed. `reaches`: the wallet is an address of its chain. `status`
    is that of the stability oracle. `amount_usd` is None if no rate is known, `unrated` says that
    none is stored. `nobodys`: the wallet is a token contract or a burn address. `office` names the
    PEP with the registered name of a wallet without an LEI, empty if there is none.
    """

    ran: frozenset[str] = frozenset()
    amount_usd: Decimal | None = None
    unrated: bool = False
    listed: bool = False
    screen: str = ""
    office: str = ""
    aml: str = ""
    beneficiary: bool = False
    contested: bool = False
    esg_of: str = ""
    asset: str = ""
    reaches: bool = True
    nobodys: bool = False
    status: str = ""

    @property
    def large(self) -> bool:
        """Tell whether the amount exceeds the CAUTION limit; one that cannot be valued does."""
        # document 2 section 3: "exceeds", so that 100,000.00 itself may settle
        return self.amount_usd is None or self.amount_usd > LARGE_USD

    @property
    def identified(self) -> bool:
        """Tell whether the amount needs a known beneficiary; one that cannot be valued does."""
        # DESIGN section 4, 2.7: below 1,000 USD R.16 is satisfied without an LEI
        return self.amount_usd is None or self.amount_usd >= IDENTIFIED_FROM_USD


@dataclass(frozen=True, slots=True)
class FlowRule:
    """One row: `code` never changes; `says` may be shown to anybody."""

    code: str
    ref: str
    check: str
    title: str
    outcome: Outcome
    says: str
    when: Callable[[FlowFacts], bool] = lambda _: True


OFFICE_REF = "1 §2.7 rule 4"  # the code of the combined screen: its reasons decide such a case
HOLD_MESSAGE = "A compliance check holds it."
RULES: tuple[FlowRule, ...] = (
    FlowRule(
        "FLOW-1",
        "1 §2.4 BLOCK",
        "aml",
        "The AML screen blocks it.",
        "BLOCK",
        "A compliance check did not pass.",
        lambda f: f.aml == "BLOCK",
    ),
    FlowRule(
        "FLOW-2",
        "1 §2.4 FLAG",
        "aml",
        "The AML screen flags it.",
        "HOLD",
        HOLD_MESSAGE,
        lambda f: f.aml == "FLAG",
    ),
    FlowRule(
        "FLOW-3",
        "1 §2.4",
        "aml",
        "The AML screen lets it proceed.",
        "PASS",
        "No check found anything against it.",
        lambda f: f.aml == "PROCEED",
    ),
    FlowRule(
        "FLOW-4",
        "2 §2.4 sanctions",
        "sanctions",
        "The wallet is on a sanctions list.",
        "BLOCK",
        "A compliance check did not pass.",
        lambda f: f.listed,
    ),
    FlowRule(
        "FLOW-5",
        "1 §2.7 BLOCKED",
        "sanctions",
        "The screen of the wallet's registered holder, or of its owners, is BLOCKED.",
        "BLOCK",
        "A compliance check did not pass.",
        lambda f: f.screen == "BLOCKED",
    ),
    FlowRule(
        "FLOW-6",
        "1 §2.7 FLAGGED",
        "sanctions",
        "The screen of the wallet's registered holder, or of its owners, is FLAGGED.",
        "HOLD",
        HOLD_MESSAGE,
        lambda f: f.screen == "FLAGGED",
    ),
    FlowRule(
        "FLOW-25",
        OFFICE_REF,
        "sanctions",
        "The wallet is registered without an LEI, under the name of a politically exposed person.",
        "HOLD",
        HOLD_MESSAGE,
        lambda f: bool(f.office),
    ),
    FlowRule(
        "FLOW-7",
        "2 §2.4 sanctions",
        "sanctions",
        "Neither the wallet nor its registered holder is on a list.",
        "PASS",
        "No check found anything against it.",
        lambda f: f.screen in ("", "APPROVED"),
    ),
    FlowRule(
        "FLOW-8",
        "2 §2.4 FATF R16",
        "fatf_r16",
        "The registration of the wallet is under review.",
        "HOLD",
        "The registration of the recipient's wallet is under review.",
        lambda f: f.contested,
    ),
    FlowRule(
        "FLOW-9",
        "2 §2.4 FATF R16",
        "fatf_r16",
        "The beneficiary is known: the wallet is registered.",
        "PASS",
        "The beneficiary is known. Settlements produce no travel-rule message.",
        lambda f: f.beneficiary,
    ),
    FlowRule(
        "FLOW-10",
        "2 §2.4 FATF R16",
        "fatf_r16",
        f"The wallet is not registered, and the amount is {IDENTIFIED_FROM_USD:,} USD or more.",
        "HOLD",
        f"From {IDENTIFIED_FROM_USD:,} USD on the beneficiary must be known: register the wallet "
        "first.",
        lambda f: f.identified,
    ),
    FlowRule(
        "FLOW-11",
        "2 §2.4 FATF R16",
        "fatf_r16",
        f"The wallet is not registered, and the amount is below {IDENTIFIED_FROM_USD:,} USD.",
        "PASS",
        f"Below {IDENTIFIED_FROM_USD:,} USD no registered beneficiary is required.",
    ),
    FlowRule(
        "FLOW-12",
        "2 §2.4 ESG",
        "esg",
        "The beneficiary's own score is known.",
        "PASS",
        "The beneficiary's score is known.",
        lambda f: f.esg_of == "entity",
    ),
    FlowRule(
        "FLOW-13",
        "3 §2.4",
        "esg",
        "The beneficiary's own score is unknown: the live score prices it.",
        "PASS",
        "The live score prices the settlement.",
        lambda f: f.esg_of == "live",
    ),
    FlowRule(
        "FLOW-26",
        "2 §2.4 routing",
        "routing",
        "The wallet is a token contract or a burn address.",
        "BLOCK",
        "Nobody controls this wallet: money paid to it is lost.",
        lambda f: f.nobodys,
    ),
    FlowRule(
        "FLOW-14",
        "2 §2.1 EURC",
        "routing",
        "No stablecoin is routed for the currencies.",
        "HOLD",
        "No stablecoin is routed from this currency to that one.",
        lambda f: not f.asset,
    ),
    FlowRule(
        "FLOW-15",
        "2 §2.4 routing",
        "routing",
        "The wallet is not an address of the settlement chain.",
        "HOLD",
        "The recipient's wallet is not an address of the settlement chain.",
        lambda f: not f.reaches,
    ),
    FlowRule(
        "FLOW-16",
        "2 §2.1 EURC",
        "routing",
        "A stablecoin is routed, and reaches the wallet.",
        "PASS",
        "It settles in this asset.",
    ),
    FlowRule(
        "FLOW-17",
        "2 §3 UNSTABLE",
        "stability",
        "The stability oracle is UNSTABLE.",
        "HOLD",
        "Settlement halts: the stability oracle is UNSTABLE.",
        lambda f: f.status == "UNSTABLE",
    ),
    FlowRule(
        "FLOW-18",
        "2 §3 CAUTION",
        "stability",
        f"The stability oracle says CAUTION, and the amount is above {LARGE_USD:,} USD.",
        "HOLD",
        f"The stability oracle says CAUTION, and the amount is above {LARGE_USD:,} USD.",
        lambda f: f.status == "CAUTION" and f.large,
    ),
    FlowRule(
        "FLOW-19",
        "2 §3 CAUTION",
        "stability",
        f"The stability oracle says CAUTION, and the amount is not above {LARGE_USD:,} USD.",
        "PASS",
        f"The stability oracle says CAUTION; up to {LARGE_USD:,} USD it may settle.",
        lambda f: f.status == "CAUTION",
    ),
    FlowRule(
        "FLOW-20",
        "3 §2.3",
        "stability",
        "The stability oracle is STABLE.",
        "PASS",
        "The stability oracle is STABLE.",
        lambda f: f.status == "STABLE",
    ),
)
NOT_RUN = FlowRule(
    "FLOW-21", "D §4 Fail closed", "", "A check could not run.", "NOT_RUN",
    "This check could not run: try again.",
)  # fmt: skip
NO_RATE = FlowRule(
    "FLOW-24", "D §4 Fail closed", "aml", "No rate for the currency is available.", "NOT_RUN",
    "No rate for this currency is available: the amount cannot be valued or settled.",
)  # fmt: skip
# the public result of AML and sanctions when one of them blocks or flags, whichever it is
UNDISCLOSED_BLOCK = FlowRule(
    "FLOW-22", "1 §2.7 BLOCKED", "", "Reasons for blocking are not disclosed.", "BLOCK",
    "A compliance check did not pass.",
)  # fmt: skip
UNDISCLOSED_HOLD = FlowRule(
    "FLOW-23", "1 §2.7 FLAGGED", "", "Reasons for flagging are not disclosed.", "HOLD",
    HOLD_MESSAGE,
)  # fmt: skip

BLOCKED_REASON = "A compliance check did not pass: this settlement must not be made."
HELD_REASON = "A compliance check holds this settlement: it is not settled yet."
_SEVERITY: Mapping[Outcome, int] = {"BLOCK": 0, "HOLD": 1, "NOT_RUN": 1, "PASS": 2}
_FOLLOWS: Mapping[Outcome, Decision] = {
    "BLOCK": "BLOCKED",
    "HOLD": "HOLD",
    "NOT_RUN": "HOLD",
    "PASS": "PROCEED",
}
CHECK_LABELS = {
    "aml": "AML",
    "sanctions": "Sanctions",
    "fatf_r16": "FATF R.16",
    "esg": "ESG",
    "routing": "Routing",
    "stability": "Stability",
}


@dataclass(frozen=True, slots=True)
class FlowJudgement:
    """The row of each check, in the order of CHECKS, and the one that decides."""

    rows: Mapping[str, FlowRule]
    decided_by: str

    @property
    def rule(self) -> FlowRule:
        """The row that decides."""
        return self.rows[self.decided_by]

    @property
    def decision(self) -> Decision:
        """The resulting decision."""
        return _FOLLOWS[self.rule.outcome]

    @property
    def reason(self) -> str:
        """Return the public reason why it does not proceed; empty if it does."""
        if self.decision == "PROCEED":
            return ""
        if self.untold is not None:
            return BLOCKED_REASON if self.untold is UNDISCLOSED_BLOCK else HELD_REASON
        return f"{CHECK_LABELS[self.decided_by]}: {self.rule.says}"

    @property
    def untold(self) -> FlowRule | None:
        """The public row of AML and sanctions when one of them blocks or flags, or None."""
        # both checks show the same row, so that nobody learns which of them objects
        outcomes = {self.rows[name].outcome for name in CONFIDENTIAL_CHECKS}
        if "BLOCK" in outcomes:
            return UNDISCLOSED_BLOCK
        # without a rate every screen flags: that reveals nothing about anybody
        flagged = "HOLD" in outcomes and self.rows["aml"] is not NO_RATE
        return UNDISCLOSED_HOLD if flagged else None

    def shown(self, check: str) -> FlowRule:
        """Return the public row of a check, which does not show which compliance check objects."""
        untold = self.untold if check in CONFIDENTIAL_CHECKS else None
        return untold or self.rows[check]

    @property
    def holding(self) -> tuple[str, ...]:
        """The checks that do not pass."""
        return tuple(name for name, row in self.rows.items() if row.outcome != "PASS")


def rule_for_check(check: str, facts: FlowFacts) -> FlowRule:
    """Return the row that decides a check: the first that holds; NOT_RUN if it did not run."""
    # before the rows: the facts of a check that did not run have their defaults
    if check not in facts.ran:
        return NO_RATE if facts.unrated and check == "aml" else NOT_RUN
    rows = (rule for rule in RULES if rule.check == check and rule.when(facts))
    return next(rows, NOT_RUN)


def judge_flow(facts: FlowFacts) -> FlowJudgement:
    """Judge a flow by its facts; of equally severe checks the first of CHECKS is named."""
    rows = {name: rule_for_check(name, facts) for name in CHECKS}
    decided = min(rows, key=lambda name: (_SEVERITY[rows[name].outcome], CHECKS.index(name)))
    return FlowJudgement(rows, decided)
