"""Templates of notes for the reasons of a screen's case. Pure; what they may know: `NoteFacts`.

Each states only what the case shows; where that does not support the reason, it ends in a gap for
the officer's own words.
"""

from collections.abc import Iterable

from apps.backoffice.review.rules.note_templates import (
    GAP,
    ComparedField,
    ListedMatch,
    NoteFacts,
    Template,
)

MOST = 3  # listed parties that a note names; the officer says why none of the others is meant
NEAR = "Name only similar"  # a comparison of the name itself, not of another attribute
# a person has several of these, and lists give those of offices too: they do not tell people apart
SOFT = frozenset({"Country", "Nationality", "Address", "Address: only the city"})


def different_party(note_facts: NoteFacts) -> str:
    """List differences from each listed party; ends in a gap if no identifier or date does."""
    parts = [_difference_sentence(note_facts.party, match) for match in note_facts.listed[:MOST]]
    return _join_parts(parts, left=len(note_facts.listed) - len(parts))


def _difference_sentence(party: str, listed: ListedMatch) -> str:
    differs = _beyond_name(listed.differs)
    if _hard_comparisons(differs):
        agrees = ", ".join(field.what.lower() for field in _beyond_name(listed.agrees))
        although = f", although this matches: {agrees}" if agrees else ""
        return f"{_pair_sentence(party, listed)}: {_describe_differences(differs)}{although}."
    soft = f" Differences: {_describe_differences(differs)}." if differs else ""
    return f"{_pair_sentence(party, listed)}.{soft} Identifiers or dates that differ: {GAP}"


def has_hard_difference(note_facts: NoteFacts) -> bool:
    """Return whether an identifier, a date or the type differs from any of the listed parties."""
    return any(_hard_comparisons(match.differs) for match in note_facts.listed)


def name_only(note_facts: NoteFacts) -> str:
    """List the words that match and those that do not.

    Ends in a gap if more than the name matches, or if no identifiers or dates were compared.
    """
    parts = [_name_only_sentence(note_facts.party, match) for match in note_facts.listed[:MOST]]
    return _join_parts(parts, left=len(note_facts.listed) - len(parts))


def _name_only_sentence(party: str, listed: ListedMatch) -> str:
    sentence = _pair_sentence(party, listed)
    if agrees := _beyond_name(listed.agrees):
        what = ", ".join(comparison.what.lower() for comparison in agrees)
        return f"{sentence}. Also matching: {what}. It is a different party because {GAP}"
    if not (listed.same and listed.unlike):
        return f"{sentence}. It is a different party because {GAP}"
    sentence = (
        f"{sentence}. Matching words: {_quote_words(listed.same)}. Not matching: "
        f"{_quote_words(listed.unlike)}"
    )
    differs = _beyond_name(listed.differs)
    if not _hard_comparisons(differs) or listed.resembles:
        soft = f". Differences: {_describe_differences(differs)}" if differs else ""
        return f"{sentence}{soft}. It is a different party because {GAP}"
    return f"{sentence}. Nothing but the name matches: {_describe_differences(differs)}."


def listed_party(note_facts: NoteFacts) -> str:
    """List what else matches the listed party; ends in a gap if anything differs."""
    # with several listed parties the officer says which one is meant
    if len(note_facts.listed) != 1:
        return f"{note_facts.party} is {GAP}"
    [listed_match] = note_facts.listed
    agrees = _beyond_name(listed_match.agrees)
    if agrees and not _beyond_name(listed_match.differs):
        shared = ", ".join(
            f"{comparison.what.lower()} {comparison.listed}" for comparison in agrees
        )
        return f"{note_facts.party} is {_name_listed_party(listed_match)}. Also matching: {shared}."
    return f"{note_facts.party} is {_name_listed_party(listed_match)}, because {GAP}"


def listed_owner(note_facts: NoteFacts) -> str:
    """Name the owners found on a list; the officer adds what they hold."""
    sentence = (
        f"Found in the ownership of {note_facts.party}: {'; '.join(note_facts.hits)}. "
        if note_facts.hits
        else ""
    )
    return f"{sentence}Owned or controlled by a listed party: {GAP}"


def ownership_clear(note_facts: NoteFacts) -> str:
    """Name the owners on record; the officer adds the evidence that none is listed."""
    names = ", ".join(name for name in note_facts.owners if name)
    known = f"Owners on record of {note_facts.party}: {names}. " if names else ""
    return f"{known}Ownership established from {GAP}"


def build_reason_template(ask: str, refs: Iterable[str]) -> Template:
    """Return a template that repeats the reasons of the case; the officer adds the rest."""
    rule_refs = frozenset(refs)

    def template(note_facts: NoteFacts) -> str:
        text = " ".join(sentence for ref, sentence in note_facts.rules.items() if ref in rule_refs)
        return f"{text} {ask}: {GAP}".strip()

    return template


def _pair_sentence(party: str, listed: ListedMatch) -> str:
    return f"{party} is not {_name_listed_party(listed)}; the match scores {listed.score} %"


def _name_listed_party(listed: ListedMatch) -> str:
    place = " ".join(part for part in (listed.list, listed.entity) if part)
    return f"{listed.name} ({place})" if place else listed.name


def _beyond_name(rows: tuple[ComparedField, ...]) -> list[ComparedField]:
    return [row for row in rows if row.what != NEAR]


def _hard_comparisons(rows: Iterable[ComparedField]) -> list[ComparedField]:
    """Return the comparisons that tell namesakes apart: identifiers, dates, the type."""
    return [row for row in rows if row.what != NEAR and row.what not in SOFT]


def _describe_differences(rows: Iterable[ComparedField]) -> str:
    return "; ".join(f"{row.what.lower()} {row.asked}, listed {row.listed}" for row in rows)


def _quote_words(words: Iterable[str]) -> str:
    return ", ".join(f"“{word}”" for word in words)


def _join_parts(parts: list[str], *, left: int) -> str:
    """Join the parts about each listed party; a part with a gap goes last, at the cursor."""
    if not parts:
        return GAP
    if left > 0:
        parts = [*parts, f"It is none of the {left} other listed parties either, because {GAP}"]
    # one gap only: officers write once for all parts that need their own words
    done = [part for part in parts if not part.endswith(GAP)]
    opened = [part for part in parts if part.endswith(GAP)]
    if not opened:
        return " ".join(done)
    return " ".join([*done, *(part.removesuffix(GAP).strip() for part in opened[:-1]), opened[-1]])
