"""Compute a month's counts, volumes and corridors, of one institution or of the network. Pure.

Figures of one institution are exact. Network figures must not reveal an institution: a figure of
fewer than five institutions, or of which one has more than half, is withheld, as is any figure from
which a withheld one could be derived. Disclosed figures are rounded. A figure that may be disclosed
is called a crowd below.
"""

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

# institutions in a figure of the network
FEWEST_INSTITUTIONS = 5
# share of a figure that one of them may have
MAX_INSTITUTION_SHARE = Decimal("0.5")
# network counts are rounded to fives
COUNT_STEP = 5
# network sums are rounded to two significant digits
SIGNIFICANT_DIGITS = 2
# how what moved ended, by its state; all others wait
OUTCOME_OF_STATE = {
    "SETTLED": "settled",
    "BLOCKED": "blocked",
    "FAILED": "failed",
    "EXPIRED": "failed",
}
UNSETTLED = ("blocked", "failed", "waiting")
OUTCOME_NAMES = ("settled", *UNSETTLED)
CENT, NOTHING = Decimal("0.01"), Decimal(0)


@dataclass(frozen=True, slots=True)
class PaymentFlow:
    """One payment or settlement: institution, corridor, state, amount and fee in USD.

    `seconds` is how long it took to settle; None for what has not. `usd` is None where it was
    never valued. `mark` is what the record of a report keeps of it.
    """

    owner: str
    corridor: str
    state: str
    usd: Decimal | None
    fee: Decimal | None
    seconds: float | None
    day: str
    sandbox: bool
    mark: str


@dataclass(slots=True)
class FlowTally:
    """Sums over payments, by institution, so that each figure's contributors are known."""

    outcomes: dict[str, Counter[str]] = field(default_factory=dict)
    usd: dict[str, Decimal] = field(default_factory=dict)
    fees: dict[str, Decimal] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)

    def add(self, payment_flow: PaymentFlow) -> None:
        """Count one."""
        outcome = OUTCOME_OF_STATE.get(payment_flow.state, "waiting")
        self.outcomes.setdefault(outcome, Counter())[payment_flow.owner] += 1
        if outcome == "settled":
            _add_amount(self.usd, payment_flow.owner, payment_flow.usd)
            _add_amount(self.fees, payment_flow.owner, payment_flow.fee)
            self.seconds += [] if payment_flow.seconds is None else [payment_flow.seconds]

    def merge(self, other: "FlowTally") -> None:
        """Count what another has counted."""
        for outcome, owners in other.outcomes.items():
            self.outcomes[outcome] = self.of(outcome) + owners
        for mine, others in ((self.usd, other.usd), (self.fees, other.fees)):
            for owner, value in others.items():
                _add_amount(mine, owner, value)
        self.seconds += other.seconds

    def of(self, *outcomes: str) -> Counter[str]:
        """Return the count of given outcomes by institution; of all outcomes by default."""
        named = outcomes or tuple(self.outcomes)
        return sum((self.outcomes.get(outcome, Counter()) for outcome in named), Counter[str]())

    @property
    def worth(self) -> Decimal:
        """The sum that settled, in USD."""
        return sum(self.usd.values(), NOTHING)

    @property
    def disclosable(self) -> bool:
        """Whether what settled is of a crowd: by number, by its sum and by its fees."""
        return all(is_disclosable(counter) for counter in (self.of("settled"), self.usd, self.fees))

    def exact_figures(self) -> dict[str, Any]:
        """Return the exact figures."""
        n = {outcome: self.of(outcome).total() for outcome in OUTCOME_NAMES}
        ended = n["settled"] + n["blocked"] + n["failed"]
        return {
            "count": sum(n.values()),
            **n,
            "settledUsd": self.worth.quantize(CENT, ROUND_HALF_EVEN),
            "feesUsd": sum(self.fees.values(), NOTHING).quantize(CENT, ROUND_HALF_EVEN),
            "settledShare": round(n["settled"] / ended, 4) if ended else None,
            "medianSeconds": round(statistics.median(self.seconds)) if self.seconds else None,
        }

    def rounded(self) -> dict[str, Any]:
        """Return the figures, rounded; None for one that must be withheld."""
        exact = self.exact_figures()
        shown = disclosable_parts({name: self.of(name) for name in UNSETTLED})
        hidden = set(UNSETTLED) - shown
        # count less settled gives the unsettled payments: if these are no crowd, the count goes too
        if not is_disclosable(self.of(*UNSETTLED)):
            hidden |= {"count", *UNSETTLED}
        for name in ("count", *OUTCOME_NAMES):
            exact[name] = None if name in hidden else round_count(exact[name])
        for name in ("settledUsd", "feesUsd"):
            exact[name] = round_amount(exact[name])
        seconds, share = exact["medianSeconds"], exact["settledShare"]
        exact["medianSeconds"] = None if seconds is None else int(round_amount(Decimal(seconds)))
        if share is not None:
            # settled and its share give blocked and failed together
            exact["settledShare"] = None if hidden & {"blocked", "failed"} else round(share, 2)
        return exact


