"""Titles before a person's name, and letters and generations behind it, taken away.

The letters are written by us, beside the forms of address of `apps.names.words.titles`.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from apps.names.field.telling import phrases
from apps.names.payee.folding import folded, in_latin
from apps.names.payee.likeness import is_known
from apps.names.payee.values import Address
from apps.names.words.titles import TITLES

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
dipl, mag, dipl ing, mr and mrs, the, familie, fam, eheleute, herr und frau, don, dr med, dr med
dent, dr med vet, dr med univ, dr jur, dr iur, dr phil, dr rer nat, dr rer pol, dr rer oec, dr rer
medic, dr oec, dr theol, dr techn, dr habil, dr h c, dr hc, dr sc, dr agr, dr ing habil
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


def untitled(words: Sequence[str], *, company: bool) -> int:
    """Return how many words at the head of a row of folded ones are titles.

    All may be. Of a company nothing is but `Messrs`: `General Electric`, `Major Drilling`; and a
    given name is none before one word (`Don Smith`).
    """
    if company:
        return 1 if list(words[:1]) == ["messrs"] and len(words) > 1 else 0
    at = 0
    while at < len(words):
        run = next((n for n in range(_MOST_WORDS, 0, -1) if _is_title(words[at : at + n])), 0)
        if not run or (is_known(words[at]) and len(words) - at <= _LEAST_LEFT):
            break
        at += run
    return at


def addressed(words: Sequence[str]) -> Address:
    """Return as what the folded words of titles address their bearer; of both, as neither."""
    man, woman = not _MEN.isdisjoint(words), not _WOMEN.isdisjoint(words)
    if man == woman:
        return ""
    return "man" if man else "woman"


def behind(written: Sequence[str], words: Sequence[str]) -> tuple[int, str]:
    """Return how many of a row's words are left without letters behind a name, and a generation."""
    end, generation = len(words), ""
    mixed = not all(word.isupper() for word in written)
    while end > _LEAST_LEFT:
        last = words[end - 1]
        if last in _GENERATIONS and not generation:
            generation = _GENERATIONS[last]
        elif not (last in _letters() or (mixed and _is_lettered(written[end - 1], last))):
            break
        end -= 1
    return end, generation


def are_letters(written: Sequence[str]) -> bool:
    """Return whether words are letters or a generation, as they stand behind a name and a comma."""
    words = [word.plain for one in written for word in folded(one)]
    return bool(words) and all(
        word in _GENERATIONS or word in _letters() or _is_lettered(one, word)
        for one, word in zip(written, words, strict=False)
    )


def degrees(words: Sequence[str]) -> int:
    """Return how many folded words at the head of a row are those of a doctor or professor.

    They hold what companies are called too (`Dr. med.`).
    """
    return untitled(words, company=False) if list(words[:1]) in (["dr"], ["prof"]) else 0


def undotted(text: str) -> str:
    """Return a text with known letters behind its name as one word (`LL.M.` is LLM)."""
    return _DOTTED.sub(_undotted, text) if "." in text else text


def _undotted(found: re.Match[str]) -> str:
    joined = re.sub(r"[.\s]", "", found[0])
    return f"{joined} " if joined.lower() in _letters() else found[0]


def is_generation(word: str) -> bool:
    """Return whether a folded word behind a name may tell a generation (`III`, `Jr`)."""
    return word in _GENERATIONS


def _is_lettered(written: str, word: str) -> bool:
    return word in _CAPITALS and written.isupper()


def _is_title(words: Sequence[str]) -> bool:
    return tuple(words) in _titles()


@lru_cache(maxsize=1)
def _letters() -> frozenset[str]:
    return frozenset(_LETTERS.split())


@lru_cache(maxsize=1)
def _titles() -> frozenset[tuple[str, ...]]:
    """Return titles as their words; two letters by themselves are initials (`M & S`)."""
    every = (in_latin(one, person=True) for one in phrases(f"{TITLES}, {_MORE}"))
    rows = (tuple(word.plain for word in folded(one)) for one in every)
    return frozenset(row for row in rows if row and not (len(row) <= 2 and max(map(len, row)) < 2))
