"""Names as an attacker, a careless clerk or a faulty encoding write them, by a seed."""

import random
import unicodedata
from collections.abc import Callable, Iterator, Sequence

LONGEST = 300  # characters of a name, as the API takes them
# words in scripts and languages that are read by rules of their own
_WORDS = """
    Mikhail Mishustin Hesbolá Zawahiri Rahman Abdul Mohammed bin Laden Garcia Nguyễn Müller Søren
    O'Neill al-Din Ltd GmbH S.A. Trading Bank Shipping Holdings Freight Company Republic Islamic
    Михаил Мишустин Общество ответственностью Компания Банк محمد عبدالله شركة بنك إيران حسين
    یوسف گرم شرکت יוסף כהן בנק בעמ 华为 技术 有限公司 中国 银行 王小明 陳大文 株式会社 サミュエル
    김정은 한국 은행 주식회사 สมชาย บริษัท จำกัด राजेश कुमार बैंक উষ্ণ ব্যাংক தமிழ் வங்கி ქართული ბანკი
    Հայկական բանկ Γεώργιος Τράπεζα ኢትዮጵያ ባንክ ខ្មែរ ធនាគារ မြန်မာ ဘဏ် ລາວ ທະນາຄານ
"""
WORDS = _WORDS.split()
PHRASES = (
    "aka", "formerly", "c/o", "on behalf of", "trading as", "t/a", "d/b/a", "f/k/a", "née", "and",
    "&", "und", "et", "y", "/", ";", "|", " - ", "ex", "for the benefit of", "attn", "IMO 9569671",
    "voy 3", "MT", "M/V", "field 59:", "1/", "2/", "ordering customer:", "Mr", "Mrs", "H.E. Eng.",
    "Sheikh", "@", "www.", ".com", "#", "(", ")", "[", "]", "((", "))", '"', "“", "”", "…", "--",
)  # fmt: skip
EMOJI = "🔥💰🚢🏦👨‍👩‍👧🇮🇷①②③㎏™®©§¶†‡•★"
LOOKALIKES = str.maketrans("aeopcxyABEHKMOPCTX", "аеорсхуАВЕНКМОРСТХ")
LIGATURES = {"fi": "ﬁ", "fl": "ﬂ", "ff": "ﬀ", "ss": "ß", "ae": "æ", "oe": "œ", "ij": "ĳ", "st": "ﬆ"}
STYLES = (0x1D400, 0x1D434, 0x1D504, 0x1D538, 0x1D5A0, 0x1D670)  # mathematical alphabets

Maker = Callable[[random.Random, Sequence[str]], str]


