"""Further readings of names in other scripts, and which of those names are not read surely."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from apps.names.scripts import han, hangul
from apps.names.scripts.dense import DENSE, DOTS, by_sound
from apps.names.scripts.drawn_forms import without_drawn_forms
from apps.names.scripts.greek import as_heard, is_greek
from apps.names.scripts.hanja import in_hangul
from apps.names.scripts.trade_words import speaks_of_business, translated
from apps.watchlists.namefield.groups import group_of
from apps.watchlists.namefield.values import Part

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


def with_readings(parts: Iterable[Part]) -> Iterator[Part]:
    """Yield parts, each followed by what else its characters may say."""
    for part in parts:
        yield part
        if group := group_of(part.text):
            yield replace(part, text=group, kind="GROUP")
        if is_greek(part.text):
            yield replace(part, text=as_heard(part.text))
        if DENSE.search(part.text):
            yield from _readings(part)


def _readings(part: Part) -> Iterator[Part]:
    """Yield a name in Chinese characters as Koreans read it, and their family names of old."""
    read = replace(part, text=_as_koreans_read(part.text)) if _HAN.search(part.text) else part
    written = hangul.person(read.text)
    if read is not part and read.text:
        read = replace(read, kind="READING") if written else read
        yield read
    if written:
        for spelling in _spellings(*written):
            yield replace(read, text=spelling)


def _spellings(family: str, given: str) -> Iterator[str]:
    """Yield the ways in which a Korean name is also written, with given names as one word."""
    for one in dict.fromkeys((given, hangul.as_in_the_south(given))):
        yield f"{family} {one}"
        yield f"{family}{one}"
    if other := hangul.other_surname(family):
        yield f"{other}{given}"


def _as_koreans_read(text: str) -> str:
    """Return in Hangul a person's name of three characters, or a name that speaks of Korea.

    Names of two are hardly ever Korean and very often Chinese.
    """
    korean = "" if _KANA.search(text) else in_hangul("".join(text.split()))
    person = len(korean) >= _KOREAN_LETTERS and hangul.person(korean) is not None
    return korean if person or _KOREAN.search(han.simplified(text)) else ""


def uncertain(parts: Iterable[Part]) -> list[str]:
    """Return sentences for the parts whose characters cannot be read with enough certainty."""
    doubts = (_doubt(part.text) for part in parts if part.kind != "WHOLE")
    return [why for why in dict.fromkeys(doubts) if why]


def is_heard(text: str) -> bool:
    """Return whether a plain text is a foreign name that is written by its sound."""
    return bool(DENSE.search(text)) and by_sound(text=text, person=True)


def _doubt(text: str) -> str:
    if text.isascii():
        return ""
    if _UNKNOWN.search(text):
        return "" if group_of(text) else LETTERS
    if not _HAN.search(text):
        several = len(_WORD.findall(text)) > 1 and is_heard(text)
        return HEARD if several and not speaks_of_business(text) else ""
    return _doubt_of_characters(text)


def _doubt_of_characters(text: str) -> str:
    bare, forms = without_drawn_forms(text)
    written = han.simplified(bare)
    if not _HAN.search(translated(written)):
        return ""
    if _KANA.search(text) or _JAPANESE.search(text) or any(map(_is_japanese, text)):
        return JAPANESE
    if forms or speaks_of_business(written) or "公司" in text:
        return ""
    if _DOTTED.search(written):
        return FOREIGN
    if person := han.person(written):
        if len(person[1]) > 1 and set(person[1]) <= _BY_SOUND:
            return FOREIGN
        return "" if all(_writes("gb2312", one) for one in bare if one.isalpha()) else MANDARIN
    return "" if hangul.person(in_hangul("".join(text.split()))) else SEVERAL


def _is_japanese(letter: str) -> bool:
    """Return whether a letter is one that only Japanese write, by the standards of each country."""
    if not _HAN.match(letter) or not _writes("shift_jis", letter):
        return False
    return not any(_writes(other, letter) for other in ("gb2312", "big5", "euc_kr"))


def _writes(encoding: str, letter: str) -> bool:
    try:
        letter.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
