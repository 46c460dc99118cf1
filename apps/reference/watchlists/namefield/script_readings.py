"""Further readings of names in other scripts, and which of those names are not read surely."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from apps.reference.names.scripts import han, hangul
from apps.reference.names.scripts.cjk import CJK_LETTER, DOTS, is_phonetic_transcription
from apps.reference.names.scripts.cjk_legal_forms import strip_cjk_legal_forms
from apps.reference.names.scripts.greek import has_greek_letters, transcribe_greek
from apps.reference.names.scripts.hanja import read_hanja
from apps.reference.names.scripts.trade_words import has_trade_word, translate_trade_words
from apps.reference.watchlists.namefield.listed_groups import find_listed_group
from apps.reference.watchlists.namefield.parts import NamePart

JAPANESE = "how a Japanese reads its characters is not known."
FOREIGN = "it may be a foreign name that is written by its sound in Chinese characters."
HEARD = "a foreign name that is written by its sound is compared by sound alone."
MANDARIN = "its traditional characters are read as Mandarin and Korean, not as Cantonese or others."
LETTERS = "how names are read in its script is not known."
SEVERAL = "its Chinese characters may be read in several ways."
_KANA = re.compile("[\u3040-\u30ff]")
_HAN = re.compile(f"[{han.HAN}]")
_DOTTED = re.compile(f"(?<=[{han.HAN}])[{DOTS}](?=[{han.HAN}])")
_JAPANESE = re.compile("会社|組$")
_KOREAN = re.compile("朝鲜|平壤|高丽|韩国|大韩|首尔")
# Thai, Lao, Khmer, Ethiopic and others
_UNKNOWN = re.compile("[\u0e00-\u0fff\u1000-\u109f\u1200-\u139f\u1780-\u17ff]")
_WORD = re.compile(f"[^\\s{DOTS}]+")
_KOREAN_LETTERS = 3
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
        if has_greek_letters(part.text):
            yield replace(part, text=transcribe_greek(part.text))
        if CJK_LETTER.search(part.text):
            yield from _iter_han_readings(part)


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
    return korean if person or _KOREAN.search(han.simplify_han(text)) else ""


def describe_uncertain_readings(parts: Iterable[NamePart]) -> list[str]:
    """Return sentences for the parts whose characters cannot be read with enough certainty."""
    doubts = (_describe_doubt(part.text) for part in parts if part.kind != "WHOLE")
    return [why for why in dict.fromkeys(doubts) if why]


def is_spelt_by_sound(text: str) -> bool:
    """Return whether a plain text is a foreign name that is written by its sound."""
    return bool(CJK_LETTER.search(text)) and is_phonetic_transcription(text=text, person=True)


def _describe_doubt(text: str) -> str:
    if text.isascii():
        return ""
    if _UNKNOWN.search(text):
        return "" if find_listed_group(text) else LETTERS
    if not _HAN.search(text):
        several = len(_WORD.findall(text)) > 1 and is_spelt_by_sound(text)
        return HEARD if several and not has_trade_word(text) else ""
    return _describe_han_doubt(text)


def _describe_han_doubt(text: str) -> str:
    bare, forms = strip_cjk_legal_forms(text)
    written = han.simplify_han(bare)
    if not _HAN.search(translate_trade_words(written)):
        return ""
    if _KANA.search(text) or _JAPANESE.search(text) or any(map(_is_japanese_letter, text)):
        return JAPANESE
    if forms or has_trade_word(written) or "公司" in text:
        return ""
    if _DOTTED.search(written):
        return FOREIGN
    if person := han.split_chinese_name(written):
        if len(person[1]) > 1 and set(person[1]) <= _BY_SOUND:
            return FOREIGN
        return "" if all(_can_encode("gb2312", one) for one in bare if one.isalpha()) else MANDARIN
    return "" if hangul.split_korean_name(read_hanja("".join(text.split()))) else SEVERAL


def _is_japanese_letter(letter: str) -> bool:
    """Return whether a letter is one that only Japanese write, by the standards of each country."""
    if not _HAN.match(letter) or not _can_encode("shift_jis", letter):
        return False
    return not any(_can_encode(other, letter) for other in ("gb2312", "big5", "euc_kr"))


def _can_encode(encoding: str, letter: str) -> bool:
    try:
        letter.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
