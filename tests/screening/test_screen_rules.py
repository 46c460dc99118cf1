"""The combined screen's rule tables, each boundary on both sides (document 1 §2.7)."""

import dataclasses
import hashlib
import inspect
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.compliance.screening.rules import (
    facts,
    findings,
    known_false_positives,
    owners,
    party_location,
    statements,
)
from apps.compliance.screening.rules import screen as rules
from apps.compliance.screening.rules.facts import ScreenFacts
from apps.compliance.screening.rules.owners import NodeFact
from apps.compliance.screening.rules.screen import amount_flags, judge_screen
from apps.reference.names.words import word_splitting
from apps.reference.watchlists.rules import score_limits as thresholds
from apps.reference.watchlists.rules.score_limits import to_whole_percent

PLAIN = ScreenFacts(source="US", source_label="STANDARD")


def node(score: int | None, role: str = "ULTIMATE_PARENT", **known) -> NodeFact:
    return NodeFact(role, "549300WE6TAF5EEWQS81", "Sberbank of Russia", score, **known)


CASES = [
    # what changes, decision, risk, the rules that hold
    ({}, "APPROVED", 0, []),
    ({"sanctions_score": 44}, "APPROVED", 44, []),
    ({"sanctions_score": 45}, "FLAGGED", 45, ["1 §2.7 rule 3 partial"]),
    ({"sanctions_score": 69}, "FLAGGED", 69, ["1 §2.7 rule 3 partial"]),
    (
        {"sanctions_score": 69, "sanctions_left": 44, "sanctions_known": ("One.",)},
        "APPROVED",
        69,
        ["D §4 known false positives"],
    ),
    (
        {"sanctions_score": 70, "sanctions_left": 0, "sanctions_known": ("One.",)},
        "BLOCKED",
        70,
        ["1 §2.7 rule 3 match"],
    ),
    ({"sanctions_score": 70}, "BLOCKED", 70, ["1 §2.7 rule 3 match"]),
    ({"sanctions_score": 100}, "BLOCKED", 100, ["1 §2.7 rule 3 match"]),
    ({"source_label": "CALL_FOR_ACTION"}, "BLOCKED", 100, ["1 §2.7 rule 1 blacklist"]),
    (
        {"destination": "KP", "destination_label": "CALL_FOR_ACTION"},
        "BLOCKED",
        100,
        ["1 §2.7 rule 1 blacklist"],
    ),
    ({"source_label": "INCREASED_MONITORING"}, "FLAGGED", 60, ["1 §2.7 rule 1 grey list"]),
    ({"destination_label": "INCREASED_MONITORING"}, "FLAGGED", 60, ["1 §2.7 rule 1 grey list"]),
    ({"destination_label": "EU_HIGH_RISK"}, "FLAGGED", 50, ["D §4 countries, EU"]),
    ({"embargoed": ("destination country CU",)}, "FLAGGED", 60, ["D §4 countries, embargo"]),
    ({"address_label": "STANDARD"}, "APPROVED", 0, []),
    ({"address_label": "EU_HIGH_RISK"}, "FLAGGED", 50, ["D §4 countries, address"]),
    ({"address_label": "INCREASED_MONITORING"}, "FLAGGED", 60, ["D §4 countries, address"]),
    ({"address_label": "EMBARGO"}, "FLAGGED", 60, ["D §4 countries, address"]),
    ({"address_label": "CALL_FOR_ACTION"}, "FLAGGED", 100, ["D §4 countries, address"]),
    ({"sources_missing": ("x is old.",)}, "FLAGGED", 50, ["D §4 fail closed, lists"]),
    ({"amount_given": True, "amount_usd": Decimal("9999.99")}, "APPROVED", 0, []),
    (
        {"amount_given": True, "amount_usd": Decimal(10_000)},
        "APPROVED",
        10,
        ["1 §2.7 rule 2 reporting"],
    ),
    (
        {"amount_given": True, "amount_usd": Decimal("99999.99")},
        "APPROVED",
        10,
        ["1 §2.7 rule 2 reporting"],
    ),
    (
        {"amount_given": True, "amount_usd": Decimal(100_000)},
        "FLAGGED",
        60,
        ["1 §2.7 rule 2 large", "1 §2.7 rule 2 reporting"],
    ),
    (
        {
            "amount_given": True,
            "amount_usd": Decimal(100_000),
            "lei_given": True,
            "lei_counts": True,
        },
        "APPROVED",
        10,
        ["1 §2.7 rule 2 reporting"],
    ),
    (
        {
            "amount_given": True,
            "amount_usd": Decimal(100_000),
            "lei_given": True,
            "lei_note": "LAPSED.",
        },
        "FLAGGED",
        60,
        ["1 §2.7 rule 2 large", "1 §2.7 rule 2 reporting", "D §4 fail closed, LEI"],
    ),
    ({"amount_given": True}, "FLAGGED", 50, ["D §4 fail closed, amount"]),
    ({"lei_given": True, "lei_note": "LAPSED."}, "APPROVED", 0, ["D §4 fail closed, LEI"]),
    ({"unread": ("only 16 words.",)}, "FLAGGED", 50, ["D §4 fail closed, name"]),
    ({"pep_asked": True, "pep_score": 59}, "APPROVED", 0, []),
    ({"pep_asked": True, "pep_score": 60}, "FLAGGED", 48, ["1 §2.7 rule 4"]),
    ({"pep_asked": True, "pep_score": 100}, "FLAGGED", 80, ["1 §2.7 rule 4"]),
    ({"pep_asked": True, "pep_score": None}, "FLAGGED", 50, ["D §4 fail closed, PEP"]),
    ({"nodes": (node(44),), "lei_given": True, "lei_counts": True}, "APPROVED", 0, []),
    (
        {"nodes": (node(45),), "lei_given": True, "lei_counts": True},
        "FLAGGED",
        45,
        ["1 §2.7 rule 3 partial, owner"],
    ),
    (
        {"nodes": (node(69),), "lei_given": True, "lei_counts": True},
        "FLAGGED",
        69,
        ["1 §2.7 rule 3 partial, owner"],
    ),
    (
        {"nodes": (node(70),), "lei_given": True, "lei_counts": True},
        "BLOCKED",
        100,
        ["1 §2.7 rule 5"],
    ),
    ({"nodes": (node(70, controls=False),)}, "FLAGGED", 69, ["D §4 Owners, minority"]),
    ({"nodes": (node(100, controls=False),)}, "FLAGGED", 69, ["D §4 Owners, minority"]),
    ({"nodes": (node(0, label="NOT_PROVIDED"),)}, "APPROVED", 0, []),
    ({"nodes": (node(0, label="EU_HIGH_RISK"),)}, "FLAGGED", 50, ["D §4 Owners, country"]),
    ({"nodes": (node(0, label="INCREASED_MONITORING"),)}, "FLAGGED", 60, ["D §4 Owners, country"]),
    ({"nodes": (node(0, label="EMBARGO"),)}, "FLAGGED", 60, ["D §4 Owners, country"]),
    ({"nodes": (node(0, label="CALL_FOR_ACTION"),)}, "FLAGGED", 100, ["D §4 Owners, country"]),
    ({"lei_of": "Acme AG"}, "FLAGGED", 50, ["D §4 fail closed, LEI of another"]),
    (
        {"lei_given": True, "lei_counts": True, "chain_note": "CYCLE."},
        "FLAGGED",
        50,
        ["D §4 fail closed, ownership"],
    ),
]


