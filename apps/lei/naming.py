"""Whether names are of one entity: as GLEIF has it, as it was written before, as another bears it.

What `names` compares word by word is held here against the comparison of payees as well, which
tells legal forms, lines of business and numbers apart.
"""

from rapidfuzz.distance import OSA

from apps.lei import names
from apps.lei.values import Entity
from apps.names.payee import compare
from apps.names.payee.folding import folded, in_latin
from apps.names.payee.legal_forms import form_in

SAME_ENTITY_FROM = 75  # of 100: the payee match that document 1 section 2.2 calls a good one
LIKE_ENOUGH = 0.7  # of the letters of two names without their forms; less is not compared further
_MARKS = str.maketrans("", "", ".,'’\"")


def agreement(name: str, entity: Entity) -> int:
    """Return how surely a name is that of the entity of an LEI, in 0..100.

    Names are compared as those of payees are: the best of the legal name and its forms in other
    scripts and languages counts; former and trading names do not.
    """
    legal, *others = names.legal_names(entity)
    return compare(submitted=name, registered=legal, aliases=others).score


def is_named(name: str, entity: Entity) -> bool:
    """Tell whether a name is an entity's: word by word, and with no other legal form.

    `Bloomberg Inc.` and `Bloomberg L.P.` are two companies, each with an LEI of its own.
    """
    return names.agrees(name, entity) and agreement(name, entity) >= SAME_ENTITY_FROM


def same_name(one: str, other: str) -> bool:
    """Tell whether two spellings are one name: the same words, and the same legal form.

    `Acme Ltd` is `Acme Limited`, and not `Acme LLC`; case, blanks, points and commas do not tell.
    """
    return names.fold(one) == names.fold(other) or _parts(one) == _parts(other)


def close_names(alias: str, legal: str, *, own: str) -> bool:
    """Tell whether an alias is, or nearly is, the legal name of another than its bearer.

    One that is as near to the bearer's `own` legal name is the bearer's: `Acme` of `Acme Ltd`,
    whoever else is called so.
    """
    if OSA.normalized_similarity(core(alias), core(legal)) < LIKE_ENOUGH:
        return False
    score = compare(submitted=alias, registered=legal).score
    if score < SAME_ENTITY_FROM:
        return False
    return compare(submitted=alias, registered=own).score < score


def core(name: str) -> str:
    """Return a name folded, without points and its legal form: by what like ones are looked for."""
    before, _code, behind = _parts(name)
    return " ".join((*before, *behind))


def _parts(name: str) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
    """Return the words before the legal form of a name, its code, and the words behind it."""
    words = names.fold(name).translate(_MARKS).split()
    plain = ["".join(one.plain for one in folded(in_latin(word, person=False))) for word in words]
    # a sign such as & has no letters: it stands for itself
    found = form_in([one or word for one, word in zip(plain, words, strict=True)])
    if found is None:
        return tuple(words), "", ()
    return tuple(words[: found.start]), found.code, tuple(words[found.end :])
