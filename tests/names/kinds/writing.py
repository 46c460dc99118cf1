"""Kinds of how one name is written in another way: case, marks, titles, order, slips, letters."""

import unicodedata
from collections.abc import Callable
from itertools import product

from tests.names.kinds import Kind
from tests.names.kinds.companies import BRANDS, FIRMS
from tests.names.kinds.people import TONGUES, family, given, people

_MARKED = """
José María Ángel Inés Andrés Sofía | García Pérez Núñez Ibáñez Muñoz Bermúdez
François Hélène Gaëlle Benoît Éric Zoé | Lefèvre Gérard Bézier Forêt Maçon Noël
Łucja Stanisław Grażyna Michał Żaneta Wacław | Wójcik Kamiński Dąbrowska Gołąb Śliwa Źrebiec
Jiří Zdeněk Tomáš Božena Růžena Ondřej | Dvořák Novotný Černý Křížová Šťastný Hájek
Çağla Gökhan Şebnem Oğuz Ümit İpek | Yıldız Çelik Öztürk Şahin Güneş Doğan
João Inês Vítor Luísa Antônio Conceição | Gonçalves Magalhães Araújo Mourão Falcão Simões
"""
_DIGRAPHS = """
Jörg Käthe Günter Sönke Bärbel Jürgen Hänsel | Müller Schäfer König Weiß Böhm Jäger Kühn
Søren Bjørn Gøran Åse Håkon Øyvind Lærke | Sørensen Ødegård Næss Ågren Bråten Møller Kjær
Göran Åke Märta Örjan Bång Jörgen Sölve | Sjöberg Åström Bäckman Öberg Lindström Häggblom Nyström
"""
_TWO = {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "ø": "oe", "å": "aa", "æ": "ae"}
_TITLES_BEFORE = "Mr. Mrs Dr. Prof. Herr Frau Ms Monsieur Mme Sir Dame Señor Signora Don"
_BEFORE = _TITLES_BEFORE.split()
_TITLES_BEHIND = "MBE OBE PhD MSc CBE Esq MBA FRCS QC DDS"
_BEHIND = _TITLES_BEHIND.split()
_LOOKS = str.maketrans("aeopcyxTBMKHOPCAEi", "аеорсухТВМКНОРСАЕі")
_GREEK = str.maketrans("ovABEHIKMNOPTXYZ", "ονΑΒΕΗΙΚΜΝΟΡΤΧΥΖ")
_INVISIBLE = "\u200b\ufeff\u00ad\u200d\u2060"


def whole(pairs: list[tuple[str, str]]) -> list[str]:
    """Return given and family names as whole names."""
    return [f"{one} {two}" for one, two in pairs]


def by_row(table: str) -> list[str]:
    """Return each given name of a row with each family name of it."""
    rows = (row.split("|") for row in table.strip().splitlines())
    return [f"{a} {b}" for one, two in rows for a, b in product(one.split(), two.split())]


def unmarked(text: str) -> str:
    """Return a text without its marks."""
    plain = text.translate(str.maketrans("łŁıđĐ", "lLidD"))
    return "".join(c for c in unicodedata.normalize("NFD", plain) if not unicodedata.combining(c))


def two_lettered(text: str) -> str:
    """Return a text with two letters for one that other keyboards lack."""
    for one, two in _TWO.items():
        text = text.replace(one, two).replace(one.upper(), two.title())
    return text


def slip(word: str, place: int) -> str:
    """Return a word with one slip of the pen at about a place: swapped, lost, doubled or beside."""
    at = 1 + place % (len(word) - 2)
    how = (place + len(word)) % 4
    if how == 0 and word[at] != word[at + 1]:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if how == 1:
        return word[:at] + word[at + 1 :]
    if how == 2:
        return word[:at] + word[at] + word[at:]
    beside = dict(zip("abcdefghijklmnopqrstuvwxyz", "svxsrghjokjknmipastyicszxa", strict=True))
    return word[:at] + beside.get(word[at], "e") + word[at + 1 :]


def _cased(n: int, name: str) -> str:
    ways = (str.upper, str.lower, lambda x: x.replace(" ", "   "), lambda x: f" {x}. ")
    ways += (lambda x: x.replace(" ", "\t"), lambda x: x.swapcase())
    return ways[n % 6](name)


_PEOPLE = people()
_NAMES = whole(_PEOPLE)
_SECOND = [
    (f"{given(t)[n]} {given(t)[(n + 6) % 20]} {family(t)[(n + 3) % 20]}", t, n)
    for t in TONGUES
    for n in range(20)
]


