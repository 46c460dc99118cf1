"""Explain a score word by word, in whole percents that add up. Pure.

The weight of a word is its share of both names, so all weights make 100. What a word carried is as
much of its weight as agrees. The steps lead from there to the score of the names, and what is
known of the party beside its name from that to the score.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from apps.platform.desk.time_formats import format_days_in_text
from apps.reference.watchlists.match_effects import BOUNDS, OF_THE_NAME, WORDS
from apps.reference.watchlists.matching.name_normalization import Group
from apps.reference.watchlists.presenters import unweighed_words
from apps.reference.watchlists.presenters.written_words import (
    format_as_written,
    map_tokens_to_words,
)
from apps.reference.watchlists.rules.score_limits import BLOCK_SCORE, to_whole_percent

HOW = {
    "exact": "the same",
    "transliteration": "same word in another spelling or script",
    "sense": "same name in another form",
    "edit": "typing error",
    "phonetic": "sounds alike",
    "initial": "initial",
    "abbreviation": "abbreviation",
    "joined": "written together",
    "skeleton": "same consonants",
}
# apps.reference.watchlists.matching.explanation.ScoreStep
STEPS = {
    "contradiction": "The names contradict each other",
    "single_shared_name": "Only one part of the name is shared",
    "single_shared_word": "Only one of the shared words is distinctive",
    "no_telling_token": "No distinctive word is shared",
    "other_characters": "The names share few characters",
    "other_reading": "A character of the name has no sound in the other",
    "run_together": "The same when written together",
    "number": "Numbers differ",
    "legal_form": "Legal forms differ",
    "place": "Places differ",
    "weak_alias": "The list marks this name as weak: it counts below a match",
    "order": "The words are in a different order",
    "parent": "One of the two is named as a father or mother",
    "first_surname": "The first surname is missing",
    "other_given_name": "The given names are different names",
}
MILDER = "A word on one side only counts for less than its weight"
BELOW = "Limited to below a match: a hard fact differs"
IN_SIGHT = "Kept for review because of the names alone"
WITHIN = "Limited: the name is part of a longer text"
HARDER = "Differences count for more than their weight, as little else matches"


def break_down_score(row: dict[str, Any], names: Sequence[str] = ()) -> dict[str, Any]:
    """Return a recorded match's `pairs`, `only_asked`, `only_listed`, `steps` and `qualifiers`.

    Where weights were recorded, also `carried`, `names` and their `sum`. `names` are all that were
    asked: words of them that carry no weight are `beside`, those that were not compared `without`.

    review/views/evidence.py has the shapes. A match without explanation has none of them but
    what was compared beside the name.
    """
    why = row.get("explanation") or {}
    words = _build_word_rows(row, why)
    beside = [_present_effect(effect) for effect in row["effects"]]
    apart = unweighed_words.list_unweighed_words(row, names)
    if not why.get("weak_alias") or int(row["score"]) >= BLOCK_SCORE:
        weak_alias_steps = []
    else:
        before, after = (
            Decimal(str(why.get(score_name, 0))) for score_name in ("raw", "name_score")
        )
        weak_alias_steps = [{"what": "weak_alias", "effect": min(after - before, Decimal(0))}]
    breakdown: dict[str, Any] = {
        "beside": apart,
        "without": unweighed_words.summarize_unweighed_words(apart),
        "pairs": [word for word in words if word["asked"] and word["listed"]],
        "only_asked": [word for word in words if not word["listed"]],
        "only_listed": [word for word in words if not word["asked"]],
        "qualifiers": beside,
        "steps": [
            {"what": STEPS.get(step["what"], step["what"]), "effect": format_points(step["effect"])}
            for step in (*why.get("steps", ()), *weak_alias_steps)
        ],
    }
    if any(word["weight"] for word in words) and "name_score" in why:
        breakdown["carried"] = sum(word["carried"] for word in words)
        breakdown["names"] = to_whole_percent(float(why["name_score"]))
        breakdown["steps"] += _iter_remainder_step(breakdown)
        _reconcile_score(breakdown, row)
        breakdown["sum"] = ", ".join(_iter_sum_terms(breakdown))
    return breakdown


def _iter_sum_terms(breakdown: dict[str, Any]) -> Iterator[str]:
    """Yield what makes the score, in words and percents that add up to it."""
    for pair in breakdown["pairs"]:
        yield f"{unweighed_words.shorten_word(pair['listed'])} {pair['carried']} %"
    for step in (*breakdown["steps"], *breakdown["qualifiers"]):
        if int(step["effect"]):
            verdict = "" if step.get("alone", True) else " agrees" if step["agrees"] else " differs"
            what = step["what"][:1].lower() + step["what"][1:]
            # abbreviations keep their capitals (`IMO number`, `LEI`)
            what = step["what"] if step["what"][:3].isupper() else what
            yield f"{what}{verdict} {step['effect']} %"


def _build_word_rows(row: dict[str, Any], why: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the words of both names; `weight` of all makes 100, where weights were recorded."""
    group: Group = why.get("group", "thing")
    tokens = map_tokens_to_words(row.get("asked", ""), group)
    listed = map_tokens_to_words(row["name"], group)
    words, hefts = [], []
    for pair in why.get("matches", ()):
        likeness = Decimal(str(pair["similarity"]))
        hefts.append(
            (_recorded_weight(pair, "weight") + _recorded_weight(pair, "listed_weight")) / 2
        )
        words.append(
            _pair_written_words(tokens, pair["query"], listed, pair["listed"])
            | {
                "how": HOW.get(pair["kind"], pair["kind"]),
                "same": pair["kind"] == "exact",
                "likeness": f"{int(likeness * 100)} %",
                "agreed": likeness,
            }
        )
    for side, key in (("query_left", "asked"), ("listed_left", "listed")):
        for left in why.get(side, ()):
            hefts.append(_recorded_weight(left, "weight") / 2)
            query, other = (left["token"], "") if key == "asked" else ("", left["token"])
            words.append(_pair_written_words(tokens, query, listed, other) | {"agreed": Decimal(0)})
    for word, weight in zip(words, split_into_percents(hefts), strict=True):
        word["weight"], word["carried"] = weight, round(weight * word.pop("agreed"))
    return words


