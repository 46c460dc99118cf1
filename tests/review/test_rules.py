"""Due times, second officers, reasons, and how evidence is frozen. DESIGN.md section 8."""

from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.core.canonical import canonical
from apps.review import rules
from apps.review.rules import Likeness, Stakes
from apps.review.rules_hours import Hours
from tests.review.people import NOON

MILLION = Decimal(1_000_000)


@pytest.mark.parametrize(
    ("risk", "due"),
    [("HIGH", "20T16:00"), ("MEDIUM", "23T12:00"), ("LOW", "25T12:00")],
)
def test_a_case_is_due_by_its_risk_in_hours_of_an_open_desk(risk: str, due: str) -> None:
    found = rules.due_at(risk=risk, opened_at=NOON, hours=Hours(zone=ZoneInfo("UTC")))
    assert found == datetime.fromisoformat(f"2026-11-{due}+00:00")


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


TICK = timedelta(microseconds=1)


@pytest.mark.parametrize(
    ("ahead", "good"),
    [
        (timedelta(0), False),
        (TICK, True),
        (rules.LONGEST_SNOOZE, True),
        (rules.LONGEST_SNOOZE + TICK, False),
    ],
)
def test_a_snooze_ends_within_thirty_days(ahead: timedelta, good: bool) -> None:
    assert (rules.snooze_fault(until=NOON + ahead, now=NOON) == "") is good


ONE = Likeness("screen", "account:1", "LOW", "ofac:1", "|A|", needs_second=False)


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
        ([ONE] * (rules.BULK_CAP - 1), ""),
        ([ONE] * rules.BULK_CAP, "at most 25"),
    ],
)
def test_only_few_cases_of_one_listed_party_are_cleared_together(
    others: list[Likeness], fault: str
) -> None:
    found = rules.bulk_fault([ONE, *others])
    assert fault in found and bool(found) is bool(fault)


def test_nothing_is_not_cleared() -> None:
    assert rules.bulk_fault([])


def test_what_clears_in_bulk_is_a_reason_to_approve() -> None:
    assert all(rules.reason(outcome="APPROVE", code=code) for code in rules.BULK_REASONS)


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
    fault = rules.merge_fault(duplicate=replace(ONE, **duplicate), into=replace(ONE, **into))
    assert (fault == "") is good


@pytest.mark.parametrize(
    ("refs", "kept"), [([], ""), (["A"], "|A|"), (["A 1", "B, 2"], "|A 1|B, 2|")]
)
def test_rules_are_kept_for_the_queue_with_marks_between(refs: list[str], kept: str) -> None:
    assert rules.rule_refs(refs) == kept


def test_more_rules_than_an_index_holds_are_left_out_whole() -> None:
    kept = rules.rule_refs(f"rule {number:04d}" for number in range(500))
    assert len(kept) <= rules.LONGEST_REFS + 1
    assert all(len(ref) == 9 for ref in kept.strip("|").split("|"))
