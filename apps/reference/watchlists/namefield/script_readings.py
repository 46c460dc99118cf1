"""Further readings of names in other scripts, and which of those names are not read surely."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from apps.reference.names.scripts import chinese_names, hangul
from apps.reference.names.scripts.cjk import CJK_LETTER, DOTS, is_phonetic_transcription
from apps.reference.names.scripts.cjk_legal_forms import strip_cjk_legal_forms
from apps.reference.names.scripts.cjk_organization_words import has_organization_word
from apps.reference.names.scripts.cjk_trade_words import has_trade_word, translate_trade_words
from apps.reference.names.scripts.greek import has_greek_letters, transcribe_greek
from apps.reference.names.scripts.hanja_readings import read_hanja
from apps.reference.names.scripts.japanese import UNREAD, JapaneseReading, read_japanese_name
from apps.reference.names.scripts.korean_cyrillic import read_korean_in_cyrillic
from apps.reference.names.scripts.thai import THAI_LETTER, read_thai_name
from apps.reference.watchlists.namefield.listed_groups import find_listed_group
from apps.reference.watchlists.namefield.parts import READINGS, NamePart

JAPANESE = "the Japanese reading of its characters is uncertain."
THAI = "the reading of its Thai letters is uncertain."
FOREIGN = "it may be a foreign name transcribed into Chinese characters by sound."
HEARD = "a foreign name transcribed by sound is compared only by sound."
MANDARIN = "its traditional characters are read as Mandarin and Korean, not as Cantonese or others."
LETTERS = "the reading of names in its script is unknown."
SEVERAL = "its Chinese characters have several readings."
READ_AS = "It was read as {}; other readings are possible."
_KANA = re.compile("[\u3040-\u30ff]")
_HAN = re.compile(f"[{chinese_names.HAN}]")
_DOTTED = re.compile(f"(?<=[{chinese_names.HAN}])[{DOTS}](?=[{chinese_names.HAN}])")
_JAPANESE = re.compile("会社|組$")
_KOREAN = re.compile("朝鲜|平壤|高丽|韩国|大韩|首尔")
# Thai, Lao, Khmer, Ethiopic and others
_UNKNOWN = re.compile("[\u0e00-\u0fff\u1000-\u109f\u1200-\u139f\u1780-\u17ff]")
_WORD = re.compile(f"[^\\s{DOTS}]+")
_KOREAN_LETTERS = 3
_LETTERS_KEPT = 8192  # of which is known whether only Japanese write them
_NOT_WRITTEN = READINGS | {"WHOLE"}
# syllables of a foreign name in Hangul without blanks, as Burmese ones are written: 민아웅흘라잉
_FEWEST_APART, _MOST_APART, _LONGEST_APART = 5, 6, 3
# with these foreign names are written, hardly ever given names of Chinese
_BY_SOUND = frozenset(
    "尔斯特克夫巴拉迪基科布卡罗杜姆德尼诺托蒂塔普博格勒莱戈穆埃奥阿耶弗维伊哈赫切茨亚萨菲贝桑鲁内库图赛"
)


def add_script_readings(parts: Iterable[NamePart]) -> Iterator[NamePart]:
    """Yield parts, each followed by what else its characters may say."""
    for part in parts:
        yield part
        if group := find_listed_group(part.text):
            yield replace(part, text=group, kind="GROUP")
        if part.text.isascii():
            continue
        if has_greek_letters(part.text):
            yield replace(part, text=transcribe_greek(part.text))
        for spelling in read_korean_in_cyrillic(part.text):
            yield replace(part, text=spelling, kind="KOREAN")
        if THAI_LETTER.search(part.text):
            for spelling in read_thai_name(part.text).spellings:
                yield replace(part, text=spelling, kind="THAI")
        if CJK_LETTER.search(part.text):
            yield from _iter_han_readings(part)
            for apart in _iter_hangul_words(part.text):
                yield replace(part, text=apart, kind="APART")
            if len(part.text) > 1:  # a single character is not a name
                for spelling in _read_as_japanese(part.text).spellings:
                    yield replace(part, text=spelling, kind="JAPANESE")


def _iter_han_readings(part: NamePart) -> Iterator[NamePart]:
    """Yield a name in Chinese characters as Koreans read it, and their family names of old."""
    read = replace(part, text=_read_as_korean(part.text)) if _HAN.search(part.text) else part
    written = hangul.split_korean_name(read.text)
    if read is not part and read.text:
        read = replace(read, kind="READING") if written else read
        yield read
    if written:
        for spelling in _iter_korean_spellings(*written):
            yield replace(read, text=spelling)


def _iter_hangul_words(text: str) -> Iterator[str]:
    """Yield a foreign name in Hangul that is written without blanks as two and three words."""
    syllables = "".join(text.split())
    if text != syllables or not _FEWEST_APART <= len(text) <= _MOST_APART:
        return
    if not hangul.is_hangul(text) or not is_spelt_by_sound(text):
        return
    for first in range(1, _LONGEST_APART + 1):
        for second in range(first + 1, min(first + _LONGEST_APART, len(text) - 1) + 1):
            if len(text) - second <= _LONGEST_APART:
                yield f"{text[:first]} {text[first:second]} {text[second:]}"
    for first in range(len(text) - _LONGEST_APART, _LONGEST_APART + 1):
        yield f"{text[:first]} {text[first:]}"


def _read_as_japanese(text: str) -> JapaneseReading:
    """Return the Japanese readings of a name, unless it is a Chinese or Korean one as it is.

    What may be Chinese as well is taken for Japanese only where a dictionary has all of it.
    """
    reading = read_japanese_name(text)
    if reading.complete or _is_written_in_japan(text):
        return reading
    chinese = chinese_names.split_chinese_name(chinese_names.simplify_han("".join(text.split())))
    return UNREAD if chinese and not reading.family else reading


def _is_written_in_japan(text: str) -> bool:
    """Return whether a name has letters or words that only Japanese write."""
    return bool(_KANA.search(text) or _JAPANESE.search(text)) or any(map(_is_japanese_letter, text))


def _iter_korean_spellings(family: str, given: str) -> Iterator[str]:
    """Yield the ways in which a Korean name is also written, with given names as one word."""
    for one in dict.fromkeys((given, hangul.use_southern_vowels(given))):
        yield f"{family} {one}"
        yield f"{family}{one}"
    if other := hangul.find_alternative_surname(family):
        yield f"{other}{given}"


def _read_as_korean(text: str) -> str:
    """Return in Hangul a person's name of three characters, or a name that speaks of Korea.

    Names of two are hardly ever Korean and very often Chinese.
    """
    korean = "" if _KANA.search(text) else read_hanja("".join(text.split()))
    person = len(korean) >= _KOREAN_LETTERS and hangul.split_korean_name(korean) is not None
    return korean if person or _KOREAN.search(chinese_names.simplify_han(text)) else ""


def describe_uncertain_readings(parts: Iterable[NamePart]) -> list[str]:
    """Return sentences for the parts whose characters cannot be read with enough certainty."""
    doubts = (_describe_doubt(part.text) for part in parts if part.kind not in _NOT_WRITTEN)
    return [why for why in dict.fromkeys(doubts) if why]


def is_spelt_by_sound(text: str) -> bool:
    """Return whether a plain text is a foreign name that is written by its sound."""
    return bool(CJK_LETTER.search(text)) and is_phonetic_transcription(text=text, person=True)


def _describe_doubt(text: str) -> str:
    if text.isascii():
        return ""
    if _UNKNOWN.search(text):
        return "" if find_listed_group(text) else _describe_thai_doubt(text)
    if not _HAN.search(text):
        several = len(_WORD.findall(text)) > 1 and is_spelt_by_sound(text)
        return HEARD if several and not has_trade_word(text) else ""
    return _describe_han_doubt(text)


def _describe_thai_doubt(text: str) -> str:
    if not THAI_LETTER.search(text):
        return LETTERS
    reading = read_thai_name(text)
    return "" if reading.sure else _offer_readings(THAI, reading.spellings)


def _describe_han_doubt(text: str) -> str:
    bare, forms = strip_cjk_legal_forms(text)
    written = chinese_names.simplify_han(bare)
    if not _HAN.search(translate_trade_words(written)):
        return ""
    japanese = _read_as_japanese(text)
    if _is_written_in_japan(text):
        return "" if japanese.complete else _offer_readings(JAPANESE, japanese.spellings)
    if forms or has_trade_word(written) or has_organization_word(text):
        return ""
    if _DOTTED.search(written):
        return FOREIGN
    if person := chinese_names.split_chinese_name(written):
        if len(person[1]) > 1 and set(person[1]) <= _BY_SOUND:
            return FOREIGN
        # what GB 2312 can write is simplified, or the same in both forms: it is read in Mandarin
        if all(_can_encode("gb2312", one) for one in bare if one.isalpha()):
            return ""
        if japanese.family:
            return "" if japanese.complete else _offer_readings(MANDARIN, japanese.spellings)
        return MANDARIN
    if japanese.complete or hangul.split_korean_name(read_hanja("".join(text.split()))):
        return ""
    return _offer_readings(SEVERAL, japanese.spellings)


def _offer_readings(doubt: str, spellings: Sequence[str]) -> str:
    """Return a doubt with the readings that were searched, for the officer to judge."""
    if not spellings:
        return doubt
    first, *others = (spelling.title() for spelling in spellings)
    told = f"{first} (or {', '.join(others)})" if others else first
    return f"{doubt} {READ_AS.format(told)}"


@lru_cache(maxsize=_LETTERS_KEPT)
def _is_japanese_letter(letter: str) -> bool:
    """Return whether a letter is one that only Japanese write, by the standards of each country."""
    if not _HAN.match(letter) or not _can_encode("shift_jis", letter):
        return False
    # in the standard of Japan, and in none of China's, Taiwan's and Korea's
    return not any(_can_encode(other, letter) for other in ("gb2312", "big5", "euc_kr"))


def _can_encode(encoding: str, letter: str) -> bool:
    try:
        letter.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
