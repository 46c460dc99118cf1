"""How payers write a payee: cut short, with what is paid, without blanks, in other readings."""

import pytest

from apps.reference.names.payee import compare_payee_names
from apps.reference.names.payee.han_readings import convert_to_wade_giles, list_latin_readings
from apps.reference.names.payee.payment_purposes import strip_payment_purpose
from apps.reference.names.payee.short_forms import (
    is_clerk_abbreviation,
    is_given_name_beginning,
    is_shortened_word,
)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Invoice 4411 Quillmont", "Quillmont"),
        ("INV-2291 Quillmont Ltd", "Quillmont Ltd"),
        ("Rechnung Nr. 2026-118 Quillmont GmbH", "Quillmont GmbH"),
        ("Quillmont Ltd, ref 77123", "Quillmont Ltd"),
        ("Quillmont Ltd (Ref: 77123)", "Quillmont Ltd"),
        ("PO 55012 Quillmont", "Quillmont"),
        ("Quillmont Ltd - March rent", "Quillmont Ltd"),
        ("Quillmont Ltd final payment 2026", "Quillmont Ltd"),
        ("Quillmont", ""),
        ("Invoice 4411", ""),
        ("Invoice Finance Ltd", ""),  # no number
        ("Order 66 Films", ""),  # few digits behind a word that companies bear
        ("Rent Brokers Ltd", ""),
        ("Gemma Rent", ""),  # no legal form before it
        ("Quillmont Ltd Rent Collections", ""),
        ("Quillmont Ltd March", ""),  # nothing that is paid
    ],
)
def test_what_is_paid_is_told_apart_from_the_name(text: str, left: str) -> None:
    assert strip_payment_purpose(text) == left


def test_a_name_with_what_is_paid_is_close_at_best_and_anothers_is_none() -> None:
    comparison = compare_payee_names(submitted="Invoice 4411 Quillmont", registered="Quillmont")
    assert (comparison.score, comparison.band, comparison.decided.code) == (88, "CLOSE", "P.55")
    other = compare_payee_names(submitted="Invoice 4411 Quillmont", registered="Tessaro")
    assert other.band == "NO"
    alias = compare_payee_names(
        submitted="Ref 4411 Tessaro", registered="Quillmont", aliases=["Tessaro"]
    )
    assert (alias.score, alias.matched, alias.relative) == (88, "Tessaro", "alias")


@pytest.mark.parametrize(
    ("submitted", "registered", "band"),
    [
        ("QuillmontTextilesLtd", "Quillmont Textiles Limited", "MATCH"),
        ("Quillmont Textiles Ltd", "QuillmontTextilesLtd", "MATCH"),
        ("GEMMALANGLEY", "Gemma Langley", "MATCH"),
        ("quillmonttextilesgmbh", "Quillmont Textiles Ltd", "CLOSE"),
        ("QuillmontTextilesXyz", "Quillmont Textiles Ltd", "NO"),
        ("QuillmontFund11", "Quillmont Fund 1 1 LP", "NO"),
        ("Quillm\u043entTextilesLtd", "Quillmont Textiles Ltd", "NO"),
        ("AnnLee", "Ann Lee Ltd", "CLOSE"),  # six letters: by chance
    ],
)
def test_a_name_without_blanks_is_parted_as_the_other_is(
    submitted: str, registered: str, band: str
) -> None:
    assert compare_payee_names(submitted=submitted, registered=registered).band == band


@pytest.mark.parametrize(
    ("one", "other", "clerks", "begins"),
    [
        ("wm", "william", True, False),
        ("william", "wm", True, False),
        ("wm", "walter", False, False),
        ("gus", "gustav", False, False),
        ("benj", "benjamin", True, True),
        ("leop", "leopold", False, True),
        ("be", "benjamin", False, False),  # two letters
        ("maria", "mariana", False, False),  # a name itself
        ("carl", "carla", False, False),
        ("quil", "quillmont", False, False),  # no given name
    ],
)
def test_given_names_are_cut_short_as_clerks_do(
    one: str, other: str, clerks: bool, begins: bool
) -> None:
    assert is_clerk_abbreviation(one, other) is clerks
    assert is_given_name_beginning(one, other) is begins


@pytest.mark.parametrize(
    ("one", "other", "short"),
    [
        ("mchnry", "machinery", True),
        ("plstcs", "plastics", True),
        ("ind", "industrial", True),
        ("in", "industrial", False),  # two letters
        ("plstc", "plastics", False),  # another last letter
        ("plxtcs", "plastics", False),  # a letter that the word has not
        ("plastcs", "plastics", False),  # vowels
        ("qui", "quillmont", False),  # a name
        ("care", "careers", False),  # a word of business itself
    ],
)
def test_words_of_business_are_cut_short_to_a_beginning_or_their_consonants(
    one: str, other: str, short: bool
) -> None:
    assert is_shortened_word(one, other) is is_shortened_word(other, one) is short


