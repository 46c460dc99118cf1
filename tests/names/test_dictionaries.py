"""The dictionaries in files: what they hold, at their ends too, and that it is the library's."""

import random
from pathlib import Path

import pytest

from apps.reference.names.sorted_lines import SortedLines
from apps.reference.names.words import person_names, territories
from apps.reference.names.words.person_names import is_person_name, parse_one_word_names
from apps.reference.names.words.territories import territory_code


def test_every_key_of_a_file_is_found_and_nothing_beside(tmp_path: Path) -> None:
    rows = [("b", "2"), ("a", ""), ("ab", "1"), ("é", "4"), ("c d", "3")]
    SortedLines.write(tmp_path / "t.txt", rows)
    lines = SortedLines(tmp_path / "t.txt")
    assert [lines.get(key) for key, _ in rows] == ["2", "", "1", "4", "3"]
    for other in ("", " ", "A", "aa", "abc", "c", "c d ", "z", "\n", "\t", "a\n", "\ud800"):
        assert lines.get(other) is None


def test_names_of_one_latin_word_are_taken_from_a_list() -> None:
    lines = ["jane, d'agnese, jane ann, яна => Q1\n", "søren, j2 => Q2\n"]
    assert parse_one_word_names(lines) == {"jane", "dagnese", "j2"}


@pytest.mark.parametrize("name", ["mikhail", "mishustin", "hernandez", "dagnese"])
def test_people_are_called_by_names(name: str) -> None:
    assert is_person_name(name)


@pytest.mark.parametrize("word", ["trading", "hesbola", "", "lazarus group", "путин"])
def test_nobody_is_called_by_other_words(word: str) -> None:
    assert not is_person_name(word)


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("Germany", "DE"), ("Deutschland", "DE"), ("DEU", "DE"), ("de", "DE"), ("الأردن", "JO"),
        ("SÃO TOMÉ", "ST"), ("Sao Tome", "ST"), ("Tehran", "IR"), ("California", "US-CA"),
        ("Nowhere", ""), ("", ""), ("#de", ""),
    ],
)  # fmt: skip
def test_countries_and_regions_have_a_code_in_any_language(written: str, code: str) -> None:
    assert territory_code(written) == code


@pytest.mark.slow
def test_the_names_are_those_of_the_library() -> None:
    from rigour.names import NameTypeTag, analyze_names

    def is_told(word: str) -> bool:
        names = analyze_names(NameTypeTag.PER, [word], phonetics=False)
        return any(symbol.category.value == "NAME" for name in names for symbol in name.symbols)

    pick = random.Random(7)
    held = person_names.FILE.read_text().split()
    assert all(is_told(name) for name in pick.sample(held, 2000))
    made = ["".join(pick.choices("abcdeghiklmnorstuvz", k=pick.randint(3, 7))) for _ in range(3000)]
    assert sum(is_told(word) != is_person_name(word) for word in made) < 10  # other spellings


@pytest.mark.slow
def test_the_territories_are_those_of_the_library() -> None:
    lines = territories.FILE.read_bytes().decode().splitlines()
    assert sorted(lines) == sorted("\t".join(row) for row in territories.build_territory_rows())
