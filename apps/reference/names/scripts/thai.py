"""Names in Thai script: written in Latin letters by the sound of their syllables.

Thai puts no space between syllables and leaves vowels out, so that a word may be read in several
ways; the likeliest are those whose syllables the language has most often. They are spelt by the
Royal Thai General System, and as many Thais spell their names: `Phon` and `Porn`, `Chan` and `Jan`.
"""

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from heapq import nlargest
from itertools import product

from apps.reference.names.cpu_budget import check_cpu_budget
from apps.reference.names.scripts.thai_syllables import load_syllables

THAI_LETTER = re.compile("[\u0e01-\u0e3a\u0e40-\u0e4e]")
_THAI_WORD = re.compile("[\u0e01-\u0e3a\u0e40-\u0e4e]+")
_BETWEEN = re.compile(r"[\s,()\"'“”/&-]+")
_LONGEST = 40  # letters of a word that is read
_MOST_WORDS = 8
_WAYS = 4  # readings of a word that are kept, and of a name
_UNLIKELY = 4.5  # a reading that is so much less likely than the best (as a logarithm) is left out
_LONGEST_SYLLABLE = 9
_NO_BEGINNING = frozenset("ะัาำิีึืฺุู็่้๊๋์ๅ")  # they follow the consonant that they belong to
_UNSEEN = 0.2  # how often a syllable by rule counts, beside those that the corpus has
_TITLE = re.compile(
    r"^(?:นางสาว|นาง|นาย|น\.\s?ส\.|ด\.\s?[ชญ]\.|เด็กชาย|เด็กหญิง|คุณหญิง\s|คุณ\s|ดร\.|ร?ศ\.|ผศ\."
    r"|ม\.[รล]\.ว?\.?|(?:พล|พัน|ร้อย|จ่าสิบ|สิบ)?\.?(?:ต\.)?[อทตจ]\.[อทตจ]?\.?)"
    r"\s*(?=[\u0e01-\u0e2e\u0e40-\u0e44][\u0e01-\u0e4e])"
)
_FORM = re.compile(
    r"บริษัทหลักทรัพย์|บริษัท|บจก\.?|บมจ\.?|หจก\.?|หสน\.?|ห้างหุ้นส่วน(?:จำกัด|สามัญ)?|ห้าง|จำกัด"
    r"|\(?มหาชน\)?"
)
_WORDS = """
ธนาคาร bank  การค้า trading  เทรดดิ้ง trading  พาณิชย์ commercial  นำเข้า import  ส่งออก export
อุตสาหกรรม industry  ก่อสร้าง construction  วิศวกรรม engineering  ขนส่ง transport
โลจิสติกส์ logistics  ชิปปิ้ง shipping  เดินเรือ shipping  การบิน aviation  ประกันภัย insurance
ประกันชีวิต life insurance  หลักทรัพย์ securities  การเงิน finance  ลงทุน investment
กองทุน fund  มูลนิธิ foundation  สมาคม association  สหกรณ์ cooperative  มหาวิทยาลัย university
โรงพยาบาล hospital  โรงเรียน school  โรงแรม hotel  กระทรวง ministry  เทศบาล municipality
ท่าเรือ port  พัฒนา development  เพื่อการพัฒนา development  เทคโนโลยี technology  พลังงาน energy
ปิโตรเลียม petroleum  น้ำมัน oil  ไฟฟ้า electricity  โฮลดิ้ง holding  โฮลดิ้งส์ holdings
แอนด์ซันส์ and sons  แอนด์ and  เอ็นเตอร์ไพรส์ enterprise  เอนเตอรไพรส์ enterprise
อิมปอร์ต import  เอ็กซปอร์ต export  เอ็กซ์ปอร์ต export  อินดัสตรี industry  มาร์เก็ตติ้ง marketing
กรุ๊ป group  กลุ่ม group  อินเตอร์เนชั่นแนล international  ระหว่างประเทศ international
เอ็นจิเนียริ่ง engineering  คอนสตรัคชั่น construction  เซอร์วิส service  บริการ service
ประเทศไทย thailand  องค์การ organization  สำนักงาน office  คมนาคม transport  จังหวัด province
ร้าน shop  อาหาร food  สิ่งทอ textile  เหล็ก steel  เกษตร agriculture  และ and
"""
_FIELD = re.compile(r"(\S+) (.+?)(?=  |\n)")
_IN_ENGLISH = dict(_FIELD.findall(_WORDS))
_ANY_WORD = re.compile("|".join(sorted(map(re.escape, _IN_ENGLISH), key=len, reverse=True)))
# at the beginning of a name they tell of an organization, and loan words of business anywhere
_ORGANIZATION = re.compile(
    "ธนาคาร|มหาวิทยาลัย|กระทรวง|เทศบาล|มูลนิธิ|สมาคม|สหกรณ์|กองทุน|องค์การ|ท่าเรือ|โรงแรม"
    "|โรงพยาบาล|โรงเรียน|สำนักงาน|ร้าน"
    "|.*(?:แอนด์|คอนสตรัคชั่น|เทรดดิ้ง|โลจิสติกส์|กรุ๊ป|โฮลดิ้ง|เอ็นจิเนียริ่ง|อินเตอร์|เซอร์วิส"
    "|ชิปปิ้ง|ปอร์ต)"
)

