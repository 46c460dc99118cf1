"""Names of Korean and Chinese syllables: one spelling for what romanisations write in several.

There are few syllables and many people, so that a letter which differs is another name and no
slip; and one syllable is written in half a dozen ways (`Jong`, `Chong`, `Jeong`, `Cho'ng`).
"""

import re
from functools import lru_cache

_KOREAN = """
kim lee yi ri li rhee park pak bak choe choi jong jung chung jeong chong kang gang cho jo yun
yoon jang chang im lim rim han o oh so seo sin shin kwon hwang an ahn song ryu yu yoo ryang
yang pae bae paek baek mun moon nam ho heo hong ro roh ko go ha son sohn chon jon jeon u woo
min ku koo ma chu ju pang bang pyon byon hyon hyun om eom won kye pyo myong no sim shim
"""
_CHINESE = """
wang li zhang chang liu chen yang huang zhao chao wu zhou chou xu hsu sun ma zhu chu hu guo kuo
he ho gao kao lin luo lo liang song sung tang zheng cheng xie hsieh han feng yu dong tung xiao
hsiao cao tsao yuan deng teng fu shen zeng tseng peng lu su jiang chiang cai tsai jia ding ting
wei xue hsueh ye yan yen pan du tu dai tai xia hsia zhong chung tian tien ren jen fan fang shi
shih yao tan liao zou xiong hsiung jin chin kong kung bai pai cui kang mao qiu chiu qin shao lei
long hou gu meng wan duan zhan chan qian lai wen chien tsui lau wong cheung leung
"""
_SURNAMES = frozenset((_KOREAN + _CHINESE).split())
# First sounds, then vowels, then last sounds: each spelling by what it stands for.
_FIRST = {
    "kk": "k", "k": "k", "g": "k", "tt": "t", "t": "t", "d": "t", "pp": "p", "p": "p", "b": "p",
    "tch": "c", "ch": "c", "jj": "c", "j": "c", "ss": "s", "sh": "s", "s": "s", "r": "l", "l": "l",
    "n": "n", "m": "m", "h": "h", "": "",
}  # fmt: skip
_VOWELS = {
    "yeo": "yo", "yae": "ye", "you": "yo", "yoo": "yu", "woo": "u", "wae": "we", "weo": "wo",
    "eui": "wi", "oo": "u", "eo": "o", "eu": "u", "ae": "e", "oe": "we", "ui": "wi", "ee": "i",
    "ya": "ya", "yo": "yo", "yu": "yu", "ye": "ye", "yi": "i", "wa": "wa", "we": "we", "wo": "wo",
    "wi": "wi", "a": "a", "o": "o", "u": "u", "e": "e", "i": "i",
}  # fmt: skip
_LAST = {"ng": "ng", "n": "n", "m": "m", "l": "l", "k": "k", "g": "k", "p": "p", "b": "p", "t": "t"}

# family names that are spelt by no rule, by what they stand for
_AS_USUAL = {"park": "pak", "choi": "cwe", "rhee": "li", "rhie": "li", "roh": "lo", "noh": "no"}
_AS_USUAL |= {"hur": "ho", "huh": "ho", "suh": "so"}


def _build_alternation(spellings: "dict[str, str]") -> str:
    return "|".join(sorted(spellings, key=len, reverse=True))


_SYLLABLE = re.compile(
    f"({_build_alternation(_FIRST)})({_build_alternation(_VOWELS)})({_build_alternation(_LAST)}|)"
)
_KOREAN_WORD = re.compile(f"(?:{_SYLLABLE.pattern.replace('(', '(?:')}){{1,2}}")
_PINYIN = re.compile(
    "(?:(?:zh|ch|sh|ts|tz|hs|ss|sz|[bpmfdtnlgkhjqxzcsrwy])?"
    "(?:iang|iong|uang|ueng|ang|eng|ing|ong|ung|iao|ian|ien|iai|uai|uan|uen|üan|ueh|ieh|yuan"
    "|ai|ei|ao|ou|an|en|ia|ie|iu|ih|in|ua|uo|ui|un|üe|ue|eh|er|io|[aeiou])){1,2}"
)


@lru_cache(maxsize=8192)
def normalize_korean_syllables(text: str) -> str:
    """Return a token of Korean syllables as it sounds, whatever the romanisation, else nothing."""
    if usual := _AS_USUAL.get(text):
        return usual
    if not _KOREAN_WORD.fullmatch(text):
        return ""
    best = _split_syllables(text, 2)
    return " ".join(best) if best else ""


def _split_syllables(text: str, most: int) -> list[str] | None:
    """Split into as few syllables as it takes; the last sound goes to the next where it can."""
    if not text:
        return []
    found: list[list[str]] = []
    for size in range(1, min(len(text), 7) + 1):
        match = _SYLLABLE.fullmatch(text[:size]) if most else None
        rest = _split_syllables(text[size:], most - 1) if match else None
        if match and rest is not None:
            first, vowel, last = match.groups()
            found.append([_FIRST[first] + _VOWELS[vowel] + _LAST.get(last, ""), *rest])
    return min(found, key=len) if found else None


@lru_cache(maxsize=8192)
def is_syllabic_word(text: str) -> bool:
    """Return whether a token may be written in syllables of Korean or Chinese."""
    return bool(text in _AS_USUAL or _KOREAN_WORD.fullmatch(text) or _PINYIN.fullmatch(text))


def is_syllabic_name(texts: tuple[str, ...]) -> bool:
    """Tell whether a whole name is Korean or Chinese: a surname of theirs and syllables beside."""
    if not 2 <= len(texts) <= 4 or not all(map(is_syllabic_word, texts)):
        return False
    ends = {texts[0], texts[-1]}
    return bool(ends & _SURNAMES)


def is_syllabic_surname(text: str) -> bool:
    """Return whether a token is a family name of Koreans or Chinese."""
    return text in _SURNAMES
