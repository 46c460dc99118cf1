"""Puts names of East Asian scripts into Latin letters, word by word as lists print them."""

import re

from apps.reference.names.scripts import chinese_names, hangul
from apps.reference.names.scripts.cjk_trade_words import has_trade_word, translate_trade_words

CJK_LETTER = re.compile(f"[\u3040-\u30ff{chinese_names.HAN}\uac00-\ud7af]")
"""A letter of a script that puts no space between words."""
DOTS = "·•・‧∙⋅=＝゠"
_DOT = re.compile(f"(?<=[^\\x00-\\x7f])[{DOTS}](?=[^\\x00-\\x7f])")


_KANA = re.compile("[\u3040-\u30ff]")
# what Japanese words hardly ever have: a dot between words, long vowels, sounds of foreign words
_FOREIGN = re.compile(f"[{DOTS}ーヴァィゥェォ]")
_HAN_WORDS = re.compile(f"[{chinese_names.HAN}]+")
_HAN_DOTTED = re.compile(
    f"[{chinese_names.HAN}]+(?:[{DOTS}\\s]*[{DOTS}][{DOTS}\\s]*[{chinese_names.HAN}]+)+"
)
_PARTICLES = {
    "ビン": "bin",
    "アル": "al",
    "アッ": "al",
    "イブン": "ibn",
    "アブ": "abu",
    "ベン": "ben",
}
_PARTICLE = re.compile(f"(?<![\u3040-\u30ff])({'|'.join(_PARTICLES)})(?=[ァ-ヶ]{{3}}|\\s)")
_SYLLABLE = "[アイウエオ-ヴ][ァィゥェォャュョ]?[ンムクルプッ]?"
_KOREAN_SURNAMES = """
キム|パク|チェ|イ|リ|チョン|チョ|カン|ユン|チャン|ハン|シン|オ|ソ|クォン|ファン|アン|ソン|ホン|コ|ムン|ヤン|ペ
|ペク|ホ|ユ|ナム|シム|ノ|ハ|リュ|ロ|ヒョン|ミン|チン|チュ|リム|イム|ウォン|ピョン|ファンボ|クァク
"""
_KOREAN = re.compile(
    f"({''.join(_KOREAN_SURNAMES.split())}) ({_SYLLABLE})({_SYLLABLE})".replace("\n", "")
)
_LEAST_FOREIGN = 3  # syllables of Hangul


def is_phonetic_transcription(*, text: str, person: bool) -> bool:
    """Return whether a name is a foreign one that is written by its sound."""
    bare = text.strip(" .,")
    if _KANA.search(bare):
        return not _HAN_WORDS.search(bare) and _FOREIGN.search(bare) is not None
    if _HAN_WORDS.search(bare):
        return _HAN_DOTTED.fullmatch(bare) is not None
    letters = "".join(bare.split())
    return (
        person
        and hangul.is_hangul(letters)
        and len(letters) >= _LEAST_FOREIGN
        and hangul.split_korean_name(bare) is None
        and not has_trade_word(bare)
    )


def romanize_cjk(*, text: str, person: bool, heard: bool = False) -> str:
    """Return a text with its Korean and Chinese romanised, words separated.

    A person's name becomes family name and given name; a company's business words are translated
    into English, and the rest is read character by character. A name transcribed by sound is one
    word from dot to dot. A Korean given name separate from the family name is one word.
    """
    bare = text.strip(" .,")
    if heard:
        apart = _DOT.sub(" ", bare)
        # kana writes each syllable of a Korean name; the given name is one word for the lists
        if in_kana := _KOREAN.fullmatch(apart):
            apart = " ".join(in_kana.groups())
        apart = _PARTICLE.sub(lambda one: f" {_PARTICLES[one[0]]} ", apart)
        return _HAN_WORDS.sub(
            lambda word: chinese_names.romanize_han(word[0]), hangul.romanize_hangul(apart)
        )
    if person:
        korean = hangul.split_korean_name(bare)
        if korean:
            family, given = korean
            return hangul.spell_korean_name(family=family, given=[given] if " " in bare else given)
        chinese = chinese_names.split_chinese_name(bare)
        if chinese:
            return chinese_names.spell_chinese_name(family=chinese[0], given=chinese[1])
        return hangul.romanize_hangul(_DOT.sub(" ", text))
    return hangul.romanize_hangul(
        translate_trade_words(chinese_names.simplify_han(_DOT.sub(" ", text)))
    )