@pytest.mark.parametrize(
    ("pinyin", "written"),
    [
        ("zhang", "chang"), ("qin", "chin"), ("xu", "hsü"), ("guo", "kuo"), ("luo", "lo"),
        ("ri", "jih"), ("ci", "tzu"), ("jun", "chün"), ("xiong", "hsiung"), ("yong", "yung"),
        ("ye", "yeh"), ("gui", "kuei"), ("hui", "hui"), ("cai", "tsai"), ("de", "te"),
        ("jian", "chien"), ("xue", "hsüeh"), ("he", "ho"), ("er", "erh"), ("ma", "ma"),
    ],
)  # fmt: skip
def test_pinyin_is_told_in_wade_giles(pinyin: str, written: str) -> None:
    assert convert_to_wade_giles(pinyin) == written


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("田中太郎", "tanaka taro"),
        ("佐々木 健一", "sasaki kenichi"),
        ("陳大文", "chan taiman"),
        ("蔡英文", "tsai yingwen"),
        ("蔡英文", "tsoi yingman"),
    ],
)
def test_characters_are_read_as_others_read_them(text: str, read: str) -> None:
    assert read in list_latin_readings(text)


@pytest.mark.parametrize("text", ["", "王", "Quillmont", "田中商店株式会社", "пётр", "陈" * 40])
def test_what_is_no_persons_name_in_characters_has_no_readings(text: str) -> None:
    assert list_latin_readings(text) == ()


@pytest.mark.parametrize(
    ("submitted", "registered", "band"),
    [
        ("Chan Tai Man", "陳大文", "CLOSE"),
        ("陳大文", "Chan Tai Man", "CLOSE"),
        ("Chan Siu Man", "陳大文", "NO"),
        ("Wong Tai Man", "陳大文", "NO"),
        ("Taro Tanaka", "田中太郎", "CLOSE"),
        ("Jiro Tanaka", "田中太郎", "NO"),
        ("Hsu Chih-ming", "徐志明", "CLOSE"),
        ("Hsu Chih-wei", "徐志明", "NO"),
        ("Ann Langley née Hollis", "Ann Hollis", "CLOSE"),
        ("Ann Langley née Hollis", "Bob Hollis", "NO"),
        ("Quillmont SPV 03 Ltd", "Quillmont SPV 3 Ltd", "MATCH"),
        ("Quillmont SPV 03 Ltd", "Quillmont SPV 30 Ltd", "NO"),
        ("Q and R Quillmont Ltd", "Q & R Quillmont Ltd", "MATCH"),
        ("Q and S Quillmont Ltd", "Q & R Quillmont Ltd", "NO"),
        ("Quillmont United Kingdom Ltd", "Quillmont UK Ltd", "CLOSE"),
        ("Quillmont United States Inc", "Quillmont UK Ltd", "NO"),
        ("Quillmont™ Ltd", "Quillmont Ltd", "MATCH"),
        ("Quillmont OÜ", "Quillmont Osaühing", "MATCH"),
        ("Quillmont Ltd, 5 High Street", "Quillmont Ltd", "CLOSE"),
        ("クイルモント(株)", "クイルモント株式会社", "MATCH"),
        ("クイルモント(有)", "クイルモント有限会社", "MATCH"),
        ("クイルモント(有)", "クイルモント株式会社", "CLOSE"),
        ("クイルモント(有)", "クイルモント合同会社", "CLOSE"),
        ("華為技術有限公司", "华为技术有限公司", "MATCH"),
        ("華為技術股份有限公司", "华为技术有限公司", "CLOSE"),
        ("Chan Siu Man", "Chan Tai Man", "NO"),
        ("Quillmont Fund1 Ltd", "Quillmont Fund2 Ltd", "NO"),
        ("Wang Xiaohong", "Wang Xiaoming", "NO"),
        ("Wang Xiaoming", "王小紅", "NO"),
        ("Quillmont Ltd Pension Fund", "Quillmont Pension Fund Ltd", "CLOSE"),
        ("Quillmont Ltd Pension Fund", "Quillmont Ltd Pension Fund", "MATCH"),
        ("Quillmont Ltd deposit", "Quillmont Deposit Ltd", "CLOSE"),
        ("Studio54 Quillmont Ltd", "Studio55 Quillmont Ltd", "NO"),
    ],
)
def test_what_is_written_in_another_way_is_known_for_what_it_is(
    submitted: str, registered: str, band: str
) -> None:
    assert compare_payee_names(submitted=submitted, registered=registered).band == band