# sounds of consonants before and behind a vowel; `c` is what many write j
_FIRST = dict(
    zip(
        "กขฃคฅฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮฤฦ",
        "k kh kh kh kh kh N c ch ch s ch j d t th th th n d t th th th n b p ph f ph f ph m j r l w"
        " s s s h l - h rU lU".replace("-", "").split(" "),
        strict=True,
    )
)
_LAST = dict(
    zip(
        "กขคฆงจชซฌญฎฏฐฑฒณดตถทธนบปพฟภมยรลวศษสฬผฝ",
        "kkkkNttttntttttntttttnpppppmjnnwtttnpp",
        strict=True,
    )
)
_TONE = "[่้๊๋]?"
_INITIAL = "(?P<i>[กขคตปผพฟบด][รลว]|ห[งนมยรลว]|[ทสศจซ]ร|อย|[ก-ฮ])"
_FINAL = "(?P<f>[กขคฆงจชซฌญฎฏฐฑฒณดตถทธนบปพฟภมยรลวศษสฬผฝ])"
_MUTE = re.compile("(?:[ตทด]ร|[ก-ฮ])[ิุ]?์")
_MUTE_END = re.compile(f"{_MUTE.pattern}$")
# how a syllable is written, its vowel, and how much rarer it is where the vowel is not written
_RULES = tuple(
    (re.compile(pattern), vowel, rarity)
    for pattern, vowel, rarity in (
        (f"{_INITIAL}{_TONE}ะ", "a", 0),
        (f"{_INITIAL}ั{_TONE}{_FINAL}", "a", 0),
        (f"{_INITIAL}ั{_TONE}วะ?", "ua", 0),
        (f"{_INITIAL}{_TONE}า{_FINAL}?", "aa", 0),
        (f"{_INITIAL}{_TONE}ำ", "am", 0),
        (f"{_INITIAL}ิ{_TONE}{_FINAL}?", "i", 0),
        (f"{_INITIAL}ี{_TONE}{_FINAL}?", "ii", 0),
        (f"{_INITIAL}ึ{_TONE}{_FINAL}?", "U", 0),
        (f"{_INITIAL}ื{_TONE}(?:อ|{_FINAL})", "UU", 0),
        (f"{_INITIAL}ุ{_TONE}{_FINAL}?", "u", 0),
        (f"{_INITIAL}ู{_TONE}{_FINAL}?", "uu", 0),
        (f"เ{_INITIAL}็?{_TONE}{_FINAL}?", "ee", 0),
        (f"เ{_INITIAL}{_TONE}ะ", "e", 0),
        (f"แ{_INITIAL}็?{_TONE}{_FINAL}?", "xx", 0),
        (f"แ{_INITIAL}{_TONE}ะ", "x", 0),
        (f"โ{_INITIAL}{_TONE}{_FINAL}?", "oo", 0),
        (f"โ{_INITIAL}{_TONE}ะ", "o", 0),
        (f"{_INITIAL}็?{_TONE}อ{_FINAL}?", "OO", 0),
        (f"เ{_INITIAL}{_TONE}าะ", "O", 0),
        (f"เ{_INITIAL}{_TONE}า", "aw", 0),
        (f"[ไใ]{_INITIAL}{_TONE}ย?", "aj", 0),
        (f"เ{_INITIAL}{_TONE}ย", "@@j", 0),
        (f"เ{_INITIAL}{_TONE}อ{_FINAL}?", "@@", 0),
        (f"เ{_INITIAL}ิ{_TONE}{_FINAL}", "@@", 0),
        (f"เ{_INITIAL}ี{_TONE}ย{_FINAL}?", "iia", 0),
        (f"เ{_INITIAL}ื{_TONE}อ{_FINAL}?", "UUa", 0),
        (f"{_INITIAL}{_TONE}ว{_FINAL}", "uua", 0),
        (f"{_INITIAL}รร{_FINAL}", "a", 0),
        (f"{_INITIAL}รร", "an", 0),
        (f"{_INITIAL}{_TONE}{_FINAL}", "o", -2),
        (_INITIAL, "a", -4),
    )
)
# sounds in Latin letters: by the Royal System, and as many spell their own names
_VOWEL = "[aeiouUxO@]"
_SPELT = """
iia ia ia  ia ia ia  UUa uea ua  Ua uea ua  uua ua ua  ua ua ua  OOn on orn  ii i ee  uu u oo
ee e e  aa a a  oo o o  OO o o  xx ae ae  UU ue ue  @@ oe er  x ae ae  O o o  @ oe er  U ue ue
N ng ng  c ch j  ph ph p  th th t  kh kh k  ch ch ch  j y y
"""
_FIELDS = re.findall(r"(\S+) (\S+) (\S+)", _SPELT)
_ROYAL = {sound: royal for sound, royal, _usual in _FIELDS}
_USUAL = {sound: usual for sound, _royal, usual in _FIELDS}
_SOUND = re.compile("|".join(sorted(map(re.escape, _ROYAL), key=len, reverse=True)))
_GLIDES = (
    (re.compile(f"(?<={_VOWEL})j(?!{_VOWEL})"), "i"),
    (re.compile(f"(?<=[aie])w(?!{_VOWEL})"), "o"),
)


