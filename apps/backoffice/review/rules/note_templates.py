"""Notes for the examiner: the texts of templates, and when a note is finished. Pure.

A template says only what the case shows. Where an officer's own words are needed it ends in an
ellipsis, and a note that still lacks them is refused: a note must not be a mere stamp.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

GAP = "…"
SIGNS = f"{GAP}. :;,"  # characters that are no words of an officer's own
OWN_WORDS = 10  # characters that an officer writes at least at each gap
LEFT_OPEN = "Finish the note: where the template leaves off, say in your own words what you found."


@dataclass(frozen=True, slots=True)
class ComparedField:
    """One field beside the name that was compared with the list, as requested and as listed."""

    what: str
    asked: str
    listed: str


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """A listed party that the case resembles: what agrees and what differs.

    `same` and `unlike` are words of the names; `agrees`, `differs` and `resembles` what was
    compared beside them: given by both sides.
    """

    name: str
    list: str
    entity: str
    score: str
    same: tuple[str, ...] = ()
    unlike: tuple[str, ...] = ()
    agrees: tuple[ComparedField, ...] = ()
    differs: tuple[ComparedField, ...] = ()
    resembles: tuple[ComparedField, ...] = ()


@dataclass(frozen=True, slots=True)
class NoteFacts:
    """What a template may say: party, rules by reference with their sentences, parties, owners.

    `owners` are names of the chain above the subject, `hits` what was found of some, in words.
    """

    party: str
    rules: Mapping[str, str]
    listed: tuple[ListedMatch, ...] = ()
    owners: tuple[str, ...] = ()
    hits: tuple[str, ...] = ()


Template = Callable[[NoteFacts], str]
Speaks = Callable[[NoteFacts], bool]  # whether what a case shows speaks for a reason


def build_note_facts(
    *, party: str, rules: Iterable[Mapping[str, str]], picture: Mapping[str, list[dict[str, Any]]]
) -> NoteFacts:
    """Return what a template may say of a case, from its rules and what its page draws."""
    chain = picture.get("chain", [])
    facts: dict[str, list[str]] = {}
    for rule in rules:  # an embargo may hold for country and address
        facts.setdefault(rule["ref"], []).append(rule["sentence"])
    return NoteFacts(
        party=party,
        rules={ref: " ".join(sentences) for ref, sentences in facts.items()},
        listed=tuple(_summarize_match(match) for match in picture.get("matches", [])),
        owners=tuple(node.get("name", "") for node in chain[1:]),
        hits=tuple(f"{n.get('name', '')}: {n.get('finding', '')}" for n in chain if n.get("hit")),
    )


def _summarize_match(match: Mapping[str, Any]) -> ListedMatch:
    pairs = match.get("pairs", [])
    unlike = [f"{p['asked']}/{p['listed']}" for p in pairs if not p.get("same")]
    unlike += [_get_unmatched_word(word, "asked") for word in match.get("only_asked", [])]
    unlike += [_get_unmatched_word(word, "listed") for word in match.get("only_listed", [])]
    rows = list(_iterate_compared_fields(match))
    return ListedMatch(
        name=_format_text(match.get("name")),
        list=_format_text(match.get("list")),
        entity=_format_text(match.get("entity")),
        score=_format_text(match.get("score")),
        same=tuple(p["asked"] for p in pairs if p.get("same")),
        unlike=tuple(unlike),
        agrees=tuple(row for verdict, row in rows if verdict == "AGREES"),
        differs=tuple(row for verdict, row in rows if verdict == "DIFFERS"),
        resembles=tuple(row for verdict, row in rows if verdict == "RESEMBLES"),
    )


def _get_unmatched_word(word: Any, side: str) -> str:
    """Return a word without counterpart: pages have it alone, or in a row with its weight."""
    return _format_text(word.get(side) if isinstance(word, Mapping) else word)


def _format_text(value: Any) -> str:
    return "" if value is None else str(value)


def _iterate_compared_fields(match: Mapping[str, Any]) -> Iterator[tuple[str, ComparedField]]:
    """Yield the fields beside the name that both sides have, with their verdicts.

    Equal types are no evidence, so only different types are reported. A verdict that is a question
    (day and month swapped?) does not count as a difference.
    """
    for comparison in match.get("compared", [])[1:]:  # the name comes first
        listed, verdict = comparison.get("listed") or [], comparison.get("verdict", "")
        if not (comparison.get("asked") and listed) or (comparison["what"], verdict) == (
            "Type",
            "AGREES",
        ):
            continue
        verdict_of_field = "RESEMBLES" if "?" in comparison.get("words", "") else verdict
        yield (
            verdict_of_field,
            ComparedField(
                comparison["what"],
                _format_text(comparison["asked"]),
                "; ".join(map(_format_text, listed)),
            ),
        )
    if match.get("compared"):
        return
    for comparison in match.get("qualifiers", []):
        # "0": the list has nothing of it, so that nothing was compared
        if (
            comparison.get("alone")
            or comparison.get("effect") == "0"
            or not (comparison["asked"] and comparison["listed"])
        ):
            continue
        verdict = "AGREES" if comparison.get("agrees") else "DIFFERS"
        yield (
            verdict,
            ComparedField(
                comparison["what"],
                _format_text(comparison["asked"]),
                _format_text(comparison["listed"]),
            ),
        )


def find_unfinished_note_fault(*, note: str, template: str) -> str:
    """Return why a note is not finished, or an empty text.

    Where the template leaves off, a word or two are no finding, and its ellipsis may not stay.
    """
    text = note.strip()
    left = text.endswith(GAP) or (GAP in template and GAP in text)
    short = any(len(own) < OWN_WORDS for own in _iterate_own_words(text, template))
    return LEFT_OPEN if left or short else ""


def _iterate_own_words(text: str, template: str) -> Iterator[str]:
    """Yield the officer's own words at each gap of a template, while the note still follows it."""
    pieces = [" ".join(piece.split()).rstrip(SIGNS) for piece in template.split(GAP)]
    rest, start = " ".join(text.split()), pieces[0]
    if GAP not in template or not rest.startswith(start):
        return
    rest = rest[len(start) :]
    # each piece of the template must follow; what lies before it fills the gap. A note that leaves
    # the template is no longer judged by it
    for piece in pieces[1:]:
        at = rest.find(piece) if piece else len(rest)
        if at < 0:
            return
        yield rest[:at].strip(SIGNS)
        rest = rest[at + len(piece) :]
