"""Given names that Russians, Ukrainians and Belarusians spell each in their way: `Oleg`, `Oleh`."""

import re

_NAMES = """
oleg oleh aleh
vladimir volodymyr volodimir uladzimir wladimir
sergei sergey sergej sergii serhii serhiy serhij siarhei syarhey siarhiej
igor ihor ihar
nikolai nikolay nikolaj mykola mikola mikalai
dmitri dmitry dmitriy dmitrij dmytro dmitro dzmitry
aleksandr alexander alexandr aleksander oleksandr olexandr aliaksandr alyaksandr
aleksei alexei alexey aleksey oleksii oleksiy oleksij aliaksei alyaksey
andrei andrey andrii andriy andrij
mikhail michail mykhailo mikhailo mykhaylo mikhas
evgeny yevgeny evgenii evgeniy yevgeniy yevgenii yevhen evhen yauhen jauhen
gennady gennadiy gennadii hennadii hennadiy henadz
grigory grigoriy grigorii hryhorii hryhoriy ryhor
georgy georgiy georgii georgi heorhii heorhiy heorgii
vasily vasiliy vasilii vasyl vasil
pavel pavlo paval
petr pyotr piotr petro piatro
fyodor fedor fiodor fedir fiodar
ilya ilia illia illya
konstantin kostiantyn kostyantyn kanstantsin
maxim maksim maksym
viktor victor viktar
vitaly vitaliy vitalii vital
vyacheslav viacheslav viachaslau vyachaslau
yuri yury yuriy yurii iurii juri jurij
nikita mykyta mikita
kirill kyrylo kirilo kiryl
gleb hlib
bogdan bohdan bahdan
egor yegor yehor yahor
timofei timofey tymofii tsimafei
filipp filip pylyp
elena yelena olena alena
olga olha volha
ekaterina yekaterina kateryna katsiaryna
galina halyna halina
natalia natalya nataliya nataliia natallia
tatiana tatyana tetiana tetyana tatsiana
svetlana svitlana sviatlana
nadezhda nadiia nadiya nadzeya
lyudmila ludmila liudmila lyudmyla liudmyla
irina iryna
marina maryna
margarita marharyta
evgenia yevgenia yevheniia yauheniya
oksana aksana
"""
_PATRONYMIC = re.compile("[a-z]{3,}(?:[oe]vic|[oe]vna|icna|ic)")
_FAMILY_NAME = re.compile("[a-z]{2,}(?:[oe]va?|ina?|enko|ska?i|ska|skaia)")
_VOWELS = re.compile("[aeiou]")
_VOWELS_ALIKE = (frozenset("ao"), frozenset("eo"))
# Letters of a fold that others write instead. Belarusian and Ukrainian have `h` where Russian has
# `g`, German `s` for `z`, `j` for a vowel and `ch` for `kh`, Greek no letter for `zh` (a `j` once
# folded); Arabic `j` is `g` in Egypt and `c` in Turkey; French `ch` is `sh`.
_TRANSCRIPTIONS = tuple(
    str.maketrans(way)
    for way in (
        *({"g": "h", "z": "s", "j": j, "c": c} for j in ("s", "") for c in ("c", "h")),
        {"g": "j", "c": "j"},
        {"k": "h", "c": "h"},
        {"c": "s", "j": "s"},
    )
)
_ROW_OF = {name: number for number, row in enumerate(_NAMES.split("\n")) for name in row.split()}


def find_slavic_name_number(token: str) -> int:
    """Return the number of the name that a token is a spelling of, 0 where it is none."""
    return _ROW_OF.get(token, 0)


def is_patronymic(fold: str) -> bool:
    """Return whether a token, folded as it sounds, is formed from a father's name (`Petrovna`)."""
    return bool(_PATRONYMIC.fullmatch(fold))


def is_slavic_family_name(fold: str) -> bool:
    """Return whether a token, folded as it sounds, is formed as Russian family names are."""
    return bool(_FAMILY_NAME.fullmatch(fold))


def are_transcriptions(fold: str, other: str) -> bool:
    """Return whether two folded tokens have the consonants of one name, by some transcription.

    An `h` is a consonant here, as it stands for `kh`.
    """
    return any(_consonants(fold, way) == _consonants(other, way) for way in _TRANSCRIPTIONS)


def have_other_vowels(fold: str, other: str) -> bool:
    """Return whether two folded Russian names differ in a vowel that spells another sound.

    An unstressed `o` is heard as `a`, and `yo` is written `e`; `i` may be no vowel at all.
    """
    vowels = [[letter for letter in text if letter in "aeou"] for text in (fold, other)]
    if len(vowels[0]) != len(vowels[1]):
        return False
    pairs = map(frozenset, zip(*vowels, strict=True))
    return any(len(pair) > 1 and pair not in _VOWELS_ALIKE for pair in pairs)


def _consonants(fold: str, way: dict[int, str]) -> str:
    return _VOWELS.sub("", fold.replace("gk", "g").translate(way))
