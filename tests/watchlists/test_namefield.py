"""The name field as payments write it: which names, of which kinds, are read from it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.reference.names.field.word_tests import build_comparison_key
from apps.reference.watchlists.namefield import parse_name_field
from apps.reference.watchlists.namefield.parser import (
    MOST_OF_SCRIPTS,
    MOST_PARTS,
    TOO_MANY,
    limit_parts,
)
from apps.reference.watchlists.namefield.parts import NamePart
from tests import steps

NORD = "NORDWIND HANDEL GMBH"


def parts(text: str) -> list[tuple[str, str]]:
    return [(part.kind, part.text) for part in parse_name_field(text).parts if part.kind != "WHOLE"]


PLAIN = [
    "Anna Quenneville",
    "Quenneville, Anna",
    "Blue Heron Stationery, Inc.",
    "Blue Heron Stationery Co., Ltd.",
    "Blue Heron (UK) Limited",
    "Karoo Wool Growers (Pty) Ltd",
    "Lahore Steel Works (Pvt.) Limited",
    "Procter and Gamble Company",
    "Paper and Boards (India) Limited",
    "Johnson & Johnson",
    "J. R. R. Tolkien",
    "Hotel Indigo - London",
    "Leverage Shares 3x Short",
    "Tadir 1993 Ltd.",
    "Major Drilling Group",
    "Pan Wei",
    "The Chez Company",
    "Export Bank of China",
    "Anna Jordan",
    "Vector 21 Holdings, Inc.",
    "Islamic Holding Group - Q.P.S.C.",
    "Q",
    "",
    "   ",
]


@pytest.mark.parametrize("text", PLAIN)
def test_a_plain_name_is_one_part(text: str) -> None:
    ((kind, _text),) = parts(text)
    assert kind == "MAIN"
    assert len(parse_name_field(text).parts) == 1


INTRODUCED = [
    ("ACME LTD (FORMERLY {})", "FORMER"),
    ("ACME LTD (FORMERLY {}", "FORMER"),
    ("ACME LTD [F/K/A: {}]", "FORMER"),
    ("ACME LTD (EX-{})", "FORMER"),
    ("ACME LTD, EX {}", "FORMER"),
    ("ACME LTD formerly known as {}", "FORMER"),
    ("ACME GMBH vormals {}", "FORMER"),
    ("ACME SARL (anciennement {})", "FORMER"),
    ("ACME SA antes denominada {}", "FORMER"),
    ("ООО АКМЕ (ранее {})", "FORMER"),
    ("中大公司(曾用名 {})", "FORMER"),
    ("ACME LTD a.k.a. {}", "ALIAS"),
    ("ACME LTD AKA {}", "ALIAS"),
    ("ACME SA, también conocida como {}", "ALIAS"),
    ("АКМЕ, он же {}", "ALIAS"),
    ("ACME LLC D/B/A {}", "TRADING_AS"),
    ("ACME LLC dba {}", "TRADING_AS"),
    ("ACME LTD T/A {}", "TRADING_AS"),
    ("ACME LTDA nome fantasia: {}", "TRADING_AS"),
    ("ANNA MULLER C/O {}", "CARE_OF"),
    ("ANNA MULLER c/o: {}", "CARE_OF"),
    ("ANNA MULLER z.Hd. {}", "CARE_OF"),
    ("ANNA MULLER attn {}", "CARE_OF"),
    ("ANNA MULLER for the account of {}", "ON_BEHALF"),
    ("ANNA MULLER obo {}", "ON_BEHALF"),
    ("ANNA MULLER pour le compte de {}", "ON_BEHALF"),
    ("ANNA MULLER от имени {}", "ON_BEHALF"),
    ("ANNA MULLER; {}", "HOLDER"),
    ("ANNA MULLER | {}", "HOLDER"),
    ("ANNA MULLER // {}", "HOLDER"),
    ("ACME LTD & {}", "HOLDER"),
    ("ANNA MULLER ({})", "BRACKET"),
    ('ANNA MULLER "{}"', "ALIAS"),
]


@pytest.mark.parametrize(("form", "kind"), INTRODUCED)
def test_what_introduces_a_name_says_its_kind(form: str, kind: str) -> None:
    assert (kind, NORD) in parts(form.format(NORD))


@pytest.mark.parametrize(("form", "kind"), INTRODUCED)
def test_the_field_is_also_searched_as_it_stands(form: str, kind: str) -> None:
    whole = form.format(NORD)
    assert build_comparison_key(whole) in [
        build_comparison_key(part.text) for part in parse_name_field(whole).parts
    ]


@pytest.mark.parametrize(
    "behind",
    [
        "INV 2026-1147",
        "invoice 2024/01 payment for goods",
        "Rechnung Nr. 4711",
        "оплата по договору 7",
        "pago de alquiler",
        "REF: A12-334",
        "12345",
        "PO BOX 1147",
        "+98 21 88776655",
        "info@nordwind.example",
        "www.nordwind.example",
        ", LONDON BRANCH",
        ", 12 High Street, London",
        ", Tehran, Iran",
        ", P.O. Box 9, Ferdowsi Avenue",
        "19 VAVILOVA ST MOSCOW",
        ", Isfahan",
        "TEHRAN IRAN",
        "DUBAI UNITED ARAB EMIRATES",
    ],
)
def test_a_reference_or_address_ends_the_name(behind: str) -> None:
    assert parts(f"{NORD} {behind}")[0] == ("MAIN", NORD)


def test_a_number_within_a_name_before_its_address_is_kept() -> None:
    found = parts("NORDWIND 13 HANDEL, Chegutu, Zimbabwe")
    assert found == [("MAIN", "NORDWIND 13 HANDEL"), ("MAIN", "NORDWIND")]


def test_a_family_name_before_a_comma_keeps_its_given_names() -> None:
    assert ("MAIN", "QUENNEVILLE, Anna") in parts("QUENNEVILLE, Anna, Baghdad, Iraq")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("ANNA MULLER AND OMAR SAID", ["ANNA MULLER", "OMAR SAID"]),
        ("Anna Muller und Omar Said", ["Anna Muller", "Omar Said"]),
        ("Anna Muller u. Omar Said", ["Anna Muller", "Omar Said"]),
        ("Anna Muller/Omar Said", ["Anna Muller", "Omar Said"]),
        ("Anna Muller, Omar Said", ["Anna Muller", "Omar Said"]),
        ("Anna and Omar Said", ["Anna Said", "Omar Said"]),
        ("Acme Ltd and Omar Said", ["Acme Ltd", "Omar Said"]),
        ("Anna Muller or Omar Said JT TEN", ["Anna Muller", "Omar Said"]),
    ],
)
def test_joint_holders_are_each_a_part(text: str, names: list[str]) -> None:
    assert [name for kind, name in parts(text) if kind == "HOLDER"] == names


@pytest.mark.parametrize(
    "before",
    ["His Excellency Dr.", "Mr.", "Beneficiary:", "Ordering customer:", "Herr", "Г-н", "Sr."],
)
def test_titles_and_labels_are_no_part_of_a_name(before: str) -> None:
    assert "Anna Muller" in [text for _kind, text in parts(f"{before} Anna Muller")]


def test_a_colon_divides_where_no_label_stands_before_it() -> None:
    assert parts("NORDWIND HANDEL: ANNA MULLER, Hamburg, Germany") == [
        ("MAIN", "NORDWIND HANDEL"),
        ("HOLDER", "ANNA MULLER"),
    ]


@pytest.mark.parametrize("content", ["Q.P.S.C", "publ", "P.K.K."])
def test_initials_in_brackets_belong_to_the_name_and_are_searched(content: str) -> None:
    comparison_keys = [
        build_comparison_key(text) for _kind, text in parts(f"Anna Muller ({content})")
    ]
    assert comparison_keys == [
        build_comparison_key(f"Anna Muller {content}"),
        build_comparison_key(content),
    ]


def test_numbered_lines_give_the_name_lines() -> None:
    assert parts("1/ANNA MULLER 2/12 HIGH STREET 3/GB/LONDON") == [("MAIN", "ANNA MULLER")]


@pytest.mark.parametrize(
    "before", ["INV 2026-1147", "invoice no. 12", "ref 123/", "Ref: A12-334 -", "счет 5"]
)
def test_a_reference_may_stand_before_the_name(before: str) -> None:
    assert NORD in [text for _kind, text in parts(f"{before} {NORD}")]


@pytest.mark.parametrize(
    "text",
    [
        "FREIGHT MV SUNNY HARBOUR BL 123",
        "bunkers m/v SUNNY HARBOUR",
        "VESSEL: SUNNY HARBOUR FLAG PANAMA",
        "MV 'SUNNY HARBOUR' V.12",
    ],
)
def test_a_ship_is_found_among_what_is_said_of_its_voyage(text: str) -> None:
    assert ("SUNNY HARBOUR", "Vessel") in [
        (part.text, part.schema_hint) for part in parse_name_field(text).parts
    ]


@pytest.mark.parametrize("prefix", ["MV", "M/V", "M.T.", "vessel", "танкер"])
def test_a_ship_is_told_by_its_prefix(prefix: str) -> None:
    first = parse_name_field(f"{prefix} SUNNY HARBOUR").parts[0]
    assert (first.text, first.schema_hint) == ("SUNNY HARBOUR", "Vessel")


def test_introductions_in_brackets_within_brackets_are_found() -> None:
    found = parts("ACME LTD (formerly OMEGA TRADING (also known as DELTA TRADING))")
    assert ("FORMER", "OMEGA TRADING") in found and ("ALIAS", "DELTA TRADING") in found


def test_each_name_is_searched_once() -> None:
    texts = [part.text for part in parse_name_field("ACME LTD AKA ACME LTD (Acme, Ltd.)").parts]
    assert texts == ["ACME LTD", "ACME LTD AKA ACME LTD (Acme, Ltd.)"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Anna Muller gift to Omar Quenneville", "Omar Quenneville"),
        ("Anna Muller donation to Alqurnaf", "Alqurnaf"),
        ("Anna Muller ref 12 Omar Quenneville", "Omar Quenneville"),
        ("Anna Muller 12 Omar Quenneville", "Omar Quenneville"),
        ("payment for Omar Quenneville", "Omar Quenneville"),
        ("Acme Trading Ltd, Omar Quenneville, London", "Omar Quenneville"),
        ("Acme Trading Ltd, Tower Omar Quenneville", "Omar Quenneville"),
        ("1/Anna Muller 2/Omar Quenneville 3/GB/London", "Omar Quenneville"),
        ("1/Anna Muller 2/for the account of Omar Quenneville", "Omar Quenneville"),
        ("www.omarquenneville.com", "omarquenneville"),
        ("Anna Muller https://omar-quenneville.org", "omar quenneville"),
    ],
)
def test_a_name_in_what_is_cut_away_is_searched_too(text: str, name: str) -> None:
    assert ("SEGMENT", name) in parts(text)


@pytest.mark.parametrize(
    "text",
    [
        "Acme Ltd, 12 High Street, London, GB",
        "Anna Muller, 1 Maple Street, Flat 3, Paris",
        "Acme Trading Ltd invoice 12",
        "Anna Muller, rent for May 2024",
        "1/Anna Muller 2/12 Maple Road 3/GB/London",
    ],
)
def test_an_address_or_reference_without_a_name_is_no_part(text: str) -> None:
    assert "SEGMENT" not in [kind for kind, _text in parts(text)]


def test_each_of_many_joint_holders_is_a_part() -> None:
    row = [f"Anna{'x' * n} Muller" for n in range(7)]
    assert parts(" & ".join(row))[:7] == [("HOLDER", one) for one in row]


def test_more_names_than_are_searched_are_told() -> None:
    row = "; ".join(f"Anna{'x' * n} Muller" for n in range(MOST_PARTS + 1))
    field = parse_name_field(row)
    assert len(field.parts) == MOST_PARTS and TOO_MANY.format(MOST_PARTS) in field.unread


@pytest.mark.parametrize(
    ("scripts", "most"),
    [("اشپ", MOST_PARTS), ("اشپ Ιβάν", MOST_PARTS), ("اشپ Ιβάν Иван", MOST_OF_SCRIPTS)],
)
def test_a_field_in_more_than_three_scripts_gives_two_names(scripts: str, most: int) -> None:
    names = [f"Anna{'x' * n} Muller" for n in range(MOST_PARTS)]
    field = parse_name_field("; ".join([scripts, *names]))
    assert len(field.parts) == most and TOO_MANY.format(most) in field.unread


@pytest.mark.parametrize(("letters", "compared"), [(199, 4), (200, 4), (201, 3)])
def test_names_of_more_than_800_letters_together_are_not_all_compared(
    letters: int, compared: int
) -> None:
    names = [f"{first}nna {'x' * (letters - 5)}" for first in "ABCD"]
    parts = tuple(NamePart(name) for name in names)
    assert len(limit_parts(parts, most=MOST_PARTS)) == compared


@pytest.mark.parametrize(("words", "most"), [(32, MOST_PARTS), (33, 4)])
def test_of_a_text_longer_than_any_name_fewer_names_are_searched(words: int, most: int) -> None:
    names = [f"Anna{'x' * n} Muller" for n in range(MOST_PARTS)]
    row = "; ".join(names) + "; " + " ".join(f"Berta{'y' * n}" for n in range(words - 16))
    field = parse_name_field(row)
    assert [part.text for part in field.parts] == names[:most]
    assert TOO_MANY.format(most) in field.unread


@pytest.mark.parametrize(("words", "searched"), [(16, True), (17, False)])
def test_a_divided_text_is_searched_as_a_whole_up_to_sixteen_words(
    words: int, searched: bool
) -> None:
    text = "Anna Muller c/o " + " ".join(f"Berta{'x' * n}" for n in range(words - 3))
    field = parse_name_field(text)
    assert [part.text for part in field.parts if part.kind == "WHOLE"] == [text]
    assert (text in [part.text for part in field.searched]) == searched
    assert "Anna Muller" in [part.text for part in field.searched]


texts = st.text(st.characters(), max_size=120)
pieces = st.sampled_from(
    [
        "(",
        ")",
        "formerly",
        "c/o",
        ";",
        ",",
        "and",
        "ACME",
        "Ltd",
        "Anna",
        "12",
        "IMO",
        "a.k.a.",
        "/",
    ]
)


@settings(deadline=None)
@given(st.one_of(texts, st.lists(pieces, max_size=25).map(" ".join)))
def test_any_text_is_read_and_has_a_first_part(text: str) -> None:
    field = parse_name_field(text)
    assert 1 <= len(field.parts) <= MOST_PARTS
    assert len({part.text for part in field.parts}) == len(field.parts)


@pytest.mark.parametrize(
    "text",
    [
        *("(" * 500 + "ACME TRADING", "ACME (" * 90, "(ACME " * 90 + ")" * 90, "formerly " * 60),
        *("A-" * 250, "a." * 250, "1 " * 250, "AB, " * 125, "AB and " * 80, "/" * 500, "&#" * 250),
        *("%41" * 160, "I" * 500, "IMO " * 120, "x" * 500, "-x" * 250, "'" * 500, "aа" * 250),
    ],
)
def test_a_text_made_to_take_long_takes_few_steps(text: str) -> None:
    assert parse_name_field(text).parts
    assert steps.taken(parse_name_field, text) < 150 * len(text)


@pytest.mark.parametrize(
    "text",
    [
        ("旧 ,, " * 75)[:298] + "a",
        *(", ex" * 75, "原前旧" * 100, "原," * 150, "旧ex," * 75, "a;原b旧," * 42),
        *("ref 1 " * 50, "payment to " * 27, "fka " * 75),
    ],
)
def test_three_hundred_letters_take_few_steps(text: str) -> None:
    parse_name_field(
        "warm 原 (formerly warm) ref 1 and warm, 旧 warm, payment to warm fka warm, ex warm"
    )
    assert steps.taken(parse_name_field, text) < 400 * len(text)


@pytest.mark.parametrize("text", ["\ud800", "Ali \udfff Hassan (ex \ud800)", "\0", "\u202eKim"])
def test_broken_text_is_read(text: str) -> None:
    assert parse_name_field(text).parts
