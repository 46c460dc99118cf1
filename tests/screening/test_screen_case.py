"""The case of a flagged screen: reasons that fit its rules, hours, second officers."""

from datetime import datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from apps.backoffice.review.case_types import OTHER, Stakes, get_rule_label
from apps.backoffice.review.models import Case
from apps.backoffice.review.rules.hours import WorkingHours, compute_due_time
from apps.compliance.screening.case_types.screens import SCREEN
from apps.compliance.screening.combined.evidence_view import build_evidence_view, listed_parties
from apps.compliance.screening.rules.findings import RULES
from apps.compliance.screening.rules.screen import SANCTIONED, is_ofac_concerned
from apps.reference.watchlists.listed_entity import ListedEntity, ListedName
from apps.reference.watchlists.matches import ListMatch
from tests.review.people import NOON
from tests.screening.conftest import REQUEST

MILLION = Decimal(1_000_000)
FLAGGING = [rule.ref for rule in RULES if rule.decision == "FLAGGED"]
GREY, PARTIAL, POLITICAL = "1 §2.7 rule 1 grey list", "1 §2.7 rule 3 partial", "1 §2.7 rule 4"


def codes(outcome: str, *refs: str) -> set[str]:
    return {reason.code for reason in SCREEN.offered(outcome=outcome, refs=refs)}


@pytest.mark.parametrize(
    ("outcome", "refs", "offered"),
    [
        ("APPROVE", [GREY], {"COUNTRY_EDD"}),
        ("REJECT", [GREY], {"COUNTRY_DECLINED"}),
        ("APPROVE", [PARTIAL], {"DIFFERENT_PARTY", "NAME_ONLY"}),
        ("REJECT", [PARTIAL], {"LISTED_PARTY", "NOT_IDENTIFIED"}),
        ("APPROVE", [GREY, POLITICAL], {"DIFFERENT_PARTY", "NAME_ONLY", "PEP_ACCEPTED"}),
        ("REJECT", ["D §4 fail closed, ownership"], {"LISTED_OWNER", "NOT_IDENTIFIED"}),
        ("APPROVE", ["a rule that left"], set()),
        ("NEITHER", [GREY], None),
    ],
)  # fmt: skip
def test_only_reasons_that_fit_the_rules_are_offered(
    outcome: str, refs: list[str], offered: set[str] | None
) -> None:
    assert codes(outcome, *refs) == (set() if offered is None else offered | {OTHER})


OWNED, MINORITY = "1 §2.7 rule 3 partial, owner", "D §4 Owners, minority"
UNOWNED, EMBARGO = "D §4 fail closed, ownership", "D §4 countries, embargo"
LARGE, NO_RATE = "1 §2.7 rule 2 large", "D §4 fail closed, amount"


@pytest.mark.parametrize(
    ("outcome", "refs", "offered"),
    [
        ("APPROVE", [GREY, PARTIAL], {"DIFFERENT_PARTY", "NAME_ONLY"}),
        ("REJECT", [GREY, PARTIAL], {"LISTED_PARTY", "NOT_IDENTIFIED"}),
        ("APPROVE", [LARGE, POLITICAL, PARTIAL], {"DIFFERENT_PARTY", "NAME_ONLY"}),
        # who rejects for a listed owner opens its matter, whatever else the case is here for
        ("REJECT", [OWNED, PARTIAL], {"LISTED_PARTY", "LISTED_OWNER", "NOT_IDENTIFIED"}),
        ("APPROVE", [POLITICAL, OWNED], {"DIFFERENT_PARTY", "NAME_ONLY", "OWNERSHIP_CLEAR"}),
        # each rule of the gravest level is answered, not one of them
        ("APPROVE", [OWNED, MINORITY], {"OWNERSHIP_CLEAR"}),
        ("APPROVE", [EMBARGO, GREY, LARGE], {"EMBARGO_LICENSED"}),
        ("APPROVE", [UNOWNED, EMBARGO], {"OWNERSHIP_CLEAR", "CHECK_COMPLETED"}),
        ("APPROVE", ["D §4 fail closed, lists", EMBARGO], {"EMBARGO_LICENSED"}),
        ("APPROVE", [POLITICAL, EMBARGO], {"EMBARGO_LICENSED"}),
        ("REJECT", [EMBARGO, GREY], {"EMBARGO_REFUSED"}),
        ("APPROVE", ["D §4 fail closed, lists", GREY], {"CHECK_COMPLETED"}),
        # what informs alone is of no weight
        ("APPROVE", ["1 §2.7 rule 2 reporting", GREY], {"COUNTRY_EDD"}),
        ("APPROVE", [NO_RATE, "D §4 fail closed, LEI of another"], {"CHECK_COMPLETED"}),
    ],
)  # fmt: skip
def test_a_case_of_several_rules_is_closed_for_the_gravest(
    outcome: str, refs: list[str], offered: set[str]
) -> None:
    for given in (refs, refs[::-1]):
        assert codes(outcome, *given) == offered | {OTHER}