def is_disclosable(shares: Mapping[str, int] | Mapping[str, Decimal]) -> bool:
    """Tell whether a figure of these participants may be disclosed: of none, or of a crowd."""
    # whoever contributed nothing does not make the crowd larger
    parts = [Decimal(share) for share in shares.values() if share]
    if not parts:
        return True
    return len(parts) >= FEWEST_INSTITUTIONS and max(parts) <= MAX_INSTITUTION_SHARE * sum(parts)


def disclosable_parts(parts: Mapping[str, Counter[str]]) -> set[str]:
    """Return the parts of a whole that may be disclosed, such that the withheld rest is a crowd."""
    hidden = {name for name, owners in parts.items() if not is_disclosable(owners)}
    order = sorted(parts, key=lambda name: (parts[name].total(), name))
    rest = [name for name in order if name not in hidden and parts[name].total()]
    while not is_disclosable(sum((parts[name] for name in hidden), Counter[str]())) and rest:
        # the whole less the shown parts is the sum of the hidden ones: hide the smallest further
        # part until that sum is a crowd as well
        hidden.add(rest.pop(0))
    return set(parts) - hidden


def _add_amount(sums: dict[str, Decimal], owner: str, value: Decimal | None) -> None:
    sums[owner] = sums.get(owner, NOTHING) + (value or NOTHING)


def round_count(n: int) -> int:
    """Return a network count, rounded for disclosure."""
    return COUNT_STEP * round(n / COUNT_STEP)


def round_amount(value: Decimal) -> Decimal:
    """Return a sum, rounded to the significant digits disclosed of a crowd."""
    if not value:
        return value
    step = Decimal(1).scaleb(value.adjusted() - SIGNIFICANT_DIGITS + 1)
    return (value / step).quantize(Decimal(1), ROUND_HALF_EVEN) * step


def tally_flows(
    rows: Iterable[PaymentFlow],
) -> tuple[FlowTally, dict[str, FlowTally], dict[str, FlowTally]]:
    """Return the sums over everything, by corridor and by day."""
    whole, corridors, days = FlowTally(), {}, {}  # type: ignore[var-annotated]
    for row in rows:
        whole.add(row)
        corridors.setdefault(row.corridor, FlowTally()).add(row)
        days.setdefault(row.day, FlowTally()).add(row)
    return whole, corridors, days


def summarize_institution(rows: Sequence[PaymentFlow]) -> dict[str, Any]:
    """Return the figures of one institution: all of them, exact."""
    whole, corridors, days = tally_flows(rows)
    return {
        "volume": whole.exact_figures(),
        "corridors": [
            {"corridor": name} | corridors[name].exact_figures()
            for name in sorted(corridors, key=lambda name: (-corridors[name].worth, name))
        ],
        "days": [
            {
                "day": day,
                "count": days[day].of().total(),
                "settledUsd": days[day].exact_figures()["settledUsd"],
            }
            for day in sorted(days)
        ],
        "withheld": None,
    }


