"""Kana in Latin letters as Japanese passports and lists print names: Hepburn, without macrons."""

import re

_TABLE = """
ア a イ i ウ u エ e オ o カ ka キ ki ク ku ケ ke コ ko サ sa シ shi ス su セ se ソ so タ ta チ chi
ツ tsu テ te ト to ナ na ニ ni ヌ nu ネ ne ノ no ハ ha ヒ hi フ fu ヘ he ホ ho マ ma ミ mi ム mu
メ me モ mo ヤ ya ユ yu ヨ yo ラ ra リ ri ル ru レ re ロ ro ワ wa ヰ i ヱ e ヲ o ン n ガ ga ギ gi
グ gu ゲ ge ゴ go ザ za ジ ji ズ zu ゼ ze ゾ zo ダ da ヂ ji ヅ zu デ de ド do バ ba ビ bi ブ bu
ベ be ボ bo パ pa ピ pi プ pu ペ pe ポ po ヴ vu ァ a ィ i ゥ u ェ e ォ o ヵ ka ヶ ga ヮ wa
"""
_FIELDS = _TABLE.split()
_LETTERS = dict(zip(_FIELDS[::2], _FIELDS[1::2], strict=True))
_TO_KATAKANA = str.maketrans({chr(code): chr(code + 0x60) for code in range(0x3041, 0x3097)})
_SOUND = re.compile("ッ|([ァ-ヺ])([ャュョ]?)")  # the sign of a long vowel is left out
_GLIDES = {"ャ": "a", "ュ": "u", "ョ": "o"}
_NO_Y = ("sh", "ch", "j")  # シャ is sha, キャ is kya
_BEFORE_LIPS = re.compile("n(?=[bmp])")
# オウ is one long sound unless e follows (`Koichi`, `Inoue`), オオ unless it ends the name
# (`Yokoo`), ウウ behind y alone (`Yuki`, `Matsuura`)
_LONG_O = re.compile("o(?:u(?!e)|o(?!$))")
_LONG_U = re.compile("(?<=[yj]u)u|(?<=shu)u|(?<=chu)u")


def is_kana(text: str) -> bool:
    """Return whether a text is all kana."""
    return bool(text) and all("\u3041" <= one <= "\u30fe" and one != "・" for one in text)


def romanize_kana(text: str) -> str:
    """Return kana in Latin letters as one word, without other characters."""
    spelt = ""
    doubled = False
    for sound in _SOUND.finditer(text.translate(_TO_KATAKANA)):
        if sound[0] == "ッ":
            doubled = True
            continue
        letters = _LETTERS.get(sound[1], "")
        if sound[2]:
            stem = letters[:-1]
            letters = stem + ("" if stem in _NO_Y else "y") + _GLIDES[sound[2]]
        if doubled and letters[:1] not in "aeiou":
            # Hepburn doubles the consonant, and writes t before ch (`matcha`)
            letters = ("t" if letters.startswith("ch") else letters[0]) + letters
        doubled = False
        spelt += letters
    return _BEFORE_LIPS.sub("m", _LONG_U.sub("", _LONG_O.sub("o", spelt)))
