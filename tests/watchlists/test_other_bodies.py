"""Businesses that share words of trade, or a usual name, with a listed party and are none of it.

D §4 What may end in BLOCKED, and What is compared with what.
"""

from types import SimpleNamespace
from typing import Any

import pytest

from apps.reference.watchlists import lookup
from apps.reference.watchlists.matches import ListMatch
from apps.reference.watchlists.rules.score_limits import MOST, MOST_OF
from apps.reference.watchlists.subjects import Subject
from tests.watchlists.indexes import index_of

LISTED = (
    ("Shahbaz Khan General Trading LLC", "Organization"),
    ("Adoon General Trading L.L.C.", "Organization"),
    ("Koryo Commercial Bank Ltd.", "Organization"),
    ("Banco Bicentenario del Pueblo", "Organization"),
    ("Tanchon Commercial Bank", "Organization"),
    ("Redin Dis Ticaret Ltd. Sti", "Organization"),
    ("Games Unlimited OOD", "Organization"),
    ("Yangon Airways Company Limited", "Organization"),
    ("Concord Catering", "Organization"),
    ("Ministry of Petroleum", "Organization"),
    ("Ministerio del Interior", "Organization"),
    ("National Petrochemical Company", "Organization"),
    ("Ansar Exchange", "Organization"),
    ("Feng Sheng Co., Ltd.", "Organization"),
    ("Granatura S. de R.L. de C.V.", "Organization"),
    ("Central Bank of the Democratic People's Republic of Korea", "Organization"),
    ("Mostafa Sadeghi", "Person"),
    ("Vladimir Lazarevic", "Person"),
    ("Mohammed Hamza al-Zahrani", "Person"),
    ("Sasa", "Organization"),
    ("Abdelkader Mahmoud Es Sayed", "Person"),
    ("Ali Mohammad Saleh", "Person"),
    ("Halima Adan Ali", "Person"),
    ("Oleg Vladimirovich Deripaska", "Person"),
    ("Shi-Fu Chang", "Person"),
    ("Wu Xian", "Person"),
    ("Valery Kirillovich Medvedev", "Person"),
    ("Mohammad Ibrahim al-Shaar", "Person"),
    ("Chung Ting Ho", "Person"),
)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return SimpleNamespace(sanctions=index_of(LISTED, tmp_path_factory.mktemp("index") / "of"))


def find(engine: Any, name: str, **known: Any) -> list[ListMatch]:
    matches = lookup.match_sanctions(engine=engine, subject=Subject(name=name, **known)).matches
    return sorted(matches, key=lambda match: -match.score)


LOOKED_AT = [
    # a usual name beside words of trade: the listed name has another beside, or is only like it
    ("Khan General Trading Ltd", "name_and_trade"),
    ("Adan General Trading Ltd", "name_and_trade"),
    ("Banco Puebla S.A.", "name_and_trade"),
    ("Al Ansari Exchange LLC", "name_and_trade"),
    # every state has such an office, and several trades are one
    ("Ministry of Petroleum, Egypt", "state_office"),
    ("Ministerio del Interior, Chile", "state_office"),
    ("National Oil Company", "trade_words"),
    # nobody is blocked as a body whose name is heard as his
    ("Feng Song", "persons_name"),
    # a word of business in other languages
    ("Panadería Vladimir Lazarevic", "business"),
    # with its article or run together with it, a name is as usual
    ("Mohammed Al-Zahrani", "common_name"),
    ("Mohammed Alzahrani", "common_name"),
    # a bank writes the family name first
    ("SADEGHI Mostfaa", "common_name"),
    # a legal form says that it is a business, wherever it stands
    ("Mahmoud El-Sayed S.A.E.", "business"),
    ("АО Дерипаска Олег Владимирович", "business"),
    ("Oleg Vladimirovich Deripaska S.A.E.", "business"),
]


@pytest.mark.parametrize(("name", "why"), LOOKED_AT)
def test_who_is_near_by_a_usual_name_is_looked_at_and_never_blocked(
    engine: Any, name: str, why: str
) -> None:
    [match, *_others] = find(engine, name)
    assert match.score == MOST_OF[why] == MOST
    assert why in [effect.what for effect in match.effects]


@pytest.mark.parametrize(
    "name",
    [
        "Konya Commercial Bank",
        "Incheon Commercial Bank",
        "Ancona Commercial Bank",
        "Aydın Dış Ticaret Ltd. Şti.",
        "Gomes",
        "Sousa",
        "Ali Saleh Ltd",
        "Halima Aliyu Ltd",
        "宁波市人民政府",
        "福岡市",
        "名古屋県庁",
        "Sara Mohammadi",
        "Comercial Ruiz, S. de R.L. de C.V.",
        "大连港",
        "Kirillov Medvedeva",
    ],
)
def test_whose_likeness_says_nothing_is_let_pass(engine: Any, name: str) -> None:
    assert [(match.score, match.name) for match in find(engine, name)] == []


@pytest.mark.parametrize(
    ("name", "known", "listed"),
    [
        ("Shahbaz Khan General Trading", {}, "Shahbaz Khan General Trading LLC"),
        ("Koryo Commercial Bank", {}, "Koryo Commercial Bank Ltd."),
        ("Banco Bicentenario del Pueblo S.A.", {}, "Banco Bicentenario del Pueblo"),
        ("Tanchom Commercial Bank", {}, "Tanchon Commercial Bank"),  # a slip of the pen
        ("Yangon Arways Ltd", {}, "Yangon Airways Company Limited"),  # slips of the pen
        (
            "Central Bank of the Democratic People's Repuplic of Korea",
            {},
            "Central Bank of the Democratic People's Republic of Korea",
        ),
        ("Oleg Deripaska", {}, "Oleg Vladimirovich Deripaska"),
        ("Mohammad al-Shaar", {}, "Mohammad Ibrahim al-Shaar"),
    ],
)
def test_who_is_listed_is_still_blocked(
    engine: Any, name: str, known: dict[str, Any], listed: str
) -> None:
    [match, *_others] = find(engine, name, **known)
    assert match.name == listed
    assert match.score > MOST


def test_a_letter_that_is_heard_alike_hides_nobody(engine: Any) -> None:
    [match, *_others] = find(engine, "Konkord Catering")
    assert match.name == "Concord Catering"
