"""Names of persons as payments write them, beside the listed person that they do or do not mean.

The listed names are single rows of the lists of OFAC (January 2022) and of the UN (February 2026),
both in the public domain, or made up after them.
"""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from apps.reference.watchlists import lookup
from apps.reference.watchlists.listed_entity import ListedEntity, ListedName
from apps.reference.watchlists.matching.index import IndexEntry, MatchIndex, build_index
from apps.reference.watchlists.matching.score import score_pair
from apps.reference.watchlists.matching.token_weights import TokenWeights
from apps.reference.watchlists.rules.score_limits import (
    BLOCK_SCORE,
    PARTIAL_SCORE,
    to_whole_percent,
)
from apps.reference.watchlists.subjects import Subject

LISTED = (
    "SECHIN, Igor",
    "ROTENBERG, Arkady",
    "KOZAK, Dmitry",
    "PRIGOZHIN, Yevgeniy Viktorovich",
    "KOVALCHUK, Yuri Valentinovich",
    "SURKOV, Vladislav Yurievich",
    "CHEMEZOV, Sergey Viktorovich",
    "DERIPASKA, Oleg Vladimirovich",
    "TSALIKOV, Ruslan Khadzhismelovich",
    "ZHUKOV, Khalid",
    "KONY, Josef",
    "KONIG, Anna",
)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Any:
    place: Path = tmp_path_factory.mktemp("index")
    parties = [
        ListedEntity(str(number), "Person", (ListedName(name),))
        for number, name in enumerate(LISTED)
    ]
    build_index(
        entries=[
            IndexEntry(ref=f"l:{party.entity_id}", dataset="l", entity=party) for party in parties
        ],
        directory=place,
    )
    index = MatchIndex.open(place)
    return SimpleNamespace(sanctions=index, pep=index)


def found(engine: Any, name: str) -> tuple[str, int]:
    """Return the listed name found from the partial score on, and its score."""
    lookup_result = lookup.match_sanctions(engine=engine, subject=Subject(name=name))
    return next(
        ((match.name, match.score) for match in lookup_result.matches), ("", lookup_result.score)
    )


def score(asked: str, listed: str) -> int:
    pair = {"query": asked, "candidate": listed, "schema": "Person"}
    return to_whole_percent(score_pair(weights=TokenWeights.general(), **pair))  # type: ignore[arg-type]


# --- initials ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "listed"),
    [
        # the list leaves the father's name out: saying more is no contradiction
        ("Сечин И.И.", "SECHIN, Igor"),
        ("Sechin I.I.", "SECHIN, Igor"),
        ("I. I. Sechin", "SECHIN, Igor"),
        ("И. Сечин", "SECHIN, Igor"),
        ("Rotenberg A.R.", "ROTENBERG, Arkady"),
        ("Козак Д.Н.", "KOZAK, Dmitry"),
        ("Чемезов С.В.", "CHEMEZOV, Sergey Viktorovich"),
        # one Cyrillic letter, one to four Latin ones
        ("Пригожин Е.В.", "PRIGOZHIN, Yevgeniy Viktorovich"),
        ("Prigozhin E.V.", "PRIGOZHIN, Yevgeniy Viktorovich"),
        ("Prigozhin Ye.V.", "PRIGOZHIN, Yevgeniy Viktorovich"),
        ("Prigozhin Y.V.", "PRIGOZHIN, Yevgeniy Viktorovich"),
        ("Ю. Ковальчук", "KOVALCHUK, Yuri Valentinovich"),
        ("Ковальчук Ю В", "KOVALCHUK, Yuri Valentinovich"),
        ("Yu. Kovalchuk", "KOVALCHUK, Yuri Valentinovich"),
        ("Iu.V. Kovalchuk", "KOVALCHUK, Yuri Valentinovich"),
        ("J. Kovalchuk", "KOVALCHUK, Yuri Valentinovich"),
        ("Сурков В.Ю.", "SURKOV, Vladislav Yurievich"),
        ("Surkov V.Yu.", "SURKOV, Vladislav Yurievich"),
        ("Цаликов Р.Х.", "TSALIKOV, Ruslan Khadzhismelovich"),
        ("Tsalikov R.Kh.", "TSALIKOV, Ruslan Khadzhismelovich"),
        ("Жуков Х.", "ZHUKOV, Khalid"),
        ("Zhukov Kh.", "ZHUKOV, Khalid"),
        # what stands before the name in a payment
        ("O. Deripaska", "DERIPASKA, Oleg Vladimirovich"),
        ("Mr. O. Deripaska", "DERIPASKA, Oleg Vladimirovich"),
        ("Payment to Mr. O. Deripaska", "DERIPASKA, Oleg Vladimirovich"),
        ("Payment for Mr. O. Deripaska", "DERIPASKA, Oleg Vladimirovich"),
        ("Refund to O. Deripaska", "DERIPASKA, Oleg Vladimirovich"),
    ],
)
def test_a_surname_with_the_initials_of_a_listed_person_is_for_a_human(
    engine: Any, asked: str, listed: str
) -> None:
    name, reached = found(engine, asked)
    assert name == listed and PARTIAL_SCORE <= reached < BLOCK_SCORE


