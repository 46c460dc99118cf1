"""Names that come near to a payee and are another's, each beside one that is the payee's."""

import pytest

from apps.reference.names.payee import compare_payee_names

CUT = [
    ("Quillmont Growth Fund I", "Quillmont Growth Fund II", 0, 34),
    ("Quillmont Growth Fund 1", "Quillmont Growth Fund 12 LP", 0, 34),
    ("Quillmont Growth Fund A", "Quillmont Growth Fund AB", 0, 34),
    ("Quillmont Capital Partners VI", "Quillmont Capital Partners VII", 0, 34),
    ("Quillmont Tessaro Capital Par", "Quillmont Tessaro Capital Partners VII", 0, 34),
    ("Quillmont Tessaro Capital Par", "Quillmont Tessaro Capital Partners LLP", 80, 89),
    ("Quillmont Real Estate Partners", "Quillmont Real Estate Partners Europe VI", 0, 34),
    ("Quillmont Real Estate Partners", "Quillmont Real Estate Partners Ltd", 90, 95),
    ("Quillmont Financial Services", "Quillmont Financial Services Korea Ltd", 0, 34),
    ("Quillmont Finan", "Quillmont Financial Services Ltd", 0, 74),  # fifteen letters
    ("Quillmont Tessaro In", "Quillmont Tessaro Insurance Ltd", 0, 74),  # a whole word
    ("Quillmont Tessaro Insu", "Quillmont Tessaro Insurance Ltd", 80, 89),
    ("Quillmont Tessaro Insu", "Quillmont Tessaro Insurance Berlin Ltd", 35, 74),
    ("Quillmont Tessaro International", "Quillmont Tessaro International Bank Frankfurt", 0, 54),
    # 35 letters, 34 and a blank; and one less
    ("Quillmont Tessaro Ferrovia Internat", "Quillmont Tessaro Ferrovia International AG", 80, 89),
    ("Quillmont Tessaro Ferrovia Holdings", "Quillmont Tessaro Ferrovia Holdings Bank", 0, 60),
    ("Christopher Alexander John", "Christopher Alexander Johnson", 0, 34),
    ("Christopher Alexander Johns", "Christopher Alexander Johnstone", 80, 89),
]  # fmt: skip


@pytest.mark.parametrize(("submitted", "registered", "least", "most"), CUT)
def test_no_number_place_or_business_is_taken_for_cut_off(
    submitted: str, registered: str, least: int, most: int
) -> None:
    comparison = compare_payee_names(submitted=submitted, registered=registered)
    assert least <= comparison.score <= most, comparison


@pytest.mark.parametrize("size", [35, 70, 140])
def test_a_name_that_ends_between_words_is_cut_off_where_a_field_ends(size: int) -> None:
    words = ("quillmontera tessaroferrovia " * 6)[: size - 1].rstrip()
    full = words + "z" * (size - len(words))
    told = [
        any(one.code == "P.11" for one in comparison.charged)
        for text in (full, f"{full}z")
        if (
            comparison := compare_payee_names(
                submitted=text, registered=f"{text} international group ag"
            )
        ).words
    ]
    assert told == [True, False]


NUMERALS = [
    ("Quillmont VIII", "Quillmont VII", 0, 34),
    ("Quillmont II", "Quillmont III", 0, 34),
    ("Tessaro Quillmont XI", "Tessaro Quillmont XII", 0, 34),
    ("Tessaro Quillmont V", "Tessaro Quillmont VI", 0, 34),
    ("Tessaro Quillmont IV", "Tessaro Quillmont V", 0, 34),
    ("TESSARO QUILLMONT XI", "TESSARO QUILLMONT VI", 0, 34),
    ("Tessaro Quillmont XI", "Tessaro Quillmont", 35, 54),
    ("Tessaro Quillmont II", "Tessaro Quillmont", 35, 54),
    ("Quillmont VIII", "Quillmont 8", 90, 100),
    ("John Langley III", "John Langley", 55, 74),  # a person's generation
    ("John Langley III", "John Langley II", 0, 34),
    ("Zhang Xi", "Xi Zhang", 90, 100),
    ("X Zhang", "Xi Zhang", 55, 85),
    ("Langley V", "Victor Langley", 55, 85),
]


@pytest.mark.parametrize(("submitted", "registered", "least", "most"), NUMERALS)
def test_a_roman_number_is_no_spelling_of_another(
    submitted: str, registered: str, least: int, most: int
) -> None:
    for one, other in ((submitted, registered), (registered, submitted)):
        assert least <= compare_payee_names(submitted=one, registered=other).score <= most, (
            one,
            other,
        )