def test_every_rule_that_flags_has_its_level_and_no_other() -> None:
    levels = [ref for level in SCREEN.gravity for ref in level]
    assert sorted(levels) == sorted(FLAGGING)


def test_what_clears_several_is_about_the_gravest_too() -> None:
    both = {"DIFFERENT_PARTY", "NAME_ONLY"}
    assert {one.code for one in SCREEN.shared([PARTIAL, GREY])} == both
    assert SCREEN.shared([OWNED, MINORITY]) == ()


@pytest.mark.parametrize("ref", FLAGGING)
@pytest.mark.parametrize("outcome", ["APPROVE", "REJECT"])
def test_each_rule_that_flags_has_a_reason_of_its_own(outcome: str, ref: str) -> None:
    assert codes(outcome, ref) - {OTHER}


@pytest.mark.parametrize("outcome", ["APPROVE", "REJECT"])
def test_reasons_name_rules_that_flag_and_a_basis(outcome: str) -> None:
    reason = SCREEN.reasons[outcome]
    assert len({one.code for one in reason}) == len(reason)
    assert all(
        one.basis.startswith(("FATF R.", "31 CFR ")) and len(one.code) <= 40 for one in reason
    )
    assert all(one.rules <= set(FLAGGING) for one in reason)
    assert [one.code for one in reason if not one.rules] == [OTHER]


def test_a_reason_belongs_to_its_outcome() -> None:
    assert SCREEN.reason(outcome="APPROVE", code="DIFFERENT_PARTY")
    assert SCREEN.reason(outcome="REJECT", code="DIFFERENT_PARTY") is None
    assert SCREEN.reason(outcome="", code=OTHER) is None


def test_what_clears_in_bulk_is_about_the_listed_party() -> None:
    assert {one.code for one in SCREEN.shared([PARTIAL])} == {"DIFFERENT_PARTY", "NAME_ONLY"}
    assert SCREEN.shared([GREY]) == ()


@pytest.mark.parametrize(
    ("risk", "due"), [("HIGH", "20T16:00"), ("MEDIUM", "23T12:00"), ("LOW", "25T12:00")]
)
def test_a_case_is_due_by_its_risk_in_hours_of_an_open_desk(risk: str, due: str) -> None:
    due_time = compute_due_time(
        start=NOON, working=SCREEN.due[risk], hours=WorkingHours(zone=ZoneInfo("UTC"))
    )
    assert due_time == datetime.fromisoformat(f"2026-11-{due}+00:00")


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
    found = SCREEN.second(stakes)
    assert (found.ref if found else None) == ref


def test_every_rule_for_a_second_officer_is_reached() -> None:
    stakes = [
        Stakes("HIGH", None, None),
        Stakes("LOW", None, MILLION),
        Stakes("LOW", MILLION, None),
        Stakes("LOW", None, None, frozenset({EMBARGO, GREY})),
    ]
    assert [SCREEN.second(stake) for stake in stakes] == list(SCREEN.seconds)