@dataclass(frozen=True, slots=True)
class ThaiReading:
    """A name in Latin letters in each of its spellings, the likeliest first.

    `sure` says that each syllable is one that the language has, or has its vowel written and no
    mute letter within, as foreign names do.
    """

    spellings: tuple[str, ...] = ()
    sure: bool = False


@dataclass(frozen=True, slots=True, order=True)
class _Way:
    """A reading of the beginning of a word: how likely, its sounds, and whether it is sure."""

    likelihood: float = 0.0
    sounds: str = ""
    sure: bool = True


@lru_cache(maxsize=1024)
def read_thai_name(text: str) -> ThaiReading:
    """Return how a name in Thai script is read; without spellings where it cannot be."""
    composed = text.replace("\u0e4d\u0e32", "\u0e33")  # what NFKC takes apart
    bare = _TITLE.sub("", composed.strip(" .,"))
    company = _FORM.search(bare) is not None or _ORGANIZATION.match(bare) is not None
    if company:
        bare = _ANY_WORD.sub(lambda one: f" {_IN_ENGLISH[one[0]]} ", _FORM.sub(" ", bare))
    words = list(filter(None, _BETWEEN.split(bare)))
    if not words or len(words) > _MOST_WORDS or not THAI_LETTER.search(bare):
        return ThaiReading((" ".join(words),) if company and words else (), company)
    choices = [_read_word(word) for word in words]
    if not all(choices):
        return ThaiReading()
    ranked = nlargest(
        _WAYS,
        product(
            # readings of words multiply: only those of the first words vary
            *(choice[:_WAYS] for choice in choices[:_WAYS]),
            *((c[0],) for c in choices[_WAYS:]),
        ),
        key=_likelihood,
    )
    best = _likelihood(ranked[0])
    heard = [
        [way.sounds for way in ways] for ways in ranked if best - _likelihood(ways) < _UNLIKELY
    ]
    spellings = [_spell(heard[0], _ROYAL), _spell(heard[0], _USUAL)]
    spellings += [_spell(sounds, _ROYAL) for sounds in heard[1:]]
    return ThaiReading(tuple(dict.fromkeys(spellings)), all(way.sure for way in ranked[0]))