FORMS = [
    ("Pte. Ltd.", "Limited", 55),
    ("Pty Ltd", "Ltd", 55),
    ("(Pvt) Ltd", "Ltd", 55),
    ("Private Limited", "Pte Ltd", 70),
    ("KK", "Ltd", 55),
    ("Ltd Sti", "Ltd", 55),
    ("GmbH", "Ltd", 55),
    ("OOO", "LLC", 70),
    ("KK", "Corporation", 91),  # what Japanese companies call it in English
    ("Sp. z o.o.", "LLC", 70),
    ("spółka z ograniczoną odpowiedzialnością", "LLC", 91),  # in its own language
    ("Limited Şirketi", "Ltd", 55),
    ("Private Limited", "Pvt. Ltd.", 100),
    ("Co., Ltd.", "Ltd", 92),
    ("Oyj", "Corporation", 91),
    ("a.s.", "akciová společnost", 91),
]


@pytest.mark.parametrize(("one", "other", "score"), FORMS)
def test_forms_of_other_countries_are_other_forms(one: str, other: str, score: int) -> None:
    names = [f"Quillmont {one}", f"Quillmont {other}"]
    for submitted, registered in (names, names[::-1]):
        assert compare_payee_names(submitted=submitted, registered=registered).score == score


@pytest.mark.parametrize(
    ("submitted", "registered", "score"),
    [
        ("ООО Quillmont", "Quillmont LLC", 91),
        ("クイルモント株式会社", "Kuirumonto Ltd", 79),
        ("クイルモント株式会社", "Kuirumonto GmbH", 49),
    ],
)
def test_a_form_in_its_own_letters_is_told_in_another_language(
    submitted: str, registered: str, score: int
) -> None:
    assert compare_payee_names(submitted=submitted, registered=registered).score == score


@pytest.mark.parametrize(
    ("one", "other", "score"),
    [
        ("Frau", "Herr", 60),
        ("Mr", "Mrs", 60),
        ("Mr", "Miss", 60),
        ("Señor", "Señora", 60),
        ("Monsieur", "Madame", 60),
        ("Herr Dr.", "Frau Dr.", 60),
        ("Mrs", "Ms", 100),
        ("Mr", "Dr", 100),
        ("Frau", "Mrs", 100),
        ("Mr and Mrs", "Mrs", 100),
        ("Mr", "", 98),
    ],
)
def test_titles_of_a_man_and_a_woman_are_of_two_people(one: str, other: str, score: int) -> None:
    names = [f"{one} Kim Hohenfels", f"{other} Kim Hohenfels"]
    for submitted, registered in (names, names[::-1]):
        assert compare_payee_names(submitted=submitted, registered=registered).score == score


QUILLMONT = "Quillmont Textiles Limited"
NAMED_BESIDE = [
    (f"{QUILLMONT} further credit to Tessaro Ltd", QUILLMONT, 60, "P.57"),
    (f"{QUILLMONT} FFC Tessaro Ltd", QUILLMONT, 60, "P.57"),
    (f"{QUILLMONT} pay to Tessaro Ltd", QUILLMONT, 60, "P.57"),
    (f"{QUILLMONT} FBO Clive Langley", QUILLMONT, 60, "P.57"),
    (f"{QUILLMONT} as trustee for Langley Trust", QUILLMONT, 60, "P.57"),
    (f"{QUILLMONT} zugunsten Tessaro GmbH", QUILLMONT, 60, "P.57"),
    (f"{QUILLMONT} t/a Tessaro FBO Clive Langley", QUILLMONT, 60, "P.57"),
    (f"{QUILLMONT} renamed to Tessaro Ltd", QUILLMONT, 70, "P.58"),
    (f"{QUILLMONT}, now Tessaro Ltd", QUILLMONT, 70, "P.58"),
    (f"{QUILLMONT} n/k/a Tessaro Ltd", QUILLMONT, 70, "P.58"),
    (f"Tessaro Ltd formerly {QUILLMONT}", QUILLMONT, 74, "P.52"),
    (f"Tessaro aka {QUILLMONT}", QUILLMONT, 74, "P.51"),
    (f"Tessaro Ltd t/a {QUILLMONT}", QUILLMONT, 74, "P.51"),
    (f"Tessaro Ltd FBO {QUILLMONT}", QUILLMONT, 30, "P.53"),
    (QUILLMONT, f"{QUILLMONT} renamed to Tessaro Ltd", 74, "P.52"),
    ("Tessaro Ltd", f"{QUILLMONT} t/a Tessaro Ltd", 100, "P.01"),
    (f"{QUILLMONT} represented by Clive Langley", QUILLMONT, 100, "P.01"),
    (f"{QUILLMONT} c/o Clive Langley", QUILLMONT, 100, "P.01"),
    (f"{QUILLMONT} t/a Tessaro", QUILLMONT, 97, "P.50"),
]


