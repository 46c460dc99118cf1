"""Compare names of entities: with GLEIF's names, with an earlier name, with other entities' names.

Names that `legal_name_check` compares word by word are also compared as names of payees are, which
tells legal forms, lines of business and numbers apart.
"""

from rapidfuzz.distance import OSA

from apps.reference.lei import legal_name_check
from apps.reference.lei.values import Entity
from apps.reference.names.payee import compare_payee_names
from apps.reference.names.payee.legal_forms import find_legal_form
from apps.reference.names.payee.normalization import fold_words, transliterate_to_latin

SAME_ENTITY_FROM = 75  # of 100: the payee match that document 1 section 2.2 calls a good one
LIKE_ENOUGH = 0.7  # of the letters of two names without their forms; less is not compared further
_MARKS = str.maketrans("", "", ".,'’\"")


def score_name_agreement(name: str, entity: Entity) -> int:
    """Return how surely a name is that of the entity of an LEI, in 0..100.

    Names are compared as those of payees are: the best of the legal name and its forms in other
    scripts and languages counts; former and trading names do not.
    """
    legal, *others = legal_name_check.list_legal_names(entity)
    return compare_payee_names(submitted=name, registered=legal, aliases=others).score


def is_entity_name(name: str, entity: Entity) -> bool:
    """Return whether a name is an entity's: word by word, and with no other legal form.

    `Bloomberg Inc.` and `Bloomberg L.P.` are two companies, each with an LEI of its own.
    """
    return (
        legal_name_check.is_legal_name(name, entity)
        and score_name_agreement(name, entity) >= SAME_ENTITY_FROM
    )


def is_same_name(first: str, other: str) -> bool:
    """Return whether two spellings are one name: the same words, and the same legal form.

    `Acme Ltd` is `Acme Limited`, and not `Acme LLC`; case, blanks, points and commas do not tell.
    """
    return legal_name_check.fold_name(first) == legal_name_check.fold_name(
        other
    ) or _split_legal_form(first) == _split_legal_form(other)


def is_close_to_legal_name(alias: str, legal: str, *, own: str) -> bool:
    """Return whether an alias is equal or similar to another entity's legal name.

    An alias that is equally similar to the entity's `own` legal name is its own: `Acme` of `Acme
    Ltd`, even if others have that name.
    """
    # a cheap test first: the comparison of payees takes far longer
    if (
        OSA.normalized_similarity(fold_without_legal_form(alias), fold_without_legal_form(legal))
        < LIKE_ENOUGH
    ):
        return False
    score = compare_payee_names(submitted=alias, registered=legal).score
    if score < SAME_ENTITY_FROM:
        return False
    return compare_payee_names(submitted=alias, registered=own).score < score


def fold_without_legal_form(name: str) -> str:
    """Return a name folded, without points and its legal form, by which similar ones are found."""
    before, _code, behind = _split_legal_form(name)
    return " ".join((*before, *behind))


def _split_legal_form(name: str) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
    """Return the words before the legal form of a name, its code, and the words behind it."""
    words = legal_name_check.fold_name(name).translate(_MARKS).split()
    plain = [
        "".join(
            fold_word.plain for fold_word in fold_words(transliterate_to_latin(word, person=False))
        )
        for word in words
    ]
    # a sign such as & has no letters: it is kept
    legal_form = find_legal_form(
        [stripped or word for stripped, word in zip(plain, words, strict=True)]
    )
    if legal_form is None:
        return tuple(words), "", ()
    return tuple(words[: legal_form.start]), legal_form.code, tuple(words[legal_form.end :])
