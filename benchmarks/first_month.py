"""How a first month goes: honest payments that are held or blocked, and schemes that are caught.

    ./run bench first_month [--seeds 1-8] [--businesses 24] [--schemes 5] [--json OUT] [--detail]

Institutions of 24 kinds of business pay and are paid from their first day on, and twelve patterns
of laundering happen among them (first_month_data.py). Each payment is screened for its sender and
for its receiver by the rules of the engine, with prior weights, once with what the institutions
declare and once without. An honest payment is held or blocked by the screen of the institution's
own wallet, as in life: what its customer's or its supplier's own institution would say of it is
counted beside that (`either side`). Officers let go what is held of honest payments, and nothing
of a scheme. A scheme is caught when a screen of one of its first three payments, of either side,
holds or blocks it. Seeds from 200 on are held out: no rule was changed after looking at them.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from apps.compliance.aml.backtest.memory_engine import MemoryEngine
from apps.compliance.aml.rules.expected_activity import ActivityLine, sum_declared_lines
from apps.compliance.aml.rules.profile import Payment
from apps.compliance.aml.rules.scorecard import Judgement, prior_weights
from benchmarks.first_month_data import DAY, Month, Transfer, month

WEEK = 7 * DAY
CAUGHT_BY = 3  # payments of a scheme


@dataclass(slots=True)
class Tally:
    """What became of a month: honest payments by week, and schemes by pattern."""

    paid: Counter[str] = field(default_factory=Counter)
    held: Counter[str] = field(default_factory=Counter)
    held_either: Counter[str] = field(default_factory=Counter)
    blocked: Counter[str] = field(default_factory=Counter)
    schemes: Counter[str] = field(default_factory=Counter)
    caught: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    by_business: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, other: "Tally") -> None:
        """Add the counts of another month."""
        for name in self.__slots__:  # type: ignore[attr-defined]
            getattr(self, name).update(getattr(other, name))

    def share(self, when: str) -> float:
        """Return the share of honest payments that were held, of the first week or after."""
        return self.held[when] / max(1, self.paid[when])

    @property
    def share_caught(self) -> float:
        """The share of schemes that were caught by their third payment."""
        return sum(self.caught.values()) / max(1, sum(self.schemes.values()))


def replay(given: Month, *, declared: bool) -> Tally:
    """Screen a month, with what institutions declare or without."""
    plans = {
        institution.name: sum_declared_lines(
            ActivityLine(row.kind, row.payments, row.volume, row.counterparties, row.largest)
            for row in institution.plan
        )
        for institution in given.institutions
        if declared
    }
    engine = MemoryEngine(
        prior_weights(),
        flagged=set(given.branded),
        listed=given.listed,
        registered=given.registered,
        expected=plans,
    )
    honest = {institution.name: institution for institution in given.institutions}
    begun: dict[str, int] = {}
    made: Counter[str] = Counter()
    caught: set[str] = set()
    tally = Tally()
    for transfer in given.transfers:
        found = engine.screen(
            Payment(transfer.sender, transfer.receiver, transfer.amount, transfer.at),
            holds=transfer.whose not in honest,
        )
        if not transfer.counts:
            continue
        actions = {one.action for one in found}
        if transfer.whose in honest:
            first = begun.setdefault(transfer.whose, transfer.at)
            when = "first week" if transfer.at - first < WEEK else "after"
            _count(tally, transfer, when, found)
            continue
        made[transfer.whose] += 1
        if made[transfer.whose] <= CAUGHT_BY and actions & {"FLAG", "BLOCK"}:
            caught.add(transfer.whose)
    for scheme in given.schemes:
        tally.schemes[scheme.pattern] += 1
        tally.caught[scheme.pattern] += scheme.name in caught
    return tally


def _count(tally: Tally, transfer: Transfer, when: str, judgements: tuple[Judgement, ...]) -> None:
    tally.paid[when] += 1
    own = judgements[0] if transfer.sender == transfer.whose else judgements[1]
    tally.blocked[when] += any(judgement.action == "BLOCK" for judgement in judgements)
    tally.held_either[when] += any(judgement.action != "PROCEED" for judgement in judgements)
    if own.action != "PROCEED":
        tally.held[when] += 1
        tally.by_business[transfer.whose, when] += 1
        tally.reasons[" ".join(sorted(w.fired.id for w in own.signals if w.points))] += 1


WAYS = ("declared", "undeclared")


def over(
    seeds: list[int], *, businesses: int, schemes: int, ways: Sequence[str] = WAYS
) -> dict[str, Tally]:
    """Return what became of the months of some seeds, with declarations and without."""
    found = {way: Tally() for way in ways}
    for seed in seeds:
        given = month(seed, businesses=businesses, schemes=schemes)
        for way, tally in found.items():
            tally.add(replay(given, declared=way == "declared"))
    return found


def in_words(found: dict[str, Tally]) -> Iterator[str]:
    """Yield the figures as people read them."""
    for way, tally in found.items():
        yield (
            f"{way}: held {tally.share('first week'):.2%} of {tally.paid['first week']} honest "
            f"payments in the first week, {tally.share('after'):.2%} of {tally.paid['after']} "
            f"after; blocked {sum(tally.blocked.values())}"
        )
        either = ((tally.held_either[when], tally.paid[when]) for when in ("first week", "after"))
        first, after = (held / max(1, paid) for held, paid in either)
        yield f"  by either side's screen: {first:.2%} in the first week, {after:.2%} after"
        yield f"  schemes caught by their third payment: {tally.share_caught:.1%}"
        yield "  " + ", ".join(
            f"{name} {tally.caught[name]}/{count}" for name, count in tally.schemes.items()
        )


def figures(found: dict[str, Tally]) -> dict[str, Any]:
    """Return the figures as JSON has them."""
    return {
        way: {
            "held_first_week": tally.share("first week"),
            "held_after": tally.share("after"),
            "blocked": sum(tally.blocked.values()),
            "caught": tally.share_caught,
            "patterns": {name: tally.caught[name] / count for name, count in tally.schemes.items()},
        }
        for way, tally in found.items()
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", default="1-8", help="as 1-8 or 100")
    parser.add_argument("--businesses", type=int, default=24)
    parser.add_argument("--schemes", type=int, default=5, help="of each pattern and seed")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--detail", action="store_true", help="what held honest payments")
    options = parser.parse_args()
    low, _, high = options.seeds.partition("-")
    seeds = list(range(int(low), int(high or low) + 1))
    found = over(seeds, businesses=options.businesses, schemes=options.schemes)
    for line in in_words(found):
        print(line)
    if options.detail:
        for way, tally in found.items():
            print(way, tally.reasons.most_common(20))
            print(way, tally.by_business.most_common(30))
    if options.json:
        options.json.write_text(json.dumps(figures(found), indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
