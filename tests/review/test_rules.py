"""Notes, keys, what is done together, and how evidence is frozen. DESIGN.md section 8."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.backoffice.review.rules import bulk_and_merge, case_keys, evidence, hours
from apps.backoffice.review.rules.bulk_and_merge import CaseTraits
from apps.platform.crypto.canonical import canonical_json
from apps.platform.desk.note_validation import LONGEST_NOTE, find_note_fault
from tests.review.people import NOON

CAP = 25


@pytest.mark.parametrize(
    ("note", "good"),
    [
        ("", False),
        (" " * 40, False),
        ("123456789", False),
        (" 123456789 ", False),
        ("1234567890", True),
        ("x" * LONGEST_NOTE, True),
        ("x" * (LONGEST_NOTE + 1), False),
    ],
)
def test_a_note_is_a_sentence(note: str, good: bool) -> None:
    assert (find_note_fault(note) == "") is good


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Chen Haddad", "HADDAD, Chen"),
        ("José Müller", "jose muller"),
        ("Weiß & Co.", "WEISS CO"),
        ("Ｆｕｌｌ Width", "full width"),
    ],
)
def test_names_are_searched_without_case_marks_and_order(one: str, other: str) -> None:
    assert case_keys.build_party_key(one) == case_keys.build_party_key(other)


def test_vowel_signs_do_not_split_a_name() -> None:
    assert case_keys.build_party_key("नरेन्द्र") == "नरेन्द्र".replace("्", "")


def test_different_names_stay_different() -> None:
    assert case_keys.build_party_key("Chen Haddad") != case_keys.build_party_key("Chan Haddad")


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.decimals(allow_nan=False, allow_infinity=False) | st.dates(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(PLAIN)
def test_whatever_is_evidence_can_be_digested(value: Any) -> None:
    frozen = evidence.freeze_evidence(value)
    assert canonical_json(frozen) == canonical_json(evidence.freeze_evidence(frozen))


def test_scores_become_texts_of_four_decimals() -> None:
    given = {"score": 0.61234567, "whole": 1.0, "tiny": 1e-9, "day": date(2026, 1, 2), "t": (1, 2)}
    assert evidence.freeze_evidence(given) == {
        "score": "0.6123", "whole": "1", "tiny": "0", "day": "2026-01-02", "t": [1, 2],
    }  # fmt: skip


def test_what_has_no_plain_form_is_no_evidence() -> None:
    with pytest.raises(TypeError, match="object cannot be evidence"):
        evidence.freeze_evidence({"x": object()})


TICK = timedelta(microseconds=1)


@pytest.mark.parametrize(
    ("ahead", "good"),
    [
        (timedelta(0), False),
        (TICK, True),
        (hours.LONGEST_SNOOZE, True),
        (hours.LONGEST_SNOOZE + TICK, False),
    ],
)
def test_a_snooze_ends_within_thirty_days(ahead: timedelta, good: bool) -> None:
    assert (hours.find_snooze_fault(until=NOON + ahead, now=NOON) == "") is good


ONE = CaseTraits("screen", "account:1", "LOW", "ofac:1", "|A|", needs_second=False)


@pytest.mark.parametrize(
    ("others", "fault"),
    [
        ([], ""),
        ([replace(ONE, owner="account:2")], ""),
        ([replace(ONE, entity="")], "matches no listed party"),
        ([replace(ONE, entity="ofac:2")], "different listed parties"),
        ([replace(ONE, kind="payment")], "different listed parties"),
        ([replace(ONE, rules="|A|B|")], "different reasons"),
        ([replace(ONE, risk="MEDIUM")], ""),
        ([replace(ONE, risk="HIGH")], "HIGH risk"),
        ([ONE] * (CAP - 1), ""),
        ([ONE] * CAP, "at most 25"),
    ],
)
def test_only_few_cases_of_one_listed_party_are_cleared_together(
    others: list[CaseTraits], fault: str
) -> None:
    bulk_fault = bulk_and_merge.find_bulk_fault([ONE, *others], cap=CAP, risks={"LOW", "MEDIUM"})
    assert fault in bulk_fault and bool(bulk_fault) is bool(fault)


def test_nothing_is_not_cleared() -> None:
    assert bulk_and_merge.find_bulk_fault([], cap=CAP, risks={"LOW"})
    assert "one by one" in bulk_and_merge.find_bulk_fault([ONE], cap=0, risks=())


@pytest.mark.parametrize(
    ("duplicate", "into", "good"),
    [
        ({}, {}, True),
        ({}, {"risk": "HIGH", "needs_second": True}, True),
        ({"needs_second": True}, {"needs_second": True}, True),
        ({"needs_second": True}, {}, False),
        ({}, {"owner": "account:2"}, False),
        ({}, {"kind": "payment"}, False),
    ],
)
def test_a_merge_never_lowers_who_must_agree(
    duplicate: dict[str, Any], into: dict[str, Any], good: bool
) -> None:
    fault = bulk_and_merge.find_merge_fault(
        duplicate=replace(ONE, **duplicate), into=replace(ONE, **into)
    )
    assert (fault == "") is good


@pytest.mark.parametrize(
    ("refs", "kept"), [([], ""), (["A"], "|A|"), (["A 1", "B, 2"], "|A 1|B, 2|")]
)
def test_rules_are_kept_for_the_queue_with_marks_between(refs: list[str], kept: str) -> None:
    assert case_keys.join_rule_refs(refs) == kept


def test_more_rules_than_an_index_holds_are_left_out_whole() -> None:
    kept = case_keys.join_rule_refs(f"rule {number:04d}" for number in range(500))
    assert len(kept) <= case_keys.LONGEST_REFS + 1
    assert all(len(ref) == 9 for ref in kept.strip("|").split("|"))


@pytest.mark.parametrize(
    ("listed", "key"), [([], ""), (["b:2", "a:1", "b:2"], "a:1 b:2"), (["a:1"], "a:1")]
)
def test_listed_parties_make_one_key_in_any_order(listed: list[str], key: str) -> None:
    assert case_keys.build_entity_key(listed) == key


def test_a_key_of_many_listed_parties_is_as_long_as_a_column_holds() -> None:
    many = [f"ofac:{number:06d}" for number in range(40)]
    assert len(case_keys.build_entity_key(many)) == 64 == len(case_keys.build_entity_key(many[1:]))
    assert (
        case_keys.build_entity_key(many)
        == case_keys.build_entity_key(reversed(many))
        != case_keys.build_entity_key(many[1:])
    )
    exact = ["x" * case_keys.LONGEST_KEY]
    assert case_keys.build_entity_key(exact) == exact[0]
