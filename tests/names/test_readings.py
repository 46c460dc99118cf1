"""Kana, Japanese characters and Thai letters in Latin letters, and the tables behind them."""

import pytest

from apps.reference.names.scripts import (
    japanese_character_readings,
    japanese_name_dictionary,
    thai_syllables,
)
from apps.reference.names.scripts.japanese import MOST, read_japanese_name
from apps.reference.names.scripts.japanese_character_readings import (
    estimate_shares,
    guess_given_name,
)
from apps.reference.names.scripts.japanese_name_dictionary import (
    FAMILY,
    GIVEN,
    PLACE,
    collect_rows,
    find_readings,
    iter_lines,
)
from apps.reference.names.scripts.kana import romanize_kana
from apps.reference.names.scripts.korean_cyrillic import MOST as MOST_KOREAN
from apps.reference.names.scripts.korean_cyrillic import read_korean_in_cyrillic
from apps.reference.names.scripts.thai import read_thai_name
from apps.reference.names.scripts.thai_syllables import count_readings, load_syllables

KANA = {
    "サトウ": "sato", "オオノ": "ono", "イノウエ": "inoue", "マツウラ": "matsuura",
    "ヨコオ": "yokoo", "コウイチ": "koichi", "ユウキ": "yuki", "シュンスケ": "shunsuke",
    "ジュンイチロウ": "junichiro", "キョウコ": "kyoko", "ハットリ": "hattori",
    "イッチョウ": "itcho", "ホンマ": "homma", "さくら": "sakura", "ヅカ": "zuka",
    "チャーリー": "chari",
}  # fmt: skip


@pytest.mark.parametrize(("kana", "latin"), KANA.items())
def test_kana_are_spelt_as_in_passports(kana: str, latin: str) -> None:
    assert romanize_kana(kana) == latin


@pytest.mark.parametrize(
    ("written", "spelling"),
    [
        ("山田太郎", "yamada taro"),
        ("山田 太郎", "yamada taro"),
        ("小林幸子", "kobayashi yukiko"),
        ("一ノ瀬真", "ichinose makoto"),
        ("髙橋健一", "takahashi kenichi"),
        ("佐藤さくら", "sato sakura"),
        ("清司", ""),  # a given name alone
        ("习近平", ""),
        ("前田保険合同会社", "maeda insurance"),  # 田保 is a place
        ("合同会社渡辺通信", "watanabe communications"),
        ("株式会社新潟鉄道", "niigata railway"),
        ("林建設", "hayashi construction"),
        ("トヨタ自動車株式会社", "toyota automobile"),
        ("株式会社蠍蛸", ""),
        ("稲川会", "inagawa kai"),
    ],
)
def test_japanese_names_are_read_by_their_dictionary(written: str, spelling: str) -> None:
    spellings = read_japanese_name(written).spellings
    assert spelling in spellings if spelling else not spellings


@pytest.mark.parametrize(
    ("written", "complete", "family"),
    [
        ("山田太郎", True, True),
        ("林健一", True, False),
        ("山田零", False, True),
        ("陳大文", False, False),
    ],
)
def test_a_reading_says_how_much_of_it_is_known(written: str, complete: bool, family: bool) -> None:
    japanese_name = read_japanese_name(written)
    assert (japanese_name.complete, japanese_name.family) == (complete, family)


def test_no_name_has_more_readings_than_are_searched() -> None:
    assert len(read_japanese_name("一ノ瀬真").spellings) == MOST


@pytest.mark.parametrize(
    ("written", "reading"), [("清司", "kiyoshi"), ("零", "rei"), ("結衣", "yui")]
)
def test_characters_tell_readings_that_no_dictionary_has(written: str, reading: str) -> None:
    assert reading in guess_given_name(written)


def test_a_character_that_is_in_no_name_is_not_guessed() -> None:
    assert guess_given_name("蠍") == ()


@pytest.mark.parametrize(
    ("written", "spelling"),
    [
        ("สมชาย", "somchai"),
        ("ประยุทธ์ จันทร์โอชา", "prayut chanocha"),
        ("ทักษิณ ชินวัตร", "thaksin chinnawat"),
        ("เศรษฐา ทวีสิน", "settha thawisin"),
        ("พรชัย", "pornchai"),
        ("เจริญ", "charoen"),
        ("จันทร์ดี", "jandee"),
        ("น้ำทอง", "namthong"),
        ("น้ําทอง", "namthong"),  # as NFKC writes it
        ("นายสมชาย", "somchai"),
        ("นายิกา", "nayika"),
        ("คุณากร", "khunakon"),
        ("คุณ สมชาย", "somchai"),
        ("พล.ต.ท. สุวิทย์", "suwit"),
        ("Mr สมชาย", "mr somchai"),
        ("ธนาคารเชียงใหม่ จำกัด (มหาชน)", "bank chiangmai"),
        ("แสนชัยเทรดดิ้ง", "saenchai trading"),
        ("เบิร์ต", "boet"),
        ("บริษัท จำกัด", ""),
        ("ะ", ""),
        ("ก" * 41, ""),
        ("สมชายкот", ""),
    ],
)
def test_thai_names_are_read_by_their_syllables(written: str, spelling: str) -> None:
    spellings = read_thai_name(written).spellings
    assert spelling in spellings if spelling else not spellings