@pytest.mark.parametrize(("change", "decision", "risk", "refs"), CASES)
def test_each_rule_decides_as_its_row_says(change, decision, risk, refs) -> None:
    judged = judge_screen(dataclasses.replace(PLAIN, **change))
    seen = (judged.outcome.decision, judged.risk_score, [f.ref for f in judged.findings])
    assert seen == (decision, risk, refs)


def test_every_rule_of_the_table_is_reached_by_a_case() -> None:
    reached = {ref for *_, refs in CASES for ref in refs}
    assert reached == {rule.ref for rule in findings.RULES}


def test_every_rule_gives_a_sentence_and_a_reference_of_its_own() -> None:
    assert len({rule.ref for rule in findings.RULES}) == len(findings.RULES)
    for change, *_ in CASES:
        for finding in judge_screen(dataclasses.replace(PLAIN, **change)).findings:
            assert finding.reason.endswith(".")


@pytest.mark.parametrize(
    ("roles", "said"),
    [
        (["SUBJECT"], "at the holder of the LEI: SUBJECT "),
        (["DIRECT_PARENT"], "at an owner: DIRECT_PARENT "),
        (["SUBJECT", "DIRECT_PARENT"], "at the holder of the LEI and an owner: SUBJECT "),
    ],
)
@pytest.mark.parametrize(
    ("score", "begins"), [(69, "Partial sanctions match "), (70, "Sanctions ")]
)
def test_who_in_the_chain_is_sanctioned_is_said(roles, said, score, begins) -> None:
    nodes = tuple(node(score, role) for role in roles)
    (finding,) = judge_screen(dataclasses.replace(PLAIN, nodes=nodes)).findings
    assert finding.reason.startswith(begins + said)
    assert f"matched at {score} %" in finding.reason


