"""What payments write around a short name hides no listed party; what is no name of one stays."""

from types import SimpleNamespace
from typing import Any

import pytest

from apps.reference.watchlists import lookup
from apps.reference.watchlists.listed_entity import Schema
from apps.reference.watchlists.matching.index import MatchIndex
from apps.reference.watchlists.namefield import parse_name_field
from apps.reference.watchlists.subjects import Subject
from tests.watchlists.indexes import index_of

LISTED: list[tuple[str, Schema]] = [
    ("GORBUNKOV, Anatoly Sergeyevich", "Person"),
    ("Zagros Petrochemical Brokerage LLC", "Organization"),
    ("COMPANY FOR FINANCE AND INVESTMENT ZAGROS", "Organization"),
    ("ZAGROSEXPORT OAO", "Organization"),
    ("MAPLE PEOPLE'S LIBERATION PARTY/FRONT", "Organization"),
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> MatchIndex:
    """The names above, opened."""
    return index_of(LISTED, tmp_path_factory.mktemp("index"))


def score(index: MatchIndex, text: str) -> int:
    engine: Any = SimpleNamespace(sanctions=index)
    return lookup.match_sanctions(engine=engine, subject=Subject(name=text)).score


NAME = "Anatoly Gorbunkov"


@pytest.mark.parametrize(
    "text",
    [
        f"payee {NAME}",
        f"{NAME} USD",
        f"{NAME.lower()} usd",
        f"EUR {NAME}",
        f"{NAME} account",
        f"{NAME} acct",
        f"{NAME} personal account",
        f"{NAME} born 1965",
        f"{NAME} born in 1965",
        f"/123456/{NAME}",
        f"//DE89370400440532013000/{NAME}",
        f"Citizen {NAME}",
        f"citoyen {NAME}",
        f"DE89370400440532013000 {NAME}",
        f"DE89 3704 0044 0532 0130 00 {NAME}",
        f"{'x' * 280} {NAME}",
        f'"Maple","{NAME}"',
        f"{NAME} son of Mary Jones",
        "Анатолий Горбунков счет",
    ],
)
def test_words_of_payments_around_a_short_name_are_cut_away(index: MatchIndex, text: str) -> None:
    assert score(index, NAME) >= 70
    assert score(index, text) >= 70


@pytest.mark.parametrize(
    "text",
    [
        f"{NAME} Minsk",
        f"Minsk {NAME} account",
        f"{NAME} Russia",
        f"Mary Jones wife of {NAME}",
        f"wife of {NAME}",
        f"Mary Jones w/o {NAME}",
        f"Mary Jones, hija de {NAME}",
    ],
)
def test_a_place_beside_a_short_name_and_a_relative_are_for_a_human(
    index: MatchIndex, text: str
) -> None:
    assert 45 <= score(index, text) <= 69


@pytest.mark.parametrize(
    "text",
    [
        f"{NAME} Peter Smith",
        "Anatoly USD",  # one word is no name of a person
        "Minsk Gorbunkov account",
        f"payment by {NAME} Smith",
        "wife of Gorbunkov",
        "Mary Jones wife of Peter Smith",
    ],
)
def test_another_given_name_makes_another_person(index: MatchIndex, text: str) -> None:
    assert score(index, text) < 70
    assert not [part for part in parse_name_field(text).parts if part.text == NAME]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Citizen Watch Company", "Citizen Watch Company"),  # companies are called so
        ("Cash Converters International Ltd", "Cash Converters International Ltd"),
        ("payee Citizen Watch Company", "Citizen Watch Company"),
        ("Mary Jones Ron", "Mary Jones Ron"),  # a currency in capitals, here a name
        ("Top Sofia Berger", "Top Sofia Berger"),
        ("Account Holder", "Account Holder"),
        ("Sons of Liberty", "Sons of Liberty"),
    ],
)
def test_what_is_a_name_keeps_its_words(text: str, first: str) -> None:
    assert parse_name_field(text).parts[0].text == first


@pytest.mark.parametrize("sign", ["?", "¤", "★", "😀", "·", "•", "\u1680", "'", "’", "??", "€"])
def test_a_sign_between_two_names_is_read_as_a_space(index: MatchIndex, sign: str) -> None:
    assert score(index, f"Anatoly{sign}Gorbunkov") >= 70


@pytest.mark.parametrize("sign", ["?", "'", "★"])
def test_a_sign_for_each_space_of_a_company_is_read(index: MatchIndex, sign: str) -> None:
    text = "Company for Finance and Investment Zagros"
    assert score(index, text.replace(" ", sign)) >= 70


@pytest.mark.parametrize(
    "text", ["Liam O'Neil", "Gina D'Angelo", "N'Golo Kante", "Dell'Acqua", "AT&T Ltd", "A.B. C+D"]
)
def test_an_apostrophe_of_a_usual_name_stays(text: str) -> None:
    assert parse_name_field(text).parts[0].text == text
    assert not any(
        "O Neil" in part.text or "D Angelo" in part.text for part in parse_name_field(text).parts
    )


@pytest.mark.parametrize("form", ["АО", "ПАО", "ОАО", "ЗАО"])
def test_a_russian_form_before_a_company_is_no_word_of_its_name(
    index: MatchIndex, form: str
) -> None:
    assert score(index, f"{form} Загросэкспорт") >= 70
