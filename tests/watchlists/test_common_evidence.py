"""What sounds alike, and one common given and family name, count at most 69: nobody is blocked.

D §4 What may end in BLOCKED.
"""

from typing import Any

import pytest

from apps.reference.names.words.arabic_names import is_derived_arabic_name
from apps.reference.names.words.common_names import is_common_name
from apps.reference.watchlists import lookup
from apps.reference.watchlists.rules.score_limits import BOUNDS, MOST
from apps.reference.watchlists.subjects import Subject
from tests.watchlists.indexes import best_match, engine_of, party

BORN = "1964-02-11"
LISTED = (
    party("lopez", "Person", "Jose LOPEZ", birth_dates=(BORN,), countries=("MX",),
          addresses=("14 Calle Real, Culiacan, Mexico",)),
    party("sanchez", "Person", "Pedro Luis SANCHEZ"),
    party("hosseini", "Person", "Mohammad Reza HOSSEINI", countries=("IR",)),
    party("cohen", "Person", "Yosef COHEN"),
    party("ivanov", "Person", "Sergei IVANOV"),
    party("mishustin", "Person", "Mikhail MISHUSTIN", "Михаил МИШУСТИН"),
    party("zaghlawi", "Person", "Tariq ZAGHLAWI", "طارق زغلاوي"),
    party("quill", "Person", "Baltazar QUILLFEATHER"),
    party("karima", "Person", "Abdollah KARIMA", "Abdul Karim"),
    party("ahmadi", "Person", "Mohammad AHMADI"),
    party("zaw", "Person", "Soe WIN"),
    party("kim", "Person", "KIM Yong Chol"),
    party("o", "Person", "Yong Ho O"),
    party("sadhvi", "Person", "Zubin KOTHARIWALA", "ज़ुबिन कोठारीवाला"),
    party("habib", "Person", "Habib YUSUF", birth_dates=(BORN,)),
    party("ibrahim", "Person", "Khalid Hassan IBRAHIM"),
    party("haruna", "Person", "Harun TALIB"),
    party("reza", "Person", "Reza HUSSEIN"),
    party("masri", "Person", "Mohammed AL-MASRI"),
)  # fmt: skip


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return engine_of(LISTED, tmp_path_factory.mktemp("index"))


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("José López", "common_name"),
        ("Pedro Sanchez", "common_name"),  # a second given name is left out
        ("Yosef Cohen", "common_name"),
        ("Sergey Ivanov", "common_name"),
        ("Сергей Иванов", "common_name"),
        ("Mohamad Hoseini", "by_sound"),
        ("محمد رضا حسینی", "by_sound"),
        ("Jose Lopes", "common_name"),  # one letter beside: another common name
        ("Tarik Zaglawi", "by_sound"),
        ("আব্দুল করিম", "by_sound"),
        ("अब्दुल करीम", "by_sound"),
        ("Mohammad Ahmadi", "common_name"),
        ("Soe Win", "common_name"),
        ("Kim Yong Chol", "common_name"),
        ("Habibu Yusuf", "common_name"),  # Hausa for Habib
        ("Yusuf Habib", "common_name"),  # all that is listed, the other way round
        ("Khalid Ibrahim", "common_name"),  # the father's name between is left out
        ("Muhammad Habib Yusuf", "common_name"),  # a name that many put before their own
        ("Haruna Talib", "common_name"),  # Hausa for Harun, and no woman's name
        ("Mohamed Al Masri", "common_name"),
    ],
)
def test_a_likeness_of_common_material_is_for_a_human(engine: Any, name: str, code: str) -> None:
    match = best_match(engine, name)
    assert match.score == MOST, (name, match.score, match.effects)
    assert code in {effect.what for effect in match.effects}
    (bound,) = (one for one in BOUNDS if one.code == code)
    assert bound.ref.startswith("D §4 What may end in BLOCKED") and bound.most == 69


