"""Consonants alone: what is written without vowels means a party where the whole name agrees.

D §4 What may end in BLOCKED, by consonants.
"""

from types import SimpleNamespace
from typing import Any

import pytest

from apps.reference.names.scripts.abjad import can_be_read_as
from apps.reference.names.scripts.phonetics import ABJAD
from apps.reference.names.words.arabic_names import is_arabic_reading_of
from apps.reference.watchlists import lookup
from apps.reference.watchlists.rules.score_limits import BOUNDS
from apps.reference.watchlists.subjects import Subject
from tests.watchlists.indexes import opened, party

LISTED = (
    party("zaghlawi", "Person", "Tariq Wasim ZAGHLAWI", countries=("YE",)),
    party("omar", "Person", "Omar HUSSAIN"),
    party("bushra", "Person", "Bushra SHAWKAT"),
    party("sadiq", "Person", "Muhammad Reza SADEGHI"),
    party("drawn", "Person", "Yusuf MAKHLUF", "فاضل غريب"),
    party("asyaf", "Organization", "ASYAF GROUP"),
    party("salim", "Organization", "SALIM S.A."),
    party("bank", "Organization", "Bank Saderat Iran"),
    party("cherif", "Person", "Dr. ABBASI"),
)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Any:
    index = opened(LISTED, tmp_path_factory.mktemp("index"))
    return SimpleNamespace(sanctions=index, pep=index)


def score(engine: Any, name: str, **known: Any) -> int:
    return lookup.match_sanctions(engine=engine, subject=Subject(name=name, **known)).score


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("طارق وسيم زغلاوي", 70, 100),  # three words written the same, a rare one among them
        ("عمر حسين", 45, 69),  # two frequent names, whole
        ("بانك صادرات ايران", 45, 100),
        ("محمد صادقی", 0, 44),  # a given name is left over, and both are frequent
        ("شيخة الشهري", 0, 44),  # other vowels are written
        ("حسن عمر", 0, 44),  # is no Husayn
        ("يوسف غربي", 0, 44),  # a person, and a body listed
        ("سالم", 0, 44),  # a frequent name, and a body listed
        ("عباس حیدری", 0, 44),  # a name, and a title listed
        ("Fadel Gharib", 0, 44),  # the list has Latin names of that party, which are compared
    ],
)
def test_a_name_counts_where_it_is_written_the_same(
    engine: Any, name: str, least: int, most: int
) -> None:
    assert least <= score(engine, name) <= most


def test_what_agrees_beside_consonants_lifts_the_bound(engine: Any) -> None:
    (bound,) = (one for one in BOUNDS if one.code == "by_consonants")
    assert bound.most == 44 and score(engine, "ثامر زغلاوي") == 44
    assert score(engine, "ثامر زغلاوي", nationality="YE") >= 45


@pytest.mark.parametrize(
    ("written", "latin", "fits"),
    [
        ("ywsf", "youssef", True),
        ("ywsf", "asyaf", False),
        ("jwad", "javad", True),
        ("khamnhay", "khamenei", True),
        ("almsry", "masri", True),
        ("mstfy", "mustafa", True),
        ("slaf", "salif", False),
        ("mhmd", "mohammadi", False),
        ("bdalrwwf", "abdulrauf", True),
        ("hzbullah", "hizballah", True),
        ("fatmh", "fatimah", True),
        ("shykht", "shawkat", False),
        ("smhany", "shamkhani", True),
    ],
)
def test_a_word_without_vowels_is_read_letter_by_letter(
    written: str, latin: str, fits: bool
) -> None:
    assert can_be_read_as(ABJAD + written, latin) is fits


@pytest.mark.parametrize(
    ("written", "latin", "fits"),
    [("hsn", "hassan", True), ("hsn", "husayn", False), ("zghlwl", "zaghlul", None)],
)
def test_a_frequent_name_is_read_as_it_is_spelt(
    written: str, latin: str, fits: bool | None
) -> None:
    assert is_arabic_reading_of(ABJAD + written, latin) is fits
