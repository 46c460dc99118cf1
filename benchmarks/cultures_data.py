"""Innocent people as the world writes them: seeded names of many cultures in their own script.

Two kinds, for common names and rare ones go wrong in different ways: `people` are drawn from the
lists of Faker (MIT), and `frequent` are the most frequent given and family names crossed.
"""

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import icu
from faker import Faker

from benchmarks.frequent_names import FAMILY_FIRST, JOINED, tables

# locales whose names are their own, and what their culture is called
LOCALES = {
    "ar_AA": "Arabic", "ar_DZ": "Algerian", "ar_PS": "Palestinian", "ar_SA": "Saudi",
    "az_AZ": "Azerbaijani", "bg_BG": "Bulgarian", "bn_BD": "Bengali", "cs_CZ": "Czech",
    "da_DK": "Danish", "de_DE": "German", "el_GR": "Greek", "en_GB": "British",
    "en_IE": "Irish", "en_IN": "Indian, in English", "en_KE": "Kenyan", "en_NG": "Nigerian",
    "en_PK": "Pakistani", "en_TH": "Thai", "en_US": "American", "es_AR": "Argentine",
    "es_CL": "Chilean", "es_CO": "Colombian", "es_ES": "Spanish", "es_MX": "Mexican",
    "et_EE": "Estonian", "fa_IR": "Persian", "fi_FI": "Finnish", "fr_BE": "Belgian",
    "fr_DZ": "Algerian", "fr_FR": "French", "gu_IN": "Gujarati", "ha_NG": "Hausa",
    "he_IL": "Israeli", "hi_IN": "Hindi", "hr_HR": "Croatian", "hu_HU": "Hungarian",
    "hy_AM": "Armenian", "id_ID": "Indonesian", "ig_NG": "Igbo", "it_IT": "Italian",
    "ja_JP": "Japanese", "ka_GE": "Georgian", "ko_KR": "Korean", "lt_LT": "Lithuanian",
    "lv_LV": "Latvian", "mk_MK": "Macedonian", "mr_IN": "Marathi", "ne_NP": "Nepali",
    "nl_NL": "Dutch", "no_NO": "Norwegian", "or_IN": "Odia", "pl_PL": "Polish",
    "pt_BR": "Brazilian", "pt_PT": "Portuguese", "ro_RO": "Romanian", "ru_RU": "Russian",
    "si_LK": "Sinhalese", "sk_SK": "Slovak", "sl_SI": "Slovene", "sv_SE": "Swedish",
    "sw": "Swahili", "ta_IN": "Tamil", "th_TH": "Thai", "tr_TR": "Turkish",
    "tw_GH": "Akan", "uk_UA": "Ukrainian", "uz_UZ": "Uzbek", "vi_VN": "Vietnamese",
    "yo_NG": "Yoruba", "zh_CN": "Chinese", "zh_TW": "Taiwanese", "zu_ZA": "Zulu",
}  # fmt: skip
# locales whose lists say how frequent a name is: their twenty most frequent are crossed too
WEIGHTED = ("en_US", "es_AR", "es_CL", "es_CO", "sv_SE", "fi_FI", "fr_BE", "en_KE", "he_IL")
NO_BLANK = frozenset(["ja_JP", "ko_KR", "zh_CN", "zh_TW"])
FAMILY_BEFORE = NO_BLANK | {"hu_HU", "vi_VN"}
# Arabic, Persian and Hebrew are written without their vowels: letter by letter they come out as
# nobody writes them, so that these are measured in Latin letters by the frequent names alone
LATIN = {
    "bg_BG": "Bulgarian-Latin/BGN", "el_GR": "Greek-Latin/BGN", "hy_AM": "Armenian-Latin/BGN",
    "ka_GE": "Georgian-Latin/BGN", "mk_MK": "Macedonian-Latin/BGN", "ru_RU": "Russian-Latin/BGN",
    "uk_UA": "Ukrainian-Latin/BGN", "bn_BD": "Any-Latin", "gu_IN": "Any-Latin",
    "hi_IN": "Any-Latin", "mr_IN": "Any-Latin", "ne_NP": "Any-Latin", "or_IN": "Any-Latin",
    "ta_IN": "Any-Latin", "th_TH": "Any-Latin", "ko_KR": "Any-Latin",
    "ja_JP": "", "zh_CN": "", "zh_TW": "",
}  # fmt: skip
_CAPITALS = icu.UnicodeSet("[[:Latin:][:Cyrillic:][:Greek:][:Armenian:]]")
# as Indian names are spelt, beside scholars' letters
_SPELT = (("ś", "sh"), ("ṣ", "sh"), ("c", "ch"), ("ṛ", "ri"))
_SILENT = re.compile(r"(?<=[^\W\daeiouāīūēō])a\b")
SCRIPTS = {"CJK": "Han", "HANGUL": "Hangul", "HIRAGANA": "Kana", "KATAKANA": "Kana"}


@dataclass(frozen=True, slots=True)
class Innocent:
    """A name of a culture in a script; `kind` is people, frequent or companies."""

    culture: str
    script: str
    kind: str
    name: str
    schema: str = "Person"


@dataclass(frozen=True, slots=True)
class Parts:
    """What a name is made of."""

    given: str
    second: str
    family: str


