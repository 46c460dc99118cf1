"""Which words agreed, how, and what each carried, in points of 100. Pure."""

from apps.reference.names.payee.compared_names import ComparedName
from apps.reference.names.payee.pair_facts import PairFacts
from apps.reference.names.payee.values import WordContribution


def explain_words(facts: PairFacts) -> tuple[WordContribution, ...]:
    """Return the contribution of each word: matching ones in the submitted order, then the rest."""
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
        WordContribution(
            submitted=_join_written_words(facts.submitted, match.submitted),
            registered=_join_written_words(facts.registered, match.registered),
            how=match.likeness.how,
            weight=round(100 * heft / total),
            carried=round(100 * heft * match.likeness.share / total),
            role=facts.submitted.roles[match.submitted[0]] if facts.company else "",
        )
        for match, heft in zip(facts.alignment.matches, hefts, strict=True)
    ]
    found = []
    for side in facts.sides:
        for i in side.left:
            word, weight = side.words[i].written, round(100 * side.weight(i) / total)
            here, there = (word, "") if side is facts.submitted else ("", word)
            found.append(
                WordContribution(here, there, "", weight, 0, side.roles[i] if facts.company else "")
            )
    return (*agreed, *found)


def _join_written_words(side: ComparedName, places: tuple[int, ...]) -> str:
    return " ".join(side.words[i].written for i in places)