def names(*, seed: int, count: int, listed: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield names as an attacker, a careless clerk or a faulty encoding write them, by kind."""
    pick = random.Random(seed)
    kinds = list(MAKERS.items())
    for number in range(count):
        kind, make = kinds[number % len(kinds)]
        name = " ".join(make(pick, listed).split())[:LONGEST]
        yield kind, name or "x"


def _words(pick: random.Random, most: int = 6) -> str:
    return " ".join(pick.choice(WORDS) for _ in range(pick.randint(1, most)))


def _spaced(pick: random.Random, listed: Sequence[str]) -> str:
    name = pick.choice(listed) if pick.random() < 0.5 else _words(pick, 3)
    between = pick.choice((" ", "  ", ".", "-", " . ", "_"))
    return pick.choice((" ", "   ")).join(between.join(word) for word in name.split())


def _vessel(pick: random.Random, listed: Sequence[str]) -> str:
    ship = pick.choice((pick.choice(listed), _words(pick, 2), f"{_words(pick, 1)} I"))
    prefix = pick.choice(("Freight MT", "MV", "M/T", "Bunkers for", "Demurrage", "vessel", ""))
    imo = f"IMO {pick.randint(1_000_000, 9_999_999)}"
    return f"{prefix} {ship} {imo} voy {pick.randint(1, 99)} {pick.choice(WORDS)}"


def _mixed(pick: random.Random, listed: Sequence[str]) -> str:
    words = (pick.choice(listed) if pick.random() < 0.5 else _words(pick)).split()
    return " ".join(
        word.translate(LOOKALIKES) if pick.random() < 0.5 else pick.choice((word, word[::-1]))
        for word in words
    )


def _signs(pick: random.Random, listed: Sequence[str]) -> str:
    name = pick.choice(listed)
    for plain, ligature in LIGATURES.items():
        name = name.replace(plain, ligature)
    style = pick.choice(STYLES)
    change = pick.choice(
        (
            lambda text: text,
            lambda text: "".join(
                chr(style + ord(c) - 65) if "A" <= c <= "Z" else c for c in text.upper()
            ),
            lambda text: unicodedata.normalize("NFD", text),
            lambda text: "".join(f"{c}\u0301\u0308" for c in text),
            lambda text: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text),
            lambda text: text.translate(str.maketrans("aeiost", "43105+")),
        )
    )
    return change(name)


def _emoji(pick: random.Random, listed: Sequence[str]) -> str:
    words = (pick.choice(listed), _words(pick, 3))
    return " ".join(f"{word}{pick.choice(EMOJI)}" for word in " ".join(words).split())


def _long(pick: random.Random, listed: Sequence[str]) -> str:
    made = ""
    while len(made) < LONGEST:
        made += pick.choice((pick.choice(listed), _words(pick), pick.choice(PHRASES))) + " "
    return made if pick.random() < 0.7 else made.replace(" ", pick.choice(("", "-", ",", "'")))


def _repeated(pick: random.Random, listed: Sequence[str]) -> str:
    unit = pick.choice(
        (
            pick.choice(listed).split()[0],
            pick.choice(WORDS),
            pick.choice(PHRASES),
            f"{pick.choice(PHRASES)} {pick.choice(WORDS)}",
            pick.choice("aAxXмаيو的1.,-'&("),
        )
    )
    return pick.choice((" ", "", ", ")).join([unit] * pick.randint(2, 150))


def _introduced(pick: random.Random, listed: Sequence[str]) -> str:
    parts = [
        pick.choice(parts)
        for _ in range(pick.randint(2, 14))
        for parts in (PHRASES, listed if pick.random() < 0.5 else WORDS)
    ]
    return " ".join(parts)


def _letters(pick: random.Random, listed: Sequence[str]) -> str:
    blocks = (0x41, 0xC0, 0x370, 0x410, 0x531, 0x5D0, 0x621, 0x905, 0xE01, 0x10D0, 0x4E00, 0xAC00)
    start = pick.choice(blocks)
    size = pick.randint(1, 60)
    return "".join(
        " " if pick.random() < 0.12 else chr(start + pick.randrange(60)) for _ in range(size)
    )


def _listed(pick: random.Random, listed: Sequence[str]) -> str:
    """Return listed names as payments and bad readers write them: slips, joins, several in one."""
    name = pick.choice(listed)
    at = pick.randrange(len(name))
    return pick.choice(
        (
            name,
            name.upper(),
            name[:at] + pick.choice("aeiouxz ") + name[at + 1 :],
            name[:35],
            f"{name} / {pick.choice(listed)}",
            f"{name} and {pick.choice(listed)} or {pick.choice(listed)}",
            " ".join(reversed(name.split())),
        )
    )


def _ordinary(pick: random.Random, listed: Sequence[str]) -> str:
    return _words(pick, 4)


MAKERS: dict[str, Maker] = {
    "letters apart": _spaced,
    "vessel, IMO and voyage": _vessel,
    "mixed scripts": _mixed,
    "ligatures and styles": _signs,
    "emoji": _emoji,
    "300 characters": _long,
    "repeated": _repeated,
    "introduced": _introduced,
    "letters of a script": _letters,
    "listed": _listed,
    "ordinary": _ordinary,
}