def _recorded_weight(weights: dict[str, Any], name: str) -> Decimal:
    return Decimal(str(weights.get(name, 0)))


def _pair_written_words(
    asked: dict[str, str], query: str, listed: dict[str, str], other: str
) -> dict[str, Any]:
    return {"asked": format_as_written(asked, query), "listed": format_as_written(listed, other)}


def split_into_percents(parts: list[Decimal]) -> list[int]:
    """Return parts as whole percents of their sum that make 100: the largest rests round up."""
    whole = sum(parts)
    if not whole:
        return [0] * len(parts)
    exact = [100 * part / whole for part in parts]
    floors = [int(amount) for amount in exact]
    # the largest remainders first (Hamilton's method)
    rests = sorted(range(len(parts)), key=lambda at: floors[at] - exact[at])
    for at in rests[: 100 - sum(floors)]:
        floors[at] += 1
    return floors


def _iter_remainder_step(breakdown: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what the steps leave between what the words carried and the score of the names."""
    moved = sum(int(step["effect"]) for step in breakdown["steps"])
    rest = breakdown["names"] - breakdown["carried"] - moved
    if rest:
        yield {"what": MILDER if rest > 0 else HARDER, "effect": f"{rest:+d}"}


def _reconcile_score(breakdown: dict[str, Any], row: dict[str, Any]) -> None:
    """Let what moved the score beside the name lead to it: rounding may leave a point."""
    beside = breakdown["qualifiers"]
    rest = (
        int(row["score"])
        - breakdown["names"]
        - sum(int(qualifier["effect"]) for qualifier in beside)
    )
    if rest and row.get("part") == "SEGMENT":
        effect = {"effect": f"{rest:+d}", "agrees": False, "alone": True}
        beside.append({"what": WITHIN, "asked": "", "listed": ""} | effect)
    # one point is rounding: it goes to the last fact, so that the lines add up
    elif abs(rest) == 1 and beside:
        beside[-1]["effect"] = format_points(Decimal(int(beside[-1]["effect"]) + rest) / 100)


def _present_effect(effect: dict[str, Any]) -> dict[str, Any]:
    """Return what one given field did; of an address the city alone is no agreement."""
    what, city = WORDS.get(effect["what"], effect["what"]), False
    born = effect["what"] == "birth_date"
    if effect["what"] == BOUNDS:
        what = BELOW if str(effect["effect"]).startswith("-") else IN_SIGHT
    if effect["what"] == "address" and effect["listed"]:
        city = not Decimal(str(effect["effect"]))
    return {
        "what": f"{what}: only the city" if city else what,
        "asked": format_days_in_text(effect["query"]) if born else effect["query"],
        "listed": format_days_in_text(effect["listed"]) if born else effect["listed"],
        "alone": effect["what"] in OF_THE_NAME or city,
        "agrees": not str(effect["effect"]).startswith("-"),
        "effect": format_points(effect["effect"]),
    }


def to_decimal(value: Any) -> Decimal:
    """Return a recorded number."""
    return Decimal(str(value))


def format_points(effect: Any) -> str:
    """Return how far a score moved, in points of 100: `-25`, `+3`, `0`."""
    moved = round(100 * Decimal(str(effect)))
    return f"{moved:+d}" if moved else "0"