def summarize_wallet(rows: Sequence[PaymentFlow]) -> dict[str, Any]:
    """Return one wallet's settled payments, exact; payments that did not settle are not
    disclosed.
    """
    institution = summarize_institution(rows)
    unknown = dict.fromkeys(("count", *UNSETTLED, "settledShare"))
    return institution | {
        "volume": institution["volume"] | unknown,
        "corridors": [corridor | unknown for corridor in institution["corridors"]],
        "withheld": _build_withheld_note("RUNNING"),
    }


def summarize_network(rows: Iterable[PaymentFlow]) -> dict[str, Any]:
    """Return the network figures that may be disclosed, rounded; no figures by day.

    Corridors cover settled payments only.
    """
    whole, _, _ = tally_flows(moved := list(rows))
    # nothing at all passes for disclosable, so a month without settlements is withheld here
    if not whole.of("settled") or not whole.disclosable:
        return withhold_network()
    _, corridors, _ = tally_flows(
        flow for flow in moved if OUTCOME_OF_STATE.get(flow.state) == "settled"
    )
    shown, rest = split_corridors(corridors)
    shown_corridors = [(name, corridors[name]) for name in shown]
    lacking = rest is not None and not rest.disclosable
    shown_corridors += [("others", rest)] if rest is not None and not lacking else []
    volume = whole.rounded()
    lacking = lacking or any(volume[name] is None for name in ("count", *OUTCOME_NAMES))
    return {
        "volume": volume,
        "corridors": [
            {"corridor": name}
            | (tally.rounded() | dict.fromkeys(("count", *UNSETTLED, "settledShare")))
            for name, tally in shown_corridors
        ],
        "days": [],
        "withheld": _build_withheld_note("SOME") if lacking else None,
    }


def withhold_network() -> dict[str, Any]:
    """Return the flows of a network without disclosable figures."""
    return {"volume": None, "corridors": [], "days": [], "withheld": _build_withheld_note("ALL")}


def split_corridors(corridors: Mapping[str, FlowTally]) -> tuple[list[str], FlowTally | None]:
    """Return the corridors that may be disclosed, largest first, and the others combined.

    The others may still not be a crowd; then they are not disclosed, and neither is any corridor.
    """
    order = sorted(corridors, key=lambda name: (-corridors[name].worth, name))
    names = [name for name in order if corridors[name].disclosable]
    rest: FlowTally | None = None
    for name in order:
        if name not in names:
            rest = rest or FlowTally()
            rest.merge(corridors[name])
    # the others can be derived from the whole, so they must be a crowd: the smallest disclosable
    # corridors join them until they are, or none is left
    while rest is not None and not rest.disclosable and names:
        rest.merge(corridors[names.pop()])
    return names, rest


def _build_withheld_note(what: str) -> dict[str, Any]:
    return {
        "what": what,
        "fewestInstitutions": FEWEST_INSTITUTIONS,
        "largestShare": MAX_INSTITUTION_SHARE,
    }


def disclose_decisions(
    parts: Mapping[str, Counter[str]], also: Mapping[str, Counter[str]]
) -> dict[str, Any]:
    """Return counts of the network's decisions, in fives; None for one that is not of a crowd.

    `parts` sum to a whole, disclosed as `decided` if it is a crowd; `also` are part of it.
    """
    whole = sum(parts.values(), Counter[str]())
    figures: dict[str, Any] = dict.fromkeys(("decided", *parts, *also))
    if not whole or not is_disclosable(whole):
        return figures
    shown = {name: parts[name] for name in disclosable_parts(parts)}
    shown |= {name: counts for name, counts in also.items() if is_disclosable(counts)}
    figures["decided"] = round_count(whole.total())
    return figures | {name: round_count(counts.total()) for name, counts in shown.items()}
