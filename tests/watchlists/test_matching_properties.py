"""What holds of any two names, and of any text at all."""

import unicodedata
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.reference.watchlists.listed_entity import ListedEntity, ListedName, Schema
from apps.reference.watchlists.matching.explanation import explain_score
from apps.reference.watchlists.matching.index import Query
from apps.reference.watchlists.matching.name_normalization import normalize_name
from apps.reference.watchlists.matching.score import score_pair
from apps.reference.watchlists.matching.token_keys import compute_deletion_keys
from apps.reference.watchlists.matching.token_weights import TokenWeights

GENERAL = TokenWeights.general()
SCHEMAS: list[Schema] = ["Person", "Organization", "Vessel"]
WORDS = "ali hassan mohammed kowalski quenneville jong kim trading bank orion luch 3 iv llc gmbh"
texts = st.text(st.characters(), max_size=60)
words = st.sampled_from(sorted(WORDS.split()))
names = st.lists(words, min_size=1, max_size=6).map(" ".join)
schemas = st.sampled_from(SCHEMAS)


def score(query: str, candidate: str, schema: Schema) -> float:
    return score_pair(query=query, candidate=candidate, schema=schema, weights=GENERAL)


@settings(deadline=None)
@given(texts, texts, schemas)
def test_any_two_texts_score_between_zero_and_one(one: str, other: str, schema: Schema) -> None:
    assert 0.0 <= score(one, other, schema) <= 1.0


@pytest.mark.parametrize("text", ["\ud800", "Ali \udfff Hassan", "\0", "ا\ud83d", "\u202eKim"])
def test_broken_text_never_raises(text: str) -> None:
    assert 0.0 <= score(text, "Ali Hassan", "Person") <= 1.0
    assert 0.0 <= score(text, "Ali Hassan", "Organization") <= 1.0


@settings(deadline=None)
@given(texts, schemas)
def test_a_readable_name_matches_itself(name: str, schema: Schema) -> None:
    group = "person" if schema == "Person" else "thing"
    readable = bool(normalize_name(name=name, group=group).tokens)
    assert score(name, name, schema) == pytest.approx(1.0 if readable else 0.0)


@settings(deadline=None)
@given(names, schemas)
def test_case_and_accents_and_spaces_do_not_matter(name: str, schema: Schema) -> None:
    varied = unicodedata.normalize("NFD", f"  {name.upper()} ".replace(" ", "  "))
    assert score(varied, name, schema) == pytest.approx(1.0)


@settings(deadline=None)
@given(st.permutations(["andrzej", "kowalski", "quenneville"]))
def test_the_order_of_a_persons_names_does_not_make_another_person(order: list[str]) -> None:
    assert score(" ".join(order), "Andrzej Kowalski Quenneville", "Person") >= 0.70


@settings(deadline=None)
@given(names, names, schemas)
def test_a_match_is_a_match_from_either_side(one: str, other: str, schema: Schema) -> None:
    there, back = score(one, other, schema), score(other, one, schema)
    assert abs(there - back) <= 0.25


@settings(deadline=None)
@given(names, schemas)
def test_a_stranger_beside_the_name_never_raises_the_score(name: str, schema: Schema) -> None:
    assert score(f"{name} zyxquor", name, schema) <= score(name, name, schema)


@settings(deadline=None)
@given(names, names, schemas)
def test_an_explanation_agrees_with_the_score(one: str, other: str, schema: Schema) -> None:
    entity = ListedEntity(entity_id="1", schema=schema, names=(ListedName(other),))
    explanation = explain_score(
        query=Query(one, schema), entity=entity, name=other, weights=GENERAL
    )
    assert explanation.score == score(one, other, schema)
    used = sum(len(match.query.split()) for match in explanation.matches) + len(
        explanation.query_left
    )
    group = "person" if schema == "Person" else "thing"
    assert used == len(normalize_name(name=one, group=group).tokens)


@given(st.text(alphabet="abkéжा", max_size=18))
def test_keys_are_those_of_the_text_with_letters_left_out(text: str) -> None:
    kept = text[:14]
    wanted = {kept}
    if len(kept) >= 3:
        wanted |= _shorter(wanted)
    if len(kept) >= 7:
        wanted |= _shorter(wanted)
    assert set(compute_deletion_keys(text)) == {crc32(one.encode()) for one in wanted}


def _shorter(texts: set[str]) -> set[str]:
    return {text[:i] + text[i + 1 :] for text in texts for i in range(len(text))}