@pytest.mark.parametrize(("submitted", "registered", "score", "code"), NAMED_BESIDE)
def test_a_name_beside_that_of_another_who_gets_it_is_no_match(
    submitted: str, registered: str, score: int, code: str
) -> None:
    comparison = compare_payee_names(submitted=submitted, registered=registered)
    assert (comparison.score, comparison.decided.code) == (score, code)


OTHER_PEOPLE = [
    ("Mohamed Ahmed", "Ahmed Mohamed", 88),
    ("Hassan Ali", "Ali Hassan", 88),
    ("Omar Khalid", "Khalid Omar", 88),
    ("Chandra Mohan", "Mohan Chandra", 88),
    ("Lee Scott", "Scott Lee", 88),
    ("Garcia Juan", "Juan Garcia", 96),  # a given and a family name
    ("Wang Wei", "Wei Wang", 96),
    ("Marian Kowalski", "Maria Kowalski", 60),
    ("Rakesh Kumar Singh", "Rajesh Kumar Singh", 60),
    ("Rakesh Kumar Singh", "Rakesh Kumr Singh", 86),
    ("Andrea Rossi", "Andreas Rossi", 60),
    ("Nicola Rossi", "Nicolas Rossi", 60),
    ("Jean Martin", "Jeanne Martin", 60),
    ("Khalid Raza", "Khaled Raza", 86),  # another transliteration
    ("Kim Min-jung", "Kim Min-jun", 70),
    ("Kim Min-jung", "Kim Min-jeong", 86),
    ("Quillmont Group AG", "Quillmont AG", 65),
    ("Quillmont Group", "Quillmont AG", 58),
    ("Quillmont Group AG", "Quillmont", 75),  # the short name
    ("St Mary's Church", "St Mark's Church", 70),
    ("Philips Tessaro Ltd", "Phillips Tessaro Ltd", 88),
]


@pytest.mark.parametrize(("one", "other", "score"), OTHER_PEOPLE)
def test_near_names_of_others_are_told_from_slips_of_the_pen(
    one: str, other: str, score: int
) -> None:
    for submitted, registered in ((one, other), (other, one)):
        assert compare_payee_names(submitted=submitted, registered=registered).score == score


UNREAD = [
    ("三菱商事株式会社", "Mitsubishi Corporation"),
    ("삼성전자", "Samsung Electronics"),
    ("রহিম উদ্দিন", "Rahim Uddin"),
    ("สมชาย ใจดี", "Somchai Jaidee"),
    ("サトウ ハナコ", "佐藤 花子"),
]


@pytest.mark.parametrize(("one", "other"), UNREAD)
def test_scripts_that_cannot_be_read_together_are_told_as_such(one: str, other: str) -> None:
    for submitted, registered in ((one, other), (other, one)):
        comparison = compare_payee_names(submitted=submitted, registered=registered)
        assert (comparison.score, comparison.band, comparison.decided.code) == (35, "CLOSE", "P.59")
        assert (comparison.unread, comparison.words, comparison.matched) == (True, (), registered)


@pytest.mark.parametrize(
    ("submitted", "registered"),
    [
        ("王小红", "Robert Langley"),  # read in Pinyin
        ("김민수", "Robert Langley"),
        ("Иван Сидоров", "Robert Langley"),
        ("রহিম উদ্দিন", "প্রিয়া শর্মা"),
        ("三菱電機株式会社", "三菱商事株式会社"),
        ("Robert Langley", "Quillmont AG"),
        ("", "三菱商事株式会社"),
        ("三菱商亊 AᏴ", "Mitsubishi Corporation"),
    ],
)
def test_names_that_were_read_and_differ_are_none(submitted: str, registered: str) -> None:
    comparison = compare_payee_names(submitted=submitted, registered=registered)
    assert (comparison.band, comparison.unread) == ("NO", False)


def test_an_alias_is_read_beside_an_unread_legal_name_and_makes_no_other_unread() -> None:
    def held(registered: str, alias: str) -> tuple[int, bool]:
        comparison = compare_payee_names(
            submitted="Quillmont AG", registered=registered, aliases=[alias]
        )
        return comparison.score, comparison.unread

    assert held("三菱商事株式会社", "Quillmont AG") == (100, False)
    assert held("三菱商事株式会社", "Tessaro AG") == (35, True)
    assert held("Tessaro AG", "三菱商事株式会社")[0] < 35