def people(*, seed: int, count: int) -> Iterator[Innocent]:
    """Yield so many people of each locale, and as many of those that have a Latin form."""
    for locale, culture in LOCALES.items():
        fake = Faker(locale)
        fake.seed_instance(f"{seed} {locale}")
        drawn = [_drawn(fake, locale, number) for number in range(count)]
        written = [_written(locale, parts, number) for number, parts in enumerate(drawn)]
        script = script_of("".join(written))
        yield from (Innocent(culture, script, "people", name) for name in written)
        if locale in LATIN:
            for number, parts in enumerate(drawn):
                latin = _romanised(fake, locale, parts, number)
                yield Innocent(culture, "Latin", "people", latin)


def frequent(*, seed: int, count: int) -> Iterator[Innocent]:
    """Yield so many of the four hundred crossed names of each culture, in each of its scripts."""
    for culture, table in tables().items():
        pairs = _crossed(table.given, table.family, seed=seed, count=count)
        family_first = culture in FAMILY_FIRST
        blank = "" if culture in JOINED else " "
        own = [_ordered(given.own, family.own, family_first, blank) for given, family in pairs]
        script = script_of("".join(own))
        yield from (Innocent(culture, script, "frequent", name) for name in own)
        if table.has_script:
            for given, family in pairs:
                latin = _ordered(given.latin, family.latin, family_first, " ")
                yield Innocent(culture, "Latin", "frequent", latin)
    for locale in WEIGHTED:
        lists = _person_lists(Faker(locale))
        men = _most_frequent(lists.first_names_male, 10)
        given = men + _most_frequent(lists.first_names_female, 10)
        pairs = _crossed(given, _most_frequent(lists.last_names, 20), seed=seed, count=count)
        names = [f"{one} {other}" for one, other in pairs]
        script = script_of("".join(names))
        yield from (Innocent(LOCALES[locale], script, "frequent", name) for name in names)


def script_of(text: str) -> str:
    """Return the script of most letters of a text."""
    counts: dict[str, int] = {}
    for letter in text:
        if letter.isalpha():
            name = icu.Char.charName(letter).split()[0]
            counts[name] = counts.get(name, 0) + 1
    most = max(counts, key=lambda count: counts[count], default="LATIN")
    return SCRIPTS.get(most, most.title())


def _drawn(fake: Faker, locale: str, number: int) -> Parts:
    """Return a woman or a man in turn; the second name is a father's, or a second family name."""
    if number % 2:
        given, family, second = (
            fake.first_name_male(),
            fake.last_name_male(),
            fake.first_name_male(),
        )
    else:
        given, family, second = (
            fake.first_name_female(),
            fake.last_name_female(),
            fake.first_name_male(),
        )
    if locale in ("ru_RU", "uk_UA"):
        second = fake.middle_name_male() if number % 2 else fake.middle_name_female()
    elif locale.startswith(("es_", "pt_")):
        second = fake.last_name()
    return Parts(given, second, family)


def _written(locale: str, parts: Parts, number: int) -> str:
    """Return a name of two or three parts in one of the orders in which payments bring it."""
    if locale in NO_BLANK:
        return f"{parts.family}{' ' if number % 3 == 2 else ''}{parts.given}"
    three = number % 4 in (1, 2)
    if locale.startswith(("es_", "pt_")):
        family = f"{parts.family} {parts.second}" if three else parts.family
        given = parts.given
    else:
        family = parts.family
        given = f"{parts.given} {parts.second}" if three else parts.given
    if locale in FAMILY_BEFORE or (three and locale in ("ru_RU", "uk_UA", "uz_UZ")):
        return f"{family} {given}"
    if number % 4 == 3:
        return f"{family.upper() if family[0] in _CAPITALS else family}, {given}"
    return f"{given} {family}"


def _romanised(fake: Faker, locale: str, parts: Parts, number: int) -> str:
    if not LATIN[locale]:
        return " ".join(fake.romanized_name().split()[: 2 if locale != "zh_TW" else 3])
    letters = _transliterator(LATIN[locale])
    if locale in NO_BLANK:
        return f"{letters(parts.family).title()} {letters(parts.given).title()}"
    if locale.endswith("_IN") or locale in ("bn_BD", "ne_NP"):
        return _indian(_written(locale, parts, number))
    return letters(_written(locale, parts, number)).title()


def _indian(name: str) -> str:
    """Return a name of an Indian script as people spell it in English, without its last short a."""
    text = _transliterator("Any-Latin", plain=False)(name)
    for scholarly, spelt in _SPELT:
        text = text.replace(scholarly, spelt)
    return _transliterator("Any-Latin")(_SILENT.sub("", text)).title()


@cache
def _transliterator(rules: str, *, plain: bool = True) -> Any:
    ascii_only = "; NFD; [:M:] Remove; Latin-ASCII; [\\u200c\\u200d\\'`ʹʺ] Remove" if plain else ""
    return icu.Transliterator.createInstance(rules + ascii_only).transliterate


def _crossed(given: Any, family: Any, *, seed: int, count: int) -> list[tuple[Any, Any]]:
    """Return so many pairs of a given and another family name, drawn evenly."""
    pairs = [(one, other) for one in given for other in family if one != other]
    random.Random(seed).shuffle(pairs)
    return pairs[:count]


def _ordered(given: str, family: str, family_first: bool, blank: str) -> str:
    return f"{family}{blank}{given}" if family_first else f"{given} {family}"


def _person_lists(fake: Faker) -> Any:
    """Return what holds the lists of names of a locale."""
    return next(
        provider for provider in fake.get_providers() if ".person." in type(provider).__module__
    )


def _most_frequent(names: Mapping[str, float], count: int) -> list[str]:
    return sorted(names, key=lambda name: -names[name])[:count]