def test_ofac_is_told_of_sanctioned_parties_and_embargoes_and_not_of_a_country_by_fatf() -> None:
    blocking = {rule.code for rule in RULES if rule.decision == "BLOCKED"}
    assert blocking - SANCTIONED == {"country.call_for_action"}
    assert blocking >= SANCTIONED
    for owed in (True, False):
        assert is_ofac_concerned({"country.embargo"}, owed=owed)
        assert not is_ofac_concerned({"country.call_for_action"}, owed=owed)
        assert is_ofac_concerned({"sanctions.match"}, owed=owed) is owed


def test_a_referral_concerns_ofac_as_a_screen_that_blocks_does_or_by_a_partial_match() -> None:
    for owed in (True, False):
        assert SCREEN.concerns_ofac(["D §4 countries, embargo"], owed=owed)
        assert SCREEN.concerns_ofac(["1 §2.7 rule 3 partial"], owed=owed) is owed
        assert not SCREEN.concerns_ofac(["1 §2.7 rule 1 grey list", "1 §2.7 rule 4"], owed=owed)


def test_the_listed_parties_of_both_checks_are_named_once() -> None:
    hit, office = {"dataset": "ofac", "entityId": "7"}, {"dataset": "peps", "entityId": "Q1"}
    found = listed_parties({"sanctions": [hit, hit], "pep": [office]})
    assert set(found) == {"ofac:7", "peps:Q1"} and len(list(found)) == 2
    assert not listed_parties({})


def test_the_page_says_what_held_a_score_below_a_match() -> None:
    listed = ListedEntity("1", "Person", names=(ListedName("N", "primary"),))
    row = ListMatch("1", "l", "N", 69, listed, "N").recorded()
    weak = {"explanation": {"weak_alias": True}}
    bound = {"effects": [{"what": "bounds", "query": "", "listed": "", "effect": "-0.06"}]}
    [drawn] = build_evidence_view({"request": REQUEST, "sanctions": [row | weak]})["matches"]
    assert drawn["steps"][0]["what"] == "The list marks this name as weak: it counts below a match"
    [drawn] = build_evidence_view({"request": REQUEST, "sanctions": [row | bound]})["matches"]
    [told] = drawn["qualifiers"]
    assert (told["what"], told["alone"], told["effect"]) == (
        "Limited to below a match: a hard fact differs", True, "-6",
    )  # fmt: skip
    weak["explanation"] |= {"raw": 1.0, "name_score": 0.69}
    [drawn] = build_evidence_view({"request": REQUEST, "sanctions": [row | weak]})["matches"]
    assert drawn["steps"][0]["effect"] == "-31"
    [drawn] = build_evidence_view({"request": REQUEST, "sanctions": [row | weak | {"score": 70}]})[
        "matches"
    ]
    assert drawn["steps"] == []


def test_every_rule_is_told_in_words_and_says_whether_it_informs_alone() -> None:
    told = {ref: (one.title, one.informs) for ref, one in SCREEN.rules.items()}
    assert told == {rule.ref: (rule.title, rule.decision is None) for rule in RULES}
    assert sum(informs for _, informs in told.values()) == 3  # reporting, LEI, known
    assert get_rule_label(PARTIAL) == SCREEN.rules[PARTIAL]
    assert get_rule_label("a rule that left").title == "a rule that left"


def test_the_gravest_rule_is_told_first_and_what_informs_alone_last() -> None:
    informs = next(ref for ref, words in SCREEN.rules.items() if words.informs)
    held = ["1 §2.7 rule 2 large", informs, "1 §2.7 rule 1 grey list", "1 §2.7 rule 3 partial"]
    case = Case(kind="screen", rules=[{"ref": ref, "sentence": ref} for ref in held])
    assert [one["ref"] for one in case.told] == [held[3], held[2], held[0], informs]
