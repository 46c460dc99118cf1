"""What follows from an ownership chain: each rule, each boundary (document 1 section 2.6)."""

import pytest

from apps.compliance.screening.rules import ubo as rules_ubo
from apps.compliance.screening.rules.owners import NodeFact
from apps.compliance.screening.rules.ubo import ChainFacts, judge_chain
from apps.reference.lei.values import OwnerGap


def node(score=0, label="STANDARD", role="SUBJECT", controls=True):
    return NodeFact(role, "LEI", "Acme", score, label, controls)


def facts(*nodes, gaps=()):
    return ChainFacts(
        nodes or (node(),), tuple(OwnerGap("ULTIMATE_PARENT", reason) for reason in gaps)
    )


CASES = [
    (facts(), "CLEAR", None),
    (facts(node(44)), "CLEAR", None),
    (facts(node(45)), "REVIEW_REQUIRED", "D §4 2.6 partial"),
    (facts(node(69)), "REVIEW_REQUIRED", "D §4 2.6 partial"),
    (facts(node(70)), "BLOCKED", "1 §2.6 match"),
    (facts(node(100)), "BLOCKED", "1 §2.6 match"),
    (facts(node(), node(70, role="ULTIMATE_PARENT")), "BLOCKED", "1 §2.6 match"),
    (facts(node(70, controls=False)), "REVIEW_REQUIRED", "D §4 Owners, minority"),
    (facts(node(69, controls=False)), "REVIEW_REQUIRED", "D §4 2.6 partial"),
    (facts(node(label="NOT_PROVIDED")), "CLEAR", None),
    (facts(node(label="EMBARGO")), "REVIEW_REQUIRED", "D §4 2.6 country"),
    (facts(node(label="EU_HIGH_RISK")), "REVIEW_REQUIRED", "D §4 2.6 country"),
    (facts(node(label="INCREASED_MONITORING")), "REVIEW_REQUIRED", "D §4 2.6 country"),
    (facts(node(label="CALL_FOR_ACTION")), "REVIEW_REQUIRED", "D §4 2.6 country"),
    (facts(gaps=["NATURAL_PERSONS"]), "CLEAR", None),
    (facts(gaps=["NO_KNOWN_PERSON"]), "CLEAR", None),
    (facts(gaps=["NON_CONSOLIDATING"]), "CLEAR", None),
    (facts(gaps=["NON_PUBLIC"]), "REVIEW_REQUIRED", "D §4 2.6 hidden"),
    (facts(gaps=["CONSENT_NOT_OBTAINED"]), "REVIEW_REQUIRED", "D §4 2.6 hidden"),
    (facts(gaps=["SOMETHING_NEW"]), "REVIEW_REQUIRED", "D §4 2.6 hidden"),
    (facts(gaps=["NOT_REPORTED"]), "REVIEW_REQUIRED", "D §4 2.6 not checked"),
    (facts(gaps=["NOT_CHECKED"]), "REVIEW_REQUIRED", "D §4 2.6 not checked"),
    (facts(gaps=["CYCLE"]), "REVIEW_REQUIRED", "D §4 2.6 not checked"),
    (facts(gaps=["TOO_LONG"]), "REVIEW_REQUIRED", "D §4 2.6 not checked"),
    (ChainFacts((node(),), (), unread=("why",)), "REVIEW_REQUIRED", "D §4 2.6 not checked"),
    (facts(node(None)), "REVIEW_REQUIRED", "D §4 2.6 not checked"),
]


@pytest.mark.parametrize(("given", "result", "ref"), CASES)
def test_the_result_follows_from_the_gravest_rule(given, result, ref):
    judged = judge_chain(given)
    assert judged.result == result
    assert [finding.ref for finding in judged.findings] == ([ref] if ref else [])


def test_every_rule_is_reached():
    assert {ref for _, _, ref in CASES if ref} == {rule.ref for rule in rules_ubo.RULES}


def test_all_rules_that_hold_are_named_and_the_gravest_wins():
    given = facts(
        node(50, "EU_HIGH_RISK"), node(90), node(80, controls=False), gaps=["NON_PUBLIC", "CYCLE"]
    )
    judged = judge_chain(given)
    assert judged.result == "BLOCKED"
    assert [finding.ref for finding in judged.findings] == [rule.ref for rule in rules_ubo.RULES]
    assert "Acme (LEI), matched at 90 %" in judged.findings[0].reason


def test_the_table_is_gravest_first():
    order = {"BLOCKED": 0, "REVIEW_REQUIRED": 1}
    ranks = [order[rule.result] for rule in rules_ubo.RULES]
    assert ranks == sorted(ranks)


def test_every_place_that_is_not_checked_has_its_words():
    assert set(rules_ubo.WORDS) == rules_ubo.UNCHECKED


@pytest.mark.parametrize(
    ("reasons", "note"),
    [
        ([], ""),
        (["NATURAL_PERSONS"], ""),
        (["NON_PUBLIC"], "ultimate parent hidden by the reporting exception NON_PUBLIC"),
        (["CYCLE"], "ultimate parent: the records form a circle"),
    ],
)
def test_the_note_of_a_chain_says_what_is_missing(reasons, note):
    gaps = tuple(OwnerGap("ULTIMATE_PARENT", reason) for reason in reasons)
    assert rules_ubo.describe_broken_chain(gaps) == note
