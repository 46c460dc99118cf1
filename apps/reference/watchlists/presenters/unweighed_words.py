"""Words of the two names that no line of a score tells: none of them is hidden. Pure."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from apps.reference.watchlists.matching.name_normalization import Group, normalize_name
from apps.reference.watchlists.presenters.written_words import (
    MARKS,
    WrittenWord,
    read_words,
    split_bare_words,
)

ELSEWHERE = "elsewhere in the submitted name, not part of this comparison"
LEGAL = "a legal form, compared separately"
ALONE = "has no weight of its own"
FEW, SHORT = 3, 24  # words of a summary, and letters of each


def list_unweighed_words(row: dict[str, Any], names: Sequence[str]) -> list[dict[str, str]]:
    """Return the words without their own line: rows of `asked`, `listed` and `how`.

    `row` is a recorded match with its explanation, `names` all submitted names: words around the
    compared name in its field are included.
    """
    why = row.get("explanation") or {}
    if not why:
        return []
    group: Group = why.get("group", "thing")
    screened_name, listed = row.get("asked", ""), row["name"]
    own = _iter_unweighed(screened_name, _collect_weighed_tokens(why, "query"), group)
    theirs = _iter_unweighed(listed, _collect_weighed_tokens(why, "listed"), group)
    return [
        *(
            {"asked": word, "listed": "", "how": ELSEWHERE}
            for word in _iter_surrounding_words(screened_name, names)
        ),
        *({"asked": word, "listed": "", "how": how} for word, how in own),
        *({"asked": "", "listed": word, "how": how} for word, how in theirs),
    ]


def summarize_unweighed_words(rows: Sequence[dict[str, str]]) -> str:
    """Return the words elsewhere in the submitted name, for one line; "" without any."""
    words = [row["asked"] for row in rows if row["how"] == ELSEWHERE]
    shown = [shorten_word(word) for word in words[:FEW]]
    more = len(words) - FEW
    return ", ".join([*shown, *([f"and {more} more"] if more > 0 else [])])


def shorten_word(word: str) -> str:
    """Return a word for a line of several: a long one is shortened."""
    return word if len(word) <= SHORT else f"{word[: SHORT - 1]}…"


def _iter_surrounding_words(asked: str, names: Sequence[str]) -> Iterator[str]:
    """Yield the words next to a compared name in its field."""
    own = Counter(_split_casefolded(asked))
    # of several submitted names the one that shares most words with the compared name
    field = max(
        names, key=lambda name: (own & Counter(_split_casefolded(name))).total(), default=""
    )
    known = Counter(_split_casefolded(field))
    if not own & known:
        return  # searched under a reading of it, or by a number
    joined = [own_word for own_word in own if own_word not in known]
    for word in field.split():
        rest = [part for part in _split_casefolded(word) if not own[part]]
        own -= Counter(_split_casefolded(word))
        if any(not any(part in joined_word for joined_word in joined) for part in rest):
            yield word


def _split_casefolded(text: str) -> list[str]:
    return [part.casefold() for word in text.split() for part in split_bare_words(word)]


def _collect_weighed_tokens(why: dict[str, Any], side: str) -> set[str]:
    """Return the words that lines of the score tell, as the matcher reads them."""
    pairs = [token for match in why.get("matches", ()) for token in match[side].split()]
    left = [token_row["token"] for token_row in why.get(f"{side}_left", ())]
    return {token.lstrip(MARKS) for token in (*pairs, *left)}


def _iter_unweighed(name: str, weighed: Collection[str], group: Group) -> Iterator[tuple[str, str]]:
    """Yield words without a weighed token; one may have been joined with its neighbour."""
    tokens = {token for word in read_words(name, group) for token in _plain_tokens_of(word)}
    joined = [token for token in weighed if token not in tokens]
    for written in name.split():
        words = read_words(written, group)
        lost = [
            word.text
            for word in words
            if not any(
                token in weighed or any(token in joined_word for joined_word in joined)
                for token in _plain_tokens_of(word)
            )
        ]
        if words and len(lost) == len(words):
            # `Q` stands for the name: without one a legal form is not taken out
            legal = normalize_name(name=f"Q {written}", group=group).legal
            yield written.strip(",;"), LEGAL if legal else ALONE
        else:
            yield from ((text, ALONE) for text in lost)


def _plain_tokens_of(word: WrittenWord) -> list[str]:
    """Return the tokens of a word as they are read; of one that is no token, itself."""
    return [token.lstrip(MARKS) for token in word.tokens] or [word.text.casefold()]
