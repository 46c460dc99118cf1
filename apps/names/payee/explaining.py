"""Which words agreed, how, and what each carried, in points of 100. Pure."""

from apps.names.payee.facts import Facts
from apps.names.payee.sides import Side
from apps.names.payee.values import Told


def told(facts: Facts) -> tuple[Told, ...]:
    """Return what each word did: those that agree in the submitted order, then what is left."""
    hefts = [
        max(
            sum(facts.submitted.weight(i) for i in match.submitted),
            sum(facts.registered.weight(j) for j in match.registered),
        )
        for match in facts.alignment.matches
    ]
    total = sum(hefts) + sum(side.weight(i) for side in facts.sides for i in side.left)
    if not total:
        return ()
    agreed = [
        Told(
            submitted=_written(facts.submitted, match.submitted),
            registered=_written(facts.registered, match.registered),
            how=match.likeness.how,
            weight=round(100 * heft / total),
            carried=round(100 * heft * match.likeness.share / total),
            role=facts.submitted.roles[match.submitted[0]] if facts.company else "",
        )
        for match, heft in zip(facts.alignment.matches, hefts, strict=True)
    ]
    return (*agreed, *_left(facts, total))


def _left(facts: Facts, total: float) -> list[Told]:
    found = []
    for side in facts.sides:
        for i in side.left:
            word, weight = side.words[i].written, round(100 * side.weight(i) / total)
            here, there = (word, "") if side is facts.submitted else ("", word)
            found.append(Told(here, there, "", weight, 0, side.roles[i] if facts.company else ""))
    return found


def _written(side: Side, places: tuple[int, ...]) -> str:
    return " ".join(side.words[i].written for i in places)