def _likelihood(ways: Iterable[_Way]) -> float:
    return sum(way.likelihood for way in ways)


def _spell(words: list[str], spelling: dict[str, str]) -> str:
    return " ".join(_spell_word(word, spelling) for word in words)


def _spell_word(sounds: str, spelling: dict[str, str]) -> str:
    """Return the sounds of a word in Latin letters; `j` and `w` behind a vowel are parts of it."""
    for glide, letter in _GLIDES:
        sounds = glide.sub(letter, sounds)
    return _SOUND.sub(lambda sound: spelling[sound[0]], sounds)


@lru_cache(maxsize=8192)
def _read_word(word: str) -> tuple[_Way, ...]:
    """Return the likeliest readings of a word; none of one that has a letter of another script."""
    if word.isascii():
        return (_Way(0.0, word.lower()),)
    if len(word) > _LONGEST or not _THAI_WORD.fullmatch(word):
        return ()
    # by place, the likeliest ways to read the letters before it (Viterbi with a beam of `_WAYS`)
    ends: list[dict[str, _Way]] = [{} for _ in range(len(word) + 1)]
    ends[0][""] = _Way()
    for start in range(len(word)):
        if not ends[start] or word[start] in _NO_BEGINNING:
            continue
        check_cpu_budget()
        begun = nlargest(_WAYS, ends[start].values())
        for end in range(start + 1, min(len(word), start + _LONGEST_SYLLABLE) + 1):
            if end < len(word) and word[end] in _NO_BEGINNING:
                continue
            for syllable in _read_syllable(word[start:end]):
                for way in begun:
                    longer = _Way(
                        way.likelihood + syllable.likelihood,
                        way.sounds + syllable.sounds,
                        way.sure and syllable.sure,
                    )
                    # two divisions with the same sounds are one reading: the likelier is kept
                    known = ends[end].get(longer.sounds)
                    if known is None or longer > known:
                        ends[end][longer.sounds] = longer
    return tuple(nlargest(_WAYS, ends[-1].values()))


@lru_cache(maxsize=8192)
def _read_syllable(written: str) -> tuple[_Way, ...]:
    """Return the readings of a syllable: those that the corpus has, else those by rule."""
    if known := load_syllables().get(written):
        return tuple(_Way(math.log(times / _corpus_size()), sounds) for sounds, times in known)
    return tuple(_iter_readings_by_rule(written))


@cache
def _corpus_size() -> int:
    return sum(times for known in load_syllables().values() for _sounds, times in known)


def _iter_readings_by_rule(written: str) -> Iterator[_Way]:
    unseen = math.log(_UNSEEN / _corpus_size())
    native = _MUTE_END.sub("", written)
    heard = _MUTE.sub("", native)
    for rule, vowel, rarity in _RULES:
        if found := rule.fullmatch(heard):
            final = found.groupdict().get("f")
            sounds = _first_sound(found["i"]) + vowel + (_LAST[final] if final else "")
            yield _Way(unseen + rarity, sounds, sure=heard == native and not rarity)


def _first_sound(initial: str) -> str:
    if len(initial) == 1:
        return _FIRST[initial]
    first, second = initial[0], initial[1]
    # a leading ห or อ only sets the tone of the consonant behind it
    if first in "หอ":
        return _FIRST[second]
    # ทร is read s, and the r of the others is not read
    if second == "ร" and first in "ทสศจซ":
        return "c" if first == "จ" else "s"
    return _FIRST[first] + _FIRST[second]
