"""How much of what agrees is evidence: one word, syllables, initials, words in place of others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from apps.reference.names.scripts.korean_chinese_syllables import (
    is_syllabic_name,
    normalize_korean_syllables,
)
from apps.reference.watchlists.matching.arabic_compound_parts import split_arabic_compound
from apps.reference.watchlists.matching.score import score_pair
from apps.reference.watchlists.matching.token_weights import TokenWeights
from apps.reference.watchlists.matching.transcriptions import (
    HEARD,
    LEAST_SOUND,
    match_by_sound,
    sounds_of_token,
    strip_vowels,
)

GENERAL = TokenWeights.general()


def person(query: str, candidate: str) -> float:
    return score_pair(query=query, candidate=candidate, schema="Person", weights=GENERAL)


def firm(query: str, candidate: str) -> float:
    return score_pair(query=query, candidate=candidate, schema="Organization", weights=GENERAL)


@pytest.mark.parametrize(
    ("query", "listed"),
    [
        ("Zorvan Maple Bakery", "ZORVAN"),
        ("Tilda Zorvan", "ZORVAN"),
        ("Zorvan", "ZORVAN MAPLE GARDENS"),
        ("Zorvan Street Properties", "AL ZORVAN"),
    ],
)
def test_one_word_beside_another_telling_word_never_blocks(query: str, listed: str) -> None:
    assert firm(query, listed) < 0.70


@pytest.mark.parametrize(
    ("query", "listed"), [("Holding", "AL HOLDING"), ("The Group", "GROUP COMPANY")]
)
def test_words_that_say_only_what_kind_of_body_it_is_are_no_evidence(
    query: str, listed: str
) -> None:
    assert firm(query, listed) < 0.45
    assert firm(listed, listed) == 1.0


@pytest.mark.parametrize(
    ("query", "listed", "same"),
    [
        ("Zorvan Computer Company", "Zorvan Computer Centre", True),
        ("Political Records Department", "Political Records Directorate", True),
        ("Zorvan Computer Traders", "Zorvan Computer Refiners", False),
        ("Zorvan Steel Tubes", "Zorvan Steel Wires", False),
    ],
)
def test_another_word_for_the_kind_of_body_contradicts_nothing(
    query: str, listed: str, same: bool
) -> None:
    assert (firm(query, listed) >= 0.70) is same
    assert (firm(query, listed) >= 0.45) is same


def test_a_word_in_the_place_of_another_tells_more_than_one_here_and_one_there() -> None:
    assert person("Tarkhan Ismail Gaziev", "Tarkhan Magomed Gaziev") < person(
        "Ismail Tarkhan Gaziev", "Tarkhan Gaziev Magomed"
    )


def test_the_more_agrees_the_less_a_contradiction_costs() -> None:
    scores = [
        firm("Orion Delta Zorvan Kappa", "Kappa Orion Delta Quill"),
        firm("Orion Delta Zorvan", "Delta Orion Quill"),
        firm("Orion Zorvan", "Quill Orion"),
    ]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == 3


def test_titles_are_set_aside_from_persons_and_not_from_companies() -> None:
    facts = {
        group: GENERAL.facts(token="general", group=group)  # type: ignore[arg-type]
        for group in ("person", "thing")
    }
    assert facts["person"].weight < facts["thing"].weight
    assert (facts["person"].particle, facts["thing"].particle) == (True, False)


@pytest.mark.parametrize(
    "query", ["F. Quenneville", "QUENNEVILLE F.M.", "Quenneville, F. M.", "F M Quenneville"]
)
def test_a_rare_surname_with_its_initials_is_looked_at_and_no_match(query: str) -> None:
    assert 0.45 <= person(query, "Fabrice Michel Quenneville") < 0.70
    assert person(query, "Gaston Pascal Quenneville") < 0.45


@pytest.mark.parametrize(
    ("query", "listed", "same"),
    [
        ("Jang Pom Su", "JANG BOM SU", True),
        ("Jo Yon Jun", "CHO YON CHUN", True),
        ("Kim Yeong Cheol", "Kim Yong Chol", True),
        ("KIM Taejoon", "Tae Joon KIM", True),
        ("Kim Won Jin", "Kim Sok Jin", False),
        ("Zhang Jing", "Zhang Ping", False),
    ],
)
def test_another_syllable_is_another_name_and_another_romanisation_is_not(
    query: str, listed: str, same: bool
) -> None:
    assert (person(query, listed) >= 0.70) is same
    assert (person(query, listed) >= 0.45) is same


@pytest.mark.parametrize(
    ("text", "sounds"),
    [("cheol", "col"), ("chol", "col"), ("kwang", "kwang"), ("hassan", "ha san"), ("zhang", "")],
)
def test_a_syllable_is_read_as_it_sounds(text: str, sounds: str) -> None:
    assert normalize_korean_syllables(text) == sounds


def test_a_name_is_of_syllables_with_a_surname_of_their_languages_only() -> None:
    assert is_syllabic_name(("kim", "jong", "un"))
    assert is_syllabic_name(("zhang", "yimou"))
    assert not is_syllabic_name(("musa", "hasan"))
    assert not is_syllabic_name(("kim", "kardashian"))
    assert not is_syllabic_name(("kim",))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("abdulrahman", ("abdul", "rahman")),
        ("saifullah", ("ullah", "saif")),
        ("salahuddin", ("uddin", "salah")),
        ("azizurrahman", ("urrahman", "aziz")),
        ("abdullah", ("", "")),
        ("abdillahi", ("", "")),
        ("hamid", ("", "")),
    ],
)
def test_a_compound_has_a_word_that_many_share_and_one_that_tells(
    text: str, parts: tuple[str, str]
) -> None:
    assert split_arabic_compound(text) == parts


def test_the_shared_word_of_compounds_is_no_likeness() -> None:
    assert person("Abdul Hamid Qurishi", "Abdul Ghani Qurishi") < 0.45
    assert person("Abdul Hamid Qurishi", "Abdel Hameed Qurishi") >= 0.70


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Rahman Yasin", "Abdul Rahman Yasin"),
        ("Saif Tokhi Quenneville", "Saifullah Tokhi Quenneville"),
    ],
)
def test_the_shared_word_may_be_left_out_on_either_side(one: str, other: str) -> None:
    assert person(one, other) >= 0.45
    assert person(other, one) >= 0.45


def test_an_article_is_no_slip_for_a_name() -> None:
    assert person("Ibrahim al-Shawwakh", "Ali Shawwakh") < 0.70


@pytest.mark.parametrize(
    ("query", "listed"),
    [
        ("محمد قاسم خدايرحيم", "MOHAMMED QASIM KHUDAI RAHIM"),
        ("سالم عمر بنحسين", "SALEM OMAR BEN HASSINE"),
    ],
)
def test_what_one_script_writes_together_and_the_other_apart_agrees(
    query: str, listed: str
) -> None:
    assert person(query, listed) >= 0.70


@pytest.mark.parametrize(
    ("query", "listed"),
    [
        ("Obaid Ullah Akhund", "UBAIDULLAH AKHUND"),
        ("Abd Allah Tikriti", "ABDULLAH TIKRITI"),
        ("Mohd Ijaz Qurishi", "MUHAMMAD IJAZ QURISHI"),
        ("Moammar Gaddafi", "MUAMMAR QADDAFI"),
    ],
)
def test_a_name_written_in_the_manner_of_another_country_is_that_name(
    query: str, listed: str
) -> None:
    assert person(query, listed) >= 0.70


def test_a_slip_does_not_make_one_syllable_of_two_surnames() -> None:
    assert person("LIM Jonghoon", "KIM Jong Hoon") < 0.60


@given(
    heard=st.text(st.sampled_from("abdeghiklmnoprstuxyz"), min_size=2, max_size=9),
    others=st.lists(
        st.text(st.sampled_from("^abdeghiklmnoprstuvyz"), min_size=2, max_size=9),
        min_size=16,
        max_size=40,
        unique=True,
    ),
)
def test_many_words_are_heard_as_each_is_alone(heard: str, others: list[str]) -> None:
    token = f"{HEARD}{heard}"
    alone = {}
    for other in (*others, heard):
        alone |= match_by_sound(token, [other])
    assert match_by_sound(token, [*others, heard]) == alone


@given(
    heard=st.text(st.sampled_from("abcdeghijklmnoprstuvxyzw"), min_size=1, max_size=9),
    others=st.lists(
        st.text(st.sampled_from("^~abcdeghijklmnopqrstuvwyz1"), min_size=1, max_size=11),
        max_size=30,
        unique=True,
    ),
)
def test_a_word_is_as_like_as_the_likest_of_its_sounds(heard: str, others: list[str]) -> None:
    """Words are compared all at once; this is the price of two sounds, one pair after another."""
    token = f"{HEARD}{heard}"
    expected = {}
    for other in (*others, heard):
        likeness = 1.0 if other.lstrip(HEARD) == heard else _score_best_sounds(token, other)
        if likeness >= LEAST_SOUND and other[0] != "~":
            expected[token, other] = likeness
    by_sound = match_by_sound(token, [*others, heard])
    assert {pair: likeness.similarity for pair, likeness in by_sound.items()} == expected


def _score_best_sounds(heard: str, other: str) -> float:
    return max(
        _score_sound_pair(sound, two)
        for sound in sounds_of_token(heard)
        for two in sounds_of_token(other)
    )


def _score_sound_pair(one: str, other: str) -> float:
    bones = strip_vowels(one), strip_vowels(other)
    apart = OSA.distance(*bones)
    if (min(map(len, bones)) < 2 and one != other) or apart > 2:
        return 0.0
    vowels = max(0, OSA.distance(one, other) - apart)
    return 0.92 - 0.9 * (apart + 0.22 * vowels) / (max(map(len, bones)) + 1)