@pytest.mark.parametrize(
    ("written", "sure"),
    [
        ("สมชาย", True),
        ("ธนกิตต์", True),  # mute letters at the end
        ("โรเบิร์ต", False),  # and within, as in foreign names
        ("พิมพการ", False),  # no vowel is written
    ],
)
def test_a_thai_reading_says_whether_it_is_sure(written: str, sure: bool) -> None:
    assert read_thai_name(written).sure is sure


def test_every_consonant_is_read_where_it_begins_a_syllable() -> None:
    consonants = [chr(code) for code in range(ord("ก"), ord("ฮ") + 1)]
    assert all(read_thai_name(f"{consonant}า{consonant}ะ").spellings for consonant in consonants)


def test_the_likeliest_reading_comes_first_and_none_is_far_behind() -> None:
    assert read_thai_name("สมชาย").spellings[0] == "somchai"
    assert "somchaya" not in read_thai_name("สมชาย").spellings


def test_rows_of_names_keep_the_better_dictionary_first() -> None:
    name = ("名詞", "固有名詞", "人名")
    entries = [
        ("幸子", (*name, "名"), "サチコ"),
        ("幸子", (*name, "姓"), "コウシ"),
        ("奈良", ("名詞", "固有名詞", "地名", "一般"), "ナラ"),
        ("幸子", ("名詞", "普通名詞", "人名", "名"), "ココ"),
        ("サチ", (*name, "名"), "サチ"),
    ]
    first = collect_rows(entries, kinds=(FAMILY, GIVEN, PLACE))
    second = collect_rows([("幸子", (*name, "名"), "ユキコ")], kinds=(GIVEN,))
    assert sorted(iter_lines(first, second)) == [
        ("奈良", "||nara"),
        ("幸子", "koshi|sachiko/yukiko|"),
    ]


def test_shares_of_readings_are_estimated_from_names_that_share_characters() -> None:
    names = [("清美", "キヨミ"), ("清子", "キヨコ"), ("正子", "マサコ"), ("正美", "マサミ")] * 2
    rows = dict(estimate_shares(names))
    assert rows["清"].startswith("キヨ:") and rows["子-"].startswith("コ:")


def test_readings_of_syllables_are_counted_without_tones() -> None:
    lines = ["<w>-ชิน-วัตร/chin0'na3\t2", "<w>-ชิน-<w>/chin0\t3", "a-b-c/d\t1", ""]
    assert count_readings(lines) == {"ชิน": {"chinna": 2, "chin": 3}}


@pytest.mark.parametrize(
    "module", [japanese_name_dictionary, japanese_character_readings, thai_syllables]
)
def test_the_lines_of_a_table_are_sorted(module: object) -> None:
    lines = module.FILE.read_bytes().splitlines()  # type: ignore[attr-defined]
    keys = [line.partition(b"\t")[0] for line in lines]
    assert keys == sorted(keys) and len(keys) == len(set(keys)) > 1000


def test_tables_are_found_in() -> None:
    assert find_readings("田中").family == ("tanaka",)
    assert find_readings("田中" * 3).family == ()
    assert load_syllables()["พร"][0][0] == "phOOn"


@pytest.mark.parametrize(
    ("written", "spelling"),
    [
        ("Ким Чен Ын", "kim jong un"),
        ("Ким Чжон Ын", "kim jong un"),
        ("Ким Чонын", "kim jong un"),
        ("КИМ ЧЕН-ИР", "kim jong il"),
        ("Ким Ё Чжон", "kim yo jong"),
        ("Пак Чин Хёк", "pak jin hyok"),
        ("Чо Мён Рок", "jo myong rok"),
        ("Ли Су Ён", "ri su yong"),
    ],
)
def test_korean_names_are_read_from_cyrillic_letters(written: str, spelling: str) -> None:
    readings = read_korean_in_cyrillic(written)
    assert readings[0] == spelling and len(readings) <= MOST_KOREAN


@pytest.mark.parametrize(
    "written", ["Владимир Путин", "Ким Виктор", "Цой", "Иван Иванович Иванов", "Kim Jong Un", ""]
)
def test_other_names_in_cyrillic_letters_are_no_korean_ones(written: str) -> None:
    assert read_korean_in_cyrillic(written) == ()
