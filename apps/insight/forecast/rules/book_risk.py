"""Net the positions of books, score them, and apply past price moves to them. Pure.

Positions of one market are netted first, so order and splitting do not matter. A net short position
is at risk like a long one, from the opposite move: the score weighs it by its size, and its loss
when prices rise counts like that of a long position when they fall.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, ROUND_HALF_EVEN, Decimal

from apps.insight.forecast.rules.lights_and_outlooks import LIGHTS

CENT, FINE, NOTHING = Decimal("0.01"), Decimal("0.0001"), Decimal(0)
LONG, SHORT, FLAT = "LONG", "SHORT", "FLAT"
Moves = Mapping[str, Sequence[Decimal]]


@dataclass(frozen=True, slots=True)
class Position:
    """One line of a book, in USD; below 0 it is short."""

    symbol: str
    notional: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class BookLoss:
    """The worst that a past did to a book: `usd` is 0 or below, `moves` those of that month."""

    scenario: str
    event: str
    month: int
    usd: Decimal
    moves: Mapping[str, Decimal]


def net_positions(positions: Iterable[Position]) -> dict[str, Decimal]:
    """Return the net notional of each market, in alphabetical order."""
    net_by_symbol: dict[str, Decimal] = {}
    for position in positions:
        net_by_symbol[position.symbol] = (
            net_by_symbol.get(position.symbol, NOTHING) + position.notional
        )
    return dict(sorted(net_by_symbol.items()))


def total_net_notional(nets: Mapping[str, Decimal]) -> Decimal:
    """Return the sum of the sizes of net positions."""
    return sum((abs(net) for net in nets.values()), NOTHING)


def side_of_notional(notional: Decimal) -> str:
    """Return LONG, SHORT or FLAT."""
    return LONG if notional > 0 else SHORT if notional < 0 else FLAT


def score_book(
    nets: Mapping[str, Decimal], scores: Mapping[str, Decimal]
) -> tuple[Decimal, dict[str, Decimal]]:
    """Return the score of a book, weighted by net notional, and what each market adds to it.

    What they add sums to the score, exactly; a book without net notional scores 0.
    """
    whole = total_net_notional(nets)
    if not whole:
        return NOTHING, dict.fromkeys(nets, NOTHING)
    adds = [abs(net) * scores[name] / whole for name, net in nets.items()]
    score = sum(adds, NOTHING).quantize(FINE, ROUND_HALF_EVEN)
    floors = [(add // FINE) * FINE for add in adds]
    # largest remainder method: what rounding down leaves over goes to the largest remainders, so
    # that the contributions sum to the score
    left = int((score - sum(floors, NOTHING)) / FINE)
    order = sorted(range(len(adds)), key=lambda at: floors[at] - adds[at])
    for at in order[: max(left, 0)]:
        floors[at] += FINE
    return score, dict(zip(nets, floors, strict=True))


def notional_by_light(nets: Mapping[str, Decimal], lights: Mapping[str, str]) -> dict[str, Decimal]:
    """Return the net notional in each light, whichever side it is on."""
    notionals = dict.fromkeys(LIGHTS, NOTHING)
    for name, notional in nets.items():
        notionals[lights[name]] += abs(notional)
    return notionals


def worst_month(
    nets: Mapping[str, Decimal], *, scenario: str, event: str, moves: Moves
) -> BookLoss:
    """Return the worst month of one analogue for a book.

    Markets whose prices do not reach so far, and those that the scenario does not move, count
    with no move; a book that gains in all months loses nothing.
    """
    moves_by_symbol = {name: moves[name] for name in nets if name in moves}
    best = BookLoss(scenario=scenario, event=event, month=0, usd=NOTHING, moves={})
    for month in range(max((len(path) for path in moves_by_symbol.values()), default=0)):
        here = {name: path[month] for name, path in moves_by_symbol.items() if month < len(path)}
        sum_of_moves = sum((nets[name] * move for name, move in here.items()), NOTHING)
        # strictly below: of two equal months the first counts
        if sum_of_moves < best.usd:
            best = BookLoss(
                scenario=scenario, event=event, month=month + 1, usd=sum_of_moves, moves=here
            )
    return best


def apportion_cents(exact: Sequence[Decimal]) -> list[Decimal]:
    """Return amounts in cents that sum to the cents of their sum: the largest remainders first."""
    # towards minus infinity, for losses as for gains: the rest to distribute is then never negative
    floors = [amount.quantize(CENT, ROUND_FLOOR) for amount in exact]
    left = int((round_to_cents(sum(exact, NOTHING)) - sum(floors, NOTHING)) / CENT)
    order = sorted(range(len(exact)), key=lambda at: floors[at] - exact[at])
    for at in order[:left]:
        floors[at] += CENT
    # + 0 turns a negative zero into 0
    return [floor + 0 for floor in floors]


def round_to_cents(value: Decimal) -> Decimal:
    """Return USD in cents."""
    return value.quantize(CENT, ROUND_HALF_EVEN) + 0