def test_the_codes_of_rules_never_change() -> None:
    """Clients switch on them: a rule may be added, none may be called otherwise."""
    assert {rule.code: rule.ref for rule in findings.RULES} == {
        "country.call_for_action": "1 §2.7 rule 1 blacklist",
        "country.increased_monitoring": "1 §2.7 rule 1 grey list",
        "country.eu_high_risk": "D §4 countries, EU",
        "country.embargo": "D §4 countries, embargo",
        "country.address": "D §4 countries, address",
        "amount.reporting": "1 §2.7 rule 2 reporting",
        "amount.large": "1 §2.7 rule 2 large",
        "amount.not_checked": "D §4 fail closed, amount",
        "lei.does_not_count": "D §4 fail closed, LEI",
        "lei.mismatch": "D §4 fail closed, LEI of another",
        "sanctions.match": "1 §2.7 rule 3 match",
        "sanctions.partial": "1 §2.7 rule 3 partial",
        "name.not_checked": "D §4 fail closed, name",
        "pep.match": "1 §2.7 rule 4",
        "pep.not_checked": "D §4 fail closed, PEP",
        "lists.not_checked": "D §4 fail closed, lists",
        "owner.match": "1 §2.7 rule 5",
        "owner.minority": "D §4 Owners, minority",
        "owner.country": "D §4 Owners, country",
        "owner.partial": "1 §2.7 rule 3 partial, owner",
        "sanctions.known": "D §4 known false positives",
        "owner.not_checked": "D §4 fail closed, ownership",
    }


@pytest.mark.parametrize(
    ("change", "decision", "words", "not_said"),
    [
        ({"amount_usd": Decimal(999)}, "APPROVED", "need not be verified", "not clear"),
        ({"amount_usd": Decimal(999)}, "FLAGGED", "not clear, so verify them", "LEI"),
        ({"amount_usd": Decimal(1000)}, "APPROVED", "an ISSUED LEI", "need not be"),
        ({"lei_counts": True}, "APPROVED", "not part of this screen", "need not be"),
    ],
)
def test_what_r16_still_wants_is_said(change, decision, words, not_said) -> None:
    given = dataclasses.replace(PLAIN, **change)
    note = statements.select_r16_statement(given, decision).says(given)
    assert words in note and not_said not in note
    assert note.endswith(".") and not note.endswith("..")


@pytest.mark.parametrize(
    ("decision", "human", "action"),
    [
        ("APPROVED", False, "proceed automatically"),
        ("FLAGGED", True, "route to compliance queue"),
        ("BLOCKED", False, "halt; do not notify the counterparty; log for SAR review"),
    ],
)
def test_what_follows_from_a_decision(decision, human, action) -> None:
    row = next(row for row in rules.DECISIONS if row.decision == decision)
    assert (row.human_required, row.action) == (human, action)


def test_blocked_outranks_whatever_else_is_flagged() -> None:
    both = dataclasses.replace(PLAIN, sanctions_score=80, source_label="INCREASED_MONITORING")
    judged = judge_screen(both)
    assert judged.outcome.decision == "BLOCKED"
    assert len(judged.findings) == 2


@pytest.mark.parametrize(
    ("change", "basis"),
    [
        ({"amount_given": True, "amount_usd": Decimal("999.99")}, "BELOW_THRESHOLD"),
        ({"amount_given": True, "amount_usd": Decimal(1000)}, "NAME_ONLY"),
        ({"amount_given": True, "amount_usd": None}, "NAME_ONLY"),
        ({}, "NAME_ONLY"),
        ({"lei_given": True, "lei_counts": True}, "LEI_VERIFIED"),
        ({"lei_given": True}, "NAME_ONLY"),
        (
            {"lei_counts": True, "amount_given": True, "amount_usd": Decimal(500)},
            "LEI_VERIFIED",
        ),
    ],
)
def test_the_basis_of_the_r16_attestation(change, basis) -> None:
    given = dataclasses.replace(PLAIN, **change)
    for decision in ("APPROVED", "FLAGGED", "BLOCKED"):
        assert statements.select_r16_statement(given, decision).basis == basis


