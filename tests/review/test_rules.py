"""Due times, second officers, reasons, and how evidence is frozen. DESIGN.md section 8."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.core.canonical import canonical
from apps.review import rules
from apps.review.rules import Stakes
from tests.review.people import NOON

MILLION = Decimal(1_000_000)


@pytest.mark.parametrize(("risk", "hours"), [("HIGH", 4), ("MEDIUM", 24), ("LOW", 72)])
def test_a_case_is_due_by_its_risk(risk: str, hours: int) -> None:
    assert rules.due_at(risk=risk, opened_at=NOON) == NOON + timedelta(hours=hours)


@pytest.mark.parametrize(
    ("stakes", "ref"),
    [
        (Stakes("HIGH", None, None), "SECOND-1"),
        (Stakes("HIGH", MILLION, MILLION), "SECOND-1"),
        (Stakes("MEDIUM", MILLION, MILLION), "SECOND-2"),
        (Stakes("LOW", MILLION + 1, MILLION + 1), "SECOND-2"),
        (Stakes("MEDIUM", MILLION, MILLION - Decimal("0.01")), None),
        (Stakes("LOW", None, None), None),
        (Stakes("LOW", Decimal(1), None), "SECOND-3"),
    ],
)
def test_high_risk_large_and_unknown_amounts_need_a_second_officer(
    stakes: Stakes, ref: str | None
) -> None:
    found = rules.second_officer(stakes)
    assert (found.ref if found else None) == ref


def test_every_rule_for_a_second_officer_is_reached() -> None:
    stakes = [
        Stakes("HIGH", None, None),
        Stakes("LOW", MILLION, MILLION),
        Stakes("LOW", MILLION, None),
    ]
    assert {rules.second_officer(one) for one in stakes} == set(rules.SECOND_OFFICER)


@pytest.mark.parametrize("outcome", ["APPROVE", "REJECT"])
def test_reasons_have_codes_of_their_own_and_a_basis(outcome: str) -> None:
    found = rules.REASONS[outcome]
    assert len({one.code for one in found}) == len(found)
    assert all(one.basis.startswith("FATF R.") and len(one.code) <= 40 for one in found)


def test_a_reason_belongs_to_its_outcome() -> None:
    assert rules.reason(outcome="APPROVE", code="DIFFERENT_PARTY")
    assert rules.reason(outcome="REJECT", code="DIFFERENT_PARTY") is None
    assert rules.reason(outcome="", code="OTHER") is None


@pytest.mark.parametrize(
    ("note", "good"),
    [
        ("", False),
        (" " * 40, False),
        ("123456789", False),
        (" 123456789 ", False),
        ("1234567890", True),
        ("x" * rules.LONGEST_NOTE, True),
        ("x" * (rules.LONGEST_NOTE + 1), False),
    ],
)
def test_a_note_is_a_sentence(note: str, good: bool) -> None:
    assert (rules.note_fault(note) == "") is good


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
    assert rules.party_key(one) == rules.party_key(other)


def test_vowel_signs_do_not_split_a_name() -> None:
    assert rules.party_key("नरेन्द्र") == "नरेन्द्र".replace("्", "")


def test_different_names_stay_different() -> None:
    assert rules.party_key("Chen Haddad") != rules.party_key("Chan Haddad")


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.decimals(allow_nan=False, allow_infinity=False) | st.dates(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(PLAIN)
def test_whatever_is_evidence_can_be_digested(value: Any) -> None:
    frozen = rules.frozen(value)
    assert canonical(frozen) == canonical(rules.frozen(frozen))


def test_scores_become_texts_of_four_decimals() -> None:
    given = {"score": 0.61234567, "whole": 1.0, "tiny": 1e-9, "day": date(2026, 1, 2), "t": (1, 2)}
    assert rules.frozen(given) == {
        "score": "0.6123", "whole": "1", "tiny": "0", "day": "2026-01-02", "t": [1, 2],
    }  # fmt: skip


def test_what_has_no_plain_form_is_no_evidence() -> None:
    with pytest.raises(TypeError, match="object cannot be evidence"):
        rules.frozen({"x": object()})