@pytest.mark.parametrize(
    "name",
    [
        "Mikhail Mishustin",  # a rare family name, as it is written
        "Mihail Mishustin",
        "Михаил Мишустин",
        "Tariq Zaghlawi",
        "طارق زغلاوي",  # as the list writes it, in its own script
        "ज़ुबिन कोठारीवाला",
        "Baltazar Quillfeather",
        "Balthazar Quillfeather",
    ],
)
def test_a_rare_name_as_it_is_written_blocks(engine: Any, name: str) -> None:
    match = best_match(engine, name)
    assert match.score >= 70, (match.score, match.effects)
    assert not {"by_sound", "common_name"} & {effect.what for effect in match.effects}


@pytest.mark.parametrize(
    "known",
    [
        {"birth_date": BORN},
        {"birth_date": "1964"},
        {"nationality": "MX"},
        {"address": "14 Calle Real, Culiacan, Mexico"},
    ],
)
def test_what_agrees_beside_a_common_name_lifts_the_bound(engine: Any, known: Any) -> None:
    assert best_match(engine, "José López", **known).score >= 70


@pytest.mark.parametrize(
    "name",
    [
        "Luis Sanchez",  # the given name is left out
        "Kim Chol",  # half of a given name
        "Kim Chol Yong",  # its syllables the other way round
        "Lee Yong-chol",  # another family name
        "김철용",
        "이영철",
        "이영호",
        "Habiba Yusuf",  # a woman's name
        "Habibah Yousef",
        "Reza Hosseini",  # a family name formed from the listed given name
        "Mahmoud Al-Masri",  # another name in Arabic
        "Hadiza Habibu Yusuf",  # the listed man's daughter
        "Ibrahim Khalid",  # father and son, and the grandfather is missing
    ],
)
def test_a_part_of_common_material_is_no_reason_to_look(engine: Any, name: str) -> None:
    lookup_result = lookup.match_sanctions(engine=engine, subject=Subject(name=name))
    assert lookup_result.score < 45 and not lookup_result.matches, (name, lookup_result)


@pytest.mark.parametrize("title", ["H.E. Eng.", "S.E. M.", "S.E. Mme", "H. E.", "Eng."])
def test_a_title_before_a_name_says_nothing_against_it(engine: Any, title: str) -> None:
    assert best_match(engine, f"{title} Baltazar Quillfeather").score >= 70


@pytest.mark.parametrize(
    ("one", "other", "formed"),
    [
        ("mohammadi", "muhammad", True),
        ("hussein", "hosseini", True),
        ("sharifi", "shariff", True),
        ("amina", "ameen", True),
        ("habib", "habibah", True),
        ("abdullahi", "abdullah", False),  # the same given name in Hausa and Somali
        ("haruna", "harun", False),
        ("ali", "al", False),
        ("kazimi", "kazim", False),  # a spelling of the same name
        ("karimi", "rahim", False),
        ("hussein", "hossein", False),
        ("georgi", "georg", False),  # no Arabic names
        ("andrei", "andre", False),
    ],
)
def test_a_name_formed_from_another_is_another(one: str, other: str, formed: bool) -> None:
    assert is_derived_arabic_name(one, other) is formed
    assert is_derived_arabic_name(other, one) is formed


@pytest.mark.parametrize("known", [{"birth_date": BORN}, {"birth_date": "1964"}])
def test_a_birth_date_that_agrees_brings_a_child_back_into_view(engine: Any, known: Any) -> None:
    assert best_match(engine, "Hadiza Habibu Yusuf", **known).score >= 45


@pytest.mark.parametrize("known", [{"birth_date": "1990-01-01"}, {"nationality": "SE"}])
def test_what_differs_lifts_nothing(engine: Any, known: Any) -> None:
    assert best_match(engine, "José López", **known).score < 70


@pytest.mark.parametrize("name", ["hosseini", "hoseini", "hussaini", "lópez", "ivanov", "cohen"])
def test_common_names_are_known_as_they_sound(name: str) -> None:
    assert is_common_name(name.replace("ó", "o"))


@pytest.mark.parametrize("name", ["mishustin", "quillfeather", "zaghlawi", "", "lopezzi"])
def test_other_names_are_not_common(name: str) -> None:
    assert not is_common_name(name)