@pytest.mark.parametrize(
    "asked", ["Sechin A.A.", "Sechin A.I.", "Козак Н.Д.", "Prigozhin A.V.", "Yu Sechin", "Sechin"]
)
def test_other_initials_or_none_do_not_mean_a_listed_person(engine: Any, asked: str) -> None:
    assert found(engine, asked)[1] < PARTIAL_SCORE


def test_a_payment_to_a_person_is_a_payment_to_that_person(engine: Any) -> None:
    assert found(engine, "Payment to Mr. Igor Sechin") == ("SECHIN, Igor", 100)


# --- names that are only alike ---------------------------------------------------------------

ALIKE = [
    # short words of the same sounds
    ("Ismail Khan", "HANIEH, Ismail"),
    ("Yusuf Khan", "Hany Youseff"),
    # Arabic given names that differ by a letter which Latin spelling hardly shows
    ("Omar Abdullah", "امیر عبد الله"),
    ("Omar Hassan", "HASAN, Ammar"),
    ("Mahmoud Abbas", "ABBAS, Muhammad"),
    ("Salim Hamad", "SALIM, Ahmad"),
    ("Khalil Zubairi", "ZUBAIRI, Khalid"),
    ("Jamil Nasrallah", "NASRALLAH, Jamal"),
    # the father or mother of somebody
    ("Mohamed Salah", "Abou Mohamed Salah"),
    ("Abu Omar Shami", "Omar Shami"),
    ("Abu al-Hassan Zubairi", "Hassan Zubairi"),
    ("أبو محمد صلاح", "محمد صلاح"),
    # the first surname is missing, and the mother's alone agrees
    ("Juan Carlos Pérez", "MARTINEZ PEREZ, Juan Carlos"),
    ("Juan Perez", "MARTINEZ PEREZ, Juan Carlos"),
    ("Perez Carlos", "Juan Carlos MARTINEZ PEREZ"),
    ("Ana Maria Rojas", "CASTILLO ROJAS, Ana Maria"),
    ("Juan Carlos Martinez Perez", "PEREZ, Juan Carlos"),
]


@pytest.mark.parametrize(("asked", "listed"), ALIKE)
def test_a_person_whose_name_is_only_like_a_listed_one_is_no_match(asked: str, listed: str) -> None:
    assert score(asked, listed) < BLOCK_SCORE


@pytest.mark.parametrize(
    ("asked", "listed"),
    [
        ("Ismail Haniyeh", "HANIEH, Ismail"),
        ("Ismail Haniya", "HANIEH, Ismail"),
        ("Hani Yusuf", "Hany Youseff"),
        ("Joseph Kony", "KONY, Josef"),
        ("Umar Abdallah", "عمر عبد الله"),
        ("Ameer Abdullah", "امیر عبد الله"),
        ("Omar Hasan", "HASSAN, Umar"),
        ("Mohamed Abbas", "ABBAS, Muhammad"),
        ("Khaled Zubairi", "ZUBAIRI, Khalid"),
        ("Hameed Zubairi", "ZUBAIRI, Hamed"),
        ("Abou Mohamed Salah", "Abu Muhammad Salah"),
        ("Hassan Abu Zaid Zubairi", "Hassan Zaid Zubairi"),
        ("Juan Carlos Martinez", "MARTINEZ PEREZ, Juan Carlos"),
        ("Juan Martínez Pérez", "MARTINEZ PEREZ, Juan Carlos"),
        ("Ana Maria Castillo", "CASTILLO ROJAS, Ana Maria"),
        # of two given names the second may be left out
        ("Juan Perez", "PEREZ, Juan Carlos"),
    ],
)
def test_another_spelling_or_a_name_left_out_is_a_match(asked: str, listed: str) -> None:
    assert score(asked, listed) >= BLOCK_SCORE


def test_a_slip_between_two_arabic_names_is_for_a_human() -> None:
    assert PARTIAL_SCORE <= score("Salah al-Arouri", "AL-ARURI, Salih") < BLOCK_SCORE


def test_a_listed_surname_is_no_slip_for_a_short_one_that_is_like_it(engine: Any) -> None:
    assert found(engine, "Joseph Konig")[1] < BLOCK_SCORE
    name, reached = found(engine, "Joseph Kony")
    assert name == "KONY, Josef" and reached >= BLOCK_SCORE
