"""What moved in a month: counts, volumes and corridors, told of one or of a crowd. Pure.

Of one institution the figures are exact. Of the network nobody may learn another's: a figure of
fewer than five institutions, or of which one has more than half, is withheld; so is what together
with told figures would give one away; and what is told is rounded.
"""

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

FEWEST = 5  # institutions in a figure of the network
DOMINANT = Decimal("0.5")  # share of a figure that one of them may have
COUNTED_IN = 5  # counts of the network are told in fives
DIGITS = 2  # sums of the network are told to two significant digits
# how what moved ended, by its state; all others wait
OUTCOMES = {"SETTLED": "settled", "BLOCKED": "blocked", "FAILED": "failed", "EXPIRED": "failed"}
UNSETTLED = ("blocked", "failed", "waiting")
NAMES = ("settled", *UNSETTLED)
CENT, NOTHING = Decimal("0.01"), Decimal(0)


@dataclass(frozen=True, slots=True)
class Moved:
    """One payment or settlement: whose, by which corridor, how it stands, its sum and fee in USD.

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
class Tally:
    """Sums over some of what moved; each by institution, so that it is known whose a figure is."""

    outcomes: dict[str, Counter[str]] = field(default_factory=dict)
    usd: dict[str, Decimal] = field(default_factory=dict)
    fees: dict[str, Decimal] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)

    def add(self, one: Moved) -> None:
        """Count one."""
        outcome = OUTCOMES.get(one.state, "waiting")
        self.outcomes.setdefault(outcome, Counter())[one.owner] += 1
        if outcome == "settled":
            _plus(self.usd, one.owner, one.usd)
            _plus(self.fees, one.owner, one.fee)
            self.seconds += [] if one.seconds is None else [one.seconds]

    def merge(self, other: "Tally") -> None:
        """Count what another has counted."""
        for outcome, owners in other.outcomes.items():
            self.outcomes[outcome] = self.of(outcome) + owners
        for mine, others in ((self.usd, other.usd), (self.fees, other.fees)):
            for owner, value in others.items():
                _plus(mine, owner, value)
        self.seconds += other.seconds

    def of(self, *outcomes: str) -> Counter[str]:
        """Return how many of some outcomes each institution has; of all where none is named."""
        named = outcomes or tuple(self.outcomes)
        return sum((self.outcomes.get(one, Counter()) for one in named), Counter[str]())

    @property
    def worth(self) -> Decimal:
        """The sum that settled, in USD."""
        return sum(self.usd.values(), NOTHING)

    @property
    def tellable(self) -> bool:
        """Whether what settled is of a crowd: by number, by its sum and by its fees."""
        return all(crowded(one) for one in (self.of("settled"), self.usd, self.fees))

    def told(self) -> dict[str, Any]:
        """Return the exact figures."""
        n = {outcome: self.of(outcome).total() for outcome in NAMES}
        ended = n["settled"] + n["blocked"] + n["failed"]
        return {
            "count": sum(n.values()),
            **n,
            "settledUsd": self.worth.quantize(CENT, ROUND_HALF_EVEN),
            "feesUsd": sum(self.fees.values(), NOTHING).quantize(CENT, ROUND_HALF_EVEN),
            "settledShare": _share(n["settled"], ended),
            "medianSeconds": round(statistics.median(self.seconds)) if self.seconds else None,
        }

    def rounded(self) -> dict[str, Any]:
        """Return the figures of a crowd, rounded; None for one that is not of a crowd itself.

        What did not settle is the whole less what did: where it is no crowd, the whole is not told.
        """
        exact = self.told()
        shown = visible({name: self.of(name) for name in UNSETTLED})
        hidden = set(UNSETTLED) - shown
        if not crowded(self.of(*UNSETTLED)):
            hidden |= {"count", *UNSETTLED}
        for name in ("count", *NAMES):
            exact[name] = None if name in hidden else in_fives(exact[name])
        for name in ("settledUsd", "feesUsd"):
            exact[name] = significant(exact[name])
        seconds, share = exact["medianSeconds"], exact["settledShare"]
        exact["medianSeconds"] = None if seconds is None else int(significant(Decimal(seconds)))
        if share is not None:
            exact["settledShare"] = None if hidden & {"blocked", "failed"} else round(share, 2)
        return exact


def crowded(shares: Mapping[str, int] | Mapping[str, Decimal]) -> bool:
    """Whether a figure may be told of those who have part in it: of nobody, or of a crowd."""
    parts = [Decimal(one) for one in shares.values() if one]
    if not parts:
        return True
    return len(parts) >= FEWEST and max(parts) <= DOMINANT * sum(parts)


def visible(parts: Mapping[str, Counter[str]]) -> set[str]:
    """Return the parts of a whole that may be told: what is left untold is a crowd as well."""
    hidden = {name for name, owners in parts.items() if not crowded(owners)}
    order = sorted(parts, key=lambda name: (parts[name].total(), name))
    rest = [name for name in order if name not in hidden and parts[name].total()]
    while not crowded(sum((parts[name] for name in hidden), Counter[str]())) and rest:
        hidden.add(rest.pop(0))
    return set(parts) - hidden


def _plus(sums: dict[str, Decimal], owner: str, value: Decimal | None) -> None:
    sums[owner] = sums.get(owner, NOTHING) + (value or NOTHING)


def in_fives(n: int) -> int:
    """Return a count of the network as it is told."""
    return COUNTED_IN * round(n / COUNTED_IN)


def significant(value: Decimal) -> Decimal:
    """Return a sum to so many significant digits that are told of a crowd."""
    if not value:
        return value
    step = Decimal(1).scaleb(value.adjusted() - DIGITS + 1)
    return (value / step).quantize(Decimal(1), ROUND_HALF_EVEN) * step


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def tallies(rows: Iterable[Moved]) -> tuple[Tally, dict[str, Tally], dict[str, Tally]]:
    """Return the sums over everything, by corridor and by day."""
    whole, corridors, days = Tally(), {}, {}  # type: ignore[var-annotated]
    for one in rows:
        whole.add(one)
        corridors.setdefault(one.corridor, Tally()).add(one)
        days.setdefault(one.day, Tally()).add(one)
    return whole, corridors, days


def of_one(rows: Sequence[Moved]) -> dict[str, Any]:
    """Return the figures of one institution: all of them, exact."""
    whole, corridors, days = tallies(rows)
    return {
        "volume": whole.told(),
        "corridors": [
            {"corridor": name} | corridors[name].told()
            for name in sorted(corridors, key=lambda name: (-corridors[name].worth, name))
        ],
        "days": [
            {
                "day": day,
                "count": days[day].of().total(),
                "settledUsd": days[day].told()["settledUsd"],
            }
            for day in sorted(days)
        ],
        "withheld": None,
    }


def of_the_network(rows: Iterable[Moved]) -> dict[str, Any]:
    """Return the figures of all institutions that may be told, rounded; days are none of them.

    Corridors are told of what settled alone.
    """
    whole, _, _ = tallies(moved := list(rows))
    if not whole.of("settled") or not whole.tellable:
        return untold("ALL")
    _, corridors, _ = tallies(one for one in moved if OUTCOMES.get(one.state) == "settled")
    shown, rest = split(corridors)
    told = [(name, corridors[name]) for name in shown]
    lacking = rest is not None and not rest.tellable
    told += [("others", rest)] if rest is not None and not lacking else []
    volume = whole.rounded()
    lacking = lacking or any(volume[name] is None for name in ("count", *NAMES))
    return {
        "volume": volume,
        "corridors": [{"corridor": name} | _settled(one) for name, one in told],
        "days": [],
        "withheld": _withheld("SOME") if lacking else None,
    }


def _settled(one: Tally) -> dict[str, Any]:
    """Return what is told of a corridor of the network."""
    return one.rounded() | dict.fromkeys(("count", *UNSETTLED, "settledShare"))


def untold(what: str) -> dict[str, Any]:
    """Return what is told of a network of which nothing is: ALL, or RUNNING for its month."""
    return {"volume": None, "corridors": [], "days": [], "withheld": _withheld(what)}


def split(corridors: Mapping[str, Tally]) -> tuple[list[str], Tally | None]:
    """Return the corridors that may be told, the greatest first, and the others as one.

    The others must be a crowd as well, where there are any: the whole less what is told would give
    them away. So the smallest that may be told join them until they are, or none is told.
    """
    order = sorted(corridors, key=lambda name: (-corridors[name].worth, name))
    shown = [name for name in order if corridors[name].tellable]
    rest: Tally | None = None
    for name in order:
        if name not in shown:
            rest = rest or Tally()
            rest.merge(corridors[name])
    while rest is not None and not rest.tellable and shown:
        rest.merge(corridors[shown.pop()])
    return shown, rest


def _withheld(what: str) -> dict[str, Any]:
    return {
        "what": what,
        "fewestInstitutions": FEWEST,
        "largestShare": DOMINANT,
    }


def decided(parts: Mapping[str, Counter[str]], also: Mapping[str, Counter[str]]) -> dict[str, Any]:
    """Return counts of the network's decisions, in fives; None for one that is not of a crowd.

    `parts` sum to a whole, which is told as `decided` where it is a crowd; `also` are part of it.
    """
    whole = sum(parts.values(), Counter[str]())
    told: dict[str, Any] = dict.fromkeys(("decided", *parts, *also))
    if not whole or not crowded(whole):
        return told
    shown = {name: parts[name] for name in visible(parts)}
    shown |= {name: one for name, one in also.items() if crowded(one)}
    told["decided"] = in_fives(whole.total())
    return told | {name: in_fives(one.total()) for name, one in shown.items()}
