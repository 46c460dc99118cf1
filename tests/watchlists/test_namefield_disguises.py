"""Disguised names are read as a human reads them, and what cannot be read is said."""

import pytest

from apps.reference.watchlists.namefield import parse_name_field
from apps.reference.watchlists.namefield.disguises import APART, MIXED
from apps.reference.watchlists.namefield.stray_signs import ODD
from apps.reference.watchlists.namefield.unread_parts import NO_NAME, NOTHING

READ = [
    ("&#65;&#110;&#110;&#97; Muller", "Anna Muller"),
    ("Anna&amp;#32;Muller", "Anna Muller"),
    ("%41%6e%6e%61 Muller", "Anna Muller"),
    ("\\u0041nna Muller", "Anna Muller"),
    ("A\u00adn\u00adn\u00ada M\u200buller", "Anna Muller"),
    ("\uff21\uff4e\uff4e\uff41 Muller", "Anna Muller"),
    ("𝕬𝖓𝖓𝖆 Muller", "Anna Muller"),
    ("🅰🅽🅽🅰 Muller", "ANNA Muller"),
    ("ᴀɴɴᴀ Muller", "anna Muller"),
    ("4nn4 Mu11er", "anna Muller"),
    ("4nn4 M1ller", "anna Miller"),
    ("@nn@ Muller", "anna Muller"),
    ("$tefan Muller", "stefan Muller"),
    ("A n n a M u l l e r", "AnnaMuller"),
    ("A n n a  M u l l e r", "Anna Muller"),
    ("A.n.n.a M.u.l.l.e.r", "AnnaMuller"),
    ("A-n-n-a   M-u-l-l-e-r", "Anna Muller"),
    ("An-na Mul-ler", "Anna Muller"),
    ("AAnnnnaa MMuulllleerr", "Anna Muller"),
    ("AnnaMullerTrading", "Anna Muller Trading"),
    ("BLUEHERONLIMITED", "BLUEHERON"),
    ("2024Anna Muller", "Anna Muller"),
    ("SALARY2024Anna Muller", "Anna Muller"),
    ("Anna Muller2024", "Anna Muller"),
    ("AnnaMuller2024", "Anna Muller"),
    ("Anna Li2024", "Anna Li"),
    ("Al-Qurnaf2024", "Al-Qurnaf"),
    ("An<i></i>na Muller", "Anna Muller"),
    ("An(x)na Mul[]ler", "Anna Muller"),
]


@pytest.mark.parametrize(("disguised", "plain"), READ)
def test_a_disguise_is_read(disguised: str, plain: str) -> None:
    assert plain in [part.text for part in parse_name_field(disguised).parts]


@pytest.mark.parametrize(
    ("disguised", "plain"),
    [("Аnna Мuller", "Anna Muller"), ("Αnna Мuller", "Anna Muller"), ("Cтефан Ким", "Стефан Ким")],
)
def test_a_word_of_two_scripts_is_read_in_one_and_told(disguised: str, plain: str) -> None:
    field = parse_name_field(disguised)
    assert field.parts[0].text == plain and field.unread == (MIXED,)


@pytest.mark.parametrize(
    ("odd", "plain"),
    [
        ("An一na Mul一ler", "Anna Muller"),
        ("Anㄅna Muller", "Anna Muller"),
        ("Anカna Muller", "Anna Muller"),
        ("An½na Muller", "Anna Muller"),
        ("AnⅫna Muller", "Anna Muller"),
        ("∀nnɐ Mullɐr", "∀nna Mullar"),
        ("ʇoɯɯʎ Muller", "tommy Muller"),
    ],
)
def test_a_word_with_signs_in_it_is_read_without_them_and_told(odd: str, plain: str) -> None:
    field = parse_name_field(odd)
    assert plain in [part.text for part in field.parts] and ODD in field.unread


def test_a_word_all_of_look_alikes_beside_latin_is_read_both_ways() -> None:
    field = parse_name_field("ОСА Trading Company")  # Cyrillic first word
    assert {"OCA Trading Company", "ОСА Trading Company"} <= {part.text for part in field.parts}


@pytest.mark.parametrize(
    "text",
    [
        "Стефан Ким",
        "Ким Чен Ын",
        "株式会社カネカ",
        "中国ABC公司",
        "ABC株式会社",
        "Acme 公司 Ltd",
        "Grupo Nº 5 SA",
        "라자루스 그룹",
        "Müller Straße",
        "محمد علي",
    ],
)
def test_names_of_one_script_and_customary_mixtures_are_read_whole(text: str) -> None:
    assert parse_name_field(text).unread == ()


WORDS = "maple cedar river stone light cloud paper metal garden amber coral ivory linen velvet"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A n n a M u l l e r", APART),
        ("12345", NOTHING),
        ("N/A", NO_NAME),
        ("UNKNOWN", NO_NAME),
        ("Mr.", NO_NAME),
        ("Dr. Ing.", NO_NAME),
        ("Beneficiary", NO_NAME),
        ("see attached", NO_NAME),
        ("GmbH", NO_NAME),
        ("limited liability company", NO_NAME),
        ("xxx", NO_NAME),
        ("Empfänger", NO_NAME),
        ("получатель", NO_NAME),
        ("לקוח", NO_NAME),
        ("?!", NOTHING),
        ("Q", NOTHING),
        ("", NOTHING),
        (f"{WORDS} birch ash elm", "it has 17 words, of which the first 16 are compared."),
        ("ab" * 200 + "a", "of its 401 letters the first 400 are compared."),
        ("Anna ߞߏ", "some letters cannot be read (U+07DE U+07CF)."),
    ],
)
def test_what_is_not_compared_is_said(text: str, said: str) -> None:
    assert parse_name_field(text).unread == (said,)


@pytest.mark.parametrize(
    "text",
    [
        f"{WORDS} birch ash",  # sixteen words
        "ab" * 200,
        "J. R. R. Tolkien",
        "Test GmbH",
        "Beneficiary Ltd",
        "Mr. Unknown Mortal",
        "Xx Aa",
        "EP-MMC",
        "冉冉",
        "P-532",
        "T.D.G.",
        "Aena S.M.E., S.A.",
        "Corticeira Amorim, S.G.P.S., S.A.",
        "Anna Muller, 1 Maple Street, Cedar Court, River House, Stone Row, Light Lane, London, GB",
    ],
)
def test_what_is_compared_whole_is_not_complained_of(text: str) -> None:
    assert parse_name_field(text).unread == ()


@pytest.mark.parametrize(
    "text", ["7-Eleven", "3M Company", "B2B Solutions", "1st Avenue Bank", "Web3 Labs"]
)
def test_digits_of_honest_names_stay_in_the_first_part(text: str) -> None:
    assert parse_name_field(text).parts[0].text == text