def _apostrophes() -> list[tuple[str, str]]:
    irish = ["Donnell", "Shea", "Keeffe", "Rourke", "Dwyer", "Mahony", "Callaghan", "Sullivan"]
    found = []
    for first, last in zip(given("en"), irish * 3, strict=False):
        told = f"{first} O'{last}"
        found += [(f"{first} O{last}", told), (f"{first} O’{last}".upper(), told)]
    hyphened = [f"{a}-{b} Dumont" for a, b in zip(given("fr"), given("fr")[2:], strict=False)]
    return found + [(one.replace("-", " "), one) for one in hyphened]


def _changed(names: list[str], change: Callable[[str], str]) -> list[tuple[str, str]]:
    return [(change(name), name) for name in names if change(name) != name]


def _series(*some):
    return tuple(pair for pairs in some for pair in pairs)


KINDS = (
    Kind(
        "R01", "case, spaces, punctuation", "MATCH", "",
        _series(
            ((_cased(n, name), name) for n, name in enumerate(_NAMES[:100])),
            ((_cased(n, firm), firm) for n, firm in enumerate(FIRMS) if n % 6 < 3),
            _apostrophes(),
        ),
    ),
    Kind(
        "R02", "diacritics folded", "MATCH", "CLOSE",
        _series((unmarked(one), one) for one in by_row(_MARKED)),
    ),
    Kind(
        "R03", "two letters for an umlaut or a Nordic letter", "MATCH", "CLOSE",
        _series(
            ((two_lettered(one), one) for one in by_row(_DIGRAPHS)),
            ((one, two_lettered(one)) for one in by_row(_DIGRAPHS)[::8]),
        ),
    ),
    Kind(
        "R04", "titles before and letters behind a name", "MATCH", "CLOSE",
        _series(
            ((f"{_BEFORE[n % len(_BEFORE)]} {one}", one) for n, one in enumerate(_NAMES[:90])),
            ((f"{one} {_BEHIND[n % len(_BEHIND)]}", one) for n, one in enumerate(_NAMES[90:140])),
            ((one, f"{_BEFORE[n % 6]} {one}") for n, one in enumerate(_NAMES[140:])),
        ),
    ),
    Kind(
        "R05", "family name first", "MATCH", "CLOSE",
        _series(
            ((f"{b} {a}", f"{a} {b}") for a, b in _PEOPLE[:70]),
            ((f"{b}, {a}", f"{a} {b}") for a, b in _PEOPLE[70:120]),
            (
                (f"{name.split()[2]} {name.split()[0]} {name.split()[1]}", name)
                for name, _t, _n in _SECOND[:40]
            ),
        ),
    ),
    Kind(
        "R10", "one slip of the pen", "CLOSE", "",
        _series(
            ((f"{slip(a, n)} {b}", f"{a} {b}") for n, (a, b) in enumerate(_PEOPLE[:60])),
            ((f"{a} {slip(b, n)}", f"{a} {b}") for n, (a, b) in enumerate(_PEOPLE[60:130])),
            ((f"{slip(one, n)} AG", f"{one} AG") for n, one in enumerate(BRANDS) if len(one) > 5),
        ),
    ),
    Kind(
        "R11", "two slips of the pen", "CLOSE", "NO",
        _series(
            (
                (f"{slip(a, n)} {slip(b, n + 1)}", f"{a} {b}")
                for n, (a, b) in enumerate(people(160, shift=3))
            ),
        ),
    ),
    Kind(
        "R27", "letters of another script that look like Latin ones", "NO", "CLOSE",
        _series(
            _changed(_NAMES[:60], lambda one: one.translate(_LOOKS)),
            _changed(_NAMES[60:100], lambda one: one.replace("o", "ο").replace("e", "е")),
            _changed(FIRMS, lambda one: one.translate(_GREEK)),
        ),
    ),
    Kind(
        "R27b", "invisible characters, and full-width ones", "MATCH", "CLOSE",
        _series(
            ((_INVISIBLE[n % 5] + one, one) for n, one in enumerate(_NAMES[:50])),
            ((one[:3] + _INVISIBLE[n % 5] + one[3:], one) for n, one in enumerate(_NAMES[50:100])),
            ((_wide, name) for name in _NAMES[100:] for _wide in [name.translate(
                {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
            )]),
        ),
    ),
)  # fmt: skip
