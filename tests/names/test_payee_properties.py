"""What holds of any two names of payees, and of any text at all."""

import unicodedata

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from apps.reference.names.payee import band_of_score, compare_payee_names
from apps.reference.names.payee.comparison import _split_holders, _split_into_readings
from apps.reference.names.payee.name_parser import parse_payee_name
from tests import steps

_PARTS = """
gernot wiesner philippa hollis bob robert langley quillmont tessaro van de trading textiles gmbh ag
ltd group berlin 3 iv & j. o'shea müller mueller ben al jr dr. иван 王 c/o t/a fund holding
"""
texts = st.text(st.characters(), max_size=60)
names = st.lists(st.sampled_from(_PARTS.split()), max_size=6).map(" ".join)
plain = st.lists(
    st.sampled_from(
        ["gernot", "wiesner", "philippa", "hollis", "bob", "robert", "langley", "quillmont"]
    ),
    min_size=1,
    max_size=4,
).map(" ".join)
accents = st.sampled_from(["\u0301", "\u0308", "\u0327", "\u0303", "\u030c"])
calm = settings(deadline=None)


def score(submitted: str, registered: str, *aliases: str) -> int:
    return compare_payee_names(submitted=submitted, registered=registered, aliases=aliases).score


@calm
@given(texts | names, texts | names)
def test_any_two_texts_score_from_0_to_100_and_the_same_each_time(one: str, other: str) -> None:
    comparison = compare_payee_names(submitted=one, registered=other)
    assert 0 <= comparison.score <= 100 and comparison.band == band_of_score(comparison.score)
    for reading in (parse_payee_name, _split_into_readings, _split_holders):
        reading.cache_clear()
    assert compare_payee_names(submitted=one, registered=other) == comparison


@calm
@given(texts | names)
def test_a_name_is_its_own_or_none(text: str) -> None:
    comparison = compare_payee_names(submitted=text, registered=text)
    name = parse_payee_name(text)
    assert comparison.score == (100 if name.words or name.before else 0)


@calm
@given(names | texts, names | texts, st.lists(names, max_size=3), names | texts)
def test_a_further_alias_never_lowers_the_score(
    one: str, other: str, aliases: list[str], more: str
) -> None:
    assert score(one, other, *aliases, more) >= score(one, other, *aliases)


@calm
@given(plain, plain)
def test_people_are_to_each_other_what_the_other_is_to_them(one: str, other: str) -> None:
    assume(one == other or not (one.startswith(other) or other.startswith(one)))  # cut off
    assert score(one, other) == score(other, one)


@calm
@given(names, names)
def test_a_match_is_one_both_ways(one: str, other: str) -> None:
    assume("/" not in one + other and "&" not in one + other)
    there, back = (
        compare_payee_names(submitted=a, registered=b).band for a, b in ((one, other), (other, one))
    )
    assert (there == "MATCH") == (back == "MATCH")


@calm
@given(plain, plain, st.sampled_from([str.upper, str.title, str.swapcase]))
def test_case_tells_nothing(one: str, other: str, change) -> None:
    assert score(change(one), other) == score(one, other)


@calm
@given(plain, plain, st.sampled_from([".", "  ", "\t", " . ", "\u200b", ""]))
def test_points_and_blanks_around_words_tell_nothing(one: str, other: str, sign: str) -> None:
    apart = f"{sign} ".join(one.split()) + sign
    assert score(apart, other) == score(one, other)


@calm
@given(plain, plain, accents, st.integers(0, 30))
def test_marks_on_letters_tell_nothing(one: str, other: str, mark: str, place: int) -> None:
    assume(mark != "\u0308")  # an umlaut is told in two letters as well
    at = place % len(one)
    assume(one[at] != " ")
    marked = unicodedata.normalize("NFC", one[: at + 1] + mark + one[at + 1 :])
    assume(score(one, other) in (0, 100) or "aeiou".find(one[at]) >= 0)
    assert score(marked, other) == score(one, other)


@calm
@given(plain, plain)
def test_what_rules_cost_adds_up(one: str, other: str) -> None:
    comparison = compare_payee_names(submitted=one, registered=other)
    assert comparison.score <= max(0, 100 - sum(rule.cost for rule in comparison.charged))
    assert comparison.score <= min(rule.most for rule in comparison.charged)
    assert sum(word.carried for word in comparison.words) <= 100 + len(comparison.words)


@pytest.mark.parametrize(
    "text",
    [
        "\ud800",
        "Ali \udfff Hassan",
        "\0",
        "\u202eKim",
        "a" * 5000,
        "\u0301" * 300,
        "" * 3,
        "-" * 300,
    ],
)
def test_broken_text_never_raises(text: str) -> None:
    assert score(text, "Gernot Wiesner") == 0
    assert score("Gernot Wiesner", text) == 0


HOSTILE = [
    "a " * 150, "ab " * 100, "quillmont ltd " * 22, "& " * 150, "и " * 150, "王" * 300, "c/o " * 75,
    "a-" * 150, "a & b " * 50, "fka a " * 50, "(" * 300, "s a " * 75, "gmbh " * 60, "'" * 300,
    "mr " * 100, "aа" * 150, "1 " * 150, "i v x " * 50, "abd al " * 43, "ü" * 300, "or and " * 43,
    "formerly " * 33, "x/y " * 75, "de la " * 50, "\u0301a" * 150, "김" * 300, "م" * 300,
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_three_hundred_letters_take_few_steps(text: str) -> None:
    compare_payee_names(submitted="warm müller (formerly warm) & 王 c/o warm", registered=text)
    for reading in (parse_payee_name, _split_into_readings, _split_holders):
        reading.cache_clear()

    def both() -> None:
        compare_payee_names(submitted=text, registered=text[::-1])

    assert steps.taken(both) < 400 * 300
