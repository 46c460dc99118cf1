"""Takes joint holders apart: `John and Mary Smith`, `Acme Ltd & Omar Said`."""

import re

from apps.reference.names.field.word_tests import (
    has_digit,
    has_legal_form,
    is_company_name,
    split_words,
)

_WORDS = (
    "and/or|and|or|&|\\+|und|u\\.|oder|et/ou|et|ou|y/o|e/ou|en|och|og|ja|oraz|lub|és|și|si|ve|veya|ile"
    "|dan|atau|at|или|та|або|και|ή|أو|یا|und/oder|及び|及|和|与|與|または|및"
)
_LETTERS = "u|y|e|o|i|a|и|й|و"  # of several languages, and initials as well
AND = frozenset(_WORDS.replace("\\", "").split("|")) | frozenset(_LETTERS.split("|"))
_JOINTS = (  # what joins, and how many words each side must have
    (re.compile(rf"\s+(?:{_WORDS})\s+|(?<=[^\W\d_])[/&+](?=[^\W\d_])", re.IGNORECASE), 1),
    (re.compile(rf"\s+(?:{_LETTERS})\s+", re.IGNORECASE), 2),
    (re.compile(r"\s*,\s*"), 2),
)
_TENANCY = re.compile(
    r"\b(?:jt\.?\s?ten|jtwros|ten\.?\s?com|joint (?:account|tenants|holders)|jt)\b.*$", re.I
)
_SPELT = re.compile(r"[^\W\d_]{2}")
_LONGEST = 5  # words in the name of a person


def split_joint_holders(text: str) -> list[str]:
    """Return the names that a text joins, with the family name that they share; else nothing."""
    plain = _TENANCY.sub("", text)
    for pattern, least in _JOINTS:
        # the surest joint first: a comma also parts family and given name
        sides = [side.strip(" ,.&/") for side in pattern.split(plain)]
        if len(sides) > 1 and _are_holder_names(sides, least):
            return _add_shared_family_name(sides)
    return []


def _are_holder_names(sides: list[str], least: int) -> bool:
    """Return whether the sides are persons, or the first of them a company with its legal form.

    A legal form behind the last side alone belongs to all of it: `Paper and Boards Limited`.
    """
    counts = [len(split_words(side)) for side in sides]
    if max(counts) < 2 or min(counts) < least or not all(map(_SPELT.search, sides)):
        return False
    companies = [has_legal_form(side) for side in sides]
    if any(companies) and not (companies[0] and min(counts) > 1):
        return False
    pairs = zip(sides, companies, strict=True)
    return all(company or _can_be_person(side) for side, company in pairs)


def _can_be_person(side: str) -> bool:
    return len(split_words(side)) <= _LONGEST and not has_digit(side) and not is_company_name(side)


def _add_shared_family_name(sides: list[str]) -> list[str]:
    """Give a lone given name the family name of the next whole name, as `John and Mary Smith`."""
    whole = [split_words(side) for side in sides if len(split_words(side)) > 1]
    found = []
    for place, side in enumerate(sides):
        if len(split_words(side)) > 1:
            found.append(side)
        elif place == 0:
            found.append(f"{side} {whole[0][-1]}")
        else:
            # behind a whole name, with the family name first: `Smith John and Mary`
            found.append(f"{whole[0][0]} {side}")
    return found
