"""Titles before a person's name, and letters and generations behind it, taken away.

The letters are our own, in addition to the forms of address of `apps.reference.names.words.titles`.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from apps.reference.names.field.word_tests import parse_phrases
from apps.reference.names.payee.likeness import is_common_given_name
from apps.reference.names.payee.normalization import fold_words, transliterate_to_latin
from apps.reference.names.payee.values import Address
from apps.reference.names.words.titles import TITLES

# hardly ever anything else
_LETTERS = """
mbe obe cbe dbe kbe gbe phd dphil mphil md dds dvm msc bsc mba llb llm bcom edd dsc msci meng beng
ceng frcs frcp mrcs mrcp mrics frics fca aca acca cpa cfa cfp esq esquire rtd pharmd psyd frs frsa
fba cissp bed qc mr mrs ms miss mx dr prof herr frau mme mlle sir
"""
# names of people as well: only in capitals, behind a name that is not
_DEGREES = "ma ba jp kc om mp mep pe do od rn ret ing dipl mag jd"
_CAPITALS = frozenset(_DEGREES.split())
_GENERATIONS = {
    "jr": "jr", "junior": "jr", "jnr": "jr", "sr": "sr", "senior": "sr", "snr": "sr", "ii": "2",
    "iii": "3", "iv": "4", "2nd": "2", "3rd": "3", "4th": "4", "filho": "jr",
}  # fmt: skip
_MORE = """
dipl, mag, dipl ing, mr and mrs, mr or mrs, m et mme, m ou mme, mr et mme, mr ou mme, monsieur et
madame, monsieur ou madame, herr oder frau, sr y sra, sr o sra, sr e sra, sig e sig ra, signor e
signora, dhr en mevr, dhr en mw, de heer en mevrouw, the, familie, fam, eheleute, herr und frau,
don, dr med, dr med dent, dr med vet, dr med univ, dr jur, dr iur, dr phil, dr rer nat, dr rer pol,
dr rer oec, dr rer medic, dr oec, dr theol, dr techn, dr habil, dr h c, dr hc, dr sc, dr agr,
dr ing habil
"""
_DOTTED = re.compile(r"(?<![\w.])(?:[^\W\d_]{1,3}\.\s?){2,4}(?=\s*(?:,|$))")
"""Letters behind a name with a point each (`Ph.D.`, `LL. M.`)."""
_OF_MEN = """
mr herr herrn monsieur senor sr don senhor signor sig sir lord dhr heer domnul encik bapak shri
gospodin kyrios
"""
_OF_WOMEN = """
mrs ms miss frau fraulein mme madame mlle mademoiselle senora sra senorita srta dona senhora signora
dame lady mevrouw mevr fru froken rouva pani doamna puan smt shrimati kumari gospoza kyria
"""
_MEN, _WOMEN = frozenset(_OF_MEN.split()), frozenset(_OF_WOMEN.split())
_MOST_WORDS = 4
_LEAST_LEFT = 2


def count_leading_titles(words: Sequence[str], *, company: bool) -> int:
    """Return how many words at the head of a row of folded ones are titles.

    All may be. Of a company nothing is but `Messrs`: `General Electric`, `Major Drilling`; and a
    given name is none before one word (`Don Smith`).
    """
    if company:
        return 1 if list(words[:1]) == ["messrs"] and len(words) > 1 else 0
    at = 0
    while at < len(words):
        run = next(
            (n for n in range(_MOST_WORDS, 0, -1) if tuple(words[at : at + n]) in _title_rows()),
            0,
        )
        if not run or (is_common_given_name(words[at]) and len(words) - at <= _LEAST_LEFT):
            break
        at += run
    return at


def detect_form_of_address(words: Sequence[str]) -> Address:
    """Return as what the folded words of titles address their bearer; of both, as neither."""
    man, woman = not _MEN.isdisjoint(words), not _WOMEN.isdisjoint(words)
    if man == woman:
        return ""
    return "man" if man else "woman"


def find_name_end(written: Sequence[str], words: Sequence[str]) -> tuple[int, str]:
    """Return how many of a row's words are left without letters behind a name, and a generation."""
    end, generation = len(words), ""
    mixed = not all(word.isupper() for word in written)
    while end > _LEAST_LEFT:
        last = words[end - 1]
        if last in _GENERATIONS and not generation:
            generation = _GENERATIONS[last]
        elif not (
            last in _postnominals() or (mixed and _is_capital_degree(written[end - 1], last))
        ):
            break
        end -= 1
    return end, generation


def are_postnominals(written: Sequence[str]) -> bool:
    """Return whether words are post-nominal letters or a generation after a name and a comma."""
    words = [word.plain for one in written for word in fold_words(one)]
    return bool(words) and all(
        word in _GENERATIONS or word in _postnominals() or _is_capital_degree(one, word)
        for one, word in zip(written, words, strict=False)
    )


def count_leading_degrees(words: Sequence[str]) -> int:
    """Return how many folded words at the head of a row are those of a doctor or professor.

    They hold what companies are called too (`Dr. med.`).
    """
    return (
        count_leading_titles(words, company=False) if list(words[:1]) in (["dr"], ["prof"]) else 0
    )


def join_dotted_letters(text: str) -> str:
    """Return a text with known letters behind its name as one word (`LL.M.` is LLM)."""
    return _DOTTED.sub(_join_known_letters, text) if "." in text else text


def _join_known_letters(found: re.Match[str]) -> str:
    joined = re.sub(r"[.\s]", "", found[0])
    return f"{joined} " if joined.lower() in _postnominals() else found[0]


def is_generation_suffix(word: str) -> bool:
    """Return whether a folded word behind a name may tell a generation (`III`, `Jr`)."""
    return word in _GENERATIONS


def _is_capital_degree(written: str, word: str) -> bool:
    return word in _CAPITALS and written.isupper()


@lru_cache(maxsize=1)
def _postnominals() -> frozenset[str]:
    return frozenset(_LETTERS.split())


@lru_cache(maxsize=1)
def _title_rows() -> frozenset[tuple[str, ...]]:
    """Return titles as their words; two letters by themselves are initials (`M & S`)."""
    every = (
        transliterate_to_latin(phrase, person=True)
        for phrase in parse_phrases(f"{TITLES}, {_MORE}")
    )
    rows = (tuple(word.plain for word in fold_words(one)) for one in every)
    return frozenset(row for row in rows if row and not (len(row) <= 2 and max(map(len, row)) < 2))