@pytest.mark.parametrize(
    ("usd", "counts", "flags"),
    [
        (None, False, ["AMOUNT_NOT_CHECKED"]),
        (Decimal("9999.99"), False, []),
        (Decimal(10_000), False, ["CTR_EQUIVALENT_10000"]),
        (Decimal("99999.99"), False, ["CTR_EQUIVALENT_10000"]),
        (Decimal(100_000), False, ["CTR_EQUIVALENT_10000", "LARGE_WITHOUT_LEI_100000"]),
        (Decimal(100_000), True, ["CTR_EQUIVALENT_10000"]),
    ],
)
def test_amount_flags(usd, counts, flags) -> None:
    given = dataclasses.replace(PLAIN, amount_given=True, amount_usd=usd, lei_counts=counts)
    assert amount_flags(given) == flags


@pytest.mark.parametrize(
    ("individual", "kind", "runs"),
    [
        (True, None, True),
        (False, "payroll", True),
        (False, "contractor", True),
        (False, "vendor_payment", False),
        (False, "intercompany", False),
        (False, "other", False),
        (False, None, False),
    ],
)
def test_when_the_pep_screen_runs(individual, kind, runs) -> None:
    assert rules.needs_pep(individual=individual, payment_type=kind) is runs


@pytest.mark.parametrize(
    ("score", "whole"),
    [(0.0, 0), (0.29, 29), (0.4499, 44), (0.45, 45), (0.6999, 69), (0.7, 70), (1.0, 100)],
)
def test_scores_are_rounded_down_so_that_69_99_does_not_block(score, whole) -> None:
    assert to_whole_percent(score) == whole


scores = st.integers(0, 100)
labels = st.sampled_from(["STANDARD", "INCREASED_MONITORING", "EU_HIGH_RISK", "CALL_FOR_ACTION"])


@given(scores, labels, labels, st.one_of(st.none(), scores), st.booleans())
def test_the_risk_is_never_below_the_sanctions_score_nor_above_100(s, a, b, pep, asked) -> None:
    screen_facts = ScreenFacts(
        source="US",
        source_label=a,
        destination="FR",
        destination_label=b,
        sanctions_score=s,
        pep_asked=asked,
        pep_score=pep if asked else None,
    )
    judged = judge_screen(screen_facts)
    assert s <= judged.risk_score <= 100
    approved = all(finding.decision is None for finding in judged.findings)
    assert (judged.outcome.decision == "APPROVED") is approved


@pytest.mark.parametrize(
    ("sample", "missing", "quality"),
    [
        (False, {}, "LIVE"),
        (False, {"sources_missing": ("A list is old.",)}, "PARTIAL"),
        (False, {"pep_asked": True, "pep_score": None}, "PARTIAL"),
        (False, {"pep_asked": True, "pep_score": 0}, "LIVE"),
        (False, {"amount_given": True, "amount_usd": None}, "PARTIAL"),
        (True, {}, "SAMPLE"),
        (True, {"sources_missing": ("A list is old.",)}, "SAMPLE"),
    ],
)
def test_the_quality_is_the_worst_of_all_inputs(sample, missing, quality) -> None:
    given = dataclasses.replace(PLAIN, **missing)
    assert rules.data_quality(sample=sample, facts=given) == quality


def test_ends_of_a_payment_are_named_by_their_countries() -> None:
    named = rules.matching_ends(source="CU", destination="CU", holds=lambda code: code == "CU")
    assert named == ("source country CU", "destination country CU")
    assert rules.matching_ends(source="DE", destination="", holds=lambda code: code != "DE") == ()


def test_changing_the_rules_means_raising_their_version() -> None:
    """When this fails: raise rules.VERSION, then pin the new pair here."""
    source = inspect.getsource(thresholds) + inspect.getsource(rules).replace(
        f'"{rules.VERSION}"', ""
    )
    source += "".join(inspect.getsource(rule_module) for rule_module in RULE_MODULES)
    digest = hashlib.sha256(source.encode()).hexdigest()[:16]
    assert (rules.VERSION, digest) == PINNED


RULE_MODULES = (
    party_location,
    word_splitting,
    facts,
    findings,
    known_false_positives,
    owners,
    statements,
)
PINNED = ("2026-11.29", "d34c8fb25d02b0fc")
